// Groups of segments that belong together: by length, frequency, document, or what they hold; and their means.

/** A name to show is made of these: `label` of a document, or the ends of a band. */
export interface Group {
  /** Lowest and highest value of a band, both within it; null for a group by name. */
  from: number | null;
  to: number | null;
  name: string;
  segments: number[];
}

export interface Mean {
  n: number;
  mean: number;
  low: number;
  high: number;
}

const LENGTH_ENDS = [5, 10, 15, 20, 30, 40, 60, 100];
const FEWEST = 5;

/** Segments by number of words; bands with too few of them join their neighbor. */
export function lengthBands(lengths: ArrayLike<number>): Group[] {
  const groups: Group[] = [];
  let before = Array.from(lengths).includes(0) ? 0 : 1;
  for (const end of [...LENGTH_ENDS, Infinity]) {
    groups.push({ from: before, to: end, name: "", segments: [] });
    before = end + 1;
  }
  for (let segment = 0; segment < lengths.length; segment++) {
    const length = lengths[segment] ?? NaN;
    if (Number.isNaN(length)) continue;
    groups.find((group) => length <= (group.to ?? Infinity))?.segments.push(segment);
  }
  const fewest = Math.max(FEWEST, Math.ceil(lengths.length * 0.01));
  return joined(groups, fewest);
}

function joined(groups: readonly Group[], fewest: number): Group[] {
  const found: Group[] = [];
  for (const group of groups) {
    const last = found[found.length - 1];
    if (last && (last.segments.length < fewest || group.segments.length < fewest) && last.segments.length + group.segments.length > 0) {
      // A small band joins the one before, unless that is large and what follows may still be joined to this one.
      if (last.segments.length < fewest || isRest(groups, group, fewest)) {
        last.to = group.to;
        last.segments.push(...group.segments);
        continue;
      }
    }
    found.push({ ...group, segments: [...group.segments] });
  }
  return found.filter((group) => group.segments.length > 0);
}

/** Whether a band and all that follow are too small to stand alone. */
function isRest(groups: readonly Group[], group: Group, fewest: number): boolean {
  const rest = groups.slice(groups.indexOf(group)).reduce((sum, one) => sum + one.segments.length, 0);
  return rest < fewest;
}

/** Bands of about as many segments each, by a value; equal values stay together. */
export function equalBands(values: ArrayLike<number>, count: number): Group[] {
  const known: number[] = [];
  for (let segment = 0; segment < values.length; segment++) if (!Number.isNaN(values[segment] ?? NaN)) known.push(segment);
  known.sort((one, two) => (values[one] ?? 0) - (values[two] ?? 0) || one - two);
  const bands: Group[] = [];
  const parts = Math.max(1, Math.min(count, Math.floor(known.length / FEWEST)));
  let start = 0;
  for (let part = 1; part <= parts && start < known.length; part++) {
    let stop = part === parts ? known.length : Math.max(start + 1, Math.round((known.length * part) / parts));
    while (stop < known.length && values[known[stop] ?? 0] === values[known[stop - 1] ?? 0]) stop++;
    const own = known.slice(start, stop);
    bands.push({ from: values[own[0] ?? 0] ?? 0, to: values[own[own.length - 1] ?? 0] ?? 0, name: "", segments: own.sort((one, two) => one - two) });
    start = stop;
  }
  return bands;
}

export function documentGroups(names: readonly string[], documents: readonly number[]): Group[] {
  const groups = names.map((name): Group => ({ from: null, to: null, name, segments: [] }));
  for (const [segment, document] of documents.entries()) groups[document]?.segments.push(segment);
  return groups.filter((group) => group.segments.length > 0);
}

/** Segments with and without something; none where all are alike. */
export function presenceGroups(has: readonly boolean[], yes: string, no: string): Group[] {
  const groups = [yes, no].map((name, at): Group => ({ from: null, to: null, name, segments: has.flatMap((one, segment) => (one === (at === 0) ? [segment] : [])) }));
  return groups.every((group) => group.segments.length > 0) ? groups : [];
}

const T_TABLE = [NaN, 12.706, 4.303, 3.182, 2.776, 2.571];

/** The factor of a 95 % interval of a mean, after Student. */
export function tFactor(degrees: number): number {
  return T_TABLE[degrees] ?? 1.96 + 2.37 / degrees + 2.8 / degrees ** 2;
}

/** Mean of the scores of some segments and its 95 % interval; NaN where there is nothing to tell. */
export function meanOf(scores: (segment: number) => number, segments: readonly number[]): Mean {
  let n = 0;
  let sum = 0;
  for (const segment of segments) {
    const score = scores(segment);
    if (Number.isNaN(score)) continue;
    n++;
    sum += score;
  }
  const mean = n > 0 ? sum / n : NaN;
  let squares = 0;
  for (const segment of segments) {
    const score = scores(segment);
    if (!Number.isNaN(score)) squares += (score - mean) ** 2;
  }
  const half = n > 1 ? tFactor(n - 1) * Math.sqrt(squares / (n - 1) / n) : NaN;
  return { n, mean, low: mean - half, high: mean + half };
}
