// Terms of a glossary: where they stand in texts, and what became of them, by signs and words and never by color alone.

import { type Child, h } from "./dom";
import type { Page } from "./page";
import type { TermMark, TermStatus } from "./schema";
import { shown, visible } from "./text";

/** The signs that `tenbin explain` marks terms with. */
export const SIGNS: Readonly<Record<TermStatus, string>> = { rendered: "✓", missing: "∅", forbidden: "✗" };

/** A range of a text, and how it is marked. */
export interface TermRange {
  start: number;
  stop: number;
  status: TermStatus | "term";
  said: string;
}

export interface FoundTerm {
  status: TermStatus;
  /** The term as the source has it. */
  term: string;
  /** What the translation has: the form asked for, or a forbidden one. */
  written: string | null;
  asked: string;
  note: string;
}

const NONE: readonly TermMark[] = [];
const known = new WeakMap<object, Map<number, TermMark[]>>();

/** Marks of a segment, in the order of its source. */
export function marksOf(page: Page, segment: number): readonly TermMark[] {
  const terms = page.report.segments?.terms;
  if (!terms) return NONE;
  let bySegment = known.get(page.report);
  if (!bySegment) {
    bySegment = new Map();
    for (const mark of terms) {
      const list = bySegment.get(mark[0]);
      if (list) list.push(mark);
      else bySegment.set(mark[0], [mark]);
    }
    known.set(page.report, bySegment);
  }
  return bySegment.get(segment) ?? NONE;
}

export function termsOf(page: Page, system: number, segment: number): FoundTerm[] {
  const source = page.report.sourceOf(segment) ?? "";
  const text = page.report.hypothesisOf(system, segment) ?? "";
  return marksOf(page, segment).flatMap(([, start, stop, asked, note, systems]): FoundTerm[] => {
    const [status, first, last] = systems[system] ?? ["missing", -1, -1];
    return [{ status, term: source.slice(start, stop), written: first < 0 ? null : text.slice(first, last), asked, note }];
  });
}

/** What became of a term, in words. */
export function saidOf(page: Page, { status, written, asked, note }: FoundTerm): string {
  const said = status === "rendered"
    ? (written === null ? page.t("terms.unforbidden") : page.t("terms.rendered", { written }))
    : status === "forbidden" ? page.t("terms.forbidden", { written: written ?? "" }) : page.t("terms.missing");
  const wanted = status === "rendered" || asked === "" ? "" : page.t("terms.asked", { asked });
  return said + wanted + (note === "" ? "" : page.t("terms.note", { note }));
}

/** Ranges of the source of a segment. */
export function sourceRanges(page: Page, segment: number): TermRange[] {
  return marksOf(page, segment).map(([, start, stop, asked, note]) => ({
    start, stop, status: "term", said: page.t("terms.inSource", { asked }) + (note === "" ? "" : page.t("terms.note", { note })),
  }));
}

/** Ranges of a translation: forms that are asked for, and forbidden ones. */
export function ownRanges(page: Page, system: number, segment: number): TermRange[] {
  const found = termsOf(page, system, segment);
  return marksOf(page, segment).flatMap(([, , , , , systems], at): TermRange[] => {
    const [status, start, stop] = systems[system] ?? ["missing", -1, -1];
    const term = found[at];
    return start < 0 || !term ? [] : [{ start, stop, status, said: saidOf(page, term) }];
  });
}

/** A text in pieces, with ranges marked; `piece` draws what is in them and around them. */
export function withRanges(text: string, ranges: readonly TermRange[], piece: (text: string) => Child[]): Child[] {
  const pieces: Child[] = [];
  let from = 0;
  for (const { start, stop, status, said } of [...ranges].sort((one, other) => one.start - other.start)) {
    if (start < from) continue;
    if (start > from) pieces.push(...piece(text.slice(from, start)));
    pieces.push(h("span", { class: `term term-${status}`, title: visible(said) },
      status === "forbidden" && h("span", { class: "term-sign", "aria-hidden": "true" }, SIGNS.forbidden), ...piece(text.slice(start, stop))));
    from = stop;
  }
  if (from < text.length) pieces.push(...piece(text.slice(from)));
  return pieces;
}

/** A list of the terms of a segment and what became of them in a system; null where it has none. */
export function termList(page: Page, system: number, segment: number): HTMLElement | null {
  const found = termsOf(page, system, segment);
  if (found.length === 0) return null;
  return h("ul", { class: "chips terms", "aria-label": page.t("terms.title") }, ...found.map((one) =>
    h("li", { class: `chip term-chip ${one.status === "rendered" ? "" : "bad"}` },
      h("span", { "aria-hidden": "true" }, SIGNS[one.status]), h("bdi", {}, ...shown(one.term)), h("span", {}, ...shown(saidOf(page, one))))));
}
