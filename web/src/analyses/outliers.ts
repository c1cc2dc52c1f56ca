// Segments that stand out: by a system against the others, and by what metrics make of one translation.

import type { Matrix } from "../page";

const TO_SIGMA = 1.4826;
/** Deviations from which a segment counts as an outlier, as usual for this measure. */
export const FAR = 3.5;

export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  let n = sorted.length;
  // NaN sorts last in typed arrays.
  while (n > 0 && Number.isNaN(sorted[n - 1])) n--;
  if (n === 0) return NaN;
  const half = n >> 1;
  return n % 2 === 1 ? (sorted[half] ?? NaN) : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2;
}

/** How many scaled median deviations each value lies from the median; NaN where values do not vary. */
export function robustZ(values: ArrayLike<number>): Float64Array {
  const center = median(values);
  const deviations = Float64Array.from(values, (value) => Math.abs(value - center));
  let spread = TO_SIGMA * median(deviations);
  if (!(spread > 0)) {
    // More than half are equal: fall back on the mean deviation, which is 0 only if all are.
    const known = [...deviations].filter((value) => !Number.isNaN(value));
    spread = 1.2533 * (known.reduce((sum, value) => sum + value, 0) / Math.max(known.length, 1));
  }
  return Float64Array.from(values, (value) => (spread > 0 ? (value - center) / spread : NaN));
}

export interface Outlier {
  system: number;
  segment: number;
  score: number;
  /** Median of all systems on the segment, the other one of two; of the system itself where it is alone. */
  usual: number;
  z: number;
}

/** Translations whose score is far from those of the other systems on the same segment, farthest first. */
export function outliersOf(scores: Matrix, most: number): Outlier[] {
  const found: Outlier[] = [];
  const column = new Float64Array(scores.rows);
  for (let system = 0; system < scores.rows; system++) {
    const usual = new Float64Array(scores.columns);
    const gaps = new Float64Array(scores.columns);
    const alone = scores.rows === 1 ? median(scores.values.subarray(0, scores.columns)) : NaN;
    for (let segment = 0; segment < scores.columns; segment++) {
      // Its own score counts among three or more, so that one that is far off makes no outlier of the others.
      for (let row = 0; row < scores.rows; row++) column[row] = scores.rows === 2 && row === system ? NaN : scores.at(row, segment);
      usual[segment] = scores.rows === 1 ? alone : median(column);
      gaps[segment] = scores.at(system, segment) - (usual[segment] ?? NaN);
    }
    const z = robustZ(gaps);
    for (let segment = 0; segment < scores.columns; segment++) {
      if (Math.abs(z[segment] ?? NaN) < FAR || Number.isNaN(z[segment] ?? NaN)) continue;
      found.push({ system, segment, score: scores.at(system, segment), usual: usual[segment] ?? NaN, z: z[segment] ?? NaN });
    }
  }
  found.sort((one, two) => Math.abs(two.z) - Math.abs(one.z));
  return found.slice(0, most);
}

/** The share of all scores that each is better than, ties counted half; NaN stays. */
export function standing(scores: Matrix, higherIsBetter: boolean): Float32Array {
  const sorted = Float64Array.from(scores.values).sort();
  let n = sorted.length;
  while (n > 0 && Number.isNaN(sorted[n - 1])) n--;
  const below = (value: number, orEqual: boolean): number => {
    let low = 0;
    let high = n;
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = sorted[middle] ?? NaN;
      if (there < value || (orEqual && there === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return Float32Array.from(scores.values, (value) => {
    if (Number.isNaN(value)) return NaN;
    const share = (below(value, false) + below(value, true)) / 2 / n;
    return higherIsBetter ? share : 1 - share;
  });
}

export interface Disagreement {
  system: number;
  segment: number;
  /** Position of the metric that likes the translation best, and least, with their standing. */
  best: number;
  worst: number;
  high: number;
  low: number;
}

/** Translations that one metric puts high among all and another low, most first; one per segment. */
export function disagreements(matrices: readonly { metric: number; scores: Matrix; higherIsBetter: boolean }[], most: number): Disagreement[] {
  const [first] = matrices;
  if (!first || matrices.length < 2) return [];
  const standings = matrices.map(({ scores, higherIsBetter }) => standing(scores, higherIsBetter));
  const bySegment = new Map<number, Disagreement>();
  for (let system = 0; system < first.scores.rows; system++) {
    for (let segment = 0; segment < first.scores.columns; segment++) {
      const place = system * first.scores.columns + segment;
      let [best, worst, high, low] = [-1, -1, -Infinity, Infinity];
      for (const [at, values] of standings.entries()) {
        const value = values[place] ?? NaN;
        if (value > high) [high, best] = [value, at];
        if (value < low) [low, worst] = [value, at];
      }
      const last = bySegment.get(segment);
      if (best < 0 || best === worst || (last && last.high - last.low >= high - low)) continue;
      bySegment.set(segment, { system, segment, best: matrices[best]?.metric ?? 0, worst: matrices[worst]?.metric ?? 0, high, low });
    }
  }
  return [...bySegment.values()].sort((one, two) => two.high - two.low - (one.high - one.low)).slice(0, most);
}
