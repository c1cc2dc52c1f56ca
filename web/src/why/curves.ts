// Two sentences one above the other, with what links their words: curves, or ribbons as wide as the weight moved.

import { h, svg } from "../dom";
import type { Page } from "../page";
import { blocksOf, curve, labelPoints, onCurve, type Point, ribbon } from "./layout";
import { chunksOf, type Form, isSpecial, LETTERS, type Link, type Span } from "./links";
import { linkText } from "./said";
import { direction, type Sentence, type Shown, wordOf } from "./sentences";

const GAP = 84;
const STUB = 26;
const BADGE = 7.5;
const WIDEST_RIBBON = 26;
/** Ribbons of this width have room for their letter. */
const LETTERED = 9;

interface Side {
  line: HTMLElement;
  words: Map<number, HTMLElement>;
}

interface Drawn {
  element: HTMLElement;
  /** Show a link as the one that is looked at; null for none. */
  activate(link: number | null): void;
  /** Draw anew for the width there is. */
  fit(): void;
}

interface Callbacks {
  look(link: number | null): void;
}

function lineOf(page: Page, side: Sentence, span: Span | null, name: string): Side {
  const words = new Map<number, HTMLElement>();
  const line = h("div", { class: `line ${name}`, lang: side.column?.language, dir: direction(side) });
  if (span) {
    for (let at = span.start; at < span.stop; at++) {
      // Marks that a model puts around a text are no words, and nothing is linked with them.
      if (isSpecial(side.tokens[at] ?? "")) continue;
      const word = wordOf(page, side, at);
      words.set(at, word);
      line.append(word);
    }
  }
  return { line, words };
}

/** Left and right end of the words of a span that stand in a line; null where none does. */
function extent(side: Side, span: Span, origin: number): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (let at = span.start; at < span.stop; at++) {
    const word = side.words.get(at);
    if (!word) continue;
    const box = word.getBoundingClientRect();
    low = Math.min(low, box.left - origin);
    high = Math.max(high, box.right - origin);
  }
  return low === Infinity ? null : [low, high];
}

const middle = (ends: [number, number]): number => (ends[0] + ends[1]) / 2;

function badge(kind: Link["kind"], at: Point): SVGGElement {
  return svg("g", { class: "badge", transform: `translate(${at.x.toFixed(1)},${at.y.toFixed(1)})`, "aria-hidden": "true" },
    svg("circle", { r: BADGE }),
    svg("text", { "text-anchor": "middle", dy: "0.35em" }, LETTERS[kind]));
}

/** Where a ribbon touches each of its words: side by side, in the order of the other ends. */
function slots(links: readonly Link[], scale: number): Map<Link, { own: [number, number]; other: [number, number] }> {
  const found = new Map<Link, { own: [number, number]; other: [number, number] }>(links.map((link) => [link, { own: [0, 0], other: [0, 0] }]));
  for (const [here, there] of [["own", "other"], ["other", "own"]] as const) {
    const byWord = new Map<number, Link[]>();
    for (const link of links) byWord.set(link[here].start, [...(byWord.get(link[here].start) ?? []), link]);
    for (const group of byWord.values()) {
      group.sort((one, two) => one[there].start - two[there].start);
      const total = group.reduce((sum, link) => sum + (link.mass ?? 0) * scale, 0);
      let from = -total / 2;
      for (const link of group) {
        const slot = found.get(link);
        const width = (link.mass ?? 0) * scale;
        if (slot) slot[here] = [from, from + width];
        from += width;
      }
    }
  }
  return found;
}

