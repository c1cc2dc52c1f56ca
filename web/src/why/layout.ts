// Where words and links stand: pure arithmetic on widths, so that it can be tested without a browser.

import type { Span } from "./links";

/** One line of either sentence, drawn one above the other. */
export interface Block {
  own: Span | null;
  other: Span | null;
}

interface Pair {
  own: Span;
  other: Span;
}

/** Price of one more block, in links that leave their block. */
const BLOCK_PRICE = 3;
const MOST_STATES = 60_000;

/** For each first word: the word after the last that still fits in a line with it. */
export function ends(widths: readonly number[], room: number): number[] {
  const found: number[] = [];
  let stop = 0;
  let used = 0;
  for (let start = 0; start < widths.length; start++) {
    if (stop <= start) {
      stop = start + 1;
      used = widths[start] ?? 0;
    }
    while (stop < widths.length && used + (widths[stop] ?? 0) <= room) used += widths[stop++] ?? 0;
    found.push(stop);
    used -= widths[start] ?? 0;
  }
  return found;
}

/**
 * Cut two sentences into lines that stand one above the other, so that few links lead from one pair of
 * lines into another.
 *
 * @param own Widths of the words of the translation, gaps included.
 * @param other Widths of the words of the reference.
 * @param room Width of a line.
 */
export function blocksOf(own: readonly number[], other: readonly number[], pairs: readonly Pair[], room: number): Block[] {
  const height = own.length;
  const width = other.length;
  if (height === 0 && width === 0) return [];
  const ownEnds = ends(own, room);
  const otherEnds = ends(other, room);
  if (ownEnds[0] === height && (width === 0 || otherEnds[0] === width)) return [block(0, height, 0, width)];
  if (height === 0 && otherEnds[0] === width) return [block(0, 0, 0, width)];
  // links(i, j): links that begin before word i of the translation and before word j of the reference.
  const table = new Int32Array((height + 1) * (width + 1));
  const at = (i: number, j: number): number => i * (width + 1) + j;
  for (const pair of pairs) {
    const place = at(pair.own.start + 1, pair.other.start + 1);
    table[place] = (table[place] ?? 0) + 1;
  }
  for (let i = 1; i <= height; i++)
    for (let j = 1; j <= width; j++)
      table[at(i, j)] = (table[at(i, j)] ?? 0) + (table[at(i - 1, j)] ?? 0) + (table[at(i, j - 1)] ?? 0) - (table[at(i - 1, j - 1)] ?? 0);
  const crossing = (i: number, k: number, j: number, l: number): number => {
    const rows = (table[at(k, width)] ?? 0) - (table[at(i, width)] ?? 0);
    const columns = (table[at(height, l)] ?? 0) - (table[at(height, j)] ?? 0);
    const inside = (table[at(k, l)] ?? 0) - (table[at(i, l)] ?? 0) - (table[at(k, j)] ?? 0) + (table[at(i, j)] ?? 0);
    return rows + columns - 2 * inside;
  };
  const ownSums = sums(own);
  const otherSums = sums(other);
  const best = new Float64Array((height + 1) * (width + 1)).fill(Infinity);
  const from = new Int32Array((height + 1) * (width + 1)).fill(-1);
  best[0] = 0;
  // Long texts: lines of both that are about equally far, which is where nearly all links lead.
  const slack = (height + 1) * (width + 1) > MOST_STATES ? 0.12 : 1;
  for (let i = 0; i <= height; i++) {
    for (let j = 0; j <= width; j++) {
      const here = best[at(i, j)] ?? Infinity;
      if (here === Infinity || Math.abs(i / Math.max(height, 1) - j / Math.max(width, 1)) > slack) continue;
      const ownStop = i < height ? (ownEnds[i] ?? height) : height;
      const otherStop = j < width ? (otherEnds[j] ?? width) : width;
      for (let k = i; k <= ownStop; k++) {
        for (let l = j; l <= otherStop; l++) {
          if (k === i && l === j) continue;
          // Full lines first, so that what is left over stands at the end.
          const isLast = k === height && l === width;
          const fill = isLast ? 1 : Math.max((ownSums[k] ?? 0) - (ownSums[i] ?? 0), (otherSums[l] ?? 0) - (otherSums[j] ?? 0)) / room;
          const cost = here + BLOCK_PRICE + crossing(i, k, j, l) + (1 - fill);
          if (cost < (best[at(k, l)] ?? Infinity)) {
            best[at(k, l)] = cost;
            from[at(k, l)] = at(i, j);
          }
        }
      }
    }
  }
  if (best[at(height, width)] === Infinity) return plainBlocks(ownEnds, otherEnds, height, width);
  const blocks: Block[] = [];
  for (let place = at(height, width); place > 0; ) {
    const before = from[place] ?? 0;
    const [k, l] = [Math.floor(place / (width + 1)), place % (width + 1)];
    const [i, j] = [Math.floor(before / (width + 1)), before % (width + 1)];
    blocks.unshift(block(i, k, j, l));
    place = before;
  }
  return blocks;
}

