// A list of rows of different heights of which only those in sight exist.

import { h } from "../../dom";

/** Pixels beyond the edge that are drawn too. */
const BEYOND = 400;
/** Rows that are tried in one round before their heights are known. */
const MOST_ROUNDS = 6;

/** Running sums of heights that change one by one. */
class Heights {
  private readonly tree: Float64Array;
  readonly each: Float64Array;

  constructor(each: Float64Array) {
    this.each = each;
    this.tree = new Float64Array(each.length + 1);
    for (let i = 0; i < each.length; i++) {
      this.tree[i + 1] = (this.tree[i + 1] as number) + (each[i] as number);
      const up = i + 1 + ((i + 1) & -(i + 1));
      if (up <= each.length) this.tree[up] = (this.tree[up] as number) + (this.tree[i + 1] as number);
    }
  }

  /** Height of all rows before `at`. */
  before(at: number): number {
    let sum = 0;
    for (let i = at; i > 0; i -= i & -i) sum += this.tree[i] as number;
    return sum;
  }

  set(at: number, height: number): void {
    const change = height - (this.each[at] as number);
    if (change === 0) return;
    this.each[at] = height;
    for (let i = at + 1; i <= this.each.length; i += i & -i) this.tree[i] = (this.tree[i] as number) + change;
  }

  /** The row at a height from the top. */
  at(height: number): number {
    let row = 0;
    let rest = height;
    let step = 1;
    while (step * 2 <= this.each.length) step *= 2;
    for (; step > 0; step >>= 1) {
      if (row + step <= this.each.length && (this.tree[row + step] as number) <= rest) {
        row += step;
        rest -= this.tree[row] as number;
      }
    }
    return Math.min(row, this.each.length - 1);
  }
}

export interface List {
  element: HTMLElement;
  /** New rows: how many, a first guess of each height, how to draw one, and the one at the top. */
  fill(count: number, guess: (at: number) => number, draw: (at: number) => HTMLElement, top?: number): void;
  /** The row at the top. */
  top(): number;
  show(at: number): void;
  stop(): void;
}

export function list(attributes: Record<string, string | number>): List {
  const rows = h("div", { class: "rows", role: "rowgroup" });
  const space = h("div", { class: "space", role: "presentation" }, rows);
  const element = h("div", { ...attributes }, space);
  let heights = new Heights(new Float64Array(0));
  let guesses: (at: number) => number = () => 0;
  let draw: (at: number) => HTMLElement = () => h("div");
  const present = new Map<number, HTMLElement>();
  let width = 0;
  let asked = 0;

  function clear(): void {
    present.clear();
    rows.replaceChildren();
  }

  /** Where the head of the table stays in sight, rows begin below it. */
  const offset = (): number => space.offsetTop;

  /** After a change of width, heights are guesses again. */
  function fit(): void {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    const count = heights.each.length;
    const at = count ? heights.at(element.scrollTop) : 0;
    const kept = element.scrollTop > 0;
    heights = new Heights(Float64Array.from({ length: count }, (_, row) => guesses(row)));
    clear();
    space.style.height = `${heights.before(count)}px`;
    if (kept) element.scrollTop = heights.before(at);
  }

  function paint(): void {
    asked = 0;
    fit();
    const count = heights.each.length;
    if (count === 0) {
      clear();
      space.style.height = "0";
      return;
    }
    const view = element.clientHeight;
    const top = Math.max(0, element.scrollTop);
    const anchor = heights.at(top);
    const within = top - heights.before(anchor);
    const first = heights.at(Math.max(0, top - BEYOND));
    let last = first;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const start = heights.before(first);
      const goal = heights.before(anchor) + within + view + BEYOND;
      last = Math.min(count - 1, heights.at(Math.max(start, goal)));
      for (const [at, row] of present) {
        if (at < first || at > last) {
          if (row.contains(document.activeElement)) element.focus({ preventScroll: true });
          row.remove();
          present.delete(at);
        }
      }
      const fresh: number[] = [];
      let after: ChildNode | null = rows.firstChild;
      for (let at = first; at <= last; at++) {
        const there = present.get(at);
        if (there) {
          after = there.nextSibling;
          continue;
        }
        const row = draw(at);
        row.dataset["at"] = String(at);
        rows.insertBefore(row, after);
        present.set(at, row);
        fresh.push(at);
      }
      if (fresh.length === 0) break;
      for (const at of fresh) heights.set(at, present.get(at)?.getBoundingClientRect().height ?? 0);
    }
    space.style.height = `${heights.before(count)}px`;
    rows.style.transform = `translateY(${heights.before(first)}px)`;
    const due = heights.before(anchor) + within;
    if (Math.abs(due - element.scrollTop) > 1) element.scrollTop = due;
  }

  function ask(): void {
    if (!asked) asked = requestAnimationFrame(paint);
  }

  element.addEventListener("scroll", ask, { passive: true });
  const observer = new ResizeObserver(ask);
  observer.observe(element);

  return {
    element,
    top: () => (heights.each.length ? heights.at(element.scrollTop) : 0),
    fill(count, guess, drawing, top = 0) {
      guesses = guess;
      draw = drawing;
      heights = new Heights(Float64Array.from({ length: count }, (_, at) => guess(at)));
      clear();
      space.style.height = `${heights.before(count)}px`;
      width = element.clientWidth;
      element.scrollTop = top ? heights.before(top) : 0;
      paint();
    },
    show(at) {
      if (at < 0 || at >= heights.each.length) return;
      fit();
      // Again: what is above has its true height only when it was drawn.
      for (let round = 0; round < 4; round++) {
        const start = heights.before(at);
        const stop = start + (heights.each[at] as number);
        const view = element.clientHeight - offset();
        if (start < element.scrollTop) element.scrollTop = start;
        else if (stop > element.scrollTop + view) element.scrollTop = Math.max(0, Math.min(start, stop - view));
        else if (present.has(at)) return;
        paint();
      }
    },
    stop() {
      observer.disconnect();
      cancelAnimationFrame(asked);
    },
  };
}
