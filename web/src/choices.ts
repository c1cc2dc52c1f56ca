// What the reader chose among metrics and systems, as the options of the place keep it.

import { h } from "./dom";
import type { Page } from "./page";
import { shortened, visible } from "./text";

/** Position of the metric that option `key` names; else `fallback`. */
export function chosenMetric(page: Page, key = "metric", fallback = 0): number {
  const at = page.report.metrics.findIndex((metric) => metric.metric === page.place.options[key]);
  return at >= 0 ? at : Math.min(fallback, page.report.metrics.length - 1);
}

/** Position of the system that option `key` names; else `fallback`. */
export function chosenSystem(page: Page, key: string, fallback: number): number {
  const at = page.report.systems.indexOf(page.place.options[key] ?? "");
  return at >= 0 ? at : fallback;
}

/** A labelled choice; `choices` are [value, text]. The id keeps the focus where a view is drawn anew. */
export function choice(
  id: string, label: string, choices: readonly (readonly [string, string])[], value: string, change: (value: string) => void,
): HTMLLabelElement {
  const select = h("select", { id }, ...choices.map(([each, text]) => h("option", { value: each, title: visible(text) }, visible(shortened(text, 44)))));
  select.value = value;
  select.addEventListener("change", () => change(select.value));
  return h("label", { for: id }, label, select);
}

/** Systems from best to worst by the scores; those without a score last. */
export function ranked(scores: readonly (number | null)[], higherIsBetter: boolean): number[] {
  const sign = higherIsBetter ? -1 : 1;
  const key = (at: number): number => (scores[at] == null ? Infinity : sign * (scores[at] ?? 0));
  return scores.map((_, at) => at).sort((a, b) => key(a) - key(b) || a - b);
}

/** A kind of human judgment by its name in full, as far as the table of words has it. */
export function humanTitle(page: Page, kind: string): string {
  const key = `systems.kinds.${kind}`;
  const name = page.t(key);
  return page.t("systems.human", { kind: name === key ? kind : name });
}
