// One metric: systems from best to worst, each score as a point with its interval on one common axis.

import { ticks, extent } from "../../charts";
import { ranked } from "../../choices";
import { h, svg } from "../../dom";
import type { Page } from "../../page";
import type { MetricColumn } from "../../schema";
import { type Scale, scaleLinear } from "../../scale";
import { scrolling } from "../../scrolling";
import { named } from "../../text";

const WIDTH = 1000;
const SIGNIFICANT = 0.05;

/** A point and its whiskers. The drawing is stretched to the cell, so marks keep their size by their own elements. */
function mark(score: number | null, interval: [number, number] | null, scale: Scale): SVGSVGElement {
  const percent = (value: number): string => `${(scale(value) / WIDTH) * 100}%`;
  const parts: SVGElement[] = scale.ticks(5).map((tick) => svg("line", { x1: percent(tick), x2: percent(tick), y1: -4, y2: 28, class: "tick" }));
  if (interval) {
    const [low, high] = interval.map(percent) as [string, string];
    parts.push(svg("line", { x1: low, x2: high, y1: 12, y2: 12, class: "whisker" }));
    for (const end of [low, high]) parts.push(svg("line", { x1: end, x2: end, y1: 8, y2: 16, class: "whisker" }));
  }
  if (score !== null) parts.push(svg("circle", { cx: percent(score), cy: 12, r: 4.5, class: "point" }));
  return svg("svg", { class: "interval", height: 24, width: "100%", "aria-hidden": "true" }, ...parts);
}

function axis(scale: Scale, language: string): HTMLElement {
  const marks = ticks(scale, 5, language).map(([x, text]) => [(x / WIDTH) * 100, text] as const).filter(([x]) => x > 2 && x < 98);
  return h("span", { class: "ticks", "aria-hidden": "true" }, ...marks.map(([x, text]) => {
    const tick = h("span", {}, text);
    tick.style.insetInlineStart = `${x}%`;
    return tick;
  }));
}

/** Runs of systems that follow each other in one cluster: by the first of a run, its length. */
function clusterRuns(order: readonly number[], ranks: readonly number[]): Map<number, number> {
  const runs = new Map<number, number>();
  let first = -1;
  order.forEach((system, at) => {
    if (at === 0 || ranks[system] !== ranks[order[at - 1] ?? -1]) first = system;
    runs.set(first, (runs.get(first) ?? 0) + 1);
  });
  return runs;
}

export function ranking(page: Page, at: number): HTMLElement {
  const { report, t, number } = page;
  const metric = report.metrics[at] as MetricColumn;
  const comparison = report.comparison?.metrics.find((each) => each.metric === at) ?? null;
  const order = ranked(metric.scores, metric.higherIsBetter);
  const values = order.flatMap((system) => [metric.scores[system], ...(metric.intervals?.[system] ?? [])]).filter((value): value is number => value != null);
  const scale = scaleLinear(extent(values, 0.06), [0, WIDTH]);
  const ranks = comparison?.ranks ?? null;
  const runs = ranks ? clusterRuns(order, ranks) : null;
  const baseline = report.comparison?.baseline ?? null;
  const base = baseline === null ? -1 : report.systems.indexOf(baseline);
  const hasIntervals = metric.intervals?.some((interval) => interval !== null) ?? false;

  const versus = (system: number): HTMLElement => {
    const p = comparison?.adjusted[system]?.[base] ?? comparison?.p[system]?.[base];
    if (p == null) return h("td", {}, system === base ? t("systems.baseline") : "–");
    const difference = comparison?.differences[system]?.[base] ?? 0;
    const better = difference > 0 === metric.higherIsBetter;
    const word = p >= SIGNIFICANT ? "systems.same" : better ? "systems.better" : "systems.worse";
    return h("td", {}, `${p >= SIGNIFICANT ? "≈" : better ? "▲" : "▼"} ${t(word)} (${number(difference, metric.decimals)}, p ${pRelation(page, p)})`);
  };

  const rows = order.map((system, place) => {
    const interval = metric.intervals?.[system] ?? null;
    const run = runs?.get(system);
    const starts = run !== undefined && ranks !== null;
    return h("tr", { class: starts && place > 0 ? "new-cluster" : null },
      h("td", { class: "number rank" }, place + 1),
      h("th", { scope: "row" }, named(report.systems[system] ?? "", 34)),
      h("td", { class: "number" }, number(metric.scores[system], metric.decimals)),
      hasIntervals && h("td", { class: "number quiet spread" }, interval ? `${number(interval[0], metric.decimals)} – ${number(interval[1], metric.decimals)}` : "–"),
      h("td", { class: "plot" }, mark(metric.scores[system] ?? null, interval, scale)),
      starts && h("td", { rowspan: run, class: "cluster" }, h("span", {}, h("span", { class: "word" }, `${t("systems.clusterColumn")} `), ranks[system] ?? 0)),
      base >= 0 && versus(system));
  });

  const id = `ranking-${at}`;
  return h("section", { class: "panel ranking" },
    h("h2", { id }, t("systems.ranking", { metric: metric.title })),
    h("p", { class: "hint" }, sentence(metric.summary), t(metric.higherIsBetter ? "systems.higher" : "systems.lower"), " ",
      t(hasIntervals ? "systems.intervalHint" : "systems.noInterval"), " ",
      runs ? t("systems.clusterHint") : ""),
    scrolling(t("systems.ranking", { metric: metric.title }), h("table", { "aria-labelledby": id },
      h("thead", {}, h("tr", {},
        h("th", { scope: "col", class: "number rank" }, t("systems.place")),
        h("th", { scope: "col" }, t("systems.system")),
        h("th", { scope: "col", class: "number" }, t("systems.score")),
        hasIntervals && h("th", { scope: "col", class: "number spread" }, t("systems.interval")),
        h("th", { scope: "col", class: "plot" }, h("span", { class: "offscreen" }, t("systems.drawing")), axis(scale, document.documentElement.lang || "en")),
        runs && h("th", { scope: "col", class: "cluster-head" }, h("span", {}, t("systems.clusterColumn"))),
        base >= 0 && h("th", { scope: "col" }, t("systems.against", { system: baseline ?? "" })))),
      h("tbody", {}, ...rows))),
    report.systems.length > 1 && report.comparison === null && h("p", { class: "notice" }, t("systems.noComparison"), " ", h("code", {}, "tenbin compare … --report out.html")),
    report.systems.length === 1 && h("p", { class: "hint" }, t("systems.oneSystem")));
}

/** One line of a metric as a sentence with a space after it. */
function sentence(summary: string): string {
  if (summary === "") return "";
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1).replace(/[.。]$/, "")}${/[\u3040-\u30ff\u4e00-\u9fff]/.test(summary) ? "。" : ". "}`;
}

/** A p-value after the letter: "= 0.012", "< 0.001". */
export function pRelation(page: Page, p: number): string {
  return p < 0.001 ? pText(page, p) : `= ${pText(page, p)}`;
}

/** A p-value with three decimals, or as below the least of them. */
export function pText(page: Page, p: number | null | undefined): string {
  if (p === null || p === undefined) return "–";
  return p < 0.001 ? `< ${page.number(0.001, 3)}` : page.number(p, 3);
}
