// Search in texts: a substring in any case, or a pattern between slashes.

export interface Search {
  /** Whether a text has it; `lower` is the text in lower case. */
  test(text: string, lower: string): boolean;
  /** Finds all hits, for marking; null where nothing is sought. */
  hits: RegExp | null;
  /** Why a pattern cannot be used. */
  error: string | null;
}

const ALL: Search = { test: () => true, hits: null, error: null };

export function searchFor(query: string): Search {
  const wanted = query.trim();
  if (wanted === "") return ALL;
  const pattern = /^\/(.+)\/([imsu]*)$/s.exec(wanted);
  if (!pattern) {
    const lower = wanted.toLowerCase();
    const hits = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"), "giu");
    return { test: (_, text) => text.includes(lower), hits, error: null };
  }
  const [, source = "", flags = ""] = pattern;
  try {
    const all = new Set([...flags, "i", "u"]);
    const once = new RegExp(source, [...all].join(""));
    return { test: (text) => once.test(text), hits: new RegExp(source, [...all, "g"].join("")), error: null };
  } catch (error) {
    return { ...ALL, error: error instanceof Error ? error.message : String(error) };
  }
}

/** A text cut at its hits: every second piece is one. */
export function cutAtHits(text: string, hits: RegExp | null): string[] {
  if (!hits) return [text];
  const pieces: string[] = [];
  let from = 0;
  for (const match of text.matchAll(hits)) {
    if (match[0] === "") continue;
    pieces.push(text.slice(from, match.index), match[0]);
    from = match.index + match[0].length;
  }
  pieces.push(text.slice(from));
  return pieces;
}
