import assert from "node:assert/strict";
import { test } from "node:test";
import { marksOf, saidOf, SIGNS, termsOf } from "../src/terms.ts";

const report = {
  segments: { terms: [[1, 0, 2, "cat", "", [["rendered", 2, 5], ["forbidden", 0, 3]]], [1, 3, 4, "sword | blade", "of iron", [["missing", -1, -1], ["missing", -1, -1]]]] },
  sourceOf: () => "🐈の剣",
  hypothesisOf: (system) => (system === 0 ? "a cat" : "dog"),
};
const page = { report, t: (key, values = {}) => `${key}${Object.values(values).map((value) => `<${value}>`).join("")}` };

test("terms are found by segment, with what each system has", () => {
  assert.equal(marksOf(page, 0).length, 0);
  assert.deepEqual(termsOf(page, 0, 1)[0], { status: "rendered", term: "🐈", written: "cat", asked: "cat", note: "" });
  assert.deepEqual(termsOf(page, 1, 1).map((one) => [one.status, one.term, one.written]), [["forbidden", "🐈", "dog"], ["missing", "剣", null]]);
});

test("what became of a term is said in words, and has a sign of its own", () => {
  const [forbidden, missing] = termsOf(page, 1, 1);
  assert.equal(saidOf(page, forbidden), "terms.forbidden<dog>terms.asked<cat>");
  assert.equal(saidOf(page, missing), "terms.missingterms.asked<sword | blade>terms.note<of iron>");
  assert.equal(new Set(Object.values(SIGNS)).size, 3);
});

test("a report without a glossary has no terms", () => {
  assert.equal(marksOf({ report: { segments: { terms: null } } }, 0).length, 0);
  assert.equal(marksOf({ report: { segments: null } }, 0).length, 0);
});
