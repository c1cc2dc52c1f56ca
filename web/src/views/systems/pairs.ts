// Each system against each other: difference, p-values, and how often people see such a difference alike.

import { choice, ranked } from "../../choices";
import { h } from "../../dom";
import type { Page } from "../../page";
import type { MetricColumn } from "../../schema";
import { scrolling } from "../../scrolling";
import { named, visible } from "../../text";
import { pRelation, pText } from "./ranking";

const SIGNIFICANT = 0.05;
const FACTS = ["difference", "p", "adjusted", "people"] as const;
type Fact = (typeof FACTS)[number];
/** Up to so many systems have their names above the columns; more have numbers. */
const NAMED_COLUMNS = 6;

export function pairs(page: Page, at: number): HTMLElement {
  const { report, t, number } = page;
  const metric = report.metrics[at] as MetricColumn;
  const comparison = report.comparison?.metrics.find((each) => each.metric === at) ?? null;
  const order = ranked(metric.scores, metric.higherIsBetter);
  const names = report.systems;
  const facts = FACTS.filter((fact) => fact === "difference" || (comparison && (fact !== "people" || comparison.people)));
  const wide = order.length <= NAMED_COLUMNS;
  const readout = h("p", { class: "readout", "aria-live": "polite" }, t(page.views.includes("segments") ? "systems.pairsHint" : "systems.pairsHintOnly"));
  const body = h("tbody", {});

  const differenceOf = (row: number, column: number): number | null => {
    const known = comparison?.differences[row]?.[column];
    if (known != null) return known;
    const [a, b] = [metric.scores[row], metric.scores[column]];
    return a == null || b == null ? null : a - b;
  };
  const sentence = (row: number, column: number): string => {
    const difference = differenceOf(row, column);
    if (difference === null) return t("systems.unknownPair");
    const better = difference > 0 === metric.higherIsBetter;
    const parts = [t(difference === 0 ? "systems.pairEqual" : better ? "systems.pairBetter" : "systems.pairWorse",
      { a: names[row] ?? "", b: names[column] ?? "", difference: number(Math.abs(difference), metric.decimals), metric: metric.title })];
    const p = comparison?.p[row]?.[column];
    const adjusted = comparison?.adjusted[row]?.[column];
    const people = comparison?.people?.[row]?.[column];
    if (p != null) parts.push(t("systems.pairP", { p: pRelation(page, p), holm: pRelation(page, adjusted ?? p) }));
    if (people != null) parts.push(t("systems.pairPeople", { share: number(people * 100, 0) }));
    return parts.join(" ");
  };
  const cell = (row: number, column: number, fact: Fact): HTMLElement => {
    if (row === column) return h("td", { class: "same" });
    const difference = differenceOf(row, column);
    const adjusted = comparison?.adjusted[row]?.[column] ?? comparison?.p[row]?.[column] ?? null;
    const significant = adjusted !== null && adjusted < SIGNIFICANT && difference !== null;
    const better = difference !== null && difference > 0 === metric.higherIsBetter;
    const people = comparison?.people?.[row]?.[column];
    const text = {
      difference: () => (difference !== null && difference > 0 ? "+" : "") + number(difference, metric.decimals),
      p: () => pText(page, comparison?.p[row]?.[column]),
      adjusted: () => pText(page, comparison?.adjusted[row]?.[column]),
      people: () => (people == null ? "–" : `${number(people * 100, 0)} %`),
    }[fact]();
    const button = h("button", { type: "button", class: "plain", "data-row": row, "data-column": column, tabindex: row === (order[0] ?? 0) && column === (order[1] ?? 0) ? 0 : -1 },
      significant && h("span", { class: "sign", "aria-hidden": "true" }, better ? "▲" : "▼"), text,
      h("span", { class: "offscreen" }, ` ${significant ? t(better ? "systems.better" : "systems.worse") : ""}`));
    return h("td", { class: `number ${significant ? (better ? "better" : "worse") : ""}` }, button);
  };
  const fill = (fact: Fact): void => {
    body.replaceChildren(...order.map((row, place) => h("tr", {},
      h("th", { scope: "row" }, h("span", { class: "quiet number" }, `${place + 1} `), named(names[row] ?? "", 26)),
      ...order.map((column) => cell(row, column, fact)))));
  };
  const pairAt = (target: EventTarget | null): [number, number] | null => {
    const button = (target as Element | null)?.closest<HTMLElement>("button[data-row]");
    return button ? [Number(button.dataset["row"]), Number(button.dataset["column"])] : null;
  };
  const tell = (event: Event): void => {
    const pair = pairAt(event.target);
    if (pair) readout.textContent = visible(sentence(...pair));
  };
  body.addEventListener("mouseover", tell);
  body.addEventListener("focusin", tell);
  if (page.views.includes("segments")) {
    body.addEventListener("click", (event) => {
      const pair = pairAt(event.target);
      if (!pair) return;
      page.go({ view: "segments", segment: null,
        options: { sort: "systems", a: names[pair[0]] ?? "", b: names[pair[1]] ?? "", metric: metric.metric, shown: "", diff: `system:${names[pair[1]] ?? ""}` } });
    });
  }
  body.addEventListener("keydown", (event) => {
    const move = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const pair = pairAt(event.target);
    if (!move || !pair) return;
    event.preventDefault();
    let row = order.indexOf(pair[0]);
    let column = order.indexOf(pair[1]);
    do {
      row += move[0] ?? 0;
      column += move[1] ?? 0;
    } while (row === column);
    const next = body.querySelector<HTMLElement>(`button[data-row="${order[row]}"][data-column="${order[column]}"]`);
    if (!next) return;
    // One cell is in the order of Tab; arrows go on from there.
    (event.target as HTMLElement).tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  fill("difference");
  return h("section", { class: "panel pairs" },
    h("h2", { id: "pairs-title" }, t("systems.pairs", { metric: metric.title })),
    facts.length > 1 && h("div", { class: "toolbar" },
      choice("pairs-fact", t("systems.show"), facts.map((fact) => [fact, t(`systems.facts.${fact}`)] as const), "difference", (fact) => fill(fact as Fact))),
    readout,
    scrolling(t("systems.pairs", { metric: metric.title }), h("table", { class: "matrix sticky-first", "aria-labelledby": "pairs-title" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("systems.rowAgainstColumn")),
        ...order.map((system, place) => h("th", { scope: "col", class: "number" },
          wide ? named(names[system] ?? "", 14) : h("span", { title: visible(names[system] ?? "") }, place + 1, h("span", { class: "offscreen" }, ` ${visible(names[system] ?? "")}`)))))),
      body)),
    comparison && h("ul", { class: "legend" },
      h("li", {}, h("span", { class: "sample better" }, "▲"), t("systems.legendBetter")),
      h("li", {}, h("span", { class: "sample worse" }, "▼"), t("systems.legendWorse")),
      h("li", {}, h("span", { class: "sample" }, "≈"), t("systems.legendNone"))));
}
