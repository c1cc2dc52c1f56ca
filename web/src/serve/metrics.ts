// The list of metrics: what each is good for, what it is blind to, and whether it can run.

import { copyButton } from "../copying";
import { h } from "../dom";
import { shown } from "../text";
import type { Translate } from "../words";
import type { Form } from "./form";
import { type MetricChoice, metricsOf, Problem } from "./server";
import { nameOf } from "./target";

export interface MetricsPanel {
  element: HTMLElement;
  update(): void;
  choices(): readonly MetricChoice[];
}

export function metricsPanel(form: Form, t: Translate, reader: string, changed: () => void): MetricsPanel {
  const body = h("div", { class: "metrics" });
  const count = h("p", { class: "quiet", role: "status" });
  let choices: readonly MetricChoice[] = [];
  let shownFor: string | null = null;
  let open = false;

  const goodFor = (one: MetricChoice): string => {
    const key = `goodFor.${one.metric}`;
    const own = t(key);
    return own === key ? one.summary : own;
  };

  const row = (one: MetricChoice): HTMLElement => {
    const id = `metric-${one.metric}`;
    const box = h("input", { type: "checkbox", id, checked: form.metrics.includes(one.metric), disabled: one.lacking !== "", "aria-describedby": `${id}-about` });
    box.addEventListener("change", () => {
      form.metrics = box.checked ? [...form.metrics, one.metric] : form.metrics.filter((metric) => metric !== one.metric);
      changed();
    });
    const chips: [string, string][] = [];
    if (one.lacking) chips.push(["warn", t("metrics.lacking")]);
    else if (one.resources.length > 0) chips.push(["good", t("metrics.ready")]);
    if (one.resources.includes("encoder")) chips.push(["", t("metrics.slow")]);
    if (one.needsSource) chips.push(["", t("metrics.needsSource")]);
    if (!one.needsReferences) chips.push(["", t("metrics.noReferences")]);
    if (!one.higherIsBetter) chips.push(["", t("metrics.lower")]);
    return h("li", { class: one.lacking ? "metric lacking" : "metric" },
      box,
      h("div", {},
        h("label", { for: id }, one.title),
        ...chips.map(([kind, text]) => h("span", { class: `chip ${kind}` }, text)),
        h("div", { id: `${id}-about` },
          h("p", {}, goodFor(one)),
          one.agreement !== "" && h("p", { class: "hint" }, t("metrics.agreement", { text: one.agreement }))),
        h("details", {}, h("summary", {}, t("metrics.about")), h("p", { class: "hint" }, one.summary), h("p", { class: "hint" }, t("metrics.weak", { text: one.weaknesses }))),
        one.command !== "" && h("div", { class: "hint install" }, t("metrics.command"), " ", h("code", {}, ...shown(one.command)), " ",
          copyButton(t("metrics.copy"), t("metrics.copied"), () => one.command)),
        one.command === "" && one.lacking !== "" && h("p", { class: "hint" }, ...shown(one.lacking))));
  };

  const draw = (): void => {
    const first = choices.filter((one) => one.recommended);
    const rest = choices.filter((one) => !one.recommended);
    const more = h("details", { class: "more", open },
      h("summary", {}, t("metrics.more", { n: rest.length })),
      h("ul", { class: "list" }, ...rest.map(row)));
    more.addEventListener("toggle", () => (open = more.open));
    body.replaceChildren(
      h("p", { class: "hint" }, t("metrics.hint", { language: nameOf("language", form.language, reader) })),
      h("h3", {}, t("metrics.recommended")),
      h("ul", { class: "list" }, ...first.map(row)),
      more);
  };

  const fetchChoices = async (language: string): Promise<void> => {
    try {
      const found = await metricsOf(language);
      if (form.language !== language) return;
      choices = found;
      const can = new Set(found.filter((one) => one.lacking === "").map((one) => one.metric));
      if (form.metricsFor !== language) form.metrics = found.filter((one) => one.preselected).map((one) => one.metric);
      form.metrics = form.metrics.filter((metric) => can.has(metric));
      form.metricsFor = language;
      open = rest(found).some((one) => form.metrics.includes(one.metric));
      draw();
    } catch (error) {
      if (form.language !== language) return;
      choices = [];
      body.replaceChildren(h("p", { class: "problem", role: "alert" }, ...shown(error instanceof Problem && !error.lost ? error.message : t("files.lost"))));
    }
    changed();
  };
  const rest = (found: readonly MetricChoice[]): MetricChoice[] => found.filter((one) => !one.recommended);

  const update = (): void => {
    count.textContent = form.language === "" ? "" : t("metrics.chosen", { n: form.metrics.length });
    if (shownFor === form.language) return;
    shownFor = form.language;
    choices = [];
    if (form.language === "") body.replaceChildren(h("p", { class: "empty" }, t("metrics.none")));
    else {
      body.replaceChildren(h("p", { class: "empty" }, "…"));
      void fetchChoices(form.language);
    }
  };

  const element = h("section", { class: "panel", "aria-labelledby": "metrics-title" },
    h("h2", { id: "metrics-title" }, t("metrics.title")), body, count);
  return { element, update, choices: () => choices };
}
