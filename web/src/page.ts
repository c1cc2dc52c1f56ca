// What every view gets: the report, its words in the reader's language, and the state it shares with others.

import type { Payload } from "./schema";

/** One number per system and segment; NaN where there is none. */
export interface Matrix {
  rows: number;
  columns: number;
  values: Float64Array;
  at(row: number, column: number): number;
}

export interface Report extends Payload {
  /** Segment scores by metric, in the order of `metrics`; null where only corpus scores are known. */
  segmentScores: (Matrix | null)[];
  humanSegments: (Matrix | null)[];
  /** Text of a segment; null where there is none. `segments.columns` says where systems begin. */
  sourceOf(segment: number): string | null;
  referencesOf(segment: number): (string | null)[];
  hypothesisOf(system: number, segment: number): string | null;
}

/** Where the reader is; kept in the part of the address after `#`, so that a link opens the same. */
export interface Place {
  view: string;
  /** From 0; the address counts from 1. */
  segment: number | null;
  /** Everything else a view wants to keep: metric, systems, sort, filter. */
  options: Record<string, string>;
}

export interface Page {
  report: Report;
  /** Position of the segments that a brush or filter chose; null for all. */
  selection: ReadonlySet<number> | null;
  select(segments: ReadonlySet<number> | null): void;
  /** Ids of the views that this report has. */
  views: readonly string[];
  place: Place;
  /** Go elsewhere. Options are merged over those there are; an empty one is taken out. */
  go(place: Partial<Place>): void;
  /** The address that `go` would lead to, for links. */
  link(place: Partial<Place>): string;
  /**
   * Call `listener` when place or selection change and the view stays. A view that does not watch is rendered
   * again; one that does keeps what it has built, its scrolling and focus.
   */
  watch(listener: () => void): void;
  /**
   * A text of the table of words: `t("segments.search")`, with values: `t("segments.count", { n: 12 })`.
   * "{n} segment|{n} segments" has one form for 1 and one for other numbers.
   */
  t(key: string, values?: Record<string, string | number>): string;
  /** A number as the reader's language writes it. */
  number(value: number | null | undefined, decimals: number): string;
}

export interface View {
  id: string;
  /** Whether the report has what the view shows. */
  available(report: Report): boolean;
  /** Fill `root`; return what to undo when the reader leaves. The name of the view is `t("ID.title")`. */
  render(root: HTMLElement, page: Page): () => void;
  /** Done when the browser has nothing else to do, before the reader comes. */
  prepare?(page: Page): void;
  /** What the view gives on paper, whatever the reader looks at. */
  print?(page: Page): Node | null;
  /** Keys of its own for the list under "?": the key, and what it does as a key of the table of words. */
  keys?: readonly (readonly [string, string])[];
}
