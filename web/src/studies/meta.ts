// A meta-evaluation as `-f json` writes it, read with care, and its parts in the order they are shown.

import type { PlainData } from "../schema";

export interface MetaRow {
  set: string;
  pair: string;
  metric: string;
  measure: string;
  human: string;
  value: number | null;
  ci: [number, number] | null;
  n: number;
  counted: string;
  rank: number | null;
  winner: boolean;
}

export interface MetaComparison {
  set: string;
  pair: string;
  measure: string;
  human: string;
  better: string;
  worse: string;
  difference: number | null;
  ci: [number, number] | null;
  p: number | null;
  test: string;
}

export interface MetaAverage {
  metric: string;
  measure: string;
  value: number | null;
  pairs: number;
}

export interface Measure {
  summary: string;
  level: string;
  counts: string;
}

/** The systems of one language pair as one metric scores them. */
export interface Ranking {
  title: string;
  systems: { name: string; score: number | null; ci: [number, number] | null; human: number | null; isHuman: boolean }[];
}

export interface Meta {
  rankings: Ranking[];
  rows: MetaRow[];
  comparisons: MetaComparison[];
  averages: MetaAverage[];
  measures: Record<string, Measure>;
  drawn: string;
}

type Plain = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
const list = (value: unknown): Plain[] => (Array.isArray(value) ? (value as Plain[]) : []);
const interval = (value: unknown): [number, number] | null => {
  if (!Array.isArray(value)) return null;
  const [low, high] = [number(value[0]), number(value[1])];
  return low === null || high === null ? null : [low, high];
};

export function metaOf(data: PlainData): Meta {
  const measures = Object.entries((data["measures"] ?? {}) as Record<string, Plain>);
  return {
    rows: list(data["rows"]).map((row) => ({
      set: text(row["set"]), pair: text(row["pair"]), metric: text(row["metric"]), measure: text(row["measure"]), human: text(row["human"]),
      value: number(row["value"]), ci: interval(row["ci"]), n: number(row["n"]) ?? 0, counted: text(row["counted"]),
      rank: number(row["rank"]), winner: row["winner"] === true,
    })),
    comparisons: list(data["comparisons"]).map((one) => ({
      set: text(one["set"]), pair: text(one["pair"]), measure: text(one["measure"]), human: text(one["human"]),
      better: text(one["better"]), worse: text(one["worse"]), difference: number(one["difference"]), ci: interval(one["ci"]),
      p: number(one["p_value"]), test: text(one["test"]),
    })),
    averages: list(data["averages"]).map((one) => ({
      metric: text(one["metric"]), measure: text(one["measure"]), value: number(one["value"]), pairs: number(one["pairs"]) ?? 0,
    })),
    measures: Object.fromEntries(measures.map(([name, one]) => [name, { summary: text(one["summary"]), level: text(one["level"]), counts: text(one["counts"]) }])),
    rankings: list(data["rankings"]).map((one) => ({
      title: text(one["title"]),
      systems: list(one["systems"]).map((system) => ({
        name: text(system["name"]), score: number(system["score"]), ci: interval(system["interval"]), human: number(system["humanScore"]), isHuman: system["isHuman"] === true,
      })),
    })),
    drawn: text(data["drawn"]),
  };
}

export interface MetaTask {
  set: string;
  pair: string;
  measure: string;
  human: string;
  /** Best first; undefined values last. */
  rows: MetaRow[];
  comparisons: MetaComparison[];
}

const key = (one: { set: string; pair: string; measure: string; human: string }): string => JSON.stringify([one.set, one.pair, one.measure, one.human]);

/** What metrics are measured on: a language pair by a measure against a kind of judgment. */
export function tasksOf(meta: Meta): MetaTask[] {
  const tasks = new Map<string, MetaTask>();
  for (const row of meta.rows) {
    const task = tasks.get(key(row)) ?? { set: row.set, pair: row.pair, measure: row.measure, human: row.human, rows: [], comparisons: [] };
    task.rows.push(row);
    tasks.set(key(row), task);
  }
  for (const one of meta.comparisons) tasks.get(key(one))?.comparisons.push(one);
  for (const task of tasks.values()) task.rows.sort((one, two) => (two.value ?? -Infinity) - (one.value ?? -Infinity));
  return [...tasks.values()];
}

/** A language pair by name: with its test set where there are several. */
export function placeName(task: { set: string; pair: string }, several: boolean): string {
  return several || task.pair === "" ? `${task.set} ${task.pair}`.trim() : task.pair;
}
