// Numbers and lower-case texts of all segments, computed once and kept.

import { unpacked } from "../../packing";
import type { Report } from "../../page";

export interface Flag {
  kind: "number" | "name";
  /** What the translation has, and what was expected. */
  found: string | null;
  expected: string | null;
}

export class Facts {
  readonly count: number;
  readonly lengths: Float64Array;
  private readonly flags = new Map<number, Flag[]>();
  private readonly flagCounts: Uint16Array;
  private joined: string[] | null = null;
  private lower: string[] | null = null;
  private readonly means = new Map<string, Float64Array>();
  private readonly shares = new Map<string, Float64Array>();

  constructor(private readonly report: Report) {
    const segments = report.segments;
    this.count = segments?.count ?? 0;
    this.lengths = segments ? unpacked(segments.lengths).values : new Float64Array(0);
    this.flagCounts = new Uint16Array(this.count);
    for (const [system, segment, kind, found, expected] of segments?.flags ?? []) {
      const key = system * this.count + segment;
      const list = this.flags.get(key);
      if (list) list.push({ kind, found, expected });
      else this.flags.set(key, [{ kind, found, expected }]);
      this.flagCounts[segment] = (this.flagCounts[segment] ?? 0) + 1;
    }
  }

  /** Do ahead of time what the first search would wait for. */
  prepare(): void {
    this.lowerOf(0);
  }

  get hasFlags(): boolean {
    return this.flags.size > 0;
  }

  flagsOf(system: number, segment: number): readonly Flag[] {
    return this.flags.get(system * this.count + segment) ?? [];
  }

  /** Wrong names and numbers of a segment in some of the systems. */
  flagCount(segment: number, systems: readonly number[]): number {
    if ((this.flagCounts[segment] ?? 0) === 0) return 0;
    return systems.reduce((sum, system) => sum + this.flagsOf(system, segment).length, 0);
  }

  /** All texts of a segment and the name of its document, one a line. */
  textOf(segment: number): string {
    this.joined ??= this.join();
    return this.joined[segment] ?? "";
  }

  lowerOf(segment: number): string {
    if (!this.lower) {
      this.joined ??= this.join();
      this.lower = this.joined.map((text) => text.toLowerCase());
    }
    return this.lower[segment] ?? "";
  }

  private join(): string[] {
    const segments = this.report.segments;
    return (segments?.texts ?? []).map((row, at) => {
      const document = segments?.documents?.[at];
      return [...row.map((text) => text ?? ""), document === undefined ? "" : (segments?.documentNames[document] ?? "")].join("\n");
    });
  }

  /** Mean score of some systems for each segment; NaN where none has one. */
  mean(metric: number, systems: readonly number[]): Float64Array {
    const key = `${metric}:${systems.join(",")}`;
    let values = this.means.get(key);
    if (!values) {
      values = new Float64Array(this.count).fill(NaN);
      const scores = this.report.segmentScores[metric];
      for (let segment = 0; scores && segment < this.count; segment++) {
        let sum = 0;
        let n = 0;
        for (const system of systems) {
          const score = scores.at(system, segment);
          if (Number.isNaN(score)) continue;
          sum += score;
          n++;
        }
        if (n) values[segment] = sum / n;
      }
      this.means.set(key, values);
    }
    return values;
  }

  /** From 0 (worst) to 1 (best): the place of each segment among all by the mean; equal means share a place. */
  share(metric: number, systems: readonly number[]): Float64Array {
    const key = `${metric}:${systems.join(",")}`;
    let shares = this.shares.get(key);
    if (!shares) {
      const values = this.mean(metric, systems);
      const sign = this.report.metrics[metric]?.higherIsBetter === false ? -1 : 1;
      const order = sortedBy(this.count, (at) => sign * (values[at] as number));
      const known = order.filter((at) => !Number.isNaN(values[at])).length;
      shares = new Float64Array(this.count).fill(NaN);
      for (let from = 0; from < known; ) {
        let to = from + 1;
        while (to < known && values[order[to] as number] === values[order[from] as number]) to++;
        for (let i = from; i < to; i++) shares[order[i] as number] = known > 1 ? (from + to - 1) / 2 / (known - 1) : 0.5;
        from = to;
      }
      this.shares.set(key, shares);
    }
    return shares;
  }
}

/** Positions from 0 by rising key; NaN last, equal keys in their order. */
export function sortedBy(count: number, key: (at: number) => number): Int32Array {
  const keys = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const value = key(at);
    keys[at] = Number.isNaN(value) ? Infinity : value;
  }
  return Int32Array.from({ length: count }, (_, at) => at).sort((a, b) => {
    const x = keys[a] as number;
    const y = keys[b] as number;
    return x < y ? -1 : x > y ? 1 : a - b;
  });
}
