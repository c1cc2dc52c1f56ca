// From numbers to pixels in a straight line, with round numbers for ticks from d3.

import { ticks } from "d3-array";

export interface Scale {
  (value: number): number;
  /** The number at a pixel. */
  invert(pixel: number): number;
  /** Round numbers within the domain, about `count` of them. */
  ticks(count: number): number[];
  domain: readonly [number, number];
  range: readonly [number, number];
}

export function scaleLinear(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [from, to] = domain;
  const [start, stop] = range;
  // A domain of one number lies in the middle.
  const slope = to === from ? 0 : (stop - start) / (to - from);
  const scale = (value: number): number => (slope === 0 ? (start + stop) / 2 : start + (value - from) * slope);
  return Object.assign(scale, {
    invert: (pixel: number): number => (slope === 0 ? from : from + (pixel - start) / slope),
    ticks: (count: number): number[] => ticks(from, to, count),
    domain,
    range,
  });
}
