// Meta: how far metrics agree with people, with intervals, ranks, and what was tested.

import { extent } from "../charts";
import { type Child, h } from "../dom";
import type { Page, View } from "../page";
import { scrolling } from "../scrolling";
import { named, shown } from "../text";
import { dotCell } from "../studies/dots";
import { type Meta, type MetaTask, metaOf, placeName, type Ranking, tasksOf } from "../studies/meta";
import { judgment, phrase, phrases } from "../why/phrases";

const DECIMALS = 4;
const SIGNIFICANT = 0.05;
const WIDE = 220;
const NARROW = 120;

/** The width of plots: smaller on small screens, where the page is drawn for them. */
function plotWidth(): number {
  return innerWidth < 700 ? NARROW : WIDE;
}

function pText(page: Page, p: number | null): string {
  if (p === null) return "–";
  return p < 0.001 ? `< ${page.number(0.001, 3)}` : page.number(p, 3);
}

function rangeOf(tasks: readonly MetaTask[]): [number, number] {
  return extent(tasks.flatMap((task) => task.rows.flatMap((row) => [row.value ?? NaN, ...(row.ci ?? [])])));
}

/** The heading of a column of plots: the ends of its scale. */
function plotHeading(page: Page, range: [number, number]): HTMLElement {
  const [low, high] = [page.number(range[0], 2), page.number(range[1], 2)];
  return h("th", { scope: "col", class: "plot" }, h("span", { class: "offscreen" }, page.t("meta.plot", { low, high })),
    h("span", { class: "ends", "aria-hidden": "true" }, h("span", {}, low), h("span", {}, high)));
}

function taskTable(page: Page, task: MetaTask, range: [number, number], title: string): HTMLElement {
  const { t } = page;
  const ranks = task.rows.some((row) => row.rank !== null);
  const intervals = task.rows.some((row) => row.ci !== null);
  const steps = new Map(task.comparisons.map((one) => [JSON.stringify([one.better, one.worse]), one]));
  const best = task.rows[0]?.value ?? null;
  let rank: number | null = null;
  const rows = task.rows.map((row, at) => {
    const following = task.rows[at + 1]?.metric ?? "";
    const step = steps.get(JSON.stringify([row.metric, following]));
    const strong = ranks ? row.winner : row.value !== null && row.value === best;
    const begins = ranks && row.rank !== rank && at > 0;
    rank = row.rank;
    return h("tr", { class: begins ? "new-rank" : null },
      ranks && h("td", { class: "number rank" }, row.rank === null ? "–" : String(row.rank)),
      h("th", { scope: "row" }, strong ? h("strong", {}, named(row.metric, 40), ranks && h("span", { class: "winner", title: t("meta.winner") }, " ★")) : named(row.metric, 40)),
      h("td", { class: "number" }, strong ? h("strong", {}, page.number(row.value, DECIMALS)) : page.number(row.value, DECIMALS),
        row.ci && h("span", { class: "ci" }, t("meta.interval", { low: page.number(row.ci[0], DECIMALS), high: page.number(row.ci[1], DECIMALS) }))),
      h("td", { class: "plot" }, dotCell({ label: row.metric, value: row.value, ci: row.ci, strong }, range, plotWidth())),
      ranks && h("td", { class: "number" }, step?.difference == null ? "" : page.number(step.difference, DECIMALS)),
      ranks && h("td", { class: "number" }, step ? pText(page, step.p) : ""));
  });
  return scrolling(`${task.measure}: ${title}`, h("table", { class: "meta-table" },
    h("caption", {}, ...shown(title)),
    h("thead", {}, h("tr", {},
      ranks && h("th", { scope: "col", class: "number" }, t("meta.rank")),
      h("th", { scope: "col" }, t("meta.metric")),
      h("th", { scope: "col", class: "number" }, t(intervals ? "meta.valueAndInterval" : "meta.value")),
      plotHeading(page, range),
      ranks && h("th", { scope: "col", class: "number" }, t("meta.toNext")),
      ranks && h("th", { scope: "col", class: "number" }, t("meta.p")))),
    h("tbody", {}, ...rows)));
}

