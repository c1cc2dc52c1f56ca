import assert from "node:assert/strict";
import { test } from "node:test";
import { documentGroups, equalBands, lengthBands, meanOf, presenceGroups, tFactor } from "../src/analyses/groups.ts";
import { disagreements, median, outliersOf, quantile, standing } from "../src/analyses/outliers.ts";
import { matrix } from "../src/packing.ts";
import { shadeOf } from "../src/studies/grid.ts";
import { metaOf, tasksOf } from "../src/studies/meta.ts";
import { bandOf, choicesOf, profileOf, tuningsOf, valueOf } from "../src/studies/tune.ts";

test("bands of length hold every segment once; small ones join their neighbor", () => {
  const lengths = Array.from({ length: 200 }, (_, at) => 1 + (at % 27));
  const bands = lengthBands(lengths);
  assert.deepEqual(bands.flatMap((band) => band.segments).sort((a, b) => a - b), lengths.map((_, at) => at));
  for (const band of bands) for (const at of band.segments) assert.ok(lengths[at] >= band.from && lengths[at] <= band.to);
  for (const [at, band] of bands.entries()) if (at > 0) assert.equal(band.from, bands[at - 1].to + 1);
  assert.equal(bands[0].from, 1);
  assert.ok(bands.every((band) => band.segments.length >= 5));
  assert.deepEqual(lengthBands([3, 3, 50]).map((band) => band.segments), [[0, 1, 2]]);
  assert.deepEqual(lengthBands([]), []);
});

test("bands of a value are about as large as each other; equal values stay together", () => {
  const bands = equalBands(Float64Array.from({ length: 50 }, (_, at) => (at < 30 ? 1 : at)), 5);
  assert.equal(bands[0].segments.length, 30);
  assert.equal(bands.reduce((sum, band) => sum + band.segments.length, 0), 50);
  assert.deepEqual(equalBands([NaN, NaN], 5), []);
});

test("groups by document and by presence", () => {
  assert.deepEqual(documentGroups(["a", "empty", "b"], [0, 2, 0]).map((one) => [one.name, one.segments]), [["a", [0, 2]], ["b", [1]]]);
  assert.deepEqual(presenceGroups([true, false, true], "yes", "no").map((one) => one.segments), [[0, 2], [1]]);
  assert.deepEqual(presenceGroups([true, true], "yes", "no"), []);
});

test("the interval of a mean is Student's", () => {
  const { n, mean, low, high } = meanOf((at) => [1, 2, 3, NaN][at], [0, 1, 2, 3]);
  assert.deepEqual([n, mean], [3, 2]);
  assert.ok(Math.abs(high - 2 - 4.303 / Math.sqrt(3)) < 1e-9 && Math.abs(2 - low - (high - 2)) < 1e-9);
  // Values of the table of t, which the formula meets to the second digit.
  for (const [degrees, value] of [[6, 2.447], [10, 2.228], [30, 2.042], [100, 1.984]]) assert.ok(Math.abs(tFactor(degrees) - value) < 0.02, String(degrees));
  assert.ok(Number.isNaN(meanOf(() => NaN, [0]).mean));
});

test("medians and quantiles leave out what is missing", () => {
  assert.equal(median([3, NaN, 1]), 2);
  assert.equal(quantile([5, NaN, 1, 2, 3, 4], 0.9), 5);
  assert.ok(Number.isNaN(median([])) && Number.isNaN(quantile([NaN], 0.5)));
});

test("a translation far from those of the others stands out, missing ones do not", () => {
  const rows = 3;
  const columns = 40;
  const values = Float64Array.from({ length: rows * columns }, (_, at) => 50 + ((at * 7) % 11));
  values[1 * columns + 9] = 2;
  values[2 * columns + 3] = NaN;
  const [first, ...rest] = outliersOf(matrix(rows, columns, values), 5);
  assert.deepEqual([first.system, first.segment], [1, 9]);
  assert.ok(first.distance < -2.5);
  assert.ok(rest.every((one) => Number.isFinite(one.distance) && one.segment !== 9));
  assert.equal(outliersOf(matrix(1, 40, Float64Array.from({ length: 40 }, (_, at) => (at === 5 ? 90 : at % 4))), 5)[0].segment, 5);
  // Two systems: each is held against the other. All alike: nothing stands out.
  const two = Float64Array.from({ length: 80 }, (_, at) => (at === 47 ? 0 : 50 + ((at * 3) % 7)));
  assert.deepEqual(new Set(outliersOf(matrix(2, 40, two), 2).map((one) => one.segment)), new Set([7]));
  assert.deepEqual(outliersOf(matrix(3, 5, new Float64Array(15).fill(1)), 5), []);
});

