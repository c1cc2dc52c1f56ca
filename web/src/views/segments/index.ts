// Every segment: find it, order it, compare its translations.

import { save } from "../../copying";
import { h } from "../../dom";
import type { Page, View } from "../../page";
import { csv } from "../../sheets/csv";
import { xlsx } from "../../sheets/xlsx";
import { onKeys } from "../../shortcuts";
import { ownRanges, sourceRanges, termList } from "../../terms";
import { named } from "../../text";
import { detail, type Steps } from "./detail";
import { sheet } from "./export";
import { Facts } from "./facts";
import { list } from "./list";
import { flagChips, marked } from "./marked";
import { answer, type Query, queryOf } from "./query";
import { toolbar } from "./toolbar";

/** Segments on paper. */
const PRINTED = 50;

const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const known = new WeakMap<object, Facts>();

/** Facts are the same for every visit. */
function factsOf(page: Page): Facts {
  let facts = known.get(page.report);
  if (!facts) {
    facts = new Facts(page.report);
    known.set(page.report, facts);
  }
  return facts;
}

function mostShown(): number {
  return matchMedia("(min-width: 1200px)").matches ? 3 : 2;
}

/** Texts of a segment in the order of the columns of the table. */
function cells(page: Page, facts: Facts, query: Query, segment: number): HTMLElement[] {
  const { report, t, number } = page;
  const columns = report.segments?.columns ?? [];
  const hits = query.search.hits;
  const label = (...name: (string | HTMLElement)[]): HTMLElement => h("span", { class: "cell-label" }, ...name);
  const result: HTMLElement[] = [];
  const source = columns.find((column) => column.role === "source");
  if (source) result.push(h("div", { role: "cell", class: "cell" }, label(t("segments.source")), marked(source, report.sourceOf(segment), hits, null, sourceRanges(page, segment))));
  const references = columns.filter((column) => column.role === "reference");
  const texts = report.referencesOf(segment);
  if (references.length) {
    result.push(h("div", { role: "cell", class: "cell" }, label(t("segments.reference")),
      ...references.flatMap((column, at) => (at > 0 && texts[at] === null ? [] : [h("div", {}, references.length > 1 && h("span", { class: "quiet small" }, `${column.name} `), marked(column, texts[at] ?? null, hits))]))));
  }
  const systems = columns.filter((column) => column.role === "system");
  const base = query.difference === "reference" ? (texts[0] ?? null) : query.difference === "" ? null : report.hypothesisOf(query.difference, segment);
  const scores = [...new Set(query.sort === "metrics" ? [query.metric, query.other] : [query.metric])];
  for (const system of query.shown) {
    const text = report.hypothesisOf(system, segment);
    result.push(h("div", { role: "cell", class: "cell" }, label(named(report.systems[system] ?? "", 40)),
      marked(systems[system], text, hits, query.difference === system ? null : base, ownRanges(page, system, segment)),
      h("div", { class: "cell-scores" }, ...scores.flatMap((metric) => {
        const matrix = report.segmentScores[metric];
        const column = report.metrics[metric];
        return matrix && column ? [h("span", { title: column.title }, h("span", { class: "quiet" }, `${column.title} `), h("b", {}, number(matrix.at(system, segment), column.decimals)))] : [];
      })),
      flagChips(page, facts.flagsOf(system, segment)),
      termList(page, system, segment)));
  }
  return result;
}

function headCells(page: Page, query: Query): HTMLElement[] {
  const { report, t } = page;
  const columns = report.segments?.columns ?? [];
  const head = (...children: (string | HTMLElement)[]): HTMLElement => h("div", { role: "columnheader", class: "cell" }, ...children);
  return [
    head(t("segments.number")),
    ...(columns.some((column) => column.role === "source") ? [head(t("segments.source"))] : []),
    ...(columns.some((column) => column.role === "reference") ? [head(t("segments.reference"))] : []),
    ...query.shown.map((system) => head(named(report.systems[system] ?? "", 30))),
  ];
}

