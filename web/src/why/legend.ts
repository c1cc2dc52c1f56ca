// What the colors, dashes, letters and marks of a drawing mean.

import { h, svg } from "../dom";
import type { Page } from "../page";
import { MARKS } from "./heat";
import { HEAT_STEPS } from "./heatmap";
import { type Form, kindsOf, LETTERS } from "./links";
import type { Shown } from "./sentences";

function sample(kind: string, form: Form): SVGSVGElement {
  const shape = form === "ribbons"
    ? svg("path", { class: "band", d: "M1,3H35V15H1Z" })
    : svg("path", { class: "wire", d: "M1,9H35" });
  return svg("svg", { class: `kind-sample link kind-${kind}`, width: 36, height: 18, "aria-hidden": "true" }, shape,
    form === "ribbons" ? svg("text", { class: "ribbon-letter", x: 18, y: 9, "text-anchor": "middle", dy: "0.35em" }, LETTERS[kind as keyof typeof LETTERS]) : svg("g", { class: "badge", transform: "translate(18,9)" }, svg("circle", { r: 7.5 }), svg("text", { "text-anchor": "middle", dy: "0.35em" }, LETTERS[kind as keyof typeof LETTERS])));
}

export function legend(page: Page, shown: Shown, form: Form): HTMLElement {
  const items: HTMLElement[] = [];
  if (form === "heat") {
    const steps = h("span", { class: "shades", "aria-hidden": "true" }, ...Array.from({ length: HEAT_STEPS + 1 }, (_, at) => h("span", { class: `heat heat-${at}` })));
    items.push(h("li", {}, page.t("why.heat.low"), steps, page.t("why.heat.high")));
    for (const mark of ["both", "own", "other"] as const) items.push(h("li", {}, h("span", { class: "mark", "aria-hidden": "true" }, MARKS[mark]), page.t(`why.heat.${mark}`)));
    items.push(h("li", {}, h("span", { class: "heat blank-sample", "aria-hidden": "true" }), page.t("why.heat.blank")));
  } else {
    for (const kind of kindsOf(shown.links)) items.push(h("li", {}, sample(kind, form), page.t(`why.kinds.${kind}`), h("span", { class: "meaning" }, page.t(`why.kindMeanings.${kind}`))));
    if (form === "ribbons") items.push(h("li", {}, page.t("why.ribbonLegend")));
    else if (shown.links.length > 0) items.push(h("li", {}, h("span", { class: "chunk-sample", "aria-hidden": "true" }, "1"), page.t("why.chunkLegend")));
  }
  if (shown.own.alone.size + shown.other.alone.size > 0)
    items.push(h("li", {}, h("span", { class: "word alone", "aria-hidden": "true" }, page.t("why.wordSample")), page.t("why.noMatch")));
  if (shown.own.wrong.size + shown.other.wrong.size > 0)
    items.push(h("li", {}, h("span", { class: "word wrong", "aria-hidden": "true" }, page.t("why.wordSample")), page.t("why.wrongLegend")));
  return h("ul", { class: "legend why-legend", "aria-label": page.t("why.legend") }, ...items);
}
