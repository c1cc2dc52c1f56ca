// What the reader has filled in so far. It outlives a reload of the page; files are on the server by then.

import type { MetricChoice, StoredFile } from "./server";

export type Role = "source" | "references" | "systems";
export const ROLES: readonly Role[] = ["source", "references", "systems"];

export interface Entry {
  /** Of this page only. */
  key: number;
  /** As the reader's computer calls the file. */
  name: string;
  bytes: number;
  /** What a system is called; the reader may change it. */
  system: string;
  stored: StoredFile | null;
  problem: string;
}

export interface Form {
  files: Record<Role, Entry[]>;
  language: string;
  /** The file whose script decided the language; "" where the reader did. */
  guessedFrom: string;
  metrics: string[];
  /** The language that `metrics` were chosen for. */
  metricsFor: string;
  intervals: boolean;
  compare: boolean;
  title: string;
}

const KEY = "tenbin-form";

export function emptyForm(): Form {
  return {
    files: { source: [], references: [], systems: [] },
    language: "", guessedFrom: "", metrics: [], metricsFor: "", intervals: true, compare: true, title: "",
  };
}

export function keep(form: Form): void {
  const files = Object.fromEntries(ROLES.map((role) => [role, form.files[role].filter((entry) => entry.stored)]));
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...form, files }));
  } catch {
    // Forgotten when the page is loaded again.
  }
}

export function kept(): Form {
  try {
    const text = sessionStorage.getItem(KEY);
    if (text !== null) return { ...emptyForm(), ...(JSON.parse(text) as Form) };
  } catch {
    // As if new.
  }
  return emptyForm();
}

export const allFiles = (form: Form): Entry[] => ROLES.flatMap((role) => form.files[role]);

/** The files whose number of lines is not that of most; null where all agree. */
export function unequal(form: Form): Set<Entry> | null {
  const stored = allFiles(form).filter((entry) => entry.stored);
  const counts = new Map<number, number>();
  for (const { stored: file } of stored) if (file) counts.set(file.lines, (counts.get(file.lines) ?? 0) + 1);
  if (counts.size < 2) return null;
  const [usual] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [0];
  const odd = stored.filter((entry) => entry.stored?.lines !== usual);
  // Two counts that are equally frequent: nobody knows which is wrong.
  const tie = [...counts.values()].filter((count) => count === counts.get(usual)).length > 1;
  return new Set(tie ? stored : odd);
}

export interface Need {
  word: string;
  values?: Record<string, string>;
}

/** What is missing before it can start. */
export function needs(form: Form, choices: readonly MetricChoice[]): Need[] {
  const found: Need[] = [];
  const chosen = choices.filter((one) => form.metrics.includes(one.metric));
  const files = allFiles(form);
  if (form.files.systems.length === 0) found.push({ word: "systems" });
  if (form.files.references.length === 0 && (chosen.length === 0 || chosen.some((one) => one.needsReferences)))
    found.push({ word: "references" });
  const reading = chosen.filter((one) => one.needsSource);
  if (reading.length > 0 && form.files.source.length === 0)
    found.push({ word: "source", values: { metrics: reading.map((one) => one.title).join(", ") } });
  if (files.some((entry) => entry.problem !== "")) found.push({ word: "files" });
  else if (files.some((entry) => entry.stored === null)) found.push({ word: "sending" });
  else if (unequal(form) !== null) found.push({ word: "lines" });
  const names = form.files.systems.map((entry) => entry.system.trim());
  if (names.some((name) => name === "") || new Set(names).size < names.length) found.push({ word: "names" });
  if (form.language === "") found.push({ word: "language" });
  else if (form.metrics.length === 0) found.push({ word: "metrics" });
  return found;
}
