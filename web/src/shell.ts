// Everything around the views: header, navigation, colors, help, paper, and how the numbers were made.

import { copyButton } from "./copying";
import { h } from "./dom";
import { remember, remembered } from "./memory";
import type { Page, Place, Report, View } from "./page";
import { hashOf, moved, placeOf } from "./place";
import { scrolling } from "./scrolling";
import { keysAreOn, onKeys, turnKeys } from "./shortcuts";
import { shown, visible } from "./text";
import type { FormatNumber, Translate } from "./words";

const THEMES = ["system", "light", "dark"] as const;

function setTheme(theme: string): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

function themeSwitch(t: Translate): HTMLElement {
  const chosen = remembered("tenbin-theme") ?? "system";
  setTheme(chosen);
  const choice = h(
    "select",
    { id: "theme" },
    ...THEMES.map((theme) => h("option", { value: theme, selected: theme === chosen }, t(`shell.theme.${theme}`))),
  );
  choice.addEventListener("change", () => {
    setTheme(choice.value);
    remember("tenbin-theme", choice.value);
  });
  return h("label", { class: "theme" }, h("span", {}, t("shell.theme.label")), choice);
}

/** A language by its name in the reader's language, as far as the browser knows. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([document.documentElement.lang || "en"], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A moment in UTC, as the payload writes it. */
function created(iso: string): string {
  const date = new Date(/Z|[+-]\d\d:?\d\d$/.test(iso) ? iso : `${iso}Z`);
  if (Number.isNaN(date.getTime())) return iso;
  const format = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
    year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC", timeZoneName: "short",
  });
  return format.format(date);
}

/** Few notes stand open; many open on a narrow screen only when asked. */
function notes(texts: readonly string[], t: Translate): HTMLElement {
  const open = texts.length <= 2 || matchMedia("(min-width: 900px)").matches;
  return h("details", { class: "notes", open }, h("summary", {}, t("shell.notes", { n: texts.length })), h("ul", {}, ...texts.map((note) => h("li", {}, ...shown(note)))));
}

function header(report: Report, t: Translate, help: () => void): HTMLElement {
  const facts: string[] = [];
  if (report.language) facts.push(languageName(report.language));
  if (report.systems.length) facts.push(t("shell.systems", { n: report.systems.length }));
  if (report.segments) facts.push(t("shell.segments", { n: report.segments.count }));
  if (report.metrics.length) facts.push(t("shell.metrics", { n: report.metrics.length }));
  return h(
    "header",
    { class: "top" },
    h(
      "div",
      { class: "heading" },
      h("h1", {}, ...shown(report.title || t(`shell.kind.${report.kind}`))),
      h(
        "div",
        { class: "settings" },
        themeSwitch(t),
        h("button", { type: "button", id: "help-button", click: help, title: t("shell.help.open") }, h("span", { "aria-hidden": "true" }, "?"), h("span", { class: "offscreen" }, t("shell.help.open"))),
      ),
    ),
    h("p", { class: "facts" }, ...facts.map((fact) => h("span", {}, fact)),
      h("span", {}, h("time", { datetime: report.created }, created(report.created))),
      h("span", {}, `Tenbin ${report.version}`)),
    report.notes.length > 0 && notes(report.notes, t),
  );
}

/** What a short name stands for, or itself where the table of words has none. */
function known(t: Translate, table: string, name: string): string {
  const key = `shell.made.${table}.${name}`;
  const text = t(key);
  return text === key ? name : text;
}

function provenance(report: Report, t: Translate): HTMLElement {
  const { comparison, licences } = report;
  return h(
    "footer",
    { class: "made", id: "made" },
    h("h2", {}, t("shell.made.title")),
    report.command !== "" &&
      h("div", { class: "command" }, h("h3", {}, t("shell.made.command")),
        h("pre", { tabindex: 0 }, h("code", {}, ...shown(report.command))),
        copyButton(t("shell.copy"), t("shell.copied"), () => report.command)),
    report.metrics.length > 0 &&
      scrolling(t("shell.made.signatures"), h("table", { class: "stacked" },
        h("caption", {}, t("shell.made.signatures")),
        h("thead", {}, h("tr", {}, ...["metric", "summary", "direction", "signature"].map((key) => h("th", { scope: "col" }, t(`shell.made.${key}`))))),
        h("tbody", {}, ...report.metrics.map((metric) =>
          h("tr", {}, h("th", { scope: "row" }, metric.title), h("td", { class: "summary" }, metric.summary),
            h("td", {}, t(metric.higherIsBetter ? "shell.made.higher" : "shell.made.lower")),
            h("td", {}, h("code", { class: "signature" }, metric.signature))))))),
    comparison !== null &&
      h("p", {}, t("shell.made.test", { test: known(t, "tests", comparison.test), rounds: comparison.rounds, seed: String(comparison.seed), unit: known(t, "units", comparison.unit) }),
        comparison.curveSource !== "" && ` ${t("shell.made.people", { source: comparison.curveSource })}`),
    licences.length > 0 &&
      scrolling(t("shell.made.licences"), h("table", { class: "stacked" },
        h("caption", {}, t("shell.made.licences")),
        h("thead", {}, h("tr", {}, ...["resource", "version", "licence", "source"].map((key) => h("th", { scope: "col" }, t(`shell.made.${key}`))))),
        h("tbody", {}, ...licences.map((row) =>
          h("tr", {}, h("th", { scope: "row" }, row.resource), h("td", {}, row.version), h("td", { class: "summary" }, row.licence), h("td", { class: "address" }, row.source)))))),
    h("p", { class: "quiet" }, t("shell.made.software", { version: report.version })),
  );
}

