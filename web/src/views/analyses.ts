// Analyses: where a metric finds a system weak, and the segments behind it.

import { type Disagreement, disagreements, FAR, type Outlier, outliersOf, type Standing, standing as standingOf } from "../analyses/outliers";
import { documentGroups, equalBands, type Group, lengthBands, presenceGroups } from "../analyses/groups";
import { type GroupTable, groupTable, openSegments, type Shown } from "../analyses/groupTable";
import { ngramSection } from "../analyses/ngrams";
import { choice, chosenMetric, ranked } from "../choices";
import { type Child, h } from "../dom";
import { unpacked } from "../packing";
import type { Page, Report, View } from "../page";
import { scrolling } from "../scrolling";
import { named, shortened, textOf } from "../text";
import { columnOf } from "../why/sentences";

const MOST_SYSTEMS = 6;
const DOCUMENTS_SHOWN = 12;
const MOST_OUTLIERS = 12;
const FREQUENCY_BANDS = 5;

function section(id: string, page: Page, ...content: Child[]): HTMLElement {
  return h("section", { class: "panel analysis", id: `analysis-${id}` },
    h("h2", {}, page.t(`analyses.${id}.title`)),
    h("p", { class: "hint" }, page.t(`analyses.${id}.read`)),
    ...content);
}

function bandLabel(page: Page, decimals: number): (group: Group) => string {
  return ({ from, to }) => {
    if (to === Infinity) return page.t("analyses.atLeast", { n: page.number(from, decimals) });
    if (from === to) return page.number(from, decimals);
    return page.t("analyses.fromTo", { from: page.number(from, decimals), to: page.number(to, decimals) });
  };
}

/** The tables of groups, each to be built when its turn comes; null where the report has nothing for it. */
function tables(page: Page, shown: Shown): (() => HTMLElement | null)[] {
  const { report, t } = page;
  const segments = report.segments;
  if (!segments) return [];
  const table = (id: string, content: Omit<GroupTable, "caption" | "first">): HTMLElement | null =>
    content.groups.length < 2 ? null : section(id, page, groupTable(page, shown, { ...content, caption: t(`analyses.${id}.title`), first: t(`analyses.${id}.column`) }));
  const { lengths, documents, documentNames, frequencies, hasNumber, hasName } = segments;
  return [
    () => table("length", { groups: lengthBands(unpacked(lengths).values), label: bandLabel(page, 0) }),
    () => documents && table("document", { groups: documentGroups(documentNames, documents), label: (group) => shortened(group.name, 40), sorted: true, shownFirst: DOCUMENTS_SHOWN }),
    () => frequencies && table("frequency", { groups: equalBands(unpacked(frequencies).values, FREQUENCY_BANDS), label: bandLabel(page, 2) }),
    () => table("presence", {
      groups: [
        ...(hasNumber ? presenceGroups(hasNumber, t("analyses.presence.number"), t("analyses.presence.noNumber")) : []),
        ...(hasName ? presenceGroups(hasName, t("analyses.presence.name"), t("analyses.presence.noName")) : []),
      ],
      label: (group) => group.name,
    }),
  ];
}

function segmentLinks(page: Page, segment: number, options: Record<string, string>): Child[] {
  return [
    h("a", { href: page.link({ view: "segments", segment, options }) }, page.t("analyses.segmentNumber", { n: String(segment + 1) })), " ",
    page.report.explanations.length > 0 && h("a", { href: page.link({ view: "why", segment, options }) }, page.t("analyses.why")),
  ];
}

function excerpt(page: Page, system: number, segment: number): HTMLElement {
  const text = page.report.hypothesisOf(system, segment);
  return h("span", { class: "excerpt" }, textOf(columnOf(page.report, "system", system), text === null ? null : shortened(text, 110)));
}

