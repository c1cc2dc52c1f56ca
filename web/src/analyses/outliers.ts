// Segments that stand out: by a system against the others, and by what metrics make of one translation.

import type { Matrix } from "../page";

const TO_SIGMA = 1.4826;
/** Nine of ten translations are nearer to the median of the systems than one unit of distance. */
const USUAL_SHARE = 0.9;
/** The distance from which a translation stands out. */
export const FAR = 2.5;

export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  let n = sorted.length;
  // NaN sorts last in typed arrays.
  while (n > 0 && Number.isNaN(sorted[n - 1])) n--;
  if (n === 0) return NaN;
  const half = n >> 1;
  return n % 2 === 1 ? (sorted[half] ?? NaN) : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2;
}

/** The value below which a share of the known values lie. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  let n = sorted.length;
  while (n > 0 && Number.isNaN(sorted[n - 1])) n--;
  return n === 0 ? NaN : (sorted[Math.min(n - 1, Math.floor(share * n))] ?? NaN);
}

export interface Outlier {
  system: number;
  segment: number;
  score: number;
  /** Median of all systems on the segment, the other one of two; of the system itself where it is alone. */
  usual: number;
  /** Of the score from that, in units of what is usual; negative for lower scores. */
  distance: number;
}

/**
 * Translations whose score is far from those of the other systems on the same segment, farthest first.
 *
 * The unit is robust: the gap that nine of ten translations stay within, and the deviation of the systems on the segment
 * itself, so that nothing stands out where all differ.
 */
export function outliersOf(scores: Matrix, most: number): Outlier[] {
  const { rows, columns } = scores;
  const usual = new Float64Array(rows * columns);
  const own = new Float64Array(columns);
  const column = new Float64Array(rows);
  const alone = rows === 1 ? median(scores.values) : NaN;
  for (let segment = 0; segment < columns; segment++) {
    for (let row = 0; row < rows; row++) column[row] = scores.at(row, segment);
    // Its own score counts among three or more, so that one that is far off makes no outlier of the others.
    const center = rows === 1 ? alone : median(column);
    for (let row = 0; row < rows; row++) usual[row * columns + segment] = rows === 2 ? (column[1 - row] ?? NaN) : center;
    if (rows > 2) own[segment] = TO_SIGMA * median(column.map((value) => Math.abs(value - center)));
  }
  const gaps = scores.values.map((value, at) => value - (usual[at] ?? NaN));
  const unit = quantile(gaps.map(Math.abs), USUAL_SHARE);
  const found: Outlier[] = [];
  for (const [at, gap] of gaps.entries()) {
    const segment = at % columns;
    const distance = gap / (unit + (own[segment] ?? 0));
    // Where nearly all systems agree, any gap is infinitely far; nothing can be said then.
    if (!Number.isFinite(distance) || Math.abs(distance) < FAR) continue;
    found.push({ system: Math.floor(at / columns), segment, score: scores.values[at] ?? NaN, usual: usual[at] ?? NaN, distance });
  }
  found.sort((one, two) => Math.abs(two.distance) - Math.abs(one.distance));
  return found.slice(0, most);
}

/** The share of all scores that each is better than, ties counted half; NaN stays. */
export function standing(scores: Matrix, higherIsBetter: boolean): Float32Array {
  const { values } = scores;
  const sorted = values.slice().sort();
  let n = sorted.length;
  while (n > 0 && Number.isNaN(sorted[n - 1])) n--;
  // For each place among the sorted, the middle of the run of equal values there.
  const middle = new Float32Array(n);
  for (let start = 0; start < n; ) {
    let stop = start + 1;
    while (stop < n && sorted[stop] === sorted[start]) stop++;
    middle.fill((start + stop) / 2 / n, start, stop);
    start = stop;
  }
  const found = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value !== value) {
      found[at] = NaN;
      continue;
    }
    let low = 0;
    let high = n;
    while (low < high) {
      const half = (low + high) >> 1;
      if ((sorted[half] as number) < value) low = half + 1;
      else high = half;
    }
    const share = middle[low] as number;
    found[at] = higherIsBetter ? share : 1 - share;
  }
  return found;
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

/** The standings of all translations by one metric, system after system. */
export interface Standing {
  metric: number;
  columns: number;
  values: Float32Array;
}

/** Translations that one metric puts high among all and another low, most first; one per segment. */
export function disagreements(standings: readonly Standing[], most: number): Disagreement[] {
  const [first] = standings;
  if (!first || standings.length < 2) return [];
  const { columns } = first;
  const widest = new Float32Array(columns).fill(-1);
  const places = new Int32Array(columns).fill(-1);
  const high = new Float32Array(first.values.length).fill(-Infinity);
  const low = new Float32Array(first.values.length).fill(Infinity);
  for (const { values } of standings) {
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number;
      if (value > (high[at] as number)) high[at] = value;
      if (value < (low[at] as number)) low[at] = value;
    }
  }
  for (let at = 0; at < high.length; at++) {
    const segment = at % columns;
    const width = (high[at] as number) - (low[at] as number);
    if (width > (widest[segment] as number)) {
      widest[segment] = width;
      places[segment] = at;
    }
  }
  const named = (at: number, value: number): number => standings.find((one) => one.values[at] === value)?.metric ?? 0;
  return [...places.keys()]
    .filter((segment) => (widest[segment] ?? 0) > 0)
    .sort((one, two) => (widest[two] ?? 0) - (widest[one] ?? 0))
    .slice(0, most)
    .map((segment) => {
      const at = places[segment] ?? 0;
      const [top, bottom] = [high[at] ?? NaN, low[at] ?? NaN];
      return { system: Math.floor(at / columns), segment, best: named(at, top), worst: named(at, bottom), high: top, low: bottom };
    });
}
