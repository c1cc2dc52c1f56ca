import assert from "node:assert/strict";
import { test } from "node:test";
import { matrix } from "../src/packing.ts";
import { reportOf } from "../src/report.ts";
import { Facts, sortedBy } from "../src/views/segments/facts.ts";
import { answer, queryOf } from "../src/views/segments/query.ts";

const SEGMENTS = [["The cat", "A"], ["A DOG", "B"], ["cats (3)", "C"], ["bird", "D"]];

/** Two systems, four segments, one metric where higher is better and one where lower is. */
function page(options = {}, selection = null) {
  const metric = (name, higherIsBetter) => ({ metric: name, title: name, higherIsBetter, decimals: 1, scores: higherIsBetter ? [10, 20] : [50, 40], segments: null });
  const report = reportOf({
    systems: ["s1", "s2"], metrics: [metric("up", true), metric("down", false)], human: [],
    segments: {
      count: 4, texts: SEGMENTS.map(([source, text]) => [source, `ref ${text}`, `one ${text}`, `two ${text}`]),
      columns: [["source", ""], ["reference", "refA"], ["system", "s1"], ["system", "s2"]].map(([role, name]) => ({ role, name, language: "en", direction: "ltr" })),
      documentNames: ["d1", "d2"], documents: [0, 0, 1, 1], flags: [[1, 2, "number", null, "3"], [0, 0, "name", "x", "y"], [1, 0, "name", null, "y"]],
      lengths: { shape: [1, 4], decimals: 0, offset: 0, bytes: 1, data: Buffer.from([5, 9, 2, 7]).toString("base64") },
    },
  });
  report.segmentScores = [matrix(2, 4, Float64Array.from([10, 40, NaN, 30, 20, 0, NaN, 35])), matrix(2, 4, Float64Array.from([1, 2, 3, 4, 4, 3, 2, 1]))];
  return { report, place: { view: "segments", segment: null, options }, selection };
}

/** Numbers of segments from 1 in the order they are listed. */
function listed(options, selection) {
  const given = page(options, selection);
  return Array.from(answer(given, new Facts(given.report), queryOf(given, 3)).order, (at) => at + 1);
}

const CASES = [
  [{}, [1, 2, 3, 4]],
  [{ sort: "worst", metric: "up" }, [1, 2, 4, 3]],
  [{ sort: "worst", metric: "up", of: "s2" }, [2, 1, 4, 3]],
  [{ sort: "worst", metric: "down", of: "s1" }, [4, 3, 2, 1]],
  [{ sort: "best", metric: "down", of: "s1" }, [1, 2, 3, 4]],
  [{ sort: "systems", metric: "up", a: "s1", b: "s2" }, [2, 1, 4, 3]],
  [{ sort: "loses", metric: "up", a: "s1", b: "s2" }, [1, 4, 2, 3]],
  [{ sort: "loses", metric: "down", a: "s1", b: "s2" }, [4, 3, 2, 1]],
  [{ sort: "longest" }, [2, 4, 1, 3]],
  [{ sort: "shortest" }, [3, 1, 4, 2]],
  [{ sort: "flags" }, [1, 3, 2, 4]],
  [{ sort: "flags", shown: "2" }, [1, 3, 2, 4]],
  [{ q: "CAT" }, [1, 3]],
  [{ q: "/^cat/m" }, [3]],
  [{ q: "d2" }, [3, 4]],
  [{ q: "/(/" }, [1, 2, 3, 4]],
  [{ doc: "d2" }, [3, 4]],
  [{ metric: "up", min: "16" }, [2, 4]],
  [{ metric: "up", max: "16" }, [1]],
  [{ shortest: "5", longest: "7" }, [1, 4]],
  [{ only: "flags" }, [1, 3]],
  [{ only: "flags", shown: "1" }, [1]],
  [{ sort: "nonsense", metric: "nonsense", a: "nobody", min: "x", doc: "none" }, [1, 2, 3, 4]],
];
for (const [options, expected] of CASES) {
  test(`segments of ${JSON.stringify(options)}`, () => assert.deepEqual(listed(options), expected));
}

test("only the selection, where there is one", () => {
  assert.deepEqual(listed({ only: "selection" }, new Set([1, 3])), [2, 4]);
  assert.deepEqual(listed({ only: "selection" }, null), [1, 2, 3, 4]);
});

test("segments of equal scores share a place, and one metric against itself never disagrees", () => {
  const facts = new Facts(page().report);
  assert.deepEqual(Array.from(facts.share(1, [0, 1])), [0.5, 0.5, 0.5, 0.5]);
  assert.deepEqual(Array.from(facts.share(1, [0])), [1, 2 / 3, 1 / 3, 0]);
  assert.deepEqual(listed({ sort: "metrics", metric: "up", other: "up" }), [1, 2, 4, 3]);
});

test("equal keys keep their order and missing ones go last", () => {
  assert.deepEqual(Array.from(sortedBy(5, (at) => [2, NaN, 1, 2, 1][at])), [2, 4, 0, 3, 1]);
});
