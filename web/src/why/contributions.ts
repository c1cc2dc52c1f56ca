// What each word, or each member of a combination, adds to a score or takes off it: bars over the words.

import { h } from "../dom";
import type { Page } from "../page";
import { scrolling } from "../scrolling";
import { shown } from "../text";
import type { Sentence } from "./sentences";
import { direction } from "./sentences";

const HIGHEST = 46;

interface Contribution {
  word: string;
  value: number;
}

function signed(page: Page, value: number): string {
  const text = page.number(value, 3);
  return value > 0 ? `+${text}` : text;
}

/** Bars that stand on the words and hang below them, in the order of the sentence; they wrap like it. */
export function wordBars(page: Page, contributions: readonly Contribution[], side: Sentence): HTMLElement {
  const largest = Math.max(...contributions.map((one) => Math.abs(one.value)), 1e-9);
  const hasNegative = contributions.some((one) => one.value < 0);
  return h("ol", { class: `word-bars${hasNegative ? " signed" : ""}`, lang: side.column?.language, dir: direction(side) },
    ...contributions.map(({ word, value }) => {
      const bar = h("span", { class: `bar ${value < 0 ? "down" : "up"}`, "aria-hidden": "true" });
      bar.style.height = `${Math.max((Math.abs(value) / largest) * HIGHEST, 1).toFixed(1)}px`;
      const room = h("span", { class: "above" }, value >= 0 && bar);
      const below = hasNegative && h("span", { class: "below" }, value < 0 && bar);
      return h("li", {}, room, h("bdi", { class: "word" }, ...shown(word)), below,
        h("span", { class: "amount", dir: "ltr" }, signed(page, value)));
    }));
}

/** Bars to either side of a line, with names; for the members of a combination. */
export function sideBars(page: Page, contributions: readonly Contribution[]): HTMLElement {
  const largest = Math.max(...contributions.map((one) => Math.abs(one.value)), 1e-9);
  return scrolling(page.t("why.members"), h("table", { class: "side-bars" },
    h("caption", { class: "offscreen" }, page.t("why.members")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, page.t("why.member")), h("th", { scope: "col", class: "number" }, page.t("why.adds")), h("td", {}))),
    h("tbody", {}, ...contributions.map(({ word, value }) => {
      const bar = h("span", { class: `bar ${value < 0 ? "down" : "up"}` });
      bar.style.width = `${((Math.abs(value) / largest) * 50).toFixed(1)}%`;
      return h("tr", {}, h("th", { scope: "row" }, ...shown(word)), h("td", { class: "number" }, signed(page, value)),
        h("td", { class: "track", "aria-hidden": "true" }, bar));
    }))));
}
