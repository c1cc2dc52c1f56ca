// Why: one segment, one metric, one or two systems; which words were matched, and how that became a score.

import { choice } from "../choices";
import { h } from "../dom";
import type { Page, Report, View } from "../page";
import { scrolling } from "../scrolling";
import { named, shortened, textOf } from "../text";
import { explained, printed } from "../why/explained";
import { columnOf } from "../why/sentences";
import { unexplained } from "../why/unexplained";

/** What is shown: chosen by the reader, else the first that is explained. */
interface Chosen {
  segment: number;
  metric: number;
  system: number;
  second: number | null;
}

function explainableMetrics(report: Report): number[] {
  const explained = new Set(report.explanations.map((part) => part.metric));
  return report.metrics.flatMap((metric, at) => (metric.explainable || explained.has(at) ? [at] : []));
}

export function chosenOf(page: Page): Chosen {
  const { report, place } = page;
  const { options } = place;
  const metrics = explainableMetrics(report);
  const [begin] = report.explanations;
  const byName = report.metrics.findIndex((metric) => metric.metric === options["metric"]);
  const metric = metrics.includes(byName) ? byName : (begin?.metric ?? metrics[0] ?? 0);
  const own = report.systems.indexOf(options["a"] ?? "");
  const other = report.systems.indexOf(options["b"] ?? "");
  const here = place.segment ?? report.explanations.find((part) => part.metric === metric && (own < 0 || part.system === own))?.segment ?? begin?.segment ?? 0;
  const fitting = report.explanations.find((part) => part.segment === here && part.metric === metric);
  const system = own >= 0 ? own : (fitting?.system ?? begin?.system ?? 0);
  return { segment: here, metric, system, second: other >= 0 && other !== system ? other : null };
}

function controls(page: Page, chosen: Chosen): HTMLElement {
  const { report, t } = page;
  const count = report.segments?.count ?? 0;
  const field = h("input", { id: "why-segment", type: "number", min: 1, max: count, step: 1, inputmode: "numeric" });
  field.value = String(chosen.segment + 1);
  field.addEventListener("change", () => {
    const wanted = Math.min(Math.max(Math.round(Number(field.value) || 1), 1), count);
    field.value = String(wanted);
    page.go({ segment: wanted - 1 });
  });
  const turn = (step: number, label: string, sign: string): HTMLElement => h("button", {
    type: "button", id: `why-turn-${step > 0 ? "next" : "back"}`, "aria-label": label, title: label,
    disabled: chosen.segment + step < 0 || chosen.segment + step >= count,
    click: () => page.go({ segment: chosen.segment + step }),
  }, sign);
  const systems = report.systems.map((name) => [name, name] as const);
  const metrics = explainableMetrics(report);
  const mine = report.explanations.filter((part) => part.metric === chosen.metric && part.system === chosen.system);
  const jump = mine.map((part) => [String(part.segment), t("why.explainedOption", { n: String(part.segment + 1), score: page.number(part.score, report.metrics[part.metric]?.decimals ?? 4) })] as const);
  const isExplained = mine.some((part) => part.segment === chosen.segment);
  return h("div", { class: "toolbar why-controls" },
    h("div", { class: "field" }, h("label", { for: "why-segment" }, t("why.segment", { n: count })),
      h("span", { class: "range" }, turn(-1, t("why.previous"), "←"), field, turn(1, t("why.next"), "→"))),
    choice("why-metric", t("why.metric"), metrics.map((at) => [report.metrics[at]?.metric ?? "", report.metrics[at]?.title ?? ""] as const), report.metrics[chosen.metric]?.metric ?? "",
      (metric) => page.go({ segment: chosen.segment, options: { metric } })),
    choice("why-a", t("why.system"), systems, report.systems[chosen.system] ?? "", (a) => page.go({ segment: chosen.segment, options: { a } })),
    report.systems.length > 1 && choice("why-b", t("why.second"), [["", t("why.none")] as const, ...systems.filter(([name]) => name !== report.systems[chosen.system])],
      chosen.second === null ? "" : (report.systems[chosen.second] ?? ""), (b) => page.go({ segment: chosen.segment, options: { a: report.systems[chosen.system] ?? "", b } })),
    jump.length > 0 && choice("why-jump", t("why.jump", { n: jump.length }), [...(isExplained ? [] : [["", t("why.choose")] as const]), ...jump], isExplained ? String(chosen.segment) : "",
      (segment) => segment !== "" && page.go({ segment: Number(segment), options: { a: report.systems[chosen.system] ?? "" } })));
}

