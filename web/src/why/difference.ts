// The word-level difference of two texts: what both have in the same order, and what only one has.

export interface Piece {
  text: string;
  /** In both texts, only in the first, or only in the second. */
  where: "both" | "first" | "second";
}

const MOST_CELLS = 4_000_000;

/** A text as words, blanks and marks, by the rules of its language. */
export function pieces(text: string, language: string): string[] {
  try {
    return [...new Intl.Segmenter(language || "en", { granularity: "word" }).segment(text)].map((one) => one.segment);
  } catch {
    return text.split(/(\s+)/u).filter((piece) => piece !== "");
  }
}

/** The difference of two lists of pieces, by their longest common subsequence. */
export function difference(first: readonly string[], second: readonly string[]): Piece[] {
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start++;
  let tail = 0;
  while (tail < first.length - start && tail < second.length - start && first[first.length - 1 - tail] === second[second.length - 1 - tail]) tail++;
  const own = first.slice(start, first.length - tail);
  const other = second.slice(start, second.length - tail);
  const found: Piece[] = first.slice(0, start).map((text) => ({ text, where: "both" }));
  if (own.length * other.length > MOST_CELLS) {
    found.push(...own.map((text): Piece => ({ text, where: "first" })), ...other.map((text): Piece => ({ text, where: "second" })));
  } else {
    const width = other.length + 1;
    const length = new Uint16Array((own.length + 1) * width);
    for (let i = own.length - 1; i >= 0; i--)
      for (let j = other.length - 1; j >= 0; j--)
        length[i * width + j] = own[i] === other[j]
          ? (length[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(length[(i + 1) * width + j] ?? 0, length[i * width + j + 1] ?? 0);
    let i = 0;
    let j = 0;
    while (i < own.length || j < other.length) {
      if (i < own.length && j < other.length && own[i] === other[j]) {
        found.push({ text: own[i++] ?? "", where: "both" });
        j++;
      } else if (j >= other.length || (i < own.length && (length[(i + 1) * width + j] ?? 0) >= (length[i * width + j + 1] ?? 0))) {
        found.push({ text: own[i++] ?? "", where: "first" });
      } else found.push({ text: other[j++] ?? "", where: "second" });
    }
  }
  found.push(...first.slice(first.length - tail).map((text): Piece => ({ text, where: "both" })));
  return found;
}
