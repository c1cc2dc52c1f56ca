// Tune: agreement over the values of parameters, what tuning is worth on data it has not seen, and where to be careful.

import { drawn } from "../charts";
import { h } from "../dom";
import type { Page, View } from "../page";
import { scrolling } from "../scrolling";
import { shown } from "../text";
import { tuningCurve, written } from "../studies/curve";
import { dotCell } from "../studies/dots";
import { tuningGrid } from "../studies/grid";
import { bandOf, type Edge, type Setting, type Tuning, tuningsOf, type Validation } from "../studies/tune";
import { judgment, phrase } from "../why/phrases";

const DECIMALS = 4;
const MOST_SETTINGS = 60;

function signed(page: Page, value: number | null): string {
  const text = page.number(value, DECIMALS);
  return value !== null && value > 0 ? `+${text}` : text;
}

function settingText(page: Page, tuning: Tuning, values: Setting["values"]): string {
  return tuning.parameters.map((name, at) => `${name} = ${written(page, values[at])}`).join(page.t("why.comma"));
}

/** What tuning gained on held-out data, in a sentence. */
function verdict(page: Page, validation: Validation): string {
  const { difference, ci } = validation;
  if (difference === null) return page.t("tune.verdict.unknown");
  const values = { difference: signed(page, difference), low: signed(page, ci?.[0] ?? null), high: signed(page, ci?.[1] ?? null) };
  if (!ci) return page.t("tune.verdict.noInterval", values);
  if (ci[0] > 0) return page.t("tune.verdict.gain", values);
  return page.t(ci[1] < 0 ? "tune.verdict.loss" : "tune.verdict.unclear", values);
}

function edgeText(page: Page, edge: Edge, tuning: Tuning): string {
  const who = [edge.isBest ? page.t("tune.edge.best") : "", edge.folds > 0 ? page.t("tune.edge.folds", { n: edge.folds, folds: tuning.validation?.folds.length ?? 0 }) : ""].filter((part) => part !== "").join(page.t("tune.edge.and"));
  return page.t(`tune.edge.${edge.endOfRange ? "range" : "grid"}${edge.side === "upper" ? "Upper" : "Lower"}`, { parameter: edge.parameter, value: written(page, edge.value), who });
}

function summaryTable(page: Page, tuning: Tuning): HTMLElement {
  const { t } = page;
  const found = tuning.validation;
  const cell = (value: number | null): HTMLElement => h("td", { class: "number" }, value === null ? "" : page.number(value, DECIMALS));
  const chosen = found ? [...new Set(found.folds.map((fold) => settingText(page, tuning, fold.values)))] : [];
  const row = (name: string, setting: string, all: number | null, reported: number | null, held: number | null): HTMLElement =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, setting), cell(all), tuning.reported !== "" && cell(reported), found !== null && cell(held));
  return scrolling(`${tuning.metric}: ${t("tune.summary")}`, h("table", {},
    h("caption", { class: "offscreen" }, t("tune.summary")),
    h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, t("tune.setting")), h("th", { scope: "col", class: "number" }, t("tune.allData", { measure: tuning.measure })),
      tuning.reported !== "" && h("th", { scope: "col", class: "number" }, t("tune.allData", { measure: tuning.reported })),
      found !== null && h("th", { scope: "col", class: "number" }, t("tune.heldOut", { measure: tuning.measure })))),
    h("tbody", {},
      row(t("tune.default"), settingText(page, tuning, tuning.fallback.values), tuning.fallback.value, tuning.fallback.reported, found?.fallback ?? null),
      found !== null && row(t("tune.crossValidated"), chosen.length > 3 ? t("tune.severalChosen", { n: chosen.length }) : chosen.join(page.t("why.semicolon")), null, null, found.value),
      row(t("tune.oracle"), settingText(page, tuning, tuning.best.values), tuning.best.value, tuning.best.reported, found?.best ?? null))));
}

function foldTable(page: Page, tuning: Tuning, found: Validation): HTMLElement {
  const { t } = page;
  const gaps = found.folds.map((fold) => (fold.value === null || fold.fallback === null ? null : fold.value - fold.fallback));
  const largest = Math.max(...gaps.map((gap) => Math.abs(gap ?? 0)), 1e-9);
  return h("details", {}, h("summary", {}, t("tune.folds", { n: found.folds.length })),
    h("p", { class: "hint" }, t("tune.foldsRead", { unit: t(`tune.unit.${found.unit}`) })),
    scrolling(`${tuning.metric}: ${t("tune.folds", { n: found.folds.length })}`, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("tune.fold")), h("th", { scope: "col" }, t("tune.chosen")), h("th", { scope: "col", class: "number" }, t("tune.value")),
        h("th", { scope: "col", class: "number" }, t("tune.default")), h("th", { scope: "col", class: "number" }, t("tune.difference")), h("td", {}))),
      h("tbody", {}, ...found.folds.map((fold, at) => h("tr", {},
        h("th", { scope: "row" }, fold.name === "" ? String(at + 1) : fold.name), h("td", {}, settingText(page, tuning, fold.values)),
        h("td", { class: "number" }, page.number(fold.value, DECIMALS)), h("td", { class: "number" }, page.number(fold.fallback, DECIMALS)), h("td", { class: "number" }, signed(page, gaps[at] ?? null)),
        h("td", { class: "plot" }, dotCell({ label: "", value: gaps[at] ?? null, ci: null, strong: (gaps[at] ?? 0) > 0 }, [-largest, largest], 140))))))));
}