/** What to say to readers who come with a metric that has no links to draw. */
function instead(page: Page, chosen: Chosen): HTMLElement | null {
  const { metrics } = page.report;
  const wanted = metrics.find((metric) => metric.metric === page.place.options["metric"]);
  const shown = metrics[chosen.metric];
  if (!wanted || !shown || wanted === shown) return null;
  return h("p", { class: "notice" }, page.t("why.instead", { metric: wanted.title, shown: shown.title }));
}

function texts(page: Page, chosen: Chosen): HTMLElement {
  const { report, t } = page;
  const rows: HTMLElement[] = [];
  const row = (label: HTMLElement | string, content: HTMLElement): void => void rows.push(h("tr", {}, h("th", { scope: "row" }, label), h("td", {}, content)));
  const source = report.sourceOf(chosen.segment);
  if (source !== null) row(t("why.sourceName"), textOf(columnOf(report, "source", 0), source));
  const references = report.referencesOf(chosen.segment);
  for (const [at, reference] of references.entries())
    row(references.length > 1 ? t("why.referenceNumber", { n: at + 1 }) : t("why.referenceName"), textOf(columnOf(report, "reference", at), reference));
  for (const system of chosen.second === null ? [chosen.system] : [chosen.system, chosen.second])
    row(named(report.systems[system] ?? "", 22), textOf(columnOf(report, "system", system), report.hypothesisOf(system, chosen.segment)));
  return h("section", { class: "why-texts", "data-segment": chosen.segment + 1 },
    h("h2", { class: "offscreen" }, t("why.textsOf", { n: String(chosen.segment + 1) })),
    h("table", { class: "texts" }, h("tbody", {}, ...rows)));
}

/** All scores of the segment, so that one metric is seen among the others. */
function scores(page: Page, chosen: Chosen): HTMLElement | null {
  const { report, t } = page;
  const systems = chosen.second === null ? [chosen.system] : [chosen.system, chosen.second];
  const known = report.metrics.flatMap((metric, at) => (report.segmentScores[at] ? [{ metric, at }] : []));
  if (known.length === 0) return null;
  return h("details", { class: "why-scores" }, h("summary", {}, t("why.allScores")),
    scrolling(t("why.allScores"), h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("why.metric")), ...systems.map((system) => h("th", { scope: "col", class: "number" }, named(report.systems[system] ?? ""))))),
      h("tbody", {}, ...known.map(({ metric, at }) => h("tr", {},
        h("th", { scope: "row" }, shortened(metric.title, 40), h("span", { class: "quiet" }, metric.higherIsBetter ? " ↑" : " ↓")),
        ...systems.map((system) => h("td", { class: "number" }, page.number(report.segmentScores[at]?.at(system, chosen.segment), metric.decimals)))))))),
    h("p", { class: "hint" }, t("why.arrows")));
}

/** On paper: the explanation that the reader looks at, with its links as a list. */
function print(page: Page): Node | null {
  if (page.place.view !== "why") return null;
  const chosen = chosenOf(page);
  const parts = (chosen.second === null ? [chosen.system] : [chosen.system, chosen.second]).flatMap((system) => {
    const part = page.report.explanations.find((one) => one.system === system && one.segment === chosen.segment && one.metric === chosen.metric);
    return part ? [printed(page, part)] : [unexplained(page, system, chosen.segment, chosen.metric)];
  });
  return h("section", {}, h("h2", {}, page.t("why.textsOf", { n: String(chosen.segment + 1) })), texts(page, chosen), ...parts);
}

export const why: View = {
  id: "why",
  print,
  available: (report) => report.segments !== null && explainableMetrics(report).length > 0,
  render(root, page) {
    let undo: (() => void)[] = [];
    const draw = (): void => {
      for (const one of undo) one();
      undo = [];
      const chosen = chosenOf(page);
      const focused = root.contains(document.activeElement) ? document.activeElement?.id : "";
      const parts = (chosen.second === null ? [chosen.system] : [chosen.system, chosen.second]).map((system) => {
        const part = page.report.explanations.find((one) => one.system === system && one.segment === chosen.segment && one.metric === chosen.metric);
        if (!part) return unexplained(page, system, chosen.segment, chosen.metric);
        const { element, undo: end } = explained(page, part);
        undo.push(end);
        return element;
      });
      const others = page.link({ view: "segments", segment: chosen.segment });
      root.replaceChildren(
        h("p", { class: "hint" }, page.t("why.lead")),
        controls(page, chosen), instead(page, chosen) ?? "", texts(page, chosen),
        h("p", { class: "why-elsewhere" }, h("a", { href: others }, page.t("why.inSegments"))),
        ...parts, scores(page, chosen) ?? "");
      if (focused) document.getElementById(focused)?.focus();
    };
    draw();
    page.watch(draw);
    return () => {
      for (const one of undo) one();
    };
  },
};
