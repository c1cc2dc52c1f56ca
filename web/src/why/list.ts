// The links as a table: for narrow windows, and for readers who would rather read than look.

import { h } from "../dom";
import type { Page } from "../page";
import { scrolling } from "../scrolling";
import { shown as visible } from "../text";
import { chunksOf, type Form, importance, LETTERS, type Link, wordsOf } from "./links";
import { phrases } from "./phrases";
import { direction, type Sentence, type Shown, wordOf } from "./sentences";

const MOST = 60;

function words(side: Sentence, span: Link["own"]): HTMLElement {
  return h("bdi", { lang: side.column?.language, dir: direction(side) }, ...visible(wordsOf(side.tokens, span)));
}

function rest(page: Page, side: Sentence, name: string): HTMLElement | null {
  if (side.alone.size === 0) return null;
  return h("p", { class: "left-over" }, h("b", {}, page.t("why.onlyIn", { name })), page.t("why.colon"),
    h("span", { lang: side.column?.language, dir: direction(side) }, ...[...side.alone].flatMap((at) => [wordOf(page, side, at), " "])));
}

export function linkList(page: Page, shown: Shown, form: Form): HTMLElement {
  const numbers = new Map(form === "curves" ? chunksOf(shown.links).flatMap((chunk, at) => chunk.map((link) => [link, at + 1] as const)) : []);
  // Equal words need no more to be said than that they are, as in a terminal.
  const equal = form === "curves" ? shown.links.filter((link) => link.kind === "exact") : [];
  const ordered = shown.links.filter((link) => !equal.includes(link));
  if (form === "ribbons") ordered.sort((one, two) => importance(two) - importance(one));
  else if (form === "heat") ordered.sort((one, two) => one.own.start - two.own.start || two.similarity - one.similarity);
  else ordered.sort((one, two) => one.own.start - two.own.start);
  const left = ordered.length - MOST;
  const other = page.t(`why.${shown.part.comparedWith}`);
  const table = ordered.length > 0 && scrolling(`${page.t("why.listCaption")}: ${page.report.systems[shown.part.system] ?? ""}`, h("table", { class: "link-list" },
    h("caption", { class: "offscreen" }, page.t("why.listCaption")),
    h("thead", {}, h("tr", {},
      numbers.size > 0 && h("th", { scope: "col", class: "number" }, page.t("why.run")),
      h("th", { scope: "col" }, page.t("why.translation")),
      h("th", { scope: "col" }, other),
      h("th", { scope: "col" }, page.t("why.reason")),
      form !== "curves" && h("th", { scope: "col", class: "number" }, page.t(form === "ribbons" ? "why.work" : "why.similarityName")))),
    h("tbody", {}, ...ordered.slice(0, MOST).map((link) => h("tr", { class: `kind-${link.kind}` },
      numbers.size > 0 && h("td", { class: "number" }, numbers.get(link) ?? ""),
      h("td", {}, words(shown.own, link.own)),
      h("td", {}, words(shown.other, link.other)),
      h("td", {}, h("span", { class: `letter kind-${link.kind}` }, LETTERS[link.kind]), " ", page.t(`why.kinds.${link.kind}`),
        link.kind !== "exact" && h("span", { class: "evidence" }, ...visible(phrases(page, link.evidence)))),
      form !== "curves" && h("td", { class: "number" }, page.number(form === "ribbons" ? importance(link) : link.similarity, form === "ribbons" ? 4 : 2)))))));
  const equalWords = equal.length > 0 && h("p", { class: "left-over" }, h("span", { class: "letter kind-exact" }, LETTERS.exact), " ", h("b", {}, page.t("why.kinds.exact")), page.t("why.colon"),
    h("span", { lang: shown.own.column?.language, dir: direction(shown.own) }, ...equal.sort((one, two) => one.own.start - two.own.start).flatMap((link) => [words(shown.own, link.own), " "])));
  return h("div", { class: "list" }, equalWords, table,
    left > 0 && h("p", { class: "hint" }, page.t("why.moreLinks", { n: left })),
    rest(page, shown.own, page.t("why.translation")),
    rest(page, shown.other, other));
}
