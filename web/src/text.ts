// Texts of segments on the page: their language and direction, and no character that acts unseen.

import { type Child, h } from "./dom";
import type { TextColumn } from "./schema";

const NAMES: Record<number, string> = {
  0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x09: "TAB", 0x0a: "LF", 0x0b: "VT", 0x0c: "FF", 0x0d: "CR", 0x1b: "ESC",
  0x7f: "DEL", 0x85: "NEL", 0xad: "SHY", 0x61c: "ALM", 0x200b: "ZWSP", 0x200e: "LRM", 0x200f: "RLM", 0x2028: "LS", 0x2029: "PS",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ",
  0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};

// Controls, marks and overrides of direction, invisible spaces, tags and halves of a pair; joiners stay: scripts need them.
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

function label(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A text cut at the characters that act unseen: every second piece is one. */
export function cutAtUnseen(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const match of text.matchAll(UNSEEN)) {
    pieces.push(text.slice(from, match.index), match[0]);
    from = match.index + match[0].length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** A text in pieces to append: what acts unseen becomes a small labelled box. */
export function shown(text: string): Child[] {
  return cutAtUnseen(text).flatMap((piece, at): Child[] => {
    if (at % 2 === 0) return piece === "" ? [] : [piece];
    const code = (piece.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return [h("span", { class: "unseen", title: `U+${code}`, dir: "ltr" }, label(piece))];
  });
}

/** The same for places that take no elements, such as titles and options: `[RLO]`. */
export function visible(text: string): string {
  return cutAtUnseen(text).map((piece, at) => (at % 2 ? `[${label(piece)}]` : piece)).join("");
}

/** A text of a column in its language and direction, apart from what is around it. */
export function textOf(column: TextColumn | undefined, text: string | null, ...pieces: Child[]): HTMLElement {
  if (text === null) return h("span", { class: "missing" }, "–");
  return h("bdi", { class: "text", lang: column?.language, dir: column?.direction ?? "auto" }, ...(pieces.length ? pieces : shown(text)));
}

/** A long name with its middle left out; put the whole into a title. */
export function shortened(name: string, limit = 28): string {
  const letters = Array.from(name);
  if (letters.length <= limit) return name;
  const tail = Math.floor((limit - 1) / 2);
  return `${letters.slice(0, limit - 1 - tail).join("")}…${letters.slice(-tail).join("")}`;
}

/** A name as one piece, shortened where long. */
export function named(name: string, limit?: number): HTMLElement {
  return h("bdi", { class: "name", title: visible(name) }, ...shown(shortened(name, limit)));
}
