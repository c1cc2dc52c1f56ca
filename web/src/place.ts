// Where the reader is, as the part of the address after `#`: `#seg=17`, `#view=systems&metric=bleu`.

import type { Place } from "./page";

/** What `#seg=17` alone opens. */
const VIEW_OF_SEGMENT = "segments";

export function placeOf(hash: string, views: readonly string[], segments: number): Place {
  const options: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ""))) options[key] = value;
  const { view: named, seg, ...rest } = options;
  const number = seg === undefined ? NaN : Number(seg);
  const segment = Number.isInteger(number) && number >= 1 && number <= segments ? number - 1 : null;
  const fallback = segment !== null && views.includes(VIEW_OF_SEGMENT) ? VIEW_OF_SEGMENT : (views[0] ?? "");
  return { view: named !== undefined && views.includes(named) ? named : fallback, segment, options: rest };
}

export function hashOf(place: Place): string {
  const parts = new URLSearchParams();
  if (!(place.view === VIEW_OF_SEGMENT && place.segment !== null)) parts.set("view", place.view);
  if (place.segment !== null) parts.set("seg", String(place.segment + 1));
  for (const [key, value] of Object.entries(place.options)) if (value !== "") parts.set(key, value);
  return `#${parts.toString()}`;
}

/** `change` over `place`: options are merged, and an empty one is taken out. */
export function moved(place: Place, change: Partial<Place>): Place {
  const options = { ...place.options, ...change.options };
  for (const key of Object.keys(options)) if (options[key] === "") delete options[key];
  return {
    view: change.view ?? place.view,
    segment: change.segment === undefined ? place.segment : change.segment,
    options,
  };
}
