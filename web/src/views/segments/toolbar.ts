// Search, order and filters above the list; each change goes into the address.

import { choice } from "../../choices";
import { h } from "../../dom";
import type { Page } from "../../page";
import { named } from "../../text";
import type { Facts } from "./facts";
import { type Query, scored, SORTS } from "./query";

export interface Toolbar {
  element: HTMLElement;
  /** Show what the query is, but leave the field alone in which the reader types. */
  update(query: Query): void;
  focusSearch(): void;
}

const PAIR = ["systems", "loses"];

export function toolbar(page: Page, facts: Facts): Toolbar {
  const { report, t } = page;
  const set = (key: string) => (value: string): void => page.go({ options: { [key]: value } });
  const metrics = report.metrics.flatMap((metric, at) => (scored(page, at) ? [[metric.metric, metric.title] as const] : []));
  const names = report.systems.map((name) => [name, name] as const);
  const several = report.systems.length > 1;
  const sorts = SORTS.filter((sort) =>
    sort === "file" || sort === "longest" || sort === "shortest" ? true
      : sort === "flags" ? facts.hasFlags
        : sort === "metrics" ? metrics.length > 1
          : PAIR.includes(sort) ? several && metrics.length > 0
            : metrics.length > 0);

  const search = h("input", { type: "search", id: "segments-search", placeholder: t("segments.searchHint"), autocomplete: "off", spellcheck: "false" });
  search.addEventListener("input", () => set("q")(search.value));
  const problem = h("p", { class: "problem", role: "alert" });

  const field = (key: string, label: string): HTMLInputElement => {
    const input = h("input", { type: "number", step: "any", id: `segments-${key}`, "aria-label": label });
    input.addEventListener("input", () => set(key)(input.value));
    return input;
  };
  const bounds = { min: field("min", t("segments.scoreFrom")), max: field("max", t("segments.scoreTo")), shortest: field("shortest", t("segments.lengthFrom")), longest: field("longest", t("segments.lengthTo")) };

  const check = (id: string, value: string, label: string): [HTMLLabelElement, HTMLInputElement] => {
    const input = h("input", { type: "checkbox", id });
    input.addEventListener("change", () => {
      const only = new Set((page.place.options["only"] ?? "").split(",").filter(Boolean));
      if (input.checked) only.add(value);
      else only.delete(value);
      set("only")([...only].join(","));
    });
    return [h("label", { class: "check", for: id }, input, label), input];
  };
  const [flagsLabel, onlyFlags] = check("segments-only-flags", "flags", t("segments.onlyFlags"));
  const [selectionLabel, onlySelection] = check("segments-only-selection", "selection", t("segments.onlySelection"));

  const sort = choice("segments-sort", t("segments.sort"), sorts.map((each) => [each, t(`segments.sorts.${each}`)] as const), "file", set("sort"));
  const metric = choice("segments-metric", t("segments.metric"), metrics, "", set("metric"));
  const other = choice("segments-other", t("segments.otherMetric"), metrics, "", set("other"));
  const a = choice("segments-a", t("segments.systemA"), names, "", set("a"));
  const b = choice("segments-b", t("segments.systemB"), names, "", set("b"));
  const of = choice("segments-of", t("segments.scoreOf"), [["", t("segments.meanOfShown")], ...names], "", set("of"));
  const documents = report.segments?.documents ? (report.segments.documentNames ?? []) : [];
  const document_ = choice("segments-doc", t("segments.document"), [["", t("segments.allDocuments")], ...documents.map((name) => [name, name] as const)], "", set("doc"));
  const compared = choice("segments-diff", t("segments.difference"),
    [["", t("segments.noDifference")], ...(report.segments?.columns.some((column) => column.role === "reference") ? [["reference", t("segments.differenceReference")] as const] : []),
      ...(several ? names.map(([name]) => [`system:${name}`, t("segments.differenceSystem", { system: name })] as const) : [])], "", set("diff"));

  const boxes = report.systems.map((name, system) => {
    const input = h("input", { type: "checkbox", id: `segments-shown-${system}` });
    input.addEventListener("change", () => {
      const now = boxes.flatMap(([, box], at) => (box.checked ? [at + 1] : []));
      // The last one stays.
      if (now.length === 0) input.checked = true;
      else set("shown")(now.join(","));
    });
    return [h("label", { class: "chip", for: `segments-shown-${system}` }, input, named(name, 24)), input] as const;
  });

  const filters = h("details", { class: "filters" }, h("summary", {}, t("segments.filters"), h("span", { class: "count" })),
    several && h("fieldset", { class: "shown-systems" }, h("legend", {}, t("segments.shown")), h("div", { class: "chips" }, ...boxes.map(([label]) => label))),
    h("div", { class: "toolbar" },
      metrics.length > 0 && h("fieldset", {}, h("legend", {}, t("segments.scoreRange")), h("span", { class: "range" }, bounds.min, "–", bounds.max)),
      h("fieldset", {}, h("legend", {}, t("segments.lengthRange")), h("span", { class: "range" }, bounds.shortest, "–", bounds.longest)),
      documents.length > 1 && document_,
      facts.hasFlags && flagsLabel, selectionLabel,
      h("button", { type: "button", id: "segments-reset", click: () => {
        page.go({ options: { q: "", min: "", max: "", shortest: "", longest: "", doc: "", only: "" } });
      } }, t("segments.reset"))));
  const count = filters.querySelector(".count");
  filters.open = matchMedia("(min-width: 900px)").matches;

  const element = h("div", { class: "asking" },
    h("div", { class: "toolbar" },
      h("label", { for: "segments-search", class: "search" }, t("segments.search"), search),
      sort, metrics.length > 1 && metric, other, a, b, several && of, compared),
    problem, filters);

  const show = (label: HTMLElement, value: string, visible = true): void => {
    label.hidden = !visible;
    const select = label.querySelector("select");
    if (select && select.value !== value) select.value = value;
  };
  const write = (input: HTMLInputElement, value: string): void => {
    if (document.activeElement !== input || value === "") if (input.value !== value) input.value = value;
  };

  return {
    element,
    focusSearch: () => {
      search.focus();
      search.select();
    },
    update(query) {
      const { options } = page.place;
      write(search, options["q"] ?? "");
      problem.textContent = query.search.error === null ? "" : t("segments.badPattern", { reason: query.search.error });
      problem.hidden = query.search.error === null;
      show(sort, query.sort);
      show(metric, report.metrics[query.metric]?.metric ?? "");
      show(other, report.metrics[query.other]?.metric ?? "", query.sort === "metrics");
      show(a, report.systems[query.a] ?? "", PAIR.includes(query.sort));
      show(b, report.systems[query.b] ?? "", PAIR.includes(query.sort));
      show(of, report.systems[query.of] ?? "", !PAIR.includes(query.sort) && metrics.length > 0);
      show(document_, options["doc"] ?? "");
      show(compared, options["diff"] ?? "");
      for (const [key, input] of Object.entries(bounds)) write(input, options[key] ?? "");
      onlyFlags.checked = query.onlyFlags;
      onlySelection.checked = query.onlySelection && page.selection !== null;
      onlySelection.disabled = page.selection === null;
      selectionLabel.classList.toggle("quiet", page.selection === null);
      selectionLabel.title = page.selection === null ? t("segments.noSelection") : t("shell.selected", { n: page.selection.size });
      boxes.forEach(([, input], system) => (input.checked = query.shown.includes(system)));
      const active = ["min", "max", "shortest", "longest", "doc"].filter((key) => (options[key] ?? "") !== "").length + Number(query.onlyFlags) + Number(query.onlySelection && page.selection !== null);
      if (count) count.textContent = active ? ` (${active})` : "";
    },
  };
}