function outlierTable(page: Page, shown: Shown): HTMLElement {
  const { report, t } = page;
  const metric = report.metrics[shown.metric];
  const decimals = metric?.decimals ?? 4;
  const all = outliersOf(shown.scores, Infinity);
  if (all.length === 0) return section("outliers", page, h("p", { class: "empty" }, t("analyses.outliers.none")));
  const segments = [...new Set(all.map((one) => one.segment))];
  // Failures teach more than strokes of luck, so they come first and have more room.
  const isBetter = (one: Outlier): boolean => one.distance > 0 === (metric?.higherIsBetter ?? true);
  const better = all.filter(isBetter).slice(0, MOST_OUTLIERS / 3);
  const listed = [...all.filter((one) => !isBetter(one)).slice(0, MOST_OUTLIERS - better.length), ...better];
  return section("outliers", page,
    h("p", { class: "finding" }, t("analyses.outliers.count", { n: segments.length, far: page.number(FAR, 1) }), " ", t("analyses.outliers.unit"), " ",
      h("button", { type: "button", class: "small", click: () => openSegments(page, segments, { metric: metric?.metric ?? "" }) }, t("analyses.openAll", { n: segments.length }))),
    scrolling(t("analyses.outliers.title"), h("table", { class: "stand-out" },
      h("caption", { class: "offscreen" }, t("analyses.outliers.title")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("analyses.segment")), h("th", { scope: "col" }, t("analyses.system")),
        h("th", { scope: "col", class: "number" }, t("analyses.score")), h("th", { scope: "col", class: "number" }, t(report.systems.length > 1 ? "analyses.outliers.others" : "analyses.outliers.own")),
        h("th", { scope: "col", class: "number" }, t("analyses.outliers.distance")), h("th", { scope: "col" }, t("analyses.translation")))),
      h("tbody", {}, ...listed.map((one) => {
        const name = report.systems[one.system] ?? "";
        const good = isBetter(one);
        return h("tr", {}, h("td", { class: "links" }, ...segmentLinks(page, one.segment, { a: name, metric: metric?.metric ?? "" })), h("th", { scope: "row" }, named(name, 20)),
          h("td", { class: "number" }, page.number(one.score, decimals)), h("td", { class: "number" }, page.number(one.usual, decimals)),
          h("td", { class: `number ${good ? "good" : "bad"}` }, good ? "▲ " : "▼ ", page.number(Math.abs(one.distance), 1)), h("td", {}, excerpt(page, one.system, one.segment)));
      })))));
}

const known = new WeakMap<Report, Disagreement[]>();

/** Where metrics disagree, computed once and a metric at a time, so that the page stays at hand with many translations. */
function foundLater(report: Report, use: (found: Disagreement[]) => void): void {
  const before = known.get(report);
  if (before) return use(before);
  const standings: Standing[] = [];
  const next = (metric: number): void => {
    const scores = report.segmentScores[metric];
    if (scores) standings.push({ metric, columns: scores.columns, values: standingOf(scores, report.metrics[metric]?.higherIsBetter ?? true) });
    if (metric + 1 < report.metrics.length) {
      setTimeout(() => next(metric + 1));
      return;
    }
    const found = disagreements(standings, MOST_OUTLIERS);
    known.set(report, found);
    use(found);
  };
  setTimeout(() => next(0));
}

function disagreementTable(page: Page): HTMLElement | null {
  const { report, t } = page;
  if (report.segmentScores.filter((scores) => scores !== null).length < 2) return null;
  const body = h("tbody");
  const table = scrolling(t("analyses.metrics.title"), h("table", { class: "stand-out" },
    h("caption", { class: "offscreen" }, t("analyses.metrics.title")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("analyses.segment")), h("th", { scope: "col" }, t("analyses.system")), h("th", { scope: "col" }, t("analyses.metrics.high")),
      h("th", { scope: "col" }, t("analyses.metrics.low")), h("th", { scope: "col" }, t("analyses.translation")))),
    body));
  const standing = (metric: number, share: number): HTMLElement => {
    const bar = h("span", { class: "standing" });
    bar.style.width = `${(share * 100).toFixed(0)}%`;
    return h("td", {}, report.metrics[metric]?.title ?? "", " ", h("span", { class: "quiet nowrap" }, t("analyses.metrics.better", { share: page.number(share * 100, 0) })), h("span", { class: "standing-track", "aria-hidden": "true" }, bar));
  };
  foundLater(report, (found) => body.append(...found.map((one) => {
    const name = report.systems[one.system] ?? "";
    return h("tr", {}, h("td", { class: "links" }, ...segmentLinks(page, one.segment, { a: name })), h("th", { scope: "row" }, named(name, 20)),
      standing(one.best, one.high), standing(one.worst, one.low), h("td", {}, excerpt(page, one.system, one.segment)));
  })));
  return section("metrics", page, table);
}

