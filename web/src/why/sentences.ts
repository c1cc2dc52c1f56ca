// The two sentences of an explanation as words on the page.

import { h } from "../dom";
import type { Page, Report } from "../page";
import type { ExplanationPart, TextColumn } from "../schema";
import { shown, visible } from "../text";
import { SIGNS, saidOf, termsOf } from "../terms";
import { termStepsOf } from "./losses";
import { isSpecial, type Link, linksOf, plainToken, type Span, tokensOf, unmatched } from "./links";

export interface Sentence {
  tokens: readonly string[];
  column: TextColumn | undefined;
  /** Words that no link touches. */
  alone: ReadonlySet<number>;
  /** Words that are a wrong name or number, with what is wrong. */
  wrong: ReadonlyMap<number, string>;
}

export interface Shown {
  part: ExplanationPart;
  links: Link[];
  own: Sentence;
  other: Sentence;
}

export function columnOf(report: Report, role: TextColumn["role"], which: number): TextColumn | undefined {
  return (report.segments?.columns ?? []).filter((column) => column.role === role)[which];
}

/** What is wrong in a text by the flags of its segment: the text, and what to say of it. */
export function wrongTexts(page: Page, system: number, segment: number): { own: [string, string][]; other: [string, string][] } {
  const own: [string, string][] = [];
  const other: [string, string][] = [];
  for (const [flagged, place, kind, has, expected] of page.report.segments?.flags ?? []) {
    if (flagged !== system || place !== segment) continue;
    const what = page.t(`why.flag.${kind}`);
    if (has !== null) own.push([has, expected === null ? page.t("why.flag.extra", { what, has }) : page.t("why.flag.wrong", { what, has, expected })]);
    if (expected !== null) other.push([expected, has === null ? page.t("why.flag.missing", { what, expected }) : page.t("why.flag.wrong", { what, has, expected })]);
  }
  return { own, other };
}

function sentence(tokens: readonly string[], column: TextColumn | undefined, spans: readonly Span[], wrong: readonly [string, string][], onlyTerms: boolean): Sentence {
  const marked = new Map<number, string>();
  for (const [text, said] of wrong) for (const at of tokensOf(tokens, text)) marked.set(at, said);
  return { tokens, column, alone: new Set(onlyTerms ? [] : unmatched(tokens, spans)), wrong: marked };
}

/** Terms of the glossary that a translation lacks or renders by a forbidden form. */
function wrongTerms(page: Page, part: ExplanationPart): { own: [string, string][]; other: [string, string][] } {
  const found = termsOf(page, part.system, part.segment).filter((one) => one.status !== "rendered");
  const said = found.map((one) => `${SIGNS[one.status]} ${one.term} ${saidOf(page, one)}`);
  return {
    own: found.flatMap((one, at): [string, string][] => (one.written === null ? [] : [[one.written, said[at] ?? ""]])),
    other: part.comparedWith === "source" ? found.map((one, at): [string, string] => [one.term, said[at] ?? ""]) : [],
  };
}

export function shownOf(page: Page, part: ExplanationPart): Shown {
  const links = linksOf(part);
  const flagged = wrongTexts(page, part.system, part.segment);
  const terms = wrongTerms(page, part);
  const wrong = { own: [...flagged.own, ...terms.own], other: [...flagged.other, ...terms.other] };
  // Where terms alone count, other words lack nothing.
  const onlyTerms = termStepsOf(part) !== null;
  const other = part.comparedWith === "source" ? columnOf(page.report, "source", 0) : columnOf(page.report, "reference", part.referenceIndex);
  return {
    part,
    links,
    own: sentence(part.hypothesis, columnOf(page.report, "system", part.system), links.map((link) => link.own), wrong.own, onlyTerms),
    other: sentence(part.reference, other, links.map((link) => link.other), wrong.other, onlyTerms),
  };
}

/** One word, with what is to be seen of it without any link. */
export function wordOf(page: Page, side: Sentence, at: number): HTMLElement {
  const token = side.tokens[at] ?? "";
  const { text, goesOn } = plainToken(token);
  const classes = ["word"];
  const said: string[] = [];
  if (goesOn) classes.push("goes-on");
  if (isSpecial(token)) {
    classes.push("special");
    said.push(page.t("why.special"));
  } else if (side.alone.has(at)) {
    classes.push("alone");
    said.push(page.t("why.noMatch"));
  }
  const wrong = side.wrong.get(at);
  if (wrong !== undefined) {
    classes.push("wrong");
    said.push(wrong);
  }
  const title = said.join(page.t("why.comma"));
  return h("span", { class: classes.join(" "), title: title === "" ? null : visible(title), "data-at": at }, h("bdi", {}, ...shown(text)));
}

export function direction(side: Sentence): "ltr" | "rtl" {
  return side.column?.direction ?? "ltr";
}
