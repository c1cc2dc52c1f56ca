// Every system by every metric, best first by the chosen one.

import { chosenMetric, humanTitle, ranked } from "../../choices";
import { h } from "../../dom";
import type { Page } from "../../page";
import { scrolling } from "../../scrolling";
import { named } from "../../text";

export function allScores(page: Page): HTMLElement {
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
  return h("section", { class: "panel" },
    h("h2", {}, t("systems.all")),
    h("p", { class: "hint" }, t("systems.allHint")),
    scrolling(t("systems.all"), h("table", { class: "sticky-first" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("systems.system")),
        ...columns.map((column) => h("th", { scope: "col", class: "number" }, column.title,
          h("span", { title: t(column.higherIsBetter ? "systems.higher" : "systems.lower") }, column.higherIsBetter ? " ↑" : " ↓"))))),
      h("tbody", {}, ...order.map((system) => h("tr", {},
        h("th", { scope: "row" }, named(report.systems[system] ?? "", 34)),
        ...columns.map((column, at) => {
          const score = column.scores[system];
          const text = number(score, column.decimals);
          return h("td", { class: "number" }, score === best[at] ? h("strong", { class: "leader" }, text) : text);
        })))))));
}
