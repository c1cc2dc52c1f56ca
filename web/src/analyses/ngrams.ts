// Groups of words of the references that one system renders and another does not.

import { choice } from "../choices";
import { h } from "../dom";
import type { Page } from "../page";
import { scrolling } from "../scrolling";
import { shown, visible } from "../text";
import { columnOf } from "../why/sentences";
import { openSegments } from "./groupTable";

const MOST = 20;

export function ngramSection(page: Page): HTMLElement | null {
  const { report, t } = page;
  if (report.ngrams.length === 0) return null;
  const name = (system: number): string => visible(report.systems[system] ?? "");
  let a = report.ngrams[0]?.a ?? 0;
  let b = report.ngrams[0]?.b ?? 1;
  const box = h("div");
  const column = columnOf(report, "reference", 0);
  const draw = (): void => {
    const pair = report.ngrams.find((one) => one.a === a && one.b === b);
    const having = [...new Set(report.ngrams.map((one) => one.a))];
    const lacking = report.ngrams.filter((one) => one.a === a).map((one) => one.b);
    const largest = Math.max(...(pair?.rows ?? []).map((row) => row.segments.length), 1);
    const focused = box.contains(document.activeElement) ? document.activeElement?.id : "";
    box.replaceChildren(
      h("div", { class: "toolbar" },
        choice("ngrams-a", t("analyses.ngrams.has"), having.map((system) => [String(system), name(system)] as const), String(a), (value) => {
          a = Number(value);
          const others = report.ngrams.filter((one) => one.a === a).map((one) => one.b);
          if (!others.includes(b)) b = others[0] ?? b;
          draw();
        }),
        choice("ngrams-b", t("analyses.ngrams.lacks"), lacking.map((system) => [String(system), name(system)] as const), String(b), (value) => {
          b = Number(value);
          draw();
        })),
      pair && pair.rows.length > 0
        ? scrolling(t("analyses.ngrams.title"), h("table", { class: "ngrams" },
            h("caption", { class: "offscreen" }, t("analyses.ngrams.caption", { a: name(a), b: name(b) })),
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("analyses.ngrams.words")), h("th", { scope: "col" }, t("analyses.ngrams.only", { a: name(a), b: name(b) })),
              h("th", { scope: "col", class: "number" }, t("analyses.ngrams.in", { name: name(a) })), h("th", { scope: "col", class: "number" }, t("analyses.ngrams.in", { name: name(b) })),
              h("th", { scope: "col", class: "number" }, t("analyses.ngrams.inReference")))),
            h("tbody", {}, ...pair.rows.slice(0, MOST).map((row) => {
              const bar = h("span", { class: "standing" });
              bar.style.width = `${((row.segments.length / largest) * 100).toFixed(0)}%`;
              return h("tr", {},
                h("th", { scope: "row" }, h("bdi", { lang: column?.language, dir: column?.direction ?? "auto" }, ...shown(row.ngram))),
                h("td", {}, h("button", { type: "button", class: "small", click: () => openSegments(page, row.segments, { a: report.systems[a] ?? "", b: report.systems[b] ?? "" }) }, t("analyses.openAll", { n: row.segments.length })),
                  h("span", { class: "standing-track", "aria-hidden": "true" }, bar)),
                h("td", { class: "number" }, page.number(row.a, 0)), h("td", { class: "number" }, page.number(row.b, 0)), h("td", { class: "number" }, page.number(row.reference, 0)));
            }))))
        : h("p", { class: "empty" }, t("analyses.ngrams.none")));
    if (focused) document.getElementById(focused)?.focus();
  };
  draw();
  return h("section", { class: "panel analysis", id: "analysis-ngrams" },
    h("h2", {}, t("analyses.ngrams.title")), h("p", { class: "hint" }, t("analyses.ngrams.read")), box);
}