function helpDialog(shownViews: readonly View[], t: Translate): HTMLDialogElement {
  const row = (keys: string, text: string): HTMLElement => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, keys)), h("td", {}, text));
  const rows = [
    ...shownViews.map((view, at) => row(String(at + 1), t("shell.help.view", { view: t(`${view.id}.title`) }))),
    row("← →", t("shell.help.arrows")),
    row("?", t("shell.help.this")),
    ...shownViews.flatMap((view) => (view.keys ?? []).map(([key, word]) => row(key, t(word)))),
  ];
  const on = h("input", { type: "checkbox", checked: keysAreOn() });
  on.addEventListener("change", () => turnKeys(on.checked));
  const close = h("button", { type: "button" }, t("shell.close"));
  const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, t("shell.help.title")),
    h("table", {}, h("tbody", {}, ...rows)),
    h("p", {}, h("label", {}, on, " ", t("shell.help.on"))),
    h("p", {}, close));
  close.addEventListener("click", () => dialog.close());
  return dialog;
}

/** Build the page in `body` and keep it in step with the address. */
export function open(body: HTMLElement, report: Report, allViews: readonly View[], t: Translate, number: FormatNumber): void {
  const shownViews = allViews.filter((view) => view.available(report));
  const ids = shownViews.map((view) => view.id);
  const count = report.segments?.count ?? 0;
  const main = h("main", { id: "main", tabindex: -1 });
  const paper = h("div", { id: "paper" });
  const dialog = helpDialog(shownViews, t);
  const status = h("div", { class: "offscreen", role: "status", "aria-live": "polite" });

  let drawn = "";
  let watchers: (() => void)[] = [];
  let undo: () => void = () => undefined;

  const page: Page = {
    report,
    selection: null,
    views: ids,
    place: placeOf(location.hash, ids, count),
    t,
    number,
    select(segments) {
      page.selection = segments;
      status.textContent = segments === null ? t("shell.allSelected") : t("shell.selected", { n: segments.size });
      refresh();
    },
    go(change) {
      const next = moved(page.place, change);
      const hash = hashOf(next);
      if (hash === hashOf(page.place)) return;
      const turned = next.view !== page.place.view || next.segment !== page.place.segment;
      // A step that "back" should undo is one to another view or segment, not each letter of a search.
      history[turned ? "pushState" : "replaceState"](null, "", hash);
      arrive(next);
    },
    link: (change) => hashOf(moved(page.place, change)),
    watch: (listener) => void watchers.push(listener),
  };

  const links = shownViews.map((view) => h("a", { href: page.link({ view: view.id }), "data-view": view.id }, t(`${view.id}.title`)));
  const nav = h("nav", { class: "tabs", "aria-label": t("shell.views") }, ...links);
  nav.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const here = links.indexOf(event.target as HTMLAnchorElement);
    const to = Number.isFinite(step) ? (here + step + links.length) % links.length : step < 0 ? 0 : links.length - 1;
    links[to]?.focus();
  });

  function arrive(place: Place): void {
    const other = place.view !== page.place.view;
    page.place = place;
    refresh();
    if (other) scrollTo(0, 0);
  }

  function refresh(): void {
    const { view: id } = page.place;
    for (const link of links) {
      const view = link.dataset["view"] ?? "";
      link.href = page.link({ view });
      if (view === id) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const view = shownViews.find((candidate) => candidate.id === id);
    const title = visible(report.title) || "Tenbin";
    document.title = view ? `${t(`${view.id}.title`)} · ${title}` : title;
    if (drawn === id && watchers.length > 0) {
      for (const watcher of watchers) watcher();
      return;
    }
    const focused = main.contains(document.activeElement) ? document.activeElement?.id : "";
    undo();
    watchers = [];
    main.replaceChildren();
    drawn = id;
    main.dataset["view"] = id;
    undo = view ? view.render(main, page) : () => undefined;
    if (!view) main.append(h("p", { class: "empty" }, t("shell.nothing")));
    if (focused) document.getElementById(focused)?.focus();
  }

  const help = (): void => {
    if (!dialog.open) dialog.showModal();
  };
  onKeys({ "?": help, ...Object.fromEntries(ids.map((id, at) => [String(at + 1), () => page.go({ view: id })])) });
  const skip = h("a", { class: "skip", href: "#main" }, t("shell.skip"));
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  addEventListener("popstate", () => arrive(placeOf(location.hash, ids, count)));
  addEventListener("hashchange", () => {
    const place = placeOf(location.hash, ids, count);
    if (hashOf(place) !== hashOf(page.place)) arrive(place);
  });

  const onPaper = matchMedia("print");
  const printed = (): void => paper.replaceChildren(...shownViews.flatMap((view) => view.print?.(page) ?? []));
  addEventListener("beforeprint", printed);
  addEventListener("afterprint", () => paper.replaceChildren());
  onPaper.addEventListener("change", () => (onPaper.matches ? printed() : paper.replaceChildren()));

  body.replaceChildren(skip, header(report, t, help), nav, main, paper, provenance(report, t), dialog, status);
  refresh();
  const idle = globalThis.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 200));
  for (const view of shownViews) if (view.prepare) idle(() => view.prepare?.(page));
}