/** Every metric against every other: how much better the row is than the column, and whether that is chance. */
function pairwise(page: Page, task: MetaTask, title: string): HTMLElement | null {
  const { t } = page;
  if (task.comparisons.length === 0) return null;
  const metrics = task.rows.map((row) => row.metric);
  const found = new Map(task.comparisons.map((one) => [JSON.stringify([one.better, one.worse]), one]));
  return h("details", {}, h("summary", {}, t("meta.pairwise", { n: task.comparisons.length })),
    h("p", { class: "hint" }, t("meta.pairwiseRead")),
    scrolling(`${t("meta.pairwiseCaption")}: ${task.measure}, ${title}`, h("table", { class: "pairwise" },
      h("caption", { class: "offscreen" }, t("meta.pairwiseCaption")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("meta.metric")), ...metrics.slice(1).map((metric) => h("th", { scope: "col", class: "number" }, named(metric, 16))))),
      h("tbody", {}, ...metrics.slice(0, -1).map((better, row) => h("tr", {}, h("th", { scope: "row" }, named(better, 30)),
        ...metrics.slice(1).map((worse, column) => {
          const one = column < row ? undefined : found.get(JSON.stringify([better, worse]));
          if (!one) return h("td", { class: "blank" });
          const clear = one.p !== null && one.p <= SIGNIFICANT;
          return h("td", { class: clear ? "number clear" : "number", title: one.ci ? t("meta.interval", { low: page.number(one.ci[0], DECIMALS), high: page.number(one.ci[1], DECIMALS) }) : null },
            h("span", {}, `+${page.number(one.difference, DECIMALS)}`), h("span", { class: "p" }, clear ? "✓ " : "", t("meta.pIs", { p: pText(page, one.p) })));
        })))))));
}

function measureNote(page: Page, meta: Meta, measure: string, tasks: readonly MetaTask[]): Child[] {
  const info = meta.measures[measure];
  const said = info ? phrases(page, info.summary) : "";
  const kinds = [...new Set(tasks.map((task) => task.human).filter((kind) => kind !== ""))];
  return [
    said !== "" && h("span", {}, ...shown(said), page.t("why.period"), " "),
    kinds.length > 0 && page.t("meta.against", { kinds: kinds.map((kind) => judgment(page, kind)).join(page.t("why.comma")) }),
  ];
}

function sizeOf(page: Page, task: MetaTask): string {
  const n = Math.max(...task.rows.map((row) => row.n));
  const counted = task.rows[0]?.counted ?? "";
  return n > 0 ? page.t("meta.size", { n: page.number(n, 0), counted: phrase(page, counted) }) : "";
}

function averages(page: Page, meta: Meta, measure: string): HTMLElement | null {
  const own = meta.averages.filter((one) => one.measure === measure).sort((one, two) => (two.value ?? -Infinity) - (one.value ?? -Infinity));
  if (own.length === 0) return null;
  const range = extent([0, ...own.map((one) => one.value ?? NaN)]);
  const best = own.length > 1 ? own[0]?.value : null;
  const { t } = page;
  return scrolling(`${measure}: ${t("meta.average", { n: own[0]?.pairs ?? 0 })}`, h("table", { class: "meta-table" },
    h("caption", {}, t("meta.average", { n: own[0]?.pairs ?? 0 })),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("meta.metric")), h("th", { scope: "col", class: "number" }, t("meta.mean")),
      plotHeading(page, range))),
    h("tbody", {}, ...own.map((one) => h("tr", {}, h("th", { scope: "row" }, named(one.metric, 40)),
      h("td", { class: "number" }, one.value !== null && one.value === best ? h("strong", {}, page.number(one.value, DECIMALS)) : page.number(one.value, DECIMALS)),
      h("td", { class: "plot" }, dotCell({ label: one.metric, value: one.value, ci: null, strong: one.value === best }, range, plotWidth())))))));
}

