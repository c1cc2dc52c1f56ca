// From matches to score, in sentences, and what lowered the score most.

import { type Child, h } from "../dom";
import type { Page } from "../page";
import type { ExplanationPart } from "../schema";
import { marksOf } from "../terms";
import { shown } from "../text";
import { type Loss, lossesOf } from "./losses";
import { phrase } from "./phrases";

/** As `tenbin explain` writes numbers: whole ones plainly, others with four decimals. */
export function plainNumber(page: Page, value: number): string {
  return page.number(value, Number.isInteger(value) ? 0 : 4);
}

function isListedElsewhere(label: string, meaning: string, terms: boolean): boolean {
  return /^word \d+: /u.test(label) || meaning === "what this member adds" || (terms && /^term \d+: /u.test(label));
}

/** A formula as a reader writes it: "7 / 9" of whole numbers is "7 of 9". */
export function spokenFormula(page: Page, formula: string): string {
  const counts = /^(\d+) \/ (\d+)$/.exec(formula);
  if (counts) return page.t("why.ofCount", { part: counts[1] ?? "", whole: counts[2] ?? "" });
  return phrase(page, formula).replace(/ - /g, " − ");
}

/** The steps as a list of sentences; those of single words are drawn as bars instead. */
export function arithmetic(page: Page, part: ExplanationPart): HTMLElement {
  const terms = marksOf(page, part.segment).length > 0;
  const kept = part.steps.filter(([label, meaning]) => !isListedElsewhere(label, meaning, terms));
  const last = kept.length - 1;
  return h("ol", { class: "steps" }, ...kept.map(([label, meaning, formula, value], at) => {
    const spoken = formula === "" ? "" : spokenFormula(page, formula);
    return h("li", { class: at === last ? "result" : null },
      h("b", {}, ...shown(phrase(page, label))),
      h("span", { class: "value number" }, plainNumber(page, value)),
      h("span", { class: "meaning" }, ...shown(phrase(page, meaning)),
        spoken !== "" && page.t("why.colon"),
        spoken !== "" && h("span", { class: "formula", dir: "ltr" }, ...shown(spoken), " = ", plainNumber(page, value))));
  }));
}

/** Stands for the words in a sentence until they are put there as elements; no text has it. */
const BLANK = "\u{f0000}";

/** A cause in words; words of the texts keep their own direction. */
function lossWords(page: Page, loss: Loss): Child[] {
  const amount = loss.amount === null ? "" : loss.cause === "moved" ? page.number(loss.amount * 100, 0) : page.number(loss.amount, 3);
  const key = `why.loss.${loss.cause}${loss.amount === null ? "Some" : ""}`;
  const quoted = loss.words.flatMap((word, at): Child[] => {
    const [before, after] = page.t("why.quoted", { word: BLANK }).split(BLANK);
    return [at > 0 && page.t("why.comma"), before, h("bdi", {}, ...shown(word)), after];
  });
  return page.t(key, { words: BLANK, amount }).split(BLANK).flatMap((text, at): Child[] => (at > 0 ? [...quoted, text] : [text]));
}

/** One paragraph on what lowered the score most. */
export function lowered(page: Page, part: ExplanationPart): HTMLElement {
  const losses = lossesOf(part);
  const [most, ...others] = losses;
  if (!most) return h("p", { class: "lowered" }, page.t("why.loss.none"));
  return h("p", { class: "lowered" },
    h("b", {}, page.t("why.loss.most")), page.t("why.colon"), ...lossWords(page, most),
    ...others.slice(0, 2).flatMap((loss, at): Child[] => [page.t(at === 0 ? "why.loss.then" : "why.semicolon"), ...lossWords(page, loss)]),
    page.t("why.period"));
}