function sums(widths: readonly number[]): number[] {
  const found = [0];
  for (const width of widths) found.push((found[found.length - 1] ?? 0) + width);
  return found;
}

function block(i: number, k: number, j: number, l: number): Block {
  return { own: k > i ? { start: i, stop: k } : null, other: l > j ? { start: j, stop: l } : null };
}

function plainBlocks(ownEnds: readonly number[], otherEnds: readonly number[], height: number, width: number): Block[] {
  const blocks: Block[] = [];
  let i = 0;
  let j = 0;
  while (i < height || j < width) {
    const k = i < height ? (ownEnds[i] ?? height) : height;
    const l = j < width ? (otherEnds[j] ?? width) : width;
    blocks.push(block(i, k, j, l));
    [i, j] = [k, l];
  }
  return blocks;
}

export interface Point {
  x: number;
  y: number;
}

/** A curve from a word of the upper line down to one of the lower line. */
export function curve(from: Point, to: Point): string {
  const bend = (to.y - from.y) / 2;
  return `M${from.x},${from.y}C${from.x},${from.y + bend} ${to.x},${to.y - bend} ${to.x},${to.y}`;
}

/** The point of that curve at a share of its way. */
export function onCurve(from: Point, to: Point, share: number): Point {
  const rest = 1 - share;
  const bend = (to.y - from.y) / 2;
  const weights = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3] as const;
  return {
    x: weights[0] * from.x + weights[1] * from.x + weights[2] * to.x + weights[3] * to.x,
    y: weights[0] * from.y + weights[1] * (from.y + bend) + weights[2] * (to.y - bend) + weights[3] * to.y,
  };
}

/** The area between two such curves: a ribbon of a width at either end. */
export function ribbon(from: [number, number], to: [number, number], top: number, bottom: number): string {
  const middle = (top + bottom) / 2;
  return (
    `M${from[0]},${top}C${from[0]},${middle} ${to[0]},${middle} ${to[0]},${bottom}` +
    `L${to[1]},${bottom}C${to[1]},${middle} ${from[1]},${middle} ${from[1]},${top}Z`
  );
}

const SHARES = [0.5, 0.36, 0.64, 0.24, 0.76, 0.43, 0.57];

/** Where the letters of curves stand so that no two touch, as far as there is room. */
export function labelPoints(curves: readonly (readonly [Point, Point])[], apart: number): Point[] {
  const placed: Point[] = [];
  for (const [from, to] of curves) {
    const candidates = SHARES.map((share) => onCurve(from, to, share));
    const free = candidates.find((point) => placed.every((other) => Math.hypot(other.x - point.x, other.y - point.y) >= apart));
    placed.push(free ?? candidates[0] ?? from);
  }
  return placed;
}
