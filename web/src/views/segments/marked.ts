// A text with its hits and differences marked, and what is wrong in it.

import { difference } from "../../difference";
import { type Child, h } from "../../dom";
import type { Page } from "../../page";
import type { TextColumn } from "../../schema";
import { cutAtHits } from "../../search";
import { type TermRange, withRanges } from "../../terms";
import { shown, textOf } from "../../text";
import type { Flag } from "./facts";

function withHits(text: string, hits: RegExp | null): Child[] {
  return cutAtHits(text, hits).flatMap((piece, at) => (piece === "" ? [] : at % 2 ? [h("mark", {}, ...shown(piece))] : shown(piece)));
}

/** A text; with `base`, what it has beyond it and what it lacks; without, with terms of the glossary. */
export function marked(column: TextColumn | undefined, text: string | null, hits: RegExp | null, base: string | null = null, terms: readonly TermRange[] = []): HTMLElement {
  if (text === null) return textOf(column, null);
  if (base === null) return textOf(column, text, ...withRanges(text, terms, (piece) => withHits(piece, hits)));
  const pieces = difference(base, text, column?.language ?? "").flatMap(([kind, piece]): Child[] => {
    if (kind === "same") return withHits(piece, hits);
    // Spaces are not marked: they would be struck or underlined blanks at the ends of lines.
    const [, before = "", words = "", after = ""] = /^(\s*)(.*?)(\s*)$/su.exec(piece) ?? [];
    return [...shown(before), words !== "" && h(kind === "new" ? "ins" : "del", { class: "difference" }, ...withHits(words, hits)), ...shown(after)];
  });
  return textOf(column, text, ...(pieces.length ? pieces : [""]));
}

export function flagChips(page: Page, flags: readonly Flag[]): HTMLElement | null {
  if (flags.length === 0) return null;
  return h("ul", { class: "chips" }, ...flags.map(({ kind, found, expected }) => {
    const part = (text: string): Child => h("bdi", {}, ...shown(text));
    const arrow = h("span", { "aria-label": page.t("segments.became") }, "→");
    const said: Child[] = expected === null
      ? [part(found ?? ""), h("span", {}, page.t("segments.unasked"))]
      : found === null
        ? [part(expected), h("span", {}, page.t("segments.absent"))]
        : [part(expected), arrow, part(found)];
    return h("li", { class: "chip bad", title: page.t(`segments.flag.${kind}`) },
      h("span", { "aria-hidden": "true" }, "⚠"), h("span", { class: "offscreen" }, page.t(`segments.flag.${kind}`)), ...said);
  }));
}
