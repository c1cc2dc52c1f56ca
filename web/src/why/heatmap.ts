// The arithmetic of the table of similarities.

import type { Link } from "./links";

/** The links that are the best of their word, for either side; of equal ones the first. */
export function bestOf(links: readonly Link[]): { byOwn: Set<number>; byOther: Set<number> } {
  const own = new Map<number, number>();
  const other = new Map<number, number>();
  for (const [place, link] of links.entries()) {
    for (const [best, word] of [[own, link.own.start], [other, link.other.start]] as const) {
      const last = best.get(word);
      if (last === undefined || (links[last]?.similarity ?? 0) < link.similarity) best.set(word, place);
    }
  }
  return { byOwn: new Set(own.values()), byOther: new Set(other.values()) };
}

export const HEAT_STEPS = 6;

/** The shade of a similarity, from 0 (none) to 6 (equal). */
export function heatStep(similarity: number): number {
  if (!(similarity > 0)) return 0;
  return Math.min(HEAT_STEPS, Math.floor(similarity * HEAT_STEPS + 1e-9));
}
