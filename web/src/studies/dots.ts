// A value with its interval on a scale.

import { scaleLinear } from "../scale";

import { svg } from "../dom";

export interface Dot {
  label: string;
  value: number | null;
  ci: [number, number] | null;
  /** Filled marks stand for the ones that nothing beats. */
  strong: boolean;
}

/** The plot of one value on a scale, for a cell of a table. */
export function dotCell(dot: Dot, range: [number, number], width: number): SVGSVGElement {
  const x = scaleLinear([...range], [7, width - 7]);
  const y = 10;
  const clamp = (value: number): number => Math.min(Math.max(x(value), 0), width);
  const zero = range[0] < 0 && range[1] > 0;
  return svg("svg", { class: "chart dots cell", viewBox: `0 0 ${width} 20`, width, height: 20, "aria-hidden": "true" },
    svg("line", { class: "base", x1: 0, x2: width, y1: y, y2: y }),
    zero && svg("line", { class: "zero", x1: x(0), x2: x(0), y1: 1, y2: 19 }),
    dot.value !== null && svg("g", { class: dot.strong ? "dot strong" : "dot" },
      dot.ci && svg("line", { class: "interval", x1: clamp(dot.ci[0]), x2: clamp(dot.ci[1]), y1: y, y2: y }),
      dot.ci && svg("path", { class: "interval", d: `M${clamp(dot.ci[0])},${y - 4}v8M${clamp(dot.ci[1])},${y - 4}v8` }),
      dot.strong ? svg("path", { class: "point", d: `M${x(dot.value)},${y - 6}l6,6l-6,6l-6,-6Z` }) : svg("circle", { class: "point", cx: x(dot.value), cy: y, r: 4 })));
}
