// What the reader asked for, and the segments that answer it, in order.

import { chosenMetric, chosenSystem, ranked } from "../../choices";
import type { Page } from "../../page";
import { type Search, searchFor } from "../../search";
import { type Facts, sortedBy } from "./facts";

export const SORTS = ["file", "worst", "best", "systems", "loses", "metrics", "longest", "shortest", "flags"] as const;
export type Sort = (typeof SORTS)[number];

export interface Query {
  sort: Sort;
  metric: number;
  other: number;
  a: number;
  b: number;
  /** The one system whose score counts; -1 for the mean of those shown. */
  of: number;
  shown: number[];
  document: number;
  score: [number, number];
  length: [number, number];
  onlyFlags: boolean;
  onlySelection: boolean;
  search: Search;
  /** What texts are compared with: nothing, the first reference, or a system by position. */
  difference: "" | "reference" | number;
}

/** All systems, best first where a metric says so. */
function bestFirst(page: Page, metric: number): number[] {
  const column = page.report.metrics[metric];
  return column ? ranked(column.scores, column.higherIsBetter) : page.report.systems.map((_, at) => at);
}

/** Whether some segment has a score of it. */
export function scored(page: Page, metric: number): boolean {
  return page.report.segmentScores[metric] != null;
}

export function queryOf(page: Page, mostShown: number): Query {
  const { report, place } = page;
  const option = (key: string): string => place.options[key] ?? "";
  const bound = (key: string, otherwise: number): number => (option(key) === "" || Number.isNaN(Number(option(key))) ? otherwise : Number(option(key)));
  const first = Math.max(0, report.metrics.findIndex((_, at) => scored(page, at)));
  let metric = chosenMetric(page, "metric", first);
  if (!scored(page, metric)) metric = first;
  const others = report.metrics.map((_, at) => at).filter((at) => at !== metric && scored(page, at));
  const other = chosenMetric(page, "other", others[0] ?? metric);
  const order = bestFirst(page, metric);
  const a = chosenSystem(page, "a", order[0] ?? 0);
  const b = chosenSystem(page, "b", order.find((system) => system !== a) ?? a);
  const sort = (SORTS as readonly string[]).includes(option("sort")) ? (option("sort") as Sort) : "file";
  const listed = option("shown").split(",").map((text) => Number(text) - 1).filter((at) => report.systems[at] !== undefined);
  const pair = sort === "systems" || sort === "loses";
  const shown = listed.length ? listed : pair ? [...new Set([a, b])] : order.slice(0, mostShown);
  const compared = option("diff");
  const system = compared.startsWith("system:") ? report.systems.indexOf(compared.slice(7)) : -1;
  const only = option("only").split(",");
  return {
    sort, metric, other, a, b, of: chosenSystem(page, "of", -1), shown,
    document: (report.segments?.documentNames.indexOf(option("doc")) ?? -1),
    score: [bound("min", -Infinity), bound("max", Infinity)],
    length: [bound("shortest", -Infinity), bound("longest", Infinity)],
    onlyFlags: only.includes("flags"),
    onlySelection: only.includes("selection"),
    search: searchFor(option("q")),
    difference: system >= 0 ? system : compared === "reference" ? "reference" : "",
  };
}

/** The systems whose mean the score of a segment is. */
export function counted(query: Query): number[] {
  return query.of >= 0 ? [query.of] : query.shown;
}

function sortKey(page: Page, facts: Facts, query: Query): ((segment: number) => number) | null {
  const higher = page.report.metrics[query.metric]?.higherIsBetter !== false;
  const sign = higher ? 1 : -1;
  switch (query.sort) {
    case "file":
      return null;
    case "worst":
    case "best": {
      const values = facts.mean(query.metric, counted(query));
      const way = query.sort === "worst" ? sign : -sign;
      return (at) => way * (values[at] as number);
    }
    case "systems":
    case "loses": {
      const [a, b] = [facts.mean(query.metric, [query.a]), facts.mean(query.metric, [query.b])];
      if (query.sort === "systems") return (at) => -Math.abs((a[at] as number) - (b[at] as number));
      return (at) => sign * ((a[at] as number) - (b[at] as number));
    }
    case "metrics": {
      const [a, b] = [facts.share(query.metric, counted(query)), facts.share(query.other, counted(query))];
      return (at) => -Math.abs((a[at] as number) - (b[at] as number));
    }
    case "longest":
      return (at) => -(facts.lengths[at] as number);
    case "shortest":
      return (at) => facts.lengths[at] as number;
    case "flags":
      return (at) => -facts.flagCount(at, query.shown);
  }
}

/** Patterns can take forever; past this the search ends with what it has. */
const PATIENCE_MS = 1500;

export interface Answer {
  order: Int32Array;
  /** The pattern took too long; not all segments were searched. */
  unfinished: boolean;
}

export function answer(page: Page, facts: Facts, query: Query): Answer {
  const key = sortKey(page, facts, query);
  const all = key ? sortedBy(facts.count, key) : Int32Array.from({ length: facts.count }, (_, at) => at);
  const documents = page.report.segments?.documents ?? null;
  const limited = Number.isFinite(query.score[0]) || Number.isFinite(query.score[1]);
  const scores = limited ? facts.mean(query.metric, counted(query)) : null;
  const searching = query.search.hits !== null;
  const start = performance.now();
  let unfinished = false;
  const order = all.filter((at) => {
    if (query.onlySelection && page.selection && !page.selection.has(at)) return false;
    if (query.document >= 0 && documents?.[at] !== query.document) return false;
    const length = facts.lengths[at] as number;
    if (length < query.length[0] || length > query.length[1]) return false;
    if (scores && !((scores[at] as number) >= query.score[0] && (scores[at] as number) <= query.score[1])) return false;
    if (query.onlyFlags && facts.flagCount(at, query.shown) === 0) return false;
    if (!searching) return true;
    if (unfinished || performance.now() - start > PATIENCE_MS) {
      unfinished = true;
      return false;
    }
    return query.search.test(facts.textOf(at), facts.lowerOf(at));
  });
  return { order, unfinished };
}
