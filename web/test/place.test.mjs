import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, moved, placeOf } from "../src/place.ts";
import { numberFormat, translator } from "../src/words.ts";

const VIEWS = ["systems", "segments", "why"];

test("a segment alone opens in the view of segments, counted from 1", () => {
  assert.deepEqual(placeOf("#seg=17", VIEWS, 20), { view: "segments", segment: 16, options: {} });
  assert.equal(hashOf({ view: "segments", segment: 16, options: {} }), "#seg=17");
});

test("what is out of range or unknown falls back", () => {
  for (const hash of ["", "#", "#seg=0", "#seg=21", "#seg=1.5", "#seg=x", "#view=nowhere", "#%%%"]) {
    assert.equal(placeOf(hash, VIEWS, 20).segment, null, hash);
    assert.equal(placeOf(hash, VIEWS, 20).view, "systems", hash);
  }
});

test("a place comes back from its address", () => {
  const place = { view: "why", segment: 3, options: { metric: "chrf(word_order=2)", q: "a&b=c #猫" } };
  assert.deepEqual(placeOf(hashOf(place), VIEWS, 20), place);
});

test("options are merged, and an empty one is taken out", () => {
  assert.deepEqual(moved({ view: "a", segment: 1, options: { q: "x", sort: "worst" } }, { segment: null, options: { q: "", doc: "d" } }), { view: "a", segment: null, options: { sort: "worst", doc: "d" } });
});

test("words have values and plural forms", () => {
  const t = translator({ a: { b: "{n} segment|{n} segments", c: "{x} of {n}" } }, "en");
  assert.equal(t("a.b", { n: 1 }), "1 segment");
  assert.equal(t("a.b", { n: 2000 }), "2,000 segments");
  assert.equal(t("a.c", { x: "$&", n: 3 }), "$& of 3");
  assert.equal(t("a.missing"), "a.missing");
});

test("numbers have a true minus, no minus zero, and a dash where there is none", () => {
  const number = numberFormat("en");
  assert.deepEqual([number(-1.234, 2), number(-0.001, 2), number(null, 2), number(NaN, 1), number(1234.5, 1)], ["−1.23", "0.00", "–", "–", "1,234.5"]);
});
