// Agreement over two parameters: a table of shades, with default, best and chosen settings marked.

import { h } from "../dom";
import type { Page } from "../page";
import { scrolling } from "../scrolling";
import { written } from "./curve";
import type { Setting, Tuning, Value } from "./tune";

const SHADES = 6;

function ordered(values: readonly Value[]): Value[] {
  const distinct = [...new Set(values)];
  return distinct.every((value) => typeof value === "number") ? distinct.sort((one, two) => Number(one) - Number(two)) : distinct;
}

/** The shade of a value by its rank among all, so that the best stand apart however close they are. */
export function shadeOf(value: number, sorted: readonly number[]): number {
  const below = sorted.filter((one) => one < value).length;
  return sorted.length > 1 ? Math.round((below / (sorted.length - 1)) * SHADES) : SHADES;
}

export function tuningGrid(page: Page, tuning: Tuning): HTMLElement {
  const { t } = page;
  const [first = "", second = ""] = tuning.parameters;
  const rows = ordered(tuning.settings.map((setting) => setting.values[0] ?? "–"));
  const columns = ordered(tuning.settings.map((setting) => setting.values[1] ?? "–"));
  const at = new Map(tuning.settings.map((setting) => [JSON.stringify(setting.values), setting]));
  const known = tuning.settings.flatMap((setting) => (setting.value === null ? [] : [setting.value]));
  const chosen = new Map<string, number>();
  for (const fold of tuning.validation?.folds ?? []) chosen.set(JSON.stringify(fold.values), (chosen.get(JSON.stringify(fold.values)) ?? 0) + 1);
  const same = (setting: Setting, values: readonly Value[]): boolean => JSON.stringify(setting.values) === JSON.stringify(values);
  const cell = (row: Value, column: Value): HTMLElement => {
    const key = JSON.stringify([row, column]);
    const setting = at.get(key);
    if (!setting || setting.value === null) return h("td", { class: "blank" }, "–");
    const marks: string[] = [];
    if (same(tuning.fallback, setting.values)) marks.push("■");
    if (same(tuning.best, setting.values)) marks.push("◆");
    const folds = chosen.get(key) ?? 0;
    if (folds > 0) marks.push(`▲${folds}`);
    return h("td", { class: `number heat heat-${shadeOf(setting.value, known)}${marks.length > 0 ? " chosen" : ""}` },
      page.number(setting.value, 4), marks.length > 0 && h("span", { class: "mark" }, ` ${marks.join(" ")}`));
  };
  return h("div", {}, h("p", { class: "grid-title" }, t("tune.gridCaption", { first, second })), scrolling(`${tuning.metric}: ${t("tune.gridCaption", { first, second })}`, h("table", { class: "tune-grid" },
    h("caption", { class: "offscreen" }, t("tune.gridCaption", { first, second })),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, `${first} ↓ ${second} →`), ...columns.map((column) => h("th", { scope: "col", class: "number" }, written(page, column))))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, h("th", { scope: "row", class: "number" }, written(page, row)), ...columns.map((column) => cell(row, column))))))),
  h("ul", { class: "legend" }, h("li", {}, "■ ", t("tune.isDefault")), h("li", {}, "◆ ", t("tune.isBest")), tuning.validation !== null && h("li", {}, "▲ ", t("tune.isChosen"))));
}
