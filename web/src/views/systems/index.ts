// Which system is best, by how much, and how sure that is.

import { choice, chosenMetric } from "../../choices";
import { h } from "../../dom";
import type { Page, View } from "../../page";
import { allScores } from "./overview";
import { pairs } from "./pairs";
import { ranking } from "./ranking";
import { scatter } from "./scatter";

/** Metrics side by side on paper. */
const PRINTED_COLUMNS = 5;

function render(root: HTMLElement, page: Page): () => void {
  const { report, t } = page;
  const undo: (() => void)[] = [];
  const below = h("div", {});
  const draw = (): void => {
    for (const each of undo.splice(0)) each();
    const metric = chosenMetric(page);
    below.replaceChildren(
      ranking(page, metric),
      ...(report.systems.length > 1 ? [pairs(page, metric)] : []),
    );
  };
  const metrics = report.metrics.map((metric) => [metric.metric, metric.title] as const);
  const current = (): string => report.metrics[chosenMetric(page)]?.metric ?? "";
  const picker = choice("systems-metric", t("systems.metric"), metrics, current(), (metric) => page.go({ options: { metric } }));
  const select = picker.querySelector("select");
  const cloud = scatter(page);
  if (report.metrics.length > 1) root.append(h("div", { class: "toolbar" }, picker));
  root.append(below, ...(report.metrics.length > 1 ? [allScores(page)] : []), cloud.element);
  draw();
  cloud.start();
  let last = current();
  page.watch(() => {
    if (current() !== last) {
      last = current();
      if (select) select.value = last;
      draw();
    }
    cloud.update();
  });
  return () => {
    cloud.stop();
    for (const each of undo) each();
  };
}

export const systems: View = {
  id: "systems",
  available: (report) => report.systems.length > 0 && report.metrics.length > 0,
  render,
  print(page) {
    const sections = page.report.metrics.map((_, metric) => ranking(page, metric));
    return h("section", {}, h("h2", {}, page.t("systems.title")), allScores(page, PRINTED_COLUMNS), ...sections);
  },
};
