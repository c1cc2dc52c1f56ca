// Groups of segments down, systems across: the mean of each, its interval drawn, and a way to the segments.

import { h, svg } from "../dom";
import type { Matrix, Page } from "../page";
import { scrolling } from "../scrolling";
import { named, shown as visible } from "../text";
import { type Group, type Mean, meanOf } from "./groups";

const WIDTH = 92;
const HEIGHT = 16;

export interface GroupTable {
  caption: string;
  first: string;
  groups: readonly Group[];
  label(group: Group): string;
  /** How many rows are shown before the reader asks for all; all where absent. */
  shownFirst?: number;
  /** Lowest first, by the mean over the systems shown. */
  sorted?: boolean;
}

export interface Shown {
  metric: number;
  scores: Matrix;
  systems: readonly number[];
}

/** Filters that would hide some of the segments chosen; the list is held to the choice instead. */
const CLEARED = { only: "selection", q: "", min: "", max: "", shortest: "", longest: "", doc: "" };

/** To the segments of a group, in the view of segments. */
export function openSegments(page: Page, segments: readonly number[], options: Record<string, string> = {}): void {
  page.select(new Set(segments));
  page.go({ view: "segments", segment: null, options: { ...CLEARED, ...options } });
}

function plot(mean: Mean, low: number, high: number, best: boolean): SVGSVGElement {
  const x = (value: number): number => 5 + ((value - low) / (high - low || 1)) * (WIDTH - 10);
  const known = !Number.isNaN(mean.mean);
  return svg("svg", { class: "mini", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    svg("line", { class: "base", x1: 0, x2: WIDTH, y1: HEIGHT - 1.5, y2: HEIGHT - 1.5 }),
    known && !Number.isNaN(mean.low) && svg("line", { class: "interval", x1: Math.max(x(mean.low), 0), x2: Math.min(x(mean.high), WIDTH), y1: HEIGHT / 2 - 1, y2: HEIGHT / 2 - 1 }),
    known && (best
      ? svg("path", { class: "point best", d: `M${x(mean.mean)},1l6,6l-6,6l-6,-6Z` })
      : svg("circle", { class: "point", cx: x(mean.mean), cy: HEIGHT / 2 - 1, r: 3.5 })));
}

/** What the means say in a sentence: where they are lowest and highest. */
export function finding(page: Page, table: GroupTable, rows: readonly { group: Group; overall: number }[], decimals: number): string {
  const known = rows.filter((row) => !Number.isNaN(row.overall)).sort((one, two) => one.overall - two.overall);
  const low = known[0];
  const high = known[known.length - 1];
  if (!low || !high || low === high) return "";
  return page.t("analyses.finding", {
    low: table.label(low.group), lowMean: page.number(low.overall, decimals), high: table.label(high.group), highMean: page.number(high.overall, decimals),
  });
}

export function groupTable(page: Page, { metric, scores, systems }: Shown, table: GroupTable): HTMLElement {
  const { report, t } = page;
  const column = report.metrics[metric];
  const decimals = column?.decimals ?? 4;
  const better = (column?.higherIsBetter ?? true) ? 1 : -1;
  const rows = table.groups.map((group) => {
    const means = systems.map((system) => meanOf((segment) => scores.at(system, segment), group.segments));
    const known = means.filter((mean) => !Number.isNaN(mean.mean));
    return { group, means, overall: known.length > 0 ? known.reduce((sum, mean) => sum + mean.mean, 0) / known.length : NaN };
  });
  if (table.sorted) rows.sort((one, two) => (Number.isNaN(one.overall) ? Infinity : better * one.overall) - (Number.isNaN(two.overall) ? Infinity : better * two.overall));
  const tops = rows.flatMap((row) => row.means.flatMap((mean) => (Number.isNaN(mean.mean) ? [] : [mean.mean])));
  // Intervals of tiny groups may be as wide as the scale; the means decide, with some room for the rest.
  const least = Math.min(...tops);
  const most = Math.max(...tops);
  const pad = (most - least) * 0.25 || Math.abs(most) * 0.05 || 0.1;
  const [low, high] = [least - pad, most + pad];
  const body = h("tbody");
  const row = ({ group, means }: (typeof rows)[number]): HTMLElement => {
    const best = systems.length > 1 ? means.reduce((place, mean, at) => (better * mean.mean > better * (means[place]?.mean ?? NaN) || Number.isNaN(means[place]?.mean ?? NaN) ? at : place), 0) : -1;
    const open = (): void => openSegments(page, group.segments, { metric: column?.metric ?? "" });
    const label = table.label(group);
    return h("tr", { class: "opens", click: open },
      h("th", { scope: "row" }, h("button", { type: "button", class: "plain group-button", title: t("analyses.openGroup", { n: group.segments.length }), click: ((event: Event) => { event.stopPropagation(); open(); }) as EventListener }, h("bdi", {}, ...visible(label)), h("span", { class: "offscreen" }, t("why.colon"), t("analyses.openGroup", { n: group.segments.length })))),
      h("td", { class: "number" }, page.number(group.segments.length, 0)),
      ...means.map((mean, at) => h("td", { class: at === best ? "number best" : "number",
        title: Number.isNaN(mean.low) ? null : t("analyses.interval", { low: page.number(mean.low, decimals), high: page.number(mean.high, decimals), n: mean.n }) },
        page.number(mean.mean, decimals), plot(mean, low, high, at === best))));
  };
  const limit = table.shownFirst ?? rows.length;
  body.append(...rows.slice(0, limit).map(row));
  const more = rows.length > limit && h("button", { type: "button", click: ((event: Event) => {
    body.append(...rows.slice(limit).map(row));
    (event.currentTarget as HTMLElement).remove();
  }) as EventListener }, t("analyses.showAll", { n: rows.length }));
  return h("div", { class: "group-table" },
    h("p", { class: "finding" }, ...visible(finding(page, table, rows, decimals))),
    scrolling(table.caption, h("table", {},
      h("caption", { class: "offscreen" }, table.caption),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, table.first), h("th", { scope: "col", class: "number" }, t("analyses.segmentCount")),
        ...systems.map((system) => h("th", { scope: "col", class: "number" }, named(report.systems[system] ?? "", 16))))),
      body)),
    more);
}
