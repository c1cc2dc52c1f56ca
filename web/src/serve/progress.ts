// One job from its start to its end: how far it is, why it failed, and the way to stop it.

import { h } from "../dom";
import { shown } from "../text";
import type { Translate } from "../words";
import { cancelJob, type Job } from "./server";

const STAGES = ["reading", "scoring", "writing", "done"];

export interface ProgressPanel {
  element: HTMLElement;
  show(job: Job): void;
  lost(): void;
  hide(): void;
}

export function progressPanel(t: Translate): ProgressPanel {
  const text = h("p", { role: "status" });
  const bar = h("progress", { max: 1, "aria-label": t("job.title") });
  const problem = h("div", { role: "alert" });
  const hint = h("p", { class: "hint" }, t("job.closing"));
  const cancel = h("button", { type: "button" }, t("job.cancel"));
  const close = h("button", { type: "button" }, t("job.close"));
  const element = h("section", { class: "panel job", "aria-labelledby": "job-title", hidden: true },
    h("h2", { id: "job-title" }, t("job.title")), text, bar, problem, hint,
    h("p", { class: "toolbar" }, cancel, close));
  let current: Job | null = null;
  cancel.addEventListener("click", () => {
    cancel.disabled = true;
    if (current) void cancelJob(current.id).catch(() => undefined);
  });
  close.addEventListener("click", () => (element.hidden = true));

  const stageText = (job: Job): string => {
    if (job.state === "waiting" || job.state === "cancelled") return t(`job.${job.state}`);
    if (job.state === "failed") return t("job.failed");
    return t(`job.${STAGES.includes(job.stage) ? job.stage : "starting"}`);
  };

  const show = (job: Job): void => {
    if (current?.id !== job.id) cancel.disabled = false;
    current = job;
    const over = job.state === "failed" || job.state === "cancelled";
    element.hidden = job.state === "done";
    element.classList.toggle("bad", job.state === "failed");
    const said = stageText(job);
    if (text.textContent !== said) text.textContent = said;
    bar.hidden = over;
    // Without a value the bar moves to and fro: nobody knows how long reading and writing take.
    if (job.stage === "scoring" && job.progress > 0) bar.value = job.progress;
    else bar.removeAttribute("value");
    problem.replaceChildren(...(job.state === "failed" ? job.message.split("\n").map((line) => h("p", { class: "problem" }, ...shown(line))) : []));
    if (over) problem.append(h("p", { class: "hint" }, t("job.again")));
    cancel.hidden = over;
    close.hidden = !over;
    hint.hidden = over;
  };

  const lost = (): void => {
    if (!current || element.hidden) return;
    show({ ...current, state: "failed", message: t("job.lost") });
  };
  return { element, show, lost, hide: () => (element.hidden = true) };
}
