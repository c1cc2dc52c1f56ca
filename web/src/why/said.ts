// A link in words: which words, why, and how near they are.

import { type Child, h } from "../dom";
import type { Page } from "../page";
import { shown, visible } from "../text";
import { isNear, type Link, wordsOf } from "./links";
import { phrases } from "./phrases";
import type { Shown } from "./sentences";

function quoted(text: string): HTMLElement {
  return h("bdi", { class: "quoted" }, ...shown(text));
}

/** How near two words are, where that is not plain. */
function nearness(page: Page, link: Link): string {
  if (link.mass !== null || link.similarity >= 0.9995 || /cosine|substring/.test(link.evidence)) return "";
  return page.t("why.similarity", { value: page.number(link.similarity, 3) });
}

function reason(page: Page, link: Link, here: string, there: string): string {
  // The evidence of equal words is the word itself, that of a phrase table both phrases.
  const plain = link.evidence.toLowerCase();
  const known = plain === here.toLowerCase() || plain === there.toLowerCase();
  const told = known || link.evidence === "" ? "" : phrases(page, link.evidence);
  return [told, nearness(page, link)].filter((part) => part !== "").join(page.t("why.comma"));
}

/** A link as pieces to append. */
export function linkWords(page: Page, shownPart: Shown, link: Link): Child[] {
  const here = wordsOf(shownPart.own.tokens, link.own);
  const there = wordsOf(shownPart.other.tokens, link.other);
  const why = reason(page, link, here, there);
  return [
    quoted(here),
    isNear(link.kind) ? " ≈ " : " = ",
    quoted(there),
    page.t("why.colon"),
    h("strong", {}, page.t(`why.kinds.${link.kind}`)),
    ...(why === "" ? [] : shown(page.t("why.because", { why }))),
  ];
}

/** The same as a text, for readers of the screen. */
export function linkText(page: Page, shownPart: Shown, link: Link): string {
  const here = wordsOf(shownPart.own.tokens, link.own);
  const there = wordsOf(shownPart.other.tokens, link.other);
  const why = reason(page, link, here, there);
  const because = why === "" ? "" : page.t("why.because", { why });
  return visible(`${here} ${isNear(link.kind) ? "≈" : "="} ${there}${page.t("why.colon")}${page.t(`why.kinds.${link.kind}`)}${because}`);
}
