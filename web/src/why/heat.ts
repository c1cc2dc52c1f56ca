// Every word against every word: a table of similarities, with the best of each row and column marked.

import { h } from "../dom";
import type { Page } from "../page";
import { bestOf, heatStep } from "./heatmap";
import { isSpecial, type Link } from "./links";
import { linkText } from "./said";
import { direction, type Shown, wordOf } from "./sentences";

const MOST_WITH_NUMBERS = 24;

interface Callbacks {
  look(link: number | null): void;
}

function short(page: Page, value: number): string {
  return page.number(value, 2).replace(/^(−?)0(?=[.,])/, "$1");
}

/** The marks of a cell: best for its word of the translation, of the other text, or both. */
export const MARKS = { both: "◆", own: "▸", other: "▾" } as const;

export function drawHeat(page: Page, shown: Shown, callbacks: Callbacks): { element: HTMLElement; activate(link: number | null): void } {
  const { links, own, other } = shown;
  const rows = own.tokens.flatMap((token, at) => (isSpecial(token) ? [] : [at]));
  const columns = other.tokens.flatMap((token, at) => (isSpecial(token) ? [] : [at]));
  const at = new Map(links.map((link, place) => [`${link.own.start},${link.other.start}`, place]));
  const { byOwn, byOther } = bestOf(links);
  const withNumbers = columns.length <= MOST_WITH_NUMBERS;
  const cells = new Map<number, HTMLElement>();
  let home: number | null = null;
  const cell = (row: number, column: number): HTMLElement => {
    const place = at.get(`${row},${column}`);
    if (place === undefined) return h("td", { class: "blank" });
    const link = links[place] as Link;
    const isOwn = byOwn.has(place);
    const isOther = byOther.has(place);
    const best = isOwn && isOther ? "both" : isOwn ? "own" : isOther ? "other" : null;
    const first = home === null;
    if (first) home = place;
    const said = [linkText(page, shown, link), best === null ? "" : page.t(`why.heat.${best}`)].filter((part) => part !== "").join(page.t("why.comma"));
    const element = h("td", {
      class: `heat heat-${heatStep(link.similarity)}${best === null ? "" : " chosen"} kind-${link.kind}`,
      tabindex: first ? 0 : -1,
      "aria-label": said,
      "data-row": row,
      "data-column": column,
      mouseenter: () => callbacks.look(place),
      mouseleave: () => callbacks.look(null),
      focus: () => callbacks.look(place),
    }, best !== null && h("span", { class: "mark", "aria-hidden": "true" }, MARKS[best]), withNumbers && h("span", { class: "value", "aria-hidden": "true" }, short(page, link.similarity)));
    cells.set(place, element);
    return element;
  };
  const table = h("table", { class: "heatmap" },
    h("caption", { class: "offscreen" }, page.t("why.heat.caption")),
    h("thead", {}, h("tr", {},
      h("th", { scope: "col", class: "corner" }, h("span", {}, page.t("why.heat.corner", { other: page.t(`why.${shown.part.comparedWith}`) }))),
      ...columns.map((column) => h("th", { scope: "col", class: "column", lang: other.column?.language }, wordOf(page, other, column))))),
    h("tbody", {}, ...rows.map((row) => h("tr", {},
      h("th", { scope: "row", class: "row", lang: own.column?.language, dir: direction(own) }, wordOf(page, own, row)),
      ...columns.map((column) => cell(row, column))))));
  if (direction(other) === "rtl") table.dir = "rtl";
  table.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const here = (event.target as HTMLElement).closest<HTMLElement>("td.heat");
    if (!step || !here) return;
    event.preventDefault();
    const mirrored = table.dir === "rtl" ? -1 : 1;
    const [down = 0, right = 0] = [step[0], (step[1] ?? 0) * mirrored];
    // Over blank cells to the next that has something to say.
    let row = rows.indexOf(Number(here.dataset["row"]));
    let column = columns.indexOf(Number(here.dataset["column"]));
    for (;;) {
      row += down;
      column += right;
      if (row < 0 || column < 0 || row >= rows.length || column >= columns.length) return;
      const place = at.get(`${rows[row]},${columns[column]}`);
      const next = place === undefined ? undefined : cells.get(place);
      if (!next) continue;
      here.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
      return;
    }
  });
  const activate = (link: number | null): void => {
    for (const [place, element] of cells) element.classList.toggle("active", place === link);
    const chosen = link === null ? undefined : links[link];
    for (const word of table.querySelectorAll<HTMLElement>("tbody th .word")) word.classList.toggle("active", Number(word.dataset["at"]) === chosen?.own.start);
    for (const word of table.querySelectorAll<HTMLElement>("thead th .word")) word.classList.toggle("active", Number(word.dataset["at"]) === chosen?.other.start);
  };
  return { element: h("div", { class: "scroll heat-box", tabindex: 0, role: "region", "aria-label": `${page.t("why.heat.caption")}: ${page.report.systems[shown.part.system] ?? ""}` }, table), activate };
}

