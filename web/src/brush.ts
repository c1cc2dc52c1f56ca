// A rectangle drawn over a chart with mouse, pen or finger: draw it, move it, pull an edge; a click beside it takes it away.

import { svg } from "./dom";

/** Left, top, right, bottom. */
export type Area = [number, number, number, number];

export interface Brush {
  element: SVGGElement;
  /** Show an area without a call to `done`. */
  show(area: Area | null): void;
}

/** So near an edge, a pull moves the edge. */
const REACH = 7;
/** Smaller than this is a click. */
const LEAST = 4;

export function brush(frame: { left: number; top: number; right: number; bottom: number }, done: (area: Area | null) => void): Brush {
  const bounds = { x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top };
  const ground = svg("rect", { ...bounds, class: "ground" });
  const chosen = svg("rect", { class: "selection", visibility: "hidden" });
  const element = svg("g", { class: "brush" }, ground, chosen);
  let area: Area | null = null;

  function show(next: Area | null): void {
    area = next;
    chosen.setAttribute("visibility", next ? "visible" : "hidden");
    if (!next) return;
    const [left, top, right, bottom] = next;
    for (const [name, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top })) chosen.setAttribute(name, String(value));
  }

  const point = (event: PointerEvent): [number, number] => {
    const box = ground.getBoundingClientRect();
    const within = (value: number, size: number): number => Math.max(0, Math.min(size, value));
    return [frame.left + within(event.clientX - box.left, bounds.width), frame.top + within(event.clientY - box.top, bounds.height)];
  };

  /** For each side of the area, whether a pull from here moves it; null outside of it. */
  function grip(x: number, y: number): [boolean, boolean, boolean, boolean] | null {
    if (!area) return null;
    const [left, top, right, bottom] = area;
    if (x < left - REACH || x > right + REACH || y < top - REACH || y > bottom + REACH) return null;
    const near = area.map((side, at) => Math.abs((at % 2 ? y : x) - side) <= REACH) as [boolean, boolean, boolean, boolean];
    return near.some(Boolean) ? near : [true, true, true, true];
  }

  function cursor(x: number, y: number): string {
    const sides = grip(x, y);
    if (!sides) return "crosshair";
    const [left, top, right, bottom] = sides;
    if (left && right) return "move";
    if ((left && top) || (right && bottom)) return "nwse-resize";
    if ((right && top) || (left && bottom)) return "nesw-resize";
    return left || right ? "ew-resize" : "ns-resize";
  }

  let pull: ((x: number, y: number) => Area) | null = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [x0, y0] = point(event);
    const sides = grip(x0, y0);
    const from: Area = area && sides ? area : [x0, y0, x0, y0];
    if (!sides) {
      pull = (x, y) => [Math.min(x0, x), Math.min(y0, y), Math.max(x0, x), Math.max(y0, y)];
    } else {
      const whole = sides.every(Boolean);
      pull = (x, y) => {
        let dx = x - x0;
        let dy = y - y0;
        if (whole) {
          dx = Math.max(frame.left - from[0], Math.min(frame.right - from[2], dx));
          dy = Math.max(frame.top - from[1], Math.min(frame.bottom - from[3], dy));
        }
        const [a, b, c, d] = from.map((side, at) => (sides[at] ? side + (at % 2 ? dy : dx) : side)) as Area;
        return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
      };
    }
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    const [x, y] = point(event);
    if (pull) show(pull(x, y));
    else element.style.cursor = cursor(x, y);
  });
  const end = (event: PointerEvent): void => {
    if (!pull) return;
    const next = event.type === "pointercancel" ? area : pull(...point(event));
    pull = null;
    const big = next && next[2] - next[0] >= LEAST && next[3] - next[1] >= LEAST;
    show(big ? next : null);
    done(area);
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  return { element, show };
}
