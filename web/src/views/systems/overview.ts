// Every system by every metric, best first by the chosen one.

import { chosenMetric, humanTitle, ranked } from "../../choices";
import { h } from "../../dom";
import type { Page } from "../../page";
import { scrolling } from "../../scrolling";
import { named } from "../../text";

/** The table; with `most`, as many tables of at most so many columns, for paper. */
export function allScores(page: Page, most = Infinity): HTMLElement {
  const { report, t, number } = page;
  const lead = report.metrics[chosenMetric(page)];
  const order = lead ? ranked(lead.scores, lead.higherIsBetter) : report.systems.map((_, at) => at);
  const columns = [
    ...report.metrics.map((metric) => ({ title: metric.title, decimals: metric.decimals, higherIsBetter: metric.higherIsBetter, scores: metric.scores })),
    ...report.human.map((human) => ({
      title: humanTitle(page, human.kind), decimals: 3, higherIsBetter: human.higherIsBetter, scores: human.scores,
    })),
  ];
  const best = columns.map((column) => {
    const known = column.scores.filter((score): score is number => score !== null);
    return known.length < 2 ? NaN : column.higherIsBetter ? Math.max(...known) : Math.min(...known);
  });
  const numbered = columns.map((column, at) => ({ column, at }));
  const groups = Array.from({ length: Math.ceil(columns.length / Math.min(most, columns.length)) }, (_, group) => numbered.slice(group * most || 0, (group + 1) * most));
  return h("section", { class: "panel" },
    h("h2", {}, t("systems.all")),
    h("p", { class: "hint" }, t("systems.allHint")),
    ...groups.map((group) => scrolling(t("systems.all"), h("table", { class: "sticky-first" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("systems.system")),
        ...group.map(({ column }) => h("th", { scope: "col", class: "number" }, column.title,
          h("span", { title: t(column.higherIsBetter ? "systems.higher" : "systems.lower") }, column.higherIsBetter ? " ↑" : " ↓"))))),
      h("tbody", {}, ...order.map((system) => h("tr", {},
        h("th", { scope: "row" }, named(report.systems[system] ?? "", 34)),
        ...group.map(({ column, at }) => {
          const score = column.scores[system];
          const text = number(score, column.decimals);
          return h("td", { class: "number" }, score === best[at] ? h("strong", { class: "leader" }, text) : text);
        }))))))));
}
