// What charts share: drawing at the width there is, and axes.

import { svg } from "./dom";
import type { Scale } from "./scale";

/** Draw now and whenever the width of `box` changes; the returned function ends that. */
export function drawn(box: HTMLElement, draw: (width: number) => void): () => void {
  let last = 0;
  const redraw = (): void => {
    const width = Math.floor(box.clientWidth);
    if (width > 0 && width !== last) {
      last = width;
      draw(width);
    }
  };
  const observer = new ResizeObserver(redraw);
  observer.observe(box);
  redraw();
  return () => observer.disconnect();
}

/** Places of ticks with labels of as many decimals as they need. */
export function ticks(scale: Scale, count: number, language: string): [number, string][] {
  const values = scale.ticks(count);
  const step = Math.abs((values[1] ?? 1) - (values[0] ?? 0)) || 1;
  const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return values.map((value) => [scale(value), format.format(value).replace("-", "−")]);
}

interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A horizontal axis below the frame, with lines up through it. */
export function axisBelow(marks: [number, string][], frame: Frame, label = ""): SVGGElement {
  return svg(
    "g",
    { class: "axis", "aria-hidden": "true" },
    ...marks.map(([x]) => svg("line", { x1: x, x2: x, y1: frame.top, y2: frame.bottom + 4 })),
    ...marks.map(([x, text]) => svg("text", { x, y: frame.bottom + 18, "text-anchor": "middle" }, text)),
    svg("line", { x1: frame.left, x2: frame.right, y1: frame.bottom, y2: frame.bottom }),
    label !== "" && svg("text", { x: (frame.left + frame.right) / 2, y: frame.bottom + 38, "text-anchor": "middle", class: "label" }, label),
  );
}

/** A vertical axis left of the frame, with lines across it; its label stands above. */
export function axisLeft(marks: [number, string][], frame: Frame, label = ""): SVGGElement {
  return svg(
    "g",
    { class: "axis", "aria-hidden": "true" },
    ...marks.map(([y]) => svg("line", { x1: frame.left - 4, x2: frame.right, y1: y, y2: y })),
    ...marks.map(([y, text]) => svg("text", { x: frame.left - 8, y: y + 4, "text-anchor": "end" }, text)),
    svg("line", { x1: frame.left, x2: frame.left, y1: frame.top, y2: frame.bottom }),
    label !== "" && svg("text", { x: 0, y: frame.top - 10, class: "label" }, label),
  );
}

/** Lowest and highest of the finite values, a little wider; never empty. */
export function extent(values: Iterable<number>, margin = 0.04): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const pad = (high - low) * margin || Math.abs(high) * 0.05 || 1;
  return [low - pad, high + pad];
}
