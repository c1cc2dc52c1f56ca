import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, wordsOf } from "../src/difference.ts";

test("words with their spaces are the text again", () => {
  for (const text of ["", "  a b  ", "The cat, sat.", "吾輩は猫である。名前はまだ無い", "مرحبا بالعالم"]) {
    assert.equal(wordsOf(text, "ja").join(""), text);
  }
});

test("a word that was changed is gone and new", () => {
  assert.deepEqual(difference("the cat sat down", "the dog sat down", "en"), [["same", "the"], ["gone", " cat"], ["new", " dog"], ["same", " sat down"]]);
});

test("what is the same or new is the second text, what is the same or gone has the words of the first", () => {
  const pairs = [["a b c d e f", "x b d y f z"], ["", "all new"], ["all gone", ""], ["東京に行く。", "大阪に行った。"], ["a  b", "a b"]];
  for (const [from, to] of pairs) {
    const pieces = difference(from, to, "ja");
    assert.equal(pieces.filter(([kind]) => kind !== "gone").map(([, text]) => text).join(""), to);
    assert.equal(pieces.filter(([kind]) => kind !== "new").map(([, text]) => text).join("").replace(/\s/g, ""), from.replace(/\s/g, ""));
  }
});

test("spaces alone make no difference", () => {
  assert.deepEqual(difference("a  b", "a b", "en"), [["same", "a b"]]);
});

test("texts too long to compare are one piece each", () => {
  const [a, b] = ["x ".repeat(3000), "y ".repeat(3000)];
  assert.deepEqual(difference(a, b, "en").map(([kind]) => kind), ["gone", "new"]);
});