function settingsTable(page: Page, tuning: Tuning): HTMLElement {
  const { t } = page;
  const several = tuning.places.length > 1;
  const many = tuning.settings.length > MOST_SETTINGS || tuning.parameters.length > 1;
  const settings = many ? [...tuning.settings].sort((one, two) => (two.value ?? -Infinity) - (one.value ?? -Infinity)).slice(0, MOST_SETTINGS) : tuning.settings;
  const key = (setting: Setting): string => JSON.stringify(setting.values);
  const pairs = tuning.settings[0]?.byPair.map(([name]) => name) ?? [];
  return h("details", {}, h("summary", {}, t("tune.settings", { n: tuning.settings.length })),
    settings.length < tuning.settings.length && h("p", { class: "hint" }, t("tune.someSettings", { n: settings.length })),
    scrolling(`${tuning.metric}: ${t("tune.settings", { n: tuning.settings.length })}`, h("table", {},
      h("thead", {}, h("tr", {}, ...tuning.parameters.map((name) => h("th", { scope: "col", class: "number" }, name)), ...(several ? pairs.map((name) => h("th", { scope: "col", class: "number" }, name)) : []),
        h("th", { scope: "col", class: "number" }, several ? t("tune.mean", { measure: tuning.measure }) : tuning.measure), tuning.reported !== "" && h("th", { scope: "col", class: "number" }, tuning.reported), h("th", { scope: "col" }, t("tune.role")))),
      h("tbody", {}, ...settings.map((setting) => {
        const roles = [key(setting) === key(tuning.fallback) ? t("tune.default") : "", key(setting) === key(tuning.best) ? t("tune.oracle") : ""].filter((role) => role !== "");
        return h("tr", { class: roles.length > 0 ? "best" : null }, ...setting.values.map((value) => h("td", { class: "number" }, written(page, value))),
          ...(several ? setting.byPair.map(([, value]) => h("td", { class: "number" }, page.number(value, DECIMALS))) : []),
          h("td", { class: "number" }, page.number(setting.value, DECIMALS)), tuning.reported !== "" && h("td", { class: "number" }, page.number(setting.reported, DECIMALS)), h("td", {}, roles.join(t("why.comma"))));
      })))));
}

/** Width of charts on paper. */
const PAPER = 680;

/** One tuning; `undo` collects what ends with the view, null on paper. */
function one(page: Page, tuning: Tuning, undo: (() => void)[] | null): HTMLElement {
  const { t } = page;
  const count = tuning.parameters.length;
  const charts = count === 2 ? [tuningGrid(page, tuning)] : tuning.parameters.map((name, parameter) => {
    const box = h("div", { class: "tune-box" });
    if (undo === null) box.append(tuningCurve(page, tuning, parameter, PAPER));
    // Its width is known once it stands on the page.
    else requestAnimationFrame(() => undo.push(drawn(box, (width) => box.replaceChildren(tuningCurve(page, tuning, parameter, Math.min(width, 980))))));
    return h("figure", {}, h("figcaption", {}, t(count > 2 ? "tune.profile" : "tune.curve", { measure: tuning.measure, parameter: name })), box);
  });
  const banded = tuning.settings.some((setting) => bandOf(setting, tuning.fallback) !== null);
  const places = tuning.places.map((place) => `${`${place.set} ${place.pair}`.trim()} (${judgment(page, place.human)}, ${page.number(place.n, 0)} ${phrase(page, place.counted)})`).join(page.t("why.comma"));
  const open = tuning.edges.filter((edge) => !edge.endOfRange);
  const ended = tuning.edges.filter((edge) => edge.endOfRange);
  return h("section", { class: "panel tuning" },
    h("h2", {}, ...shown(t("tune.heading", { metric: tuning.metric, parameters: tuning.parameters.join(page.t("why.comma")) }))),
    h("p", { class: "hint" }, ...shown(t("tune.against", { measure: tuning.measure, places }))),
    tuning.validation !== null && h("p", { class: "finding" }, verdict(page, tuning.validation)),
    ...open.map((edge) => h("p", { class: "notice warn edge-warning", role: "note" }, h("b", {}, t("tune.careful")), " ", edgeText(page, edge, tuning))),
    ...ended.map((edge) => h("p", { class: "notice" }, edgeText(page, edge, tuning))),
    ...charts,
    count !== 2 && h("ul", { class: "legend" },
      h("li", {}, h("span", { class: "key-fallback", "aria-hidden": "true" }, "■"), t("tune.isDefault")), h("li", {}, h("span", { class: "key-best", "aria-hidden": "true" }, "◆"), t("tune.isBest")),
      tuning.validation !== null && h("li", {}, h("span", { class: "key-choice", "aria-hidden": "true" }, "▲"), t("tune.isChosen")), banded && h("li", {}, h("span", { class: "key-band", "aria-hidden": "true" }), t("tune.band"))),
    summaryTable(page, tuning),
    h("p", { class: "hint" }, t("tune.oracleNote")),
    tuning.validation !== null && foldTable(page, tuning, tuning.validation),
    settingsTable(page, tuning),
    h("p", { class: "hint" }, h("code", { class: "signature" }, ...shown(tuning.signature))));
}

export const tune: View = {
  id: "tune",
  available: (report) => report.tune !== null,
  render(root, page) {
    const tunings = tuningsOf(page.report.tune ?? {});
    const undo: (() => void)[] = [];
    root.replaceChildren(h("p", { class: "hint" }, page.t("tune.lead")),
      ...tunings.map((tuning) => one(page, tuning, undo)));
    return () => {
      for (const end of undo) end();
    };
  },
  print: (page) => h("section", {}, h("h2", {}, page.t("tune.title")), ...tuningsOf(page.report.tune ?? {}).map((tuning) => one(page, tuning, null))),
};