test("standing counts from worst to best, whichever way a metric goes", () => {
  assert.deepEqual([...standing(matrix(1, 4, Float64Array.from([1, 2, 2, NaN])), true)].slice(0, 3).map((one) => Math.round(one * 6)), [1, 4, 4]);
  assert.ok(standing(matrix(1, 2, Float64Array.from([1, 2])), false)[0] > 0.5);
});

test("metrics disagree where one places high what the other places low", () => {
  const one = { metric: 0, columns: 4, values: standing(matrix(1, 4, Float64Array.from([1, 2, 3, 4])), true) };
  const two = { metric: 3, columns: 4, values: standing(matrix(1, 4, Float64Array.from([4, 3, 2, 4])), false) };
  const [most] = disagreements([one, two], 5);
  assert.deepEqual([most.segment, most.best, most.worst], [3, 0, 3]);
  assert.deepEqual(disagreements([one], 5), []);
});

const tuning = {
  tunings: [{
    metric: "chrf", signature: "chrf|", parameters: ["beta", "order"], measure: "kendall", pairs: [{ set: "s", pair: "de-en", human: "da-z", n: 5, counted: "translations" }],
    default: { setting: { beta: 2, order: 6 }, spec: "chrf", value: 0.2, by_pair: {}, by_fold: [0.1, 0.2, 0.3] },
    oracle: { setting: { beta: 3, order: 6 }, spec: "chrf", value: 0.3, by_pair: {}, by_fold: [0.2, 0.3, 0.4] },
    curve: [
      { setting: { beta: 3, order: 6 }, value: 0.3, by_pair: {}, by_fold: [0.2, 0.3, 0.4] }, { setting: { beta: 2, order: 6 }, value: 0.2, by_pair: {}, by_fold: [0.1, 0.2, 0.3] },
      { setting: { beta: 3, order: 5 }, value: null, by_pair: {}, by_fold: [null, null, null] },
    ],
    cross_validated: { value: 0.3, default: 0.2, oracle: 0.3, difference: 0.1, ci: [0.05, 0.15], folds: 2, unit: "documents", by_fold: [{ setting: { beta: 3, order: 6 }, value: 0.3, default: 0.2 }, { setting: { beta: 3, order: 6 }, value: null, default: 0.2 }] },
    edges: [{ parameter: "beta", side: "upper", value: 3, end_of_range: false, oracle: true, folds: 2 }],
  }],
  notes: ["x"],
};

test("a tuning is read with its band, profile and choices", () => {
  const [one] = tuningsOf(tuning);
  assert.deepEqual(profileOf(one, 0).map((setting) => [setting.values[0], setting.value]), [[2, 0.2], [3, 0.3]]);
  assert.deepEqual([...choicesOf(one.validation, 0)], [[3, 2]]);
  // Every fold gains the same over the default: no doubt about the difference.
  const [low, high] = bandOf(one.settings[0], one.fallback);
  assert.ok(Math.abs(low - 0.3) < 1e-9 && Math.abs(high - 0.3) < 1e-9);
  assert.equal(bandOf(one.settings[2], one.fallback), null);
  assert.deepEqual([valueOf([1, [2, true]]), valueOf(false), valueOf(null)], ["(1, (2, True))", "False", "–"]);
  assert.deepEqual(tuningsOf({}), []);
  assert.deepEqual([shadeOf(1, [1, 2, 3]), shadeOf(3, [1, 2, 3]), shadeOf(5, [5])], [0, 6, 6]);
});

test("a meta-evaluation is grouped by what was measured, the best metric first, undefined last", () => {
  const row = (metric, value) => ({ set: "wmt", pair: "de-en", metric, measure: "spa", human: "mqm", value, ci: null, n: 3, counted: "systems", rank: null, winner: null });
  const [task, ...rest] = tasksOf(metaOf({ rows: [row("a", null), row("b", 0.1), row("c", 0.2)], comparisons: [{ set: "wmt", pair: "de-en", measure: "spa", human: "mqm", better: "c", worse: "b", difference: 0.1, p_value: 0.01, test: "perm-both" }] }));
  assert.deepEqual(task.rows.map((one) => one.metric), ["c", "b", "a"]);
  assert.equal(task.comparisons.length, 1);
  assert.equal(rest.length, 0);
  assert.deepEqual(tasksOf(metaOf({})), []);
});
