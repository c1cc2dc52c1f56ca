// The two sentences of an explanation as words on the page.

import { h } from "../dom";
import type { Page, Report } from "../page";
import type { ExplanationPart, TextColumn } from "../schema";
import { shown, visible } from "../text";
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

function sentence(tokens: readonly string[], column: TextColumn | undefined, spans: readonly Span[], wrong: readonly [string, string][]): Sentence {
  const marked = new Map<number, string>();
  for (const [text, said] of wrong) for (const at of tokensOf(tokens, text)) marked.set(at, said);
  return { tokens, column, alone: new Set(unmatched(tokens, spans)), wrong: marked };
}

export function shownOf(page: Page, part: ExplanationPart): Shown {
  const links = linksOf(part);
  const wrong = wrongTexts(page, part.system, part.segment);
  const other = part.comparedWith === "source" ? columnOf(page.report, "source", 0) : columnOf(page.report, "reference", part.referenceIndex);
  return {
    part,
    links,
    own: sentence(part.hypothesis, columnOf(page.report, "system", part.system), links.map((link) => link.own), wrong.own),
    other: sentence(part.reference, other, links.map((link) => link.other), wrong.other),
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
