// One score against another, for systems or for segments; a brush or four numbers select segments.

import { type Area, brush } from "../../brush";
import { axisBelow, axisLeft, drawn, extent, ticks } from "../../charts";
import { choice, humanTitle } from "../../choices";
import { alike, pearson } from "../../correlation";
import { h, svg } from "../../dom";
import { unpacked } from "../../packing";
import type { Matrix, Page, Report } from "../../page";
import { type Scale, scaleLinear } from "../../scale";
import { shortened, visible } from "../../text";
import { cloud } from "./cloud";

interface Column {
  key: string;
  title: string;
  decimals: number;
  scores: readonly (number | null)[] | null;
  segments: Matrix | null;
}

function columnsOf(page: Page): Column[] {
  const { report, t } = page;
  const arrow = (higher: boolean): string => (higher ? "↑" : "↓");
  const columns: Column[] = report.metrics.map((metric, at) => ({
    key: metric.metric, title: `${metric.title} ${arrow(metric.higherIsBetter)}`, decimals: metric.decimals, scores: metric.scores, segments: report.segmentScores[at] ?? null,
  }));
  report.human.forEach((human, at) => columns.push({
    key: `human:${human.kind}`, title: `${humanTitle(page, human.kind)} ${arrow(human.higherIsBetter)}`, decimals: 3,
    scores: human.scores, segments: report.humanSegments[at] ?? null,
  }));
  if (report.segments) {
    columns.push({ key: "length", title: t("systems.length"), decimals: 0, scores: null, segments: repeated(unpacked(report.segments.lengths), report) });
  }
  return columns;
}

/** Facts of segments are the same for each system. */
function repeated(facts: Matrix, report: Report): Matrix {
  return { ...facts, rows: report.systems.length, at: (_, segment) => facts.at(0, segment) };
}

const MARGIN = { left: 58, right: 16, top: 34, bottom: 46 };

