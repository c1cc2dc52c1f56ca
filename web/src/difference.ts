// Which words of two texts are the same: the longest common run of words, in order.

export type Kind = "same" | "gone" | "new";
export type Piece = [Kind, string];

const segmenters = new Map<string, Intl.Segmenter>();

function segmenter(language: string): Intl.Segmenter {
  let found = segmenters.get(language);
  if (!found) {
    try {
      found = new Intl.Segmenter(language || undefined, { granularity: "word" });
    } catch {
      found = new Intl.Segmenter(undefined, { granularity: "word" });
    }
    segmenters.set(language, found);
  }
  return found;
}

/** Words, signs and spaces, by rules of the language where the browser knows them. */
function parts(text: string, language: string): Iterable<string> {
  if (typeof Intl.Segmenter === "undefined") return text.match(/\s+|[\p{L}\p{N}\p{M}]+|./gsu) ?? [];
  return Array.from(segmenter(language).segment(text), ({ segment }) => segment);
}

/** Words and signs of a text, each with the spaces before it: joined, they are the text again. */
export function wordsOf(text: string, language: string): string[] {
  const words: string[] = [];
  let space = "";
  for (const segment of parts(text, language)) {
    if (/^\s+$/.test(segment)) space += segment;
    else {
      words.push(space + segment);
      space = "";
    }
  }
  if (space !== "") {
    if (words.length) words[words.length - 1] += space;
    else words.push(space);
  }
  return words;
}

/** Above this number of cells, what differs is shown as one piece: no translation is that long. */
const MOST_CELLS = 4_000_000;

/** From `from` to `to`: what both have, what is gone, what is new. Spaces make no difference. */
export function difference(from: string, to: string, language: string): Piece[] {
  const a = wordsOf(from, language);
  const b = wordsOf(to, language);
  const keyA = a.map((word) => word.trim());
  const keyB = b.map((word) => word.trim());
  let head = 0;
  while (head < a.length && head < b.length && keyA[head] === keyB[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && keyA[a.length - 1 - tail] === keyB[b.length - 1 - tail]) tail++;
  const n = a.length - head - tail;
  const m = b.length - head - tail;
  const pieces: Piece[] = [];
  const add = (kind: Kind, text: string): void => {
    const last = pieces[pieces.length - 1];
    if (last && last[0] === kind) last[1] += text;
    else pieces.push([kind, text]);
  };
  for (let i = 0; i < head; i++) add("same", b[i] ?? "");
  if ((n + 1) * (m + 1) > MOST_CELLS) {
    add("gone", a.slice(head, head + n).join(""));
    add("new", b.slice(head, head + m).join(""));
  } else {
    // Length of the longest common run of a[i:] and b[j:].
    const width = m + 1;
    const lengths = new Uint16Array((n + 1) * width);
    const at = (i: number, j: number): number => lengths[i * width + j] as number;
    for (let i = n - 1; i >= 0; i--) {
      for (let j = m - 1; j >= 0; j--) {
        lengths[i * width + j] = keyA[head + i] === keyB[head + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      }
    }
    let i = 0;
    let j = 0;
    while (i < n || j < m) {
      if (i < n && j < m && keyA[head + i] === keyB[head + j]) {
        add("same", b[head + j++] ?? "");
        i++;
      } else if (i < n && (j >= m || at(i + 1, j) >= at(i, j + 1))) add("gone", a[head + i++] ?? "");
      else add("new", b[head + j++] ?? "");
    }
  }
  for (let i = b.length - tail; i < b.length; i++) add("same", b[i] ?? "");
  return pieces;
}