/** How a metric scores the systems, best first, beside what people say. */
function rankingTable(page: Page, ranking: Ranking): HTMLElement {
  const { t } = page;
  const range = extent(ranking.systems.flatMap((system) => [system.score ?? NaN, ...(system.ci ?? [])]));
  const people = ranking.systems.some((system) => system.human !== null);
  return scrolling(ranking.title, h("table", { class: "meta-table" },
    h("caption", {}, ...shown(ranking.title)),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("meta.system")), h("th", { scope: "col", class: "number" }, t("meta.score")),
      plotHeading(page, range),
      people && h("th", { scope: "col", class: "number" }, t("meta.people")))),
    h("tbody", {}, ...ranking.systems.map((system) => h("tr", {},
      h("th", { scope: "row" }, named(system.name, 30), system.isHuman && " ", system.isHuman && h("span", { class: "chip" }, t("meta.human"))),
      h("td", { class: "number" }, page.number(system.score, DECIMALS)),
      h("td", { class: "plot" }, dotCell({ label: system.name, value: system.score, ci: system.ci, strong: system.isHuman }, range, plotWidth())),
      people && h("td", { class: "number" }, page.number(system.human, DECIMALS)))))));
}

/** Who agrees best, in a sentence; more than one where nothing tells them apart. */
function summary(page: Page, task: MetaTask): string {
  const winners = task.rows.filter((row) => row.winner).map((row) => row.metric);
  if (winners.length > 1) return page.t("meta.several", { names: winners.join(page.t("why.comma")) });
  return winners.length === 1 ? page.t("meta.one", { name: winners[0] ?? "" }) : "";
}

export const meta: View = {
  id: "meta",
  available: (report) => report.meta !== null,
  render(root, page) {
    const { t } = page;
    const data = metaOf(page.report.meta ?? {});
    const tasks = tasksOf(data);
    const several = new Set(tasks.map((task) => task.set)).size > 1;
    const measures = [...new Set(tasks.map((task) => task.measure))];
    const sections = measures.map((measure) => {
      const own = tasks.filter((task) => task.measure === measure);
      const range = rangeOf(own);
      return h("section", { class: "panel measure" },
        h("h2", {}, measure),
        h("p", { class: "hint" }, ...measureNote(page, data, measure, own)),
        h("div", { class: own.length > 1 ? "meta-tasks many" : "meta-tasks" }, ...own.map((task) => {
          const title = `${placeName(task, several || own.length === 1)}${new Set(own.map((one) => one.human)).size > 1 ? ` (${task.human})` : ""}${sizeOf(page, task)}`;
          const said = summary(page, task);
          return h("div", { class: "meta-task" }, taskTable(page, task, range, title), said !== "" && h("p", { class: "finding" }, ...shown(said)), pairwise(page, task, title) ?? "");
        })),
        averages(page, data, measure) ?? "");
    });
    const others = [...new Set(data.averages.map((one) => one.measure))].filter((measure) => !measures.includes(measure));
    const tests = [...new Set(data.comparisons.map((one) => one.test))];
    root.replaceChildren(
      h("p", { class: "hint" }, t("meta.lead")),
      h("ul", { class: "hint meta-notes" },
        data.rows.some((row) => row.ci !== null) && h("li", {}, t("meta.intervals", { drawn: phrases(page, data.drawn) })),
        data.rows.every((row) => row.rank === null) && h("li", {}, t("meta.bestNote")),
        tests.length > 0 && h("li", {}, t("meta.tests", { tests: tests.map((test) => page.t(`meta.test.${test}`)).join(t("why.comma")) }))),
      ...sections,
      ...others.map((task) => h("section", { class: "panel measure" }, h("h2", {}, t("meta.task", { task })), averages(page, data, task) ?? "")),
      data.rankings.length > 0 ? h("section", { class: "panel measure" }, h("h2", {}, t("meta.rankings")), h("p", { class: "hint" }, t("meta.rankingsRead")),
        h("div", { class: "meta-tasks many" }, ...data.rankings.map((ranking) => h("div", { class: "meta-task" }, rankingTable(page, ranking))))) : "");
    return () => undefined;
  },
  print(page) {
    const section = h("section", {}, h("h2", {}, page.t("meta.title")));
    const content = h("div");
    this.render(content, page);
    section.append(content);
    return section;
  },
};