/** A place on the page and what will stand there. */
interface Part {
  slot: HTMLElement;
  make: () => HTMLElement | null;
}

export const analyses: View = {
  id: "analyses",
  available: (report) => report.segments !== null && report.segmentScores.some((scores) => scores !== null),
  render(root, page) {
    const { report, t } = page;
    const withScores = report.metrics.flatMap((_, at) => (report.segmentScores[at] ? [at] : []));
    let systems: Set<number> | null = null;
    let drawnFor = "";
    const chosen = (): number => {
      const metric = chosenMetric(page);
      return withScores.includes(metric) ? metric : (withScores[0] ?? 0);
    };
    let turn = 0;
    /** The first part now, the others one by one, so that the page answers in between. */
    const build = (parts: readonly Part[]): void => {
      const own = ++turn;
      const next = (at: number): void => {
        const one = parts[at];
        if (!one || own !== turn) return;
        one.slot.replaceChildren(one.make() ?? "");
        setTimeout(() => next(at + 1));
      };
      next(0);
    };
    const draw = (): void => {
      const metric = chosen();
      const column = report.metrics[metric];
      const scores = report.segmentScores[metric];
      if (!column || !scores) return;
      const order = ranked(column.scores, column.higherIsBetter);
      systems ??= new Set(order.slice(0, MOST_SYSTEMS));
      const shown: Shown = { metric, scores, systems: order.filter((system) => systems?.has(system)) };
      const focused = root.contains(document.activeElement) ? document.activeElement?.id : "";
      const choose = order.map((system) => {
        const box = h("input", { type: "checkbox", id: `analyses-system-${system}`, checked: systems?.has(system) ?? false });
        box.addEventListener("change", () => {
          if (box.checked) systems?.add(system);
          else if ((systems?.size ?? 0) > 1) systems?.delete(system);
          else box.checked = true;
          draw();
        });
        return h("label", { class: "chip" }, box, named(report.systems[system] ?? "", 24));
      });
      const part = (make: () => HTMLElement | null): Part => ({ slot: h("div", { class: "slot" }), make });
      const grouped = [...tables(page, shown), () => ngramSection(page)].map(part);
      const wide = [() => outlierTable(page, shown), () => disagreementTable(page)].map(part);
      root.replaceChildren(
        h("p", { class: "hint" }, t("analyses.lead")),
        h("div", { class: "toolbar" },
          choice("analyses-metric", t("analyses.metric"), withScores.map((at) => [report.metrics[at]?.metric ?? "", report.metrics[at]?.title ?? ""] as const), column.metric, (name) => page.go({ options: { metric: name } })),
          report.systems.length > 1 && h("fieldset", {}, h("legend", {}, t("analyses.systems")), h("div", { class: "chips" }, ...choose))),
        h("p", { class: "hint analyses-note" }, t(column.higherIsBetter ? "analyses.higher" : "analyses.lower", { metric: column.title }), " ", t("analyses.intervals"), " ", t("analyses.meanNote")),
        h("div", { class: shown.systems.length <= 3 ? "analyses compact" : "analyses" }, ...grouped.map(({ slot }) => slot)),
        ...wide.map(({ slot }) => slot));
      build([...grouped, ...wide]);
      drawnFor = column.metric;
      if (focused) document.getElementById(focused)?.focus();
    };
    draw();
    page.watch(() => {
      if (report.metrics[chosen()]?.metric !== drawnFor) draw();
    });
    return () => {
      turn++;
    };
  },
  print(page) {
    if (page.place.view !== "analyses") return null;
    const { report } = page;
    const wanted = chosenMetric(page);
    const metric = report.segmentScores[wanted] ? wanted : report.segmentScores.findIndex((scores) => scores !== null);
    const column = report.metrics[metric];
    const scores = report.segmentScores[metric];
    if (!column || !scores) return null;
    const shown: Shown = { metric, scores, systems: ranked(column.scores, column.higherIsBetter).slice(0, MOST_SYSTEMS) };
    return h("section", {}, h("h2", {}, page.t("analyses.title"), page.t("why.colon"), column.title),
      ...tables(page, shown).flatMap((make) => make() ?? []), outlierTable(page, shown));
  },
};
