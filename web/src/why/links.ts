// The links of an explanation as values, and what can be said of them without drawing.

import type { ExplanationPart, MatchKind } from "../schema";

export const KINDS: readonly MatchKind[] = ["exact", "stem", "synonym", "paraphrase", "vector", "context", "spelling", "term"];

/** The letters that `tenbin explain` marks kinds with. */
export const LETTERS: Readonly<Record<MatchKind, string>> = {
  exact: "E",
  stem: "S",
  synonym: "Y",
  paraphrase: "P",
  vector: "V",
  context: "C",
  spelling: "L",
  term: "T",
};

/** Kinds of words that are near each other rather than of one meaning. */
const NEAR: ReadonlySet<MatchKind> = new Set<MatchKind>(["vector", "context", "spelling"]);

/** A half-open range of tokens. */
export interface Span {
  start: number;
  stop: number;
}

export interface Link {
  own: Span;
  other: Span;
  kind: MatchKind;
  similarity: number;
  evidence: string;
  mass: number | null;
  cost: number | null;
}

export type Form = "curves" | "ribbons" | "heat" | "whole";

export function linksOf(part: Pick<ExplanationPart, "matches">): Link[] {
  return part.matches.map(([start, stop, first, last, kind, similarity, evidence, mass, cost]) => ({
    own: { start, stop },
    other: { start: first, stop: last },
    kind,
    similarity,
    evidence,
    mass,
    cost,
  }));
}

/** How an explanation is best drawn. */
export function formOf(part: ExplanationPart): Form {
  // Metrics of whole texts have one "word" on either side, which is the text.
  if (part.hypothesis.length === 1 && part.reference.length === 1 && !part.exclusive) return "whole";
  if (part.matches.some((row) => row[7] !== null)) return "ribbons";
  return part.exclusive ? "curves" : "heat";
}

export function isNear(kind: MatchKind): boolean {
  return NEAR.has(kind);
}

export function kindsOf(links: readonly Link[]): MatchKind[] {
  const found = new Set(links.map((link) => link.kind));
  return KINDS.filter((kind) => found.has(kind));
}

/** Runs of links that follow each other directly in both sentences, in the order of the translation. */
export function chunksOf(links: readonly Link[]): Link[][] {
  const ordered = [...links].sort((one, two) => one.own.start - two.own.start);
  const chunks: Link[][] = [];
  let last: Link | undefined;
  for (const link of ordered) {
    const goesOn = last !== undefined && last.own.stop === link.own.start && last.other.stop === link.other.start;
    if (goesOn) chunks[chunks.length - 1]?.push(link);
    else chunks.push([link]);
    last = link;
  }
  return chunks;
}

/** Marks that models put around a text, which are no words of it. */
export function isSpecial(token: string): boolean {
  return /^(\[(CLS|SEP|PAD|MASK|UNK)\]|<\/?s>|<pad>|<mask>)$/.test(token);
}

/** Tokens that no link touches. */
export function unmatched(tokens: readonly string[], spans: readonly Span[]): number[] {
  const taken = new Set<number>();
  for (const span of spans) for (let at = span.start; at < span.stop; at++) taken.add(at);
  return tokens.flatMap((token, at) => (taken.has(at) || isSpecial(token) ? [] : [at]));
}

/** A token as a reader wants to see it: the marks of subwords are no part of the word. */
export function plainToken(token: string): { text: string; goesOn: boolean } {
  if (token.startsWith("##") && token.length > 2) return { text: token.slice(2), goesOn: true };
  const text = token.replace(/^[▁Ġ]/, "");
  return { text: text === "" ? token : text, goesOn: false };
}

/** The words of a span as one text; no blanks between subwords of one word. */
export function wordsOf(tokens: readonly string[], span: Span): string {
  let text = "";
  for (const token of tokens.slice(span.start, span.stop)) {
    const plain = plainToken(token);
    text += (text !== "" && !plain.goesOn ? " " : "") + plain.text;
  }
  return text;
}

function squeezed(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[\s,.]/gu, "");
}

/** Places of the tokens that together spell a text, such as a wrong name; none where they do not. */
export function tokensOf(tokens: readonly string[], text: string): number[] {
  const wanted = squeezed(text);
  if (wanted === "") return [];
  const pieces = tokens.map((token) => (isSpecial(token) ? "\u0000" : squeezed(plainToken(token).text)));
  const found: number[] = [];
  for (let start = 0; start < pieces.length; start++) {
    let spelled = "";
    for (let at = start; at < pieces.length && spelled.length < wanted.length; at++) {
      spelled += pieces[at] ?? "";
      if (spelled !== wanted) continue;
      for (let place = start; place <= at; place++) if (pieces[place] !== "") found.push(place);
      break;
    }
  }
  return [...new Set(found)];
}

/** What a link adds to the cost where weights are moved, else its similarity. */
export function importance(link: Link): number {
  return link.mass === null || link.cost === null ? link.similarity : link.mass * link.cost;
}
