// What Python writes and the page reads. `tenbin/reports/page/payload.py` makes it; a change here is a change there.

/** A matrix of decimal numbers as integers: value = (offset + q) / 10 ** decimals; q of all ones is missing. */
export interface PackedNumbers {
  /** Rows and columns: systems by segments, or 1 by segments. */
  shape: [number, number];
  decimals: number;
  offset: number;
  /** Bytes of one number: 1, 2 or 4. */
  bytes: 1 | 2 | 4;
  /** Base64 of the lowest bytes of all numbers, then the next bytes of all, and so on. */
  data: string;
}

export interface MetricColumn {
  /** The spec as it was written. */
  metric: string;
  title: string;
  signature: string;
  higherIsBetter: boolean;
  decimals: number;
  /** One line: what it measures. */
  summary: string;
  /** Whether `explanations` may hold some of it. */
  explainable: boolean;
  /** By system. */
  scores: (number | null)[];
  intervals: ([number, number] | null)[] | null;
  segments: PackedNumbers | null;
}

export interface MetricComparison {
  /** Position in `metrics`. */
  metric: number;
  /** Systems by systems: score of the row less score of the column. */
  differences: (number | null)[][];
  p: (number | null)[][];
  /** After Holm's correction. */
  adjusted: (number | null)[][];
  /** Significance cluster of each system from 1; null with a baseline. */
  ranks: number[] | null;
  /** Share of WMT system pairs with such a difference that people order alike; null where unknown. */
  people: (number | null)[][] | null;
}

export interface ComparisonPart {
  test: string;
  rounds: number;
  seed: number;
  unit: string;
  baseline: string | null;
  curveSource: string;
  metrics: MetricComparison[];
}

export interface TextColumn {
  role: "source" | "reference" | "system";
  name: string;
  /** Tag for the lang attribute. */
  language: string;
  direction: "ltr" | "rtl";
}

export type TermStatus = "rendered" | "missing" | "forbidden";

/**
 * A term of the glossary: segment, its range in the source, what is asked for, a note, and by system its status and
 * the range of the translation that has the form asked for or a forbidden one; -1 where it has none. Ranges are of
 * UTF-16 units.
 */
export type TermMark = [number, number, number, string, string, [TermStatus, number, number][]];

export interface SegmentsPart {
  count: number;
  columns: TextColumn[];
  /** One row per segment, in the order of `columns`; null where there is no such text. */
  texts: (string | null)[][];
  documentNames: string[];
  /** Position in `documentNames` of each segment; null where no documents are known. */
  documents: number[] | null;
  /** Facts of each segment, of its first reference (or source): words, Zipf frequency of its words. */
  lengths: PackedNumbers;
  frequencies: PackedNumbers | null;
  /** Whether the first reference has a number, a name; null where that is not known for the language. */
  hasNumber: boolean[] | null;
  hasName: boolean[] | null;
  /** Wrong names and numbers: system, segment, kind, what the translation has, what was expected. */
  flags: [number, number, "number" | "name", string | null, string | null][];
  /** Terms of the glossary; null where there is none. */
  terms: TermMark[] | null;
}

export interface HumanColumn {
  /** mqm, wmt-z ... */
  kind: string;
  higherIsBetter: boolean;
  scores: (number | null)[];
  segments: PackedNumbers | null;
}

export type MatchKind = "exact" | "stem" | "synonym" | "paraphrase" | "vector" | "context" | "spelling" | "term";

/** hypothesis start and stop, reference start and stop, kind, similarity, evidence, mass, cost. */
export type MatchRow = [
  number, number, number, number, MatchKind, number, string, number | null, number | null,
];

export interface ExplanationPart {
  system: number;
  segment: number;
  metric: number;
  score: number;
  hypothesis: string[];
  reference: string[];
  comparedWith: "reference" | "source";
  /** Which reference, from 0. */
  referenceIndex: number;
  /** No token is matched twice. */
  exclusive: boolean;
  matches: MatchRow[];
  /** label, meaning, formula, value. */
  steps: [string, string, string, number][];
}

/** N-grams of the references that system a renders and b does not, most telling first. */
export interface NgramRow {
  ngram: string;
  /** In how many segments a has it, b has it, the reference has it. */
  a: number;
  b: number;
  reference: number;
  /** Segments where a has it and b has not. */
  segments: number[];
}

export interface NgramPair {
  a: number;
  b: number;
  rows: NgramRow[];
}

export interface Licence {
  resource: string;
  version: string;
  licence: string;
  source: string;
}

/** `MetaTable.to_dict()` and `TuningResult.to_dict()` as `-f json` writes them. */
export type PlainData = Record<string, unknown>;

export interface Payload {
  schema: 1;
  kind: "score" | "compare" | "meta" | "tune";
  title: string;
  /** UTC, to the second. */
  created: string;
  version: string;
  command: string;
  notes: string[];
  language: string;
  systems: string[];
  metrics: MetricColumn[];
  comparison: ComparisonPart | null;
  segments: SegmentsPart | null;
  human: HumanColumn[];
  explanations: ExplanationPart[];
  /** The command that explains a segment which is not in `explanations`; {system}, {segment}, {metric} are put in. */
  explainCommand: string | null;
  ngrams: NgramPair[];
  licences: Licence[];
  meta: PlainData | null;
  tune: PlainData | null;
}
