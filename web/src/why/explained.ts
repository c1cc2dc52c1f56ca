// One explanation: drawing or list, details of the link looked at, bars, arithmetic.

import { h } from "../dom";
import type { Page } from "../page";
import type { ExplanationPart } from "../schema";
import { termList } from "../terms";
import { named } from "../text";
import { arithmetic, lowered } from "./arithmetic";
import { sideBars, wordBars } from "./contributions";
import { drawCurves } from "./curves";
import { drawHeat } from "./heat";
import { legend } from "./legend";
import { linkList } from "./list";
import { type Form, formOf } from "./links";
import { contributionsOf, membersOf } from "./losses";
import { linkWords } from "./said";
import { type Shown, shownOf } from "./sentences";

/** Below this width curves would run into each other. */
const NARROW = 560;

interface Explained {
  element: HTMLElement;
  undo(): void;
}

function drawing(page: Page, shown: Shown, form: Form): Explained {
  const detail = h("p", { class: "detail link-detail", "aria-live": "polite" });
  const idle = (): void => detail.replaceChildren(h("span", { class: "quiet" }, page.t("why.howToLook")));
  let activate: (link: number | null) => void = () => undefined;
  const look = (link: number | null): void => {
    const found = link === null ? undefined : shown.links[link];
    // The last one stays to be read, until another is looked at.
    if (found) detail.replaceChildren(...linkWords(page, shown, found).filter((piece): piece is Node | string => typeof piece === "string" || piece instanceof Node));
    activate(link);
  };
  idle();
  const drawn = form === "heat" ? { ...drawHeat(page, shown, { look }), fit: () => undefined } : drawCurves(page, shown, form, { look });
  activate = drawn.activate;
  const list = linkList(page, shown, form);
  const choices = (["picture", "list"] as const).map((name) => h("button", { type: "button", class: "chip", "aria-pressed": "false", click: () => show(name) }, page.t(`why.form.${name}`)));
  const picture = h("div", { class: "picture" }, drawn.element, detail, legend(page, shown, form));
  const element = h("div", { class: "links" }, h("div", { class: "chips", role: "group", "aria-label": page.t("why.form.label") }, ...choices), picture, list);
  let chosen: "picture" | "list" | null = null;
  let width = 0;
  const show = (name: "picture" | "list"): void => {
    chosen = name;
    arrange();
  };
  const arrange = (): void => {
    const form = chosen ?? (element.clientWidth < NARROW ? "list" : "picture");
    picture.hidden = form !== "picture";
    list.hidden = form !== "list";
    for (const [at, button] of choices.entries()) button.setAttribute("aria-pressed", String((at === 0) === (form === "picture")));
    if (!picture.hidden) drawn.fit();
  };
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    arrange();
  });
  observer.observe(element);
  return { element, undo: () => observer.disconnect() };
}

/** The heading of an explanation: system, metric, score, and which reference was best. */
function heading(page: Page, part: ExplanationPart): HTMLElement {
  const { report, t } = page;
  const metric = report.metrics[part.metric];
  const references = (report.segments?.columns ?? []).filter((column) => column.role === "reference").length;
  const best = part.comparedWith === "reference" && references > 1 ? t("why.bestReference", { which: part.referenceIndex + 1, n: references }) : "";
  return h("h2", {}, named(report.systems[part.system] ?? ""), t("why.colon"), metric?.title ?? "", " ",
    h("span", { class: "score" }, page.number(part.score, Math.max(metric?.decimals ?? 4, 2))),
    best !== "" && h("span", { class: "quiet aside" }, " ", best));
}

/** What comes after the links: bars, arithmetic, and what lowered the score. */
function afterLinks(page: Page, part: ExplanationPart, shown: Shown): HTMLElement[] {
  const { t } = page;
  const contributions = contributionsOf(part);
  const members = membersOf(part);
  const terms = termList(page, part.system, part.segment);
  return [
    ...(terms ? [h("h3", {}, t("terms.title")), terms] : []),
    ...(contributions ? [h("h3", {}, t("why.contributions")), h("p", { class: "hint" }, t("why.contributionsHint")), wordBars(page, contributions, shown.own)] : []),
    ...(members ? [h("h3", {}, t("why.members")), sideBars(page, members)] : []),
    h("h3", {}, t("why.arithmetic")),
    arithmetic(page, part),
    lowered(page, part),
  ];
}

export function explained(page: Page, part: ExplanationPart): Explained {
  const { t } = page;
  const form = formOf(part);
  const shown = shownOf(page, part);
  const body: HTMLElement[] = [];
  let undo = (): void => undefined;
  if (form === "whole") body.push(h("p", { class: "hint" }, t("why.whole")));
  else if (part.hypothesis.length > 0 || part.reference.length > 0) {
    const drawn = drawing(page, shown, form);
    undo = drawn.undo;
    body.push(h("p", { class: "hint" }, t(`why.intro.${form}`, { other: t(`why.${part.comparedWith}`) })), drawn.element);
  } else body.push(h("p", { class: "hint" }, t("why.nothingToLink")));
  const element = h("section", { class: "panel explained", "data-system": page.report.systems[part.system] }, heading(page, part), ...body, ...afterLinks(page, part, shown));
  return { element, undo };
}

/** The same on paper, where nothing can be pointed at. */
export function printed(page: Page, part: ExplanationPart): HTMLElement {
  const shown = shownOf(page, part);
  const form = formOf(part);
  return h("section", { class: "explained" }, heading(page, part), form !== "whole" && linkList(page, shown, form), ...afterLinks(page, part, shown));
}