function render(root: HTMLElement, page: Page): () => void {
  const { report, t } = page;
  const facts = factsOf(page);
  const bar = toolbar(page, facts);
  const head = h("div", { role: "row", class: "row head" });
  const table = list({ class: "virtual", role: "table", tabindex: 0, "aria-label": t("segments.title") });
  table.element.prepend(h("div", { role: "rowgroup", class: "head-group" }, head));
  const count = h("p", { class: "count-line", role: "status" });
  const legend = h("ul", { class: "legend" }, h("li", {}, h("ins", { class: "difference" }, t("segments.onlyHere"))), h("li", {}, h("del", { class: "difference" }, t("segments.onlyThere"))));
  const side = h("div", { class: "side" });
  const empty = h("p", { class: "empty", hidden: true }, t("segments.none"));
  let query: Query = queryOf(page, mostShown());
  let order = new Int32Array(0);
  let places = new Map<number, number>();
  let asked = "";
  let opened: number | null = null;

  const fileName = (ending: string): string => `${(report.title || "tenbin").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "tenbin"}-segments.${ending}`;
  const exporter = (ending: "csv" | "xlsx", write: () => Promise<void>): HTMLButtonElement => {
    const button = h("button", { type: "button", class: "small", id: `export-${ending}`, title: t("segments.exportHint") }, t(`segments.${ending}`));
    button.addEventListener("click", () => {
      button.disabled = true;
      void write().finally(() => (button.disabled = false));
    });
    return button;
  };
  const exports = h("div", { class: "exports" },
    exporter("csv", async () => save(fileName("csv"), "text/csv;charset=utf-8", await csv(await sheet(page, facts, order)))),
    exporter("xlsx", async () => save(fileName("xlsx"), WORKBOOK, await xlsx(t("segments.title"), await sheet(page, facts, order)))));

  const column = h("div", { class: "list-column" }, h("div", { class: "list-head" }, count, legend, exports), empty, table.element);
  const layout = h("div", { class: "segments-layout" }, column, side);
  root.append(bar.element, layout);

  function drawRow(at: number): HTMLElement {
    const segment = order[at] as number;
    const documentAt = report.segments?.documents?.[segment];
    const link = h("a", { href: page.link({ segment }), class: "row-link" }, String(segment + 1));
    link.setAttribute("aria-label", t("segments.open", { number: String(segment + 1) }));
    const name = documentAt === undefined ? "" : (report.segments?.documentNames[documentAt] ?? "");
    return h("div", { role: "row", class: `row${segment === opened ? " current" : ""}`, "aria-rowindex": at + 2, "data-segment": segment + 1 },
      h("div", { role: "cell", class: "cell first" }, link, name !== "" && (report.segments?.documentNames.length ?? 0) > 1 && h("span", { class: "document quiet" }, named(name, 18))),
      ...cells(page, facts, query, segment));
  }

  /** About how high a row will be: lines of its longest text. */
  function guesser(): (at: number) => number {
    const width = table.element.clientWidth || 1000;
    const stacked = width < 640;
    const columns = head.childElementCount - 1 || 1;
    const perLine = Math.max(8, (stacked ? width : (width - 70) / columns) / 9);
    const texts = report.segments?.texts ?? [];
    return (at) => {
      const lengths = (texts[order[at] as number] ?? []).slice(0, columns + 2).map((text) => Math.ceil((text?.length ?? 0) / perLine));
      return 34 + 21 * (stacked ? lengths.reduce((sum, lines) => sum + lines + 1, 0) : Math.max(1, ...lengths));
    };
  }

  function ask(): void {
    const now = JSON.stringify([page.place.options, mostShown()]);
    if (now === asked && !query.onlySelection) return;
    asked = now;
    query = queryOf(page, mostShown());
    bar.update(query);
    const found = answer(page, facts, query);
    const same = found.order.length === order.length && found.order.every((segment, at) => segment === order[at]);
    const top = same ? table.top() : 0;
    order = found.order as typeof order;
    places = new Map();
    order.forEach((segment, at) => places.set(segment, at));
    head.replaceChildren(...headCells(page, query));
    layout.style.setProperty("--columns", String(head.childElementCount - 1));
    table.element.setAttribute("aria-rowcount", String(order.length + 1));
    count.textContent = t("segments.count", { n: facts.count, shown: order.length }) + (found.unfinished ? ` ${t("segments.unfinished")}` : "")
      + (query.onlySelection && page.selection === null ? ` ${t("segments.noSelection")}` : "");
    legend.hidden = query.difference === "";
    empty.hidden = order.length > 0;
    table.element.hidden = order.length === 0;
    table.fill(order.length, guesser(), drawRow, top);
  }

  function stepsFrom(segment: number): Steps {
    const at = places.get(segment);
    if (at === undefined) {
      return { previous: segment > 0 ? segment - 1 : null, next: segment < facts.count - 1 ? segment + 1 : null, place: null };
    }
    return { previous: order[at - 1] ?? null, next: order[at + 1] ?? null, place: [at + 1, order.length] };
  }

  const close = (): void => page.go({ segment: null });

  function openDetail(): void {
    const { segment } = page.place;
    const before = opened;
    const focused = side.contains(document.activeElement) ? (document.activeElement?.id ?? "") : "";
    opened = segment;
    layout.classList.toggle("with-detail", segment !== null);
    for (const row of table.element.querySelectorAll<HTMLElement>(".row.current")) row.classList.remove("current");
    if (segment === null) {
      side.replaceChildren();
      const left = before === null ? undefined : places.get(before);
      if (left !== undefined) table.show(left);
      if (before !== null && focused !== "") table.element.querySelector<HTMLElement>(`[data-segment="${before + 1}"] .row-link`)?.focus();
      return;
    }
    side.replaceChildren(detail(page, facts, query, segment, stepsFrom(segment), close));
    side.firstElementChild?.scrollTo(0, 0);
    const at = places.get(segment);
    if (at !== undefined) table.show(at);
    table.element.querySelector(`[data-segment="${segment + 1}"]`)?.classList.add("current");
    const again = focused === "" ? null : document.getElementById(focused);
    if (again instanceof HTMLButtonElement && !again.disabled) again.focus();
    else if (before === null || focused !== "") document.getElementById("detail-title")?.focus({ preventScroll: true });
  }

  table.element.addEventListener("click", (event) => {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>(".row[data-segment]");
    if (!row) return;
    if (target.closest("a")) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
    } else if (getSelection()?.isCollapsed === false) return;
    page.go({ segment: Number(row.dataset["segment"]) - 1 });
  });

  function step(by: 1 | -1): void {
    const { segment } = page.place;
    if (segment === null) {
      const first = order[0];
      if (first !== undefined) page.go({ segment: first });
      return;
    }
    const steps = stepsFrom(segment);
    const to = by > 0 ? steps.next : steps.previous;
    if (to !== null) page.go({ segment: to });
  }
  const offKeys = onKeys({
    j: () => step(1),
    k: () => step(-1),
    "/": () => bar.focusSearch(),
    w: () => page.place.segment !== null && page.views.includes("why") && page.go({ view: "why" }),
    Escape: () => page.place.segment !== null && close(),
  });

  ask();
  openDetail();
  page.watch(() => {
    ask();
    openDetail();
  });
  return () => {
    offKeys();
    table.stop();
  };
}

function print(page: Page): Node | null {
  const { t } = page;
  const facts = factsOf(page);
  const query = queryOf(page, 3);
  const { order } = answer(page, facts, query);
  const rows = Array.from(order.slice(0, PRINTED), (segment) =>
    h("div", { class: "printed" }, h("h3", {}, t("segments.segment", { number: String(segment + 1) })), ...cells(page, facts, query, segment)));
  return h("section", {}, h("h2", {}, t("segments.title")), h("p", { class: "hint" }, t("segments.printed", { shown: rows.length, n: order.length })), ...rows);
}

export const segments: View = {
  id: "segments",
  available: (report) => report.segments !== null && report.segments.count > 0,
  render,
  print,
  prepare: (page) => factsOf(page).prepare(),
  keys: [["/", "segments.keys.search"], ["j", "segments.keys.next"], ["k", "segments.keys.previous"], ["w", "segments.keys.why"], ["Esc", "segments.keys.close"]],
};
