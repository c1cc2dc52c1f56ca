// One segment with everything known of it.

import { humanTitle } from "../../choices";
import { copyButton } from "../../copying";
import { h } from "../../dom";
import type { Page } from "../../page";
import { scrolling } from "../../scrolling";
import { ownRanges, sourceRanges, termList } from "../../terms";
import { named } from "../../text";
import type { Facts } from "./facts";
import { flagChips, marked } from "./marked";
import type { Query } from "./query";

export interface Steps {
  previous: number | null;
  next: number | null;
  /** Place in the list from 1, and its length; null where the list does not have the segment. */
  place: [number, number] | null;
}

export function detail(page: Page, facts: Facts, query: Query, segment: number, steps: Steps, close: () => void): HTMLElement {
  const { report, t, number } = page;
  const segments = report.segments;
  const columns = segments?.columns ?? [];
  const documentAt = segments?.documents?.[segment];
  const references = columns.filter((column) => column.role === "reference");
  const systemColumns = columns.filter((column) => column.role === "system");
  const source = columns.find((column) => column.role === "source");
  const texts = report.referencesOf(segment);
  const baseText = query.difference === "reference" ? (texts[0] ?? null) : query.difference === "" ? null : report.hypothesisOf(query.difference, segment);
  const metrics = report.metrics.map((metric, at) => ({ metric, at })).filter(({ at }) => report.segmentScores[at] != null);
  const people = report.human.map((human, at) => ({ human, at })).filter(({ at }) => report.humanSegments[at] != null);

  const step = (to: number | null, key: string, word: string): HTMLElement =>
    h("button", { type: "button", class: "small", id: `detail-${word}`, disabled: to === null, title: `${t(`segments.${word}`)} (${key})`, click: () => to !== null && page.go({ segment: to }) }, t(`segments.${word}`));
  const passage = (title: string, body: HTMLElement): HTMLElement => h("div", { class: "passage" }, h("h3", {}, title), h("p", {}, body));

  const lead = report.metrics[query.metric];
  const score = (system: number): HTMLElement | null => {
    const matrix = report.segmentScores[query.metric];
    return matrix && lead ? h("span", { class: "lead" }, `${lead.title} `, h("b", {}, number(matrix.at(system, segment), lead.decimals))) : null;
  };

  const systems = report.systems.map((name, system) => {
    const text = report.hypothesisOf(system, segment);
    const compared = baseText !== null && query.difference !== system;
    return h("div", { class: "passage", "data-system": name },
      h("h3", {}, named(name, 60), score(system), query.difference === system && h("span", { class: "chip" }, t("segments.comparedWith"))),
      h("p", {}, marked(systemColumns[system], text, query.search.hits, compared ? baseText : null, ownRanges(page, system, segment))),
      flagChips(page, facts.flagsOf(system, segment)),
      termList(page, system, segment));
  });

  const scores = scrolling(t("segments.scores"), h("table", { class: "sticky-first" },
    h("caption", {}, t("segments.scores")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("segments.system")),
      ...metrics.map(({ metric }) => h("th", { scope: "col", class: "number" }, metric.title)),
      ...people.map(({ human }) => h("th", { scope: "col", class: "number" }, humanTitle(page, human.kind))))),
    h("tbody", {}, ...report.systems.map((name, system) => h("tr", {}, h("th", { scope: "row" }, named(name, 24)),
      ...metrics.map(({ metric, at }) => h("td", { class: "number" }, number(report.segmentScores[at]?.at(system, segment), metric.decimals))),
      ...people.map(({ at }) => h("td", { class: "number" }, number(report.humanSegments[at]?.at(system, segment), 2))))))));

  return h("aside", { class: "detail panel", "aria-labelledby": "detail-title", "data-segment": segment + 1 },
    h("div", { class: "detail-head" },
      h("h2", { id: "detail-title", tabindex: -1 }, t("segments.segment", { number: String(segment + 1) })),
      h("span", { class: "quiet" }, steps.place ? t("segments.placeOf", { at: steps.place[0], all: steps.place[1] }) : ""),
      h("button", { type: "button", class: "small", id: "detail-close", click: close, title: `${t("shell.close")} (Esc)` }, t("shell.close"))),
    h("div", { class: "toolbar" },
      step(steps.previous, "k", "previous"), step(steps.next, "j", "next"),
      page.views.includes("why") && h("a", { class: "button", id: "detail-why", href: page.link({ view: "why", segment }) }, t("segments.why")),
      copyButton(t("segments.copyLink"), t("shell.copied"), () => `${location.href.split("#")[0] ?? ""}#seg=${segment + 1}`)),
    documentAt !== undefined && h("p", { class: "hint" }, t("segments.document"), ": ", named(segments?.documentNames[documentAt] ?? "", 80)),
    source !== undefined && passage(t("segments.source"), marked(source, report.sourceOf(segment), query.search.hits, null, sourceRanges(page, segment))),
    ...texts.map((text, at) => passage(texts.length > 1 ? `${t("segments.reference")} ${references[at]?.name ?? ""}` : t("segments.reference"), marked(references[at], text, query.search.hits))),
    ...systems,
    metrics.length > 0 && scores);
}
