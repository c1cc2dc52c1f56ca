// The payload with its numbers unpacked and its texts at hand.

import { unpacked } from "./packing";
import type { Report } from "./page";
import type { Payload } from "./schema";

export function reportOf(payload: Payload): Report {
  const segments = payload.segments;
  const columns = segments?.columns ?? [];
  const places = (role: string): number[] => columns.flatMap((column, at) => (column.role === role ? [at] : []));
  const [source] = places("source");
  const references = places("reference");
  const systems = places("system");
  const text = (segment: number, column: number | undefined): string | null =>
    column === undefined ? null : (segments?.texts[segment]?.[column] ?? null);
  return {
    ...payload,
    segmentScores: payload.metrics.map((metric) => metric.segments && unpacked(metric.segments)),
    humanSegments: payload.human.map((column) => column.segments && unpacked(column.segments)),
    sourceOf: (segment) => text(segment, source),
    referencesOf: (segment) => references.map((column) => text(segment, column)),
    hypothesisOf: (system, segment) => text(segment, systems[system]),
  };
}
