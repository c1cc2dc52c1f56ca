// Labels, meanings and evidence come from Python in English; the table of words has them in other languages.

import type { Page } from "../page";

const NUMBER = /-?\d+(?:[.,]\d+)*/g;
const NAMES = ["a", "b", "c", "d", "e", "f"] as const;

/** The key of a phrase: its words, with a mark in place of each number. */
export function phraseKey(text: string): string {
  return text.replace(NUMBER, "#").toLowerCase().replace(/[^\p{L}#]+/gu, "_").replace(/^_+|_+$/g, "");
}

/** A phrase in the reader's language where the table has it, else as it came. */
export function phrase(page: Page, text: string): string {
  const key = phraseKey(text);
  if (key === "") return text;
  const full = `why.phrases.${key}`;
  const values: Record<string, string> = {};
  for (const [at, number] of [...text.matchAll(NUMBER)].entries()) {
    const name = NAMES[at];
    if (name !== undefined) values[name] = number[0].replace("-", "−");
  }
  const found = page.t(full, values);
  return found === full ? text : found;
}

/** A kind of human judgment in full, with the name that commands know it by. */
export function judgment(page: Page, kind: string): string {
  for (const section of ["systems.kinds", "meta.kinds"]) {
    const key = `${section}.${kind}`;
    const found = page.t(key);
    if (found !== key) return `${found} (${kind})`;
  }
  return kind;
}

/** Evidence and summaries are lists of phrases parted by commas. */
export function phrases(page: Page, text: string): string {
  return text.split(", ").map((part) => phrase(page, part)).join(page.t("why.comma"));
}
