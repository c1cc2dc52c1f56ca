// Comma-separated values after RFC 4180, for spreadsheets: with a byte order mark, and no text that acts as a formula.

import { breather } from "../breather";

export type Cell = string | number | null;

/** Programs read a cell as a formula where it begins so; an apostrophe before it keeps it a text. */
const FORMULA = /^[\s\u00a0]*[=+\-@＝＋－＠]|^[\t\r\n]/;

function field(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export async function csv(rows: readonly (readonly Cell[])[]): Promise<string> {
  const lines: string[] = [];
  const rest = breather();
  for (const row of rows) {
    lines.push(row.map(field).join(","), "\r\n");
    await rest();
  }
  return `\ufeff${lines.join("")}`;
}