export function scatter(page: Page): { element: HTMLElement; start(): void; update(): void; stop(): void } {
  const { report, t, number } = page;
  const language = document.documentElement.lang || "en";
  const columns = columnsOf(page);
  const bySegment = columns.filter((column) => column.segments);
  const bySystem = columns.filter((column) => column.scores?.some((score) => score !== null));
  const levels = [
    ...(bySegment.some((column) => column.key !== "length") && bySegment.length > 1 ? ["segments"] : []),
    ...(bySystem.length > 1 && report.systems.length > 1 ? ["systems"] : []),
  ];
  if (levels.length === 0) return { element: h("span", { hidden: true }), start: () => undefined, update: () => undefined, stop: () => undefined };

  const option = (key: string): string => page.place.options[key] ?? "";
  const level = (): string => (levels.includes(option("level")) ? option("level") : (levels[0] ?? ""));
  const offered = (): Column[] => (level() === "segments" ? bySegment : bySystem);
  const picked = (key: "x" | "y"): Column => {
    const list = offered();
    const human = list.find((column) => column.key.startsWith("human:"));
    const fallback = key === "x" ? list[0] : (human ?? list[1]);
    return (list.find((column) => column.key === option(key)) ?? fallback) as Column;
  };
  const oneSystem = (): number => report.systems.indexOf(option("of"));

  const controls = h("div", { class: "toolbar" });
  const box = h("div", { class: "scatter" });
  const summary = h("p", { class: "hint", "aria-live": "polite" });
  const fields = h("form", { class: "toolbar brush-fields" });
  const hint = h("p", { class: "hint" }, t("systems.brushHint"));
  let undo: () => void = () => undefined;
  let shape = "";
  /** Numbers of the points: x, y and the segment of each. */
  let xs = new Float64Array(0);
  let ys = new Float64Array(0);
  let segments = new Int32Array(0);
  let range: [[number, number], [number, number]] | null = null;
  let moveBrush: (() => void) | null = null;

  function collect(): void {
    const x = picked("x").segments;
    const y = picked("y").segments;
    const count = report.segments?.count ?? x?.columns ?? 0;
    const only = oneSystem();
    const systems = only >= 0 ? [only] : report.systems.map((_, at) => at);
    const size = systems.length * count;
    xs = new Float64Array(size);
    ys = new Float64Array(size);
    segments = new Int32Array(size);
    let at = 0;
    for (const system of systems) {
      for (let segment = 0; segment < count; segment++) {
        xs[at] = x?.at(system, segment) ?? NaN;
        ys[at] = y?.at(system, segment) ?? NaN;
        segments[at++] = segment;
      }
    }
  }

  function chooseRange(next: typeof range): void {
    range = next;
    if (!next) {
      page.select(null);
      return;
    }
    const [[x0, x1], [y0, y1]] = next;
    const chosen = new Set<number>();
    for (let i = 0; i < xs.length; i++) {
      const x = xs[i] as number;
      const y = ys[i] as number;
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) chosen.add(segments[i] as number);
    }
    page.select(chosen);
  }

  function drawSegments(width: number): void {
    const height = Math.round(Math.max(280, Math.min(520, width * 0.5)));
    const frame = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
    const x = scaleLinear(extent(xs), [frame.left, frame.right]);
    const y = scaleLinear(extent(ys), [frame.bottom, frame.top]);
    const canvas = cloud(xs, ys, x, y, frame);
    const layer = brush(frame, (area) => {
      chooseRange(area && [[x.invert(area[0]), x.invert(area[2])], [y.invert(area[3]), y.invert(area[1])]]);
      fillFields();
    });
    const picture = svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe() },
      axisBelow(ticks(x, width < 500 ? 4 : 8, language), frame, picked("x").title),
      axisLeft(ticks(y, 6, language), frame, picked("y").title), layer.element);
    box.replaceChildren(picture, canvas);
    moveBrush = () => layer.show(range && clipped(range, x, y));
    if (range) moveBrush();
  }

  function drawSystems(width: number): void {
    const [columnX, columnY] = [picked("x"), picked("y")];
    const points = report.systems.flatMap((name, at) => {
      const [a, b] = [columnX.scores?.[at], columnY.scores?.[at]];
      return a == null || b == null ? [] : [{ name: visible(name), a, b }];
    });
    const height = Math.round(Math.max(300, Math.min(520, width * 0.5)));
    const frame = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
    const x = scaleLinear(extent(points.map((point) => point.a), 0.08), [frame.left, frame.right]);
    const y = scaleLinear(extent(points.map((point) => point.b), 0.08), [frame.bottom, frame.top]);
    const taken: [number, number, number, number][] = points.map(({ a, b }) => [x(a) - 6, y(b) - 6, x(a) + 6, y(b) + 6]);
    const marks = points.map(({ name, a, b }) => svg("circle", { cx: x(a), cy: y(b), r: 5, class: "point" },
      svg("title", {}, `${name}: ${number(a, columnX.decimals)}, ${number(b, columnY.decimals)}`)));
    const labels = points.flatMap(({ name, a, b }) => {
      const text = shortened(name, width < 500 ? 14 : 22);
      const size = text.length * 6.6;
      const at = [[x(a) + 9, y(b) + 4], [x(a) - 9 - size, y(b) + 4], [x(a) - size / 2, y(b) - 10], [x(a) - size / 2, y(b) + 19]] as const;
      for (const [left, base] of at) {
        const place: [number, number, number, number] = [left, base - 11, left + size, base + 3];
        if (left < frame.left || place[2] > width || place[1] < frame.top - 14 || base > frame.bottom) continue;
        if (taken.some((other) => other[0] < place[2] && place[0] < other[2] && other[1] < place[3] && place[1] < other[3])) continue;
        taken.push(place);
        return [svg("text", { x: left, y: base }, text, svg("title", {}, name))];
      }
      return [];
    });
    box.replaceChildren(svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe() },
      axisBelow(ticks(x, width < 500 ? 4 : 8, language), frame, columnX.title),
      axisLeft(ticks(y, 6, language), frame, columnY.title), ...marks, ...labels));
  }

  function describe(): string {
    const [x, y] = [picked("x"), picked("y")];
    if (level() === "segments") {
      return t("systems.scatterSegments", { x: x.title, y: y.title, n: known(), r: number(pearson(xs, ys), 3) });
    }
    const values = (column: Column): number[] => (column.scores ?? []).map((score) => score ?? NaN);
    const share = alike(values(x), values(y));
    return t("systems.scatterSystems", { x: x.title, y: y.title, n: report.systems.length, r: number(pearson(values(x), values(y)), 3),
      share: Number.isNaN(share) ? "–" : `${number(share * 100, 0)} %` });
  }

  function known(): number {
    let n = 0;
    for (let i = 0; i < xs.length; i++) if (!Number.isNaN(xs[i]) && !Number.isNaN(ys[i])) n++;
    return n;
  }

  function fillFields(): void {
    if (level() !== "segments") {
      fields.replaceChildren();
      return;
    }
    const ends = (id: string, column: Column, at: 0 | 1): HTMLElement => h("fieldset", {}, h("legend", {}, column.title), h("span", { class: "range" },
      ...([0, 1] as const).map((end) => h("input", { type: "number", step: "any", id: `brush-${id}-${end}`, value: range ? String(Number(range[at][end].toFixed(column.decimals))) : null,
        "aria-label": t(end ? "systems.to" : "systems.from", { name: column.title }), placeholder: t(end ? "systems.highest" : "systems.lowest") }))));
    const chosen = page.selection;
    fields.replaceChildren(...[
      ends("x", picked("x"), 0), ends("y", picked("y"), 1),
      h("button", { type: "submit", id: "brush-select" }, t("systems.select")),
      h("button", { type: "button", id: "brush-clear", disabled: chosen === null, click: () => {
        chooseRange(null);
        fillFields();
        moveBrush?.();
      } }, t("systems.clear")),
      page.views.includes("segments") && h("button", { type: "button", class: "primary", id: "brush-open", disabled: chosen === null || chosen.size === 0,
        click: () => page.go({ view: "segments", segment: null, options: { only: "selection" } }) },
      t("systems.openSelection", { n: chosen?.size ?? 0 }))].filter((part) => part !== false));
  }
  fields.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = (id: string, otherwise: number): number => {
      const text = (document.getElementById(id) as HTMLInputElement | null)?.value ?? "";
      return text === "" || Number.isNaN(Number(text)) ? otherwise : Number(text);
    };
    const [x, y] = [extent(xs), extent(ys)];
    chooseRange([[value("brush-x-0", x[0]), value("brush-x-1", x[1])], [value("brush-y-0", y[0]), value("brush-y-1", y[1])]]);
    fillFields();
    moveBrush?.();
    document.getElementById("brush-select")?.focus();
  });

  function controlsNow(): void {
    const list = offered().map((column) => [column.key, column.title] as const);
    const set = (key: string) => (value: string): void => page.go({ options: { [key]: value } });
    const focused = document.activeElement?.id ?? "";
    controls.replaceChildren(
      ...(levels.length > 1 ? [choice("scatter-level", t("systems.level"), levels.map((each) => [each, t(`systems.levels.${each}`)] as const), level(), set("level"))] : []),
      choice("scatter-x", t("systems.across"), list, picked("x").key, set("x")),
      choice("scatter-y", t("systems.up"), list, picked("y").key, set("y")),
      ...(level() === "segments" && report.systems.length > 1
        ? [choice("scatter-of", t("systems.of"), [["", t("systems.allSystems")], ...report.systems.map((name) => [name, name] as const)], report.systems[oneSystem()] ?? "", set("of"))]
        : []));
    if (focused.startsWith("scatter-")) document.getElementById(focused)?.focus();
  }

  function update(): void {
    const now = [level(), picked("x").key, picked("y").key, oneSystem()].join("\n");
    if (now === shape) return;
    shape = now;
    range = null;
    moveBrush = null;
    controlsNow();
    if (level() === "segments") collect();
    summary.textContent = describe();
    hint.hidden = level() !== "segments";
    undo();
    undo = drawn(box, level() === "segments" ? drawSegments : drawSystems);
    fillFields();
  }

  const recolor = new MutationObserver(redraw);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  function redraw(): void {
    if (level() !== "segments") return;
    undo();
    undo = drawn(box, drawSegments);
  }

  return {
    element: h("section", { class: "panel" }, h("h2", {}, t("systems.scatter")), controls, summary, box, fields, hint),
    start() {
      update();
      recolor.observe(document.documentElement, { attributeFilter: ["data-theme"] });
      dark.addEventListener("change", redraw);
    },
    update,
    stop() {
      undo();
      recolor.disconnect();
      dark.removeEventListener("change", redraw);
    },
  };
}

function clipped(
  [[x0, x1], [y0, y1]]: [[number, number], [number, number]], x: Scale, y: Scale,
): Area {
  const within = (value: number, [a, b]: readonly [number, number]): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), value));
  const left = within(x(Math.min(x0, x1)), x.range);
  const right = within(x(Math.max(x0, x1)), x.range);
  const top = within(y(Math.max(y0, y1)), y.range);
  const bottom = within(y(Math.min(y0, y1)), y.range);
  return [left, top, right, bottom];
}