export function drawCurves(page: Page, shown: Shown, form: Form, callbacks: Callbacks): Drawn {
  const { links, own, other } = shown;
  const element = h("div", { class: `drawing ${form}`, role: "group", "aria-label": page.t("why.drawingLabel") });
  const chunks = form === "curves" ? chunksOf(links) : [];
  let groups: SVGGElement[][] = links.map(() => []);
  let words: { own: Map<number, HTMLElement>; other: Map<number, HTMLElement> } = { own: new Map(), other: new Map() };
  let active: number | null = null;
  let home = 0;

  const step = (event: KeyboardEvent): void => {
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (move === undefined || links.length === 0) return;
    event.preventDefault();
    const next = (home + move + links.length) % links.length;
    focusLink(next);
  };
  const focusLink = (link: number): void => {
    groups[home]?.[0]?.setAttribute("tabindex", "-1");
    home = link;
    const group = groups[link]?.[0];
    group?.setAttribute("tabindex", "0");
    group?.focus();
  };

  function linkGroup(at: number, first: boolean, ...children: SVGElement[]): SVGGElement {
    const link = links[at] as Link;
    const group = svg("g", {
      class: `link kind-${link.kind}`,
      "data-link": at,
      ...(first
        ? { role: "img", tabindex: at === home ? 0 : -1, "aria-label": linkText(page, shown, link) }
        : { "aria-hidden": "true" }),
      mouseenter: () => callbacks.look(at),
      mouseleave: () => callbacks.look(null),
      click: () => focusLink(at),
      ...(first ? { focus: () => callbacks.look(at), keydown: step as EventListener } : {}),
    }, ...children);
    groups[at]?.push(group);
    return group;
  }

  function fit(): void {
    const room = element.clientWidth;
    if (room === 0) return;
    const measured = [own, other].map((side, at) => {
      const { line, words: all } = lineOf(page, side, { start: 0, stop: side.tokens.length }, at === 0 ? "own" : "other");
      line.classList.add("measured");
      element.replaceChildren(line);
      const gap = parseFloat(getComputedStyle(line).columnGap) || 0;
      const widths = side.tokens.map((_, place) => {
        const word = all.get(place);
        return word ? word.getBoundingClientRect().width + gap : 0;
      });
      return { widths, gap };
    });
    const [ownMeasure, otherMeasure] = measured;
    const gap = ownMeasure?.gap ?? 0;
    const plans = blocksOf(
      ownMeasure?.widths ?? [],
      otherMeasure?.widths ?? [],
      links,
      room + gap - 2,
    );
    groups = links.map(() => []);
    words = { own: new Map(), other: new Map() };
    const built = plans.map((plan) => {
      const upper = lineOf(page, own, plan.own, "own");
      const lower = lineOf(page, other, plan.other, "other");
      const wires = svg("svg", { class: "wires", height: GAP, width: "100%", role: "group", "aria-label": page.t("why.links", { n: links.length }) });
      for (const [at, word] of upper.words) words.own.set(at, word);
      for (const [at, word] of lower.words) words.other.set(at, word);
      return { plan, upper, lower, wires, block: h("div", { class: "block" }, upper.line, wires, lower.line) };
    });
    element.replaceChildren(...built.map((one) => one.block));
    const masses = new Map<number, number>();
    for (const link of links) {
      masses.set(link.own.start, (masses.get(link.own.start) ?? 0) + (link.mass ?? 0));
      const place = -1 - link.other.start;
      masses.set(place, (masses.get(place) ?? 0) + (link.mass ?? 0));
    }
    const scale = WIDEST_RIBBON / Math.max(...masses.values(), 1e-9);
    const slotOf = form === "ribbons" ? slots(links, scale) : null;
    for (const { upper, lower, wires } of built) {
      const origin = wires.getBoundingClientRect().left;
      const whole: { at: number; from: Point; to: Point }[] = [];
      const shapes: SVGElement[] = [];
      for (const [at, link] of links.entries()) {
        const above = extent(upper, link.own, origin);
        const below = extent(lower, link.other, origin);
        if (!above && !below) continue;
        const slot = slotOf?.get(link);
        if (above && below) {
          const from = { x: middle(above), y: 3 };
          const to = { x: middle(below), y: GAP - 3 };
          if (slot) {
            const path = ribbon(
              [from.x + slot.own[0], from.x + slot.own[1]],
              [to.x + slot.other[0], to.x + slot.other[1]],
              1,
              GAP - 1,
            );
            const wide = slot.own[1] - slot.own[0] >= LETTERED;
            const place = onCurve({ x: from.x + middle(slot.own), y: 1 }, { x: to.x + middle(slot.other), y: GAP - 1 }, 0.5);
            const letter = wide && svg("text", { class: "ribbon-letter", x: place.x, y: place.y, "text-anchor": "middle", dy: "0.35em", "aria-hidden": "true" }, LETTERS[link.kind]);
            shapes.push(linkGroup(at, true, svg("path", { class: "band", d: path }), ...(letter ? [letter] : []), svg("path", { class: "hit", d: curve(from, to) })));
          } else whole.push({ at, from, to });
        } else {
          // The other end stands in other lines: a stub with an arrow to where it lies.
          const x = middle((above ?? below) as [number, number]);
          const down = above !== null;
          const start = down ? 3 : GAP - 3;
          const stop = down ? start + STUB : start - STUB;
          const partner = down ? link.other.start : link.own.start;
          const later = down ? partner >= (lower.words.size ? Math.max(...lower.words.keys()) : -1) : partner >= (upper.words.size ? Math.max(...upper.words.keys()) : -1);
          const arrow = svg("text", { class: "away", x: x + BADGE + 3, y: stop, dy: "0.35em", "aria-hidden": "true" }, later ? "↓" : "↑");
          const lineShape = svg("path", { class: "wire", d: `M${x},${start}V${stop}` });
          shapes.push(linkGroup(at, (groups[at]?.length ?? 0) === 0, lineShape, badge(link.kind, { x, y: stop }), arrow));
        }
      }
      const labels = labelPoints(whole.map(({ from, to }) => [from, to] as const), 2 * BADGE + 2);
      for (const [place, { at, from, to }] of whole.entries()) {
        const path = curve(from, to);
        const kind = (links[at] as Link).kind;
        shapes.push(linkGroup(at, true, svg("path", { class: "hit", d: path }), svg("path", { class: "wire", d: path }), badge(kind, labels[place] ?? from)));
      }
      wires.append(...chunkMarks(upper, lower, origin), ...shapes);
    }
    activate(active);
  }

  /** Lines along the words of each run, with its number where it begins. */
  function chunkMarks(upper: Side, lower: Side, origin: number): SVGElement[] {
    const marks: SVGElement[] = [];
    for (const [place, chunk] of chunks.entries()) {
      for (const [side, key, y] of [[upper, "own", 1.5], [lower, "other", GAP - 1.5]] as const) {
        const spans = chunk.map((link) => link[key]);
        const ends = extent(side, { start: Math.min(...spans.map((span) => span.start)), stop: Math.max(...spans.map((span) => span.stop)) }, origin);
        if (!ends) continue;
        const odd = place % 2 === 1 ? " odd" : "";
        const first = chunk[0];
        const starts = first !== undefined && side.words.has(first[key].start);
        marks.push(svg("line", { class: `chunk${odd}`, x1: ends[0], x2: ends[1], y1: y, y2: y }));
        if (starts && chunks.length > 1) {
          const right = key === "own" ? direction(own) === "rtl" : direction(other) === "rtl";
          marks.push(svg("text", { class: "chunk-number", x: right ? ends[1] : ends[0], y: key === "own" ? 14 : GAP - 6, "text-anchor": right ? "end" : "start", "aria-hidden": "true" }, String(place + 1)));
        }
      }
    }
    return marks;
  }

  function activate(link: number | null): void {
    active = link;
    element.classList.toggle("looking", link !== null);
    for (const [at, parts] of groups.entries()) for (const group of parts) group.classList.toggle("active", at === link);
    const chosen = link === null ? undefined : links[link];
    for (const key of ["own", "other"] as const) {
      for (const [at, word] of words[key]) {
        const span = chosen?.[key];
        word.classList.toggle("active", span !== undefined && at >= span.start && at < span.stop);
      }
    }
  }

  element.addEventListener("mouseover", (event) => {
    const word = (event.target as Element).closest<HTMLElement>(".word");
    if (!word) return;
    const key = word.parentElement?.classList.contains("own") ? "own" : "other";
    const at = Number(word.dataset["at"]);
    const found = links.findIndex((link) => at >= link[key].start && at < link[key].stop);
    callbacks.look(found >= 0 ? found : null);
  });
  element.addEventListener("mouseleave", () => callbacks.look(null));
  return { element, activate, fit };
}
