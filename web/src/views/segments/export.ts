// The segments in sight of a query as rows of a sheet: texts and all scores of all systems.

import { humanTitle } from "../../choices";
import { breather } from "../../breather";
import type { Page } from "../../page";
import type { Cell } from "../../sheets/csv";
import type { Facts } from "./facts";

export async function sheet(page: Page, facts: Facts, order: Int32Array): Promise<Cell[][]> {
  const { report, t } = page;
  const segments = report.segments;
  const columns = segments?.columns ?? [];
  const score = (value: number | undefined, decimals: number): Cell => (value === undefined || Number.isNaN(value) ? null : Math.round(value * 10 ** decimals) / 10 ** decimals);
  const metrics = report.metrics.map((metric, at) => ({ metric, matrix: report.segmentScores[at] })).filter(({ matrix }) => matrix != null);
  const people = report.human.map((human, at) => ({ human, matrix: report.humanSegments[at] })).filter(({ matrix }) => matrix != null);
  const head: Cell[] = [
    t("segments.number"),
    ...(segments?.documents ? [t("segments.document")] : []),
    ...columns.map((column) => (column.role === "source" ? t("segments.source") : column.role === "reference" ? `${t("segments.reference")} ${column.name}` : column.name)),
    ...report.systems.flatMap((name) => [
      ...metrics.map(({ metric }) => `${name}: ${metric.title}`),
      ...people.map(({ human }) => `${name}: ${humanTitle(page, human.kind)}`),
      ...(facts.hasFlags ? [`${name}: ${t("segments.flags")}`] : []),
    ]),
  ];
  const row = (segment: number): Cell[] => [
    segment + 1,
    ...(segments?.documents ? [segments.documentNames[segments.documents[segment] ?? -1] ?? ""] : []),
    ...(segments?.texts[segment] ?? []),
    ...report.systems.flatMap((_, system) => [
      ...metrics.map(({ metric, matrix }) => score(matrix?.at(system, segment), Math.max(4, metric.decimals))),
      ...people.map(({ matrix }) => score(matrix?.at(system, segment), 4)),
      ...(facts.hasFlags ? [facts.flagsOf(system, segment).length] : []),
    ]),
  ];
  const rows = [head];
  const rest = breather();
  for (const segment of order) {
    rows.push(row(segment));
    await rest();
  }
  return rows;
}
