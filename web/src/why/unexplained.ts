// What can be said of a segment that the report has no explanation of: the command, and the difference of words.

import { copyButton } from "../copying";
import { difference } from "../difference";
import { type Child, h } from "../dom";
import type { Page } from "../page";
import { termList } from "../terms";
import { named, shown } from "../text";
import { columnOf, wrongTexts } from "./sentences";

/** A word for a shell: quoted where it has more than plain letters. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'"'"'`)}'`;
}

/** The command that explains a segment, with its blanks filled; a blank may stand in quotes, which its word then brings. */
export function explainCommand(template: string, system: string, segment: number, metric: string): string {
  const values: Record<string, string> = { system: shellWord(system), segment: String(segment + 1), metric: shellWord(metric) };
  return template.replace(/'\{(system|segment|metric)\}'|\{(system|segment|metric)\}/g, (_, quoted: string | undefined, plain: string | undefined) => values[quoted ?? plain ?? ""] ?? "");
}

function wordDifference(page: Page, system: number, segment: number): HTMLElement | null {
  const { report, t } = page;
  const reference = report.referencesOf(segment)[0] ?? null;
  const hypothesis = report.hypothesisOf(system, segment);
  if (reference === null || hypothesis === null) return null;
  const column = columnOf(report, "system", system);
  const language = column?.language ?? report.language;
  const marked = difference(reference, hypothesis, language).map(([kind, text]): Child => {
    if (kind === "same") return h("span", {}, ...shown(text));
    return h(kind === "gone" ? "del" : "ins", { class: "difference" }, ...shown(text));
  });
  return h("div", { class: "word-difference" },
    h("h3", {}, t("why.difference")),
    h("p", { class: "hint" }, t("why.differenceHint")),
    h("p", { class: "text", lang: language, dir: column?.direction ?? "auto" }, ...marked));
}

export function unexplained(page: Page, system: number, segment: number, metric: number): HTMLElement {
  const { report, t } = page;
  const column = report.metrics[metric];
  const name = report.systems[system] ?? "";
  const score = report.segmentScores[metric]?.at(system, segment);
  const command = report.explainCommand && column?.explainable ? explainCommand(report.explainCommand, name, segment, column.metric) : null;
  const wrong = wrongTexts(page, system, segment);
  const flags = [...new Map([...wrong.own, ...wrong.other].map(([, said]) => [said, said])).values()];
  return h("section", { class: "panel explained unexplained", "data-system": name },
    h("h2", {}, named(name), t("why.colon"), column?.title ?? "", " ",
      score !== undefined && !Number.isNaN(score) && h("span", { class: "score" }, page.number(score, column?.decimals ?? 4))),
    h("p", { class: "notice" }, t(column?.explainable ? "why.notExplained" : "why.notExplainable", { metric: column?.title ?? "", n: String(segment + 1) })),
    command !== null && h("div", { class: "command" },
      h("p", {}, t("why.commandHint")),
      h("pre", { tabindex: 0 }, h("code", {}, ...shown(command))),
      copyButton(t("shell.copy"), t("shell.copied"), () => command)),
    flags.length > 0 && h("ul", { class: "flags" }, ...flags.map((said) => h("li", {}, ...shown(said)))),
    termList(page, system, segment),
    wordDifference(page, system, segment));
}
