// A tuning as `-f json` writes it, read with care, and what its chart needs.

import { tFactor } from "../analyses/groups";
import type { PlainData } from "../schema";

export type Value = number | string;

export interface Setting {
  values: Value[];
  spec: string;
  value: number | null;
  byPair: [string, number | null][];
  byFold: (number | null)[];
  reported: number | null;
}

export interface Fold {
  name: string;
  values: Value[];
  value: number | null;
  fallback: number | null;
}

export interface Edge {
  parameter: string;
  side: "lower" | "upper";
  value: Value;
  endOfRange: boolean;
  isBest: boolean;
  folds: number;
}

export interface Validation {
  value: number | null;
  fallback: number | null;
  best: number | null;
  difference: number | null;
  ci: [number, number] | null;
  unit: string;
  folds: Fold[];
}

export interface Tuning {
  metric: string;
  signature: string;
  parameters: string[];
  measure: string;
  /** Another measure beside it; empty for none. */
  reported: string;
  places: { set: string; pair: string; human: string; n: number; counted: string }[];
  fallback: Setting;
  best: Setting;
  settings: Setting[];
  validation: Validation | null;
  edges: Edge[];
}

type Plain = Record<string, unknown>;

const plain = (value: unknown): Plain => (typeof value === "object" && value !== null ? (value as Plain) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** A value of a parameter as it is written: lists in brackets, as the command line has them. */
export function valueOf(value: unknown): Value {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `(${value.map(valueOf).join(", ")})`;
  return value === null || value === undefined ? "–" : String(value);
}

function settingOf(data: unknown, parameters: readonly string[]): Setting {
  const one = plain(data);
  const values = plain(one["setting"]);
  const reported = plain(one["reported"]);
  return {
    values: parameters.map((name) => valueOf(values[name])),
    spec: text(one["spec"]),
    value: number(one["value"]),
    byPair: Object.entries(plain(one["by_pair"])).map(([name, value]) => [name, number(value)]),
    byFold: list(one["by_fold"]).map(number),
    reported: number(reported["value"]),
  };
}

function validationOf(data: unknown, parameters: readonly string[]): Validation | null {
  if (data === null || data === undefined) return null;
  const found = plain(data);
  const ends = list(found["ci"]).map(number);
  return {
    value: number(found["value"]),
    fallback: number(found["default"]),
    best: number(found["oracle"]),
    difference: number(found["difference"]),
    ci: ends.length === 2 && ends[0] != null && ends[1] != null ? [ends[0], ends[1]] : null,
    unit: text(found["unit"]),
    folds: list(found["by_fold"]).map((each) => {
      const fold = plain(each);
      const values = plain(fold["setting"]);
      return { name: text(fold["set"]), values: parameters.map((name) => valueOf(values[name])), value: number(fold["value"]), fallback: number(fold["default"]) };
    }),
  };
}

export function tuningsOf(data: PlainData): Tuning[] {
  return list(data["tunings"]).map((each): Tuning => {
    const one = plain(each);
    const parameters = list(one["parameters"]).map(text);
    return {
      metric: text(one["metric"]),
      signature: text(one["signature"]),
      parameters,
      measure: text(one["measure"]),
      reported: text(plain(one["report"])["measure"]),
      places: list(one["pairs"]).map((pair) => {
        const place = plain(pair);
        return { set: text(place["set"]), pair: text(place["pair"]), human: text(place["human"]), n: number(place["n"]) ?? 0, counted: text(place["counted"]) };
      }),
      fallback: settingOf(one["default"], parameters),
      best: settingOf(one["oracle"], parameters),
      settings: list(one["curve"]).map((setting) => settingOf(setting, parameters)),
      validation: validationOf(one["cross_validated"], parameters),
      edges: list(one["edges"]).map((each) => {
        const edge = plain(each);
        return {
          parameter: text(edge["parameter"]), side: edge["side"] === "lower" ? "lower" : "upper", value: valueOf(edge["value"]),
          endOfRange: edge["end_of_range"] === true, isBest: edge["oracle"] === true, folds: number(edge["folds"]) ?? 0,
        };
      }),
    };
  });
}

/**
 * The 95 % band of a setting: its value on all data, give or take what its difference to the default varies from fold to
 * fold. The default has a band of no width: differences to it are what counts.
 */
export function bandOf(setting: Setting, fallback: Setting): [number, number] | null {
  const gaps = setting.byFold.flatMap((value, at) => {
    const other = fallback.byFold[at];
    return value === null || other === null || other === undefined ? [] : [value - other];
  });
  if (gaps.length < 3 || setting.value === null) return null;
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / (gaps.length - 1);
  const half = tFactor(gaps.length - 1) * Math.sqrt(variance / gaps.length);
  return [setting.value - half, setting.value + half];
}

/** The best setting for each value of one parameter, in the order in which values were tried. */
export function profileOf(tuning: Tuning, parameter: number): Setting[] {
  const best = new Map<Value, Setting>();
  for (const setting of tuning.settings) {
    const value = setting.values[parameter] ?? "–";
    const last = best.get(value);
    if (!last || (setting.value ?? -Infinity) > (last.value ?? -Infinity)) best.set(value, setting);
  }
  const found = [...best.values()];
  const numeric = found.every((setting) => typeof setting.values[parameter] === "number");
  return numeric ? found.sort((one, two) => Number(one.values[parameter]) - Number(two.values[parameter])) : found;
}

/** How often each value of a parameter was chosen by a fold. */
export function choicesOf(validation: Validation | null, parameter: number): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const fold of validation?.folds ?? []) {
    const value = fold.values[parameter];
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
