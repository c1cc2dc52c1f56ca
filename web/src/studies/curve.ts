// Agreement over the values of one parameter: line, band, default, best value, and what the folds chose.

import { scaleLinear } from "../scale";
import { axisBelow, axisLeft, extent, ticks } from "../charts";
import { type Child, svg } from "../dom";
import type { Page } from "../page";
import { bandOf, choicesOf, profileOf, type Setting, type Tuning, type Value } from "./tune";

const HEIGHT = 300;
const LANE = 34;

export function written(page: Page, value: Value | undefined): string {
  if (typeof value !== "number") return value ?? "–";
  return page.number(value, Number.isInteger(value) ? 0 : Math.min(6, (String(value).split(".")[1] ?? "").length));
}

function path(points: readonly ([number, number] | null)[]): string {
  let text = "";
  let pen = "M";
  for (const point of points) {
    if (point) text += `${pen}${point[0].toFixed(1)},${point[1].toFixed(1)}`;
    pen = point ? "L" : "M";
  }
  return text;
}

export function tuningCurve(page: Page, tuning: Tuning, parameter: number, width: number): SVGSVGElement {
  const { t } = page;
  const language = document.documentElement.lang || "en";
  const settings = profileOf(tuning, parameter);
  const value = (setting: Setting): Value => setting.values[parameter] ?? "–";
  const numeric = settings.length > 1 && settings.every((setting) => typeof value(setting) === "number");
  const bands = settings.map((setting) => bandOf(setting, tuning.fallback));
  const several = tuning.parameters.length === 1 && tuning.places.length > 1;
  const all = settings.flatMap((setting) => [setting.value ?? NaN, ...(several ? setting.byPair.map(([, one]) => one ?? NaN) : [])]);
  const frame = { left: 58, right: width - 16, top: 46, bottom: HEIGHT - LANE - 44 };
  const y = scaleLinear(extent([...all, ...bands.flatMap((band) => band ?? [])]), [frame.bottom, frame.top]);
  const numbers = settings.map((setting) => Number(value(setting)));
  const scale = numeric ? scaleLinear([Math.min(...numbers), Math.max(...numbers)], [frame.left + 12, frame.right - 12]) : null;
  const x = (one: Value): number => {
    if (scale) return scale(Number(one));
    const at = settings.findIndex((setting) => value(setting) === one);
    return frame.left + ((at + 0.5) / settings.length) * (frame.right - frame.left);
  };
  const marksBelow: [number, string][] = scale
    ? ticks(scale, width < 500 ? 5 : 9, language)
    : settings.map((setting) => [x(value(setting)), written(page, value(setting))]);
  const points = settings.map((setting): [number, number] | null => (setting.value === null ? null : [x(value(setting)), y(setting.value)]));
  const counts = choicesOf(tuning.validation, parameter);
  const folds = tuning.validation?.folds.length ?? 0;
  const own = tuning.fallback.values[parameter];
  const best = tuning.best.values[parameter];
  const shapes: Child[] = [];
  const banded = settings.flatMap((setting, at) => (bands[at] ? [{ x: x(value(setting)), band: bands[at] as [number, number] }] : []));
  if (numeric && banded.length > 1)
    shapes.push(svg("path", { class: "tune-band", d: `M${banded.map((one) => `${one.x},${y(one.band[1])}`).join("L")}L${[...banded].reverse().map((one) => `${one.x},${y(one.band[0])}`).join("L")}Z` }));
  else shapes.push(...banded.map((one) => svg("line", { class: "interval", x1: one.x, x2: one.x, y1: y(one.band[0]), y2: y(one.band[1]) })));
  if (several) {
    for (const [at, [name]] of (settings[0]?.byPair ?? []).entries()) {
      const line = settings.map((setting): [number, number] | null => {
        const one = setting.byPair[at]?.[1];
        return one == null ? null : [x(value(setting)), y(one)];
      });
      const last = line[line.length - 1];
      shapes.push(numeric && svg("path", { class: `tune-pair pair-${(at % 4) + 1}`, d: path(line) }), last && svg("text", { class: "tune-pair-name quiet", x: last[0], y: last[1] - 6, "text-anchor": "end" }, name));
    }
  }
  if (numeric) shapes.push(svg("path", { class: "tune-line", d: path(points) }));
  for (const [at, point] of points.entries()) {
    const setting = settings[at];
    if (!point || !setting) continue;
    const title = `${tuning.parameters[parameter] ?? ""} = ${written(page, value(setting))}: ${page.number(setting.value, 4)}`;
    shapes.push(svg("circle", { class: "tune-point", cx: point[0], cy: point[1], r: settings.length > 40 ? 2 : 3.5 }, svg("title", {}, title)));
  }
  // Labels of default and best stand in lines of their own, so that they never meet.
  const anchor = (place: number): string => (place < frame.left + 90 ? "start" : place > frame.right - 90 ? "end" : "middle");
  const marked = (one: Value | undefined, name: string, row: number, shape: (px: number, py: number) => SVGElement): void => {
    if (one === undefined) return;
    const setting = settings.find((each) => value(each) === one);
    const px = x(one);
    if (!Number.isFinite(px) || px < frame.left - 1 || px > frame.right + 1) return;
    shapes.push(svg("line", { class: `tune-mark ${name}`, x1: px, x2: px, y1: row + 4, y2: frame.bottom }),
      svg("text", { class: `tune-label ${name}`, x: px, y: row, "text-anchor": anchor(px) }, t(`tune.mark.${name}`, { value: written(page, one) })));
    if (setting?.value != null) shapes.push(shape(px, y(setting.value)));
  };
  marked(own, "fallback", 12, (px, py) => svg("rect", { class: "tune-fallback", x: px - 5, y: py - 5, width: 10, height: 10 }));
  marked(best, "best", 30, (px, py) => svg("path", { class: "tune-best", d: `M${px},${py - 7}l7,7l-7,7l-7,-7Z` }));
  const lane = HEIGHT - 12;
  const most = Math.max(...counts.values(), 1);
  if (counts.size > 0) {
    const top = [...counts.entries()].sort((one, two) => two[1] - one[1])[0];
    for (const [chosen, count] of counts) {
      const px = x(chosen);
      const size = 4 + (count / most) * 5;
      shapes.push(svg("path", { class: "tune-choice", d: `M${px},${lane - 22 - size}l${size},${size * 1.6}h${-2 * size}Z` }, svg("title", {}, t("tune.chosenBy", { value: written(page, chosen), n: count, folds }))));
    }
    if (top) shapes.push(svg("text", { class: "tune-choice-label", x: x(top[0]), y: lane, "text-anchor": anchor(x(top[0])) }, t("tune.chosenBy", { value: written(page, top[0]), n: top[1], folds })));
  }
  const label = t("tune.chartLabel", { measure: tuning.measure, parameter: tuning.parameters[parameter] ?? "", value: written(page, own), best: written(page, best) });
  return svg("svg", { class: "chart tune-chart", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": label },
    axisBelow(marksBelow, frame), axisLeft(ticks(y, 5, language), frame), ...shapes.filter((shape): shape is SVGElement => shape instanceof Node));
}
