// Reports that are there: the list of recent ones, and one of them in a frame with its downloads.

import { h } from "../dom";
import { named, shown } from "../text";
import type { Translate } from "../words";
import { type Job, removeJob } from "./server";
import { nameOf } from "./target";

const FILES: [string, string][] = [
  ["html", "report.html"], ["xlsx", "scores.xlsx"], ["csv", "scores.csv"], ["json", "scores.json"], ["latex", "table.tex"],
];

export const addressOf = (job: Job, file = "report.html"): string => `reports/${job.id}/${file}`;

function downloads(job: Job, t: Translate): HTMLElement {
  return h("ul", { class: "downloads", "aria-label": t("report.downloads") }, ...FILES.map(([form, file]) =>
    h("li", {}, h("a", { href: `${addressOf(job, file)}?download`, download: "", title: t(`what.${form}`) }, t(`formats.${form}`)))));
}

export const titleOf = (job: Job, t: Translate): string => job.title || `${t("recent.untitled")}: ${job.systems.join(", ")}`;

export interface RecentPanel {
  element: HTMLElement;
  update(jobs: readonly Job[]): void;
}

export function recentPanel(t: Translate, reader: string, removed: () => void): RecentPanel {
  const list = h("ul", { class: "recent" });
  const empty = h("p", { class: "quiet" }, t("recent.empty"));
  const time = new Intl.DateTimeFormat(reader, { hour: "2-digit", minute: "2-digit", month: "short", day: "numeric" });
  const row = (job: Job): HTMLElement => {
    const title = titleOf(job, t);
    return h("li", { "data-job": job.id },
      h("div", { class: "line" },
        h("a", { href: `#report=${job.id}` }, named(title, 60)),
        h("button", { type: "button", class: "plain small remove", "aria-label": t("recent.remove", { title }), title: t("recent.remove", { title }), click: () => void removeJob(job.id).catch(() => undefined).then(removed) }, "✕")),
      h("p", { class: "facts" },
        h("span", {}, h("time", { datetime: job.created }, time.format(new Date(job.created)))),
        h("span", {}, nameOf("language", job.language, reader)),
        h("span", {}, job.metrics.join(", "))),
      downloads(job, t));
  };
  const update = (jobs: readonly Job[]): void => {
    const done = jobs.filter((job) => job.state === "done");
    list.replaceChildren(...done.map(row));
    empty.hidden = done.length > 0;
  };
  const element = h("section", { class: "panel", "aria-labelledby": "recent-title" },
    h("h2", { id: "recent-title" }, t("recent.title")), h("p", { class: "hint" }, t("recent.hint")), list, empty);
  return { element, update };
}

/** One report in the whole window. */
export function reportView(job: Job, t: Translate): HTMLElement {
  return h("div", { class: "report" },
    h("div", { class: "bar" },
      h("a", { href: "#", class: "back" }, `← ${t("report.back")}`),
      h("bdi", { class: "name" }, ...shown(titleOf(job, t))),
      h("span", { class: "quiet" }, t("report.downloads")),
      downloads(job, t),
      h("a", { href: addressOf(job), target: "_blank", rel: "noopener" }, t("report.tab"))),
    h("iframe", { src: addressOf(job), title: t("report.frame"), class: "frame" }));
}
