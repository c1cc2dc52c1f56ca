import assert from "node:assert/strict";
import { test } from "node:test";
import { cutAtUnseen, shortened, visible } from "../src/text.ts";

test("each character that acts unseen is cut out, the first one too, and again on the next text", () => {
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(cutAtUnseen("\u202eabc\u001b[31m"), ["", "\u202e", "abc", "\u001b", "[31m"]);
    assert.deepEqual(cutAtUnseen("plain"), ["plain"]);
  }
  assert.equal(visible("a\u2066b\u0000c\ud800\u{e0041}"), "a[LRI]b[NUL]c[U+D800][U+E0041]");
});

test("joiners of scripts and emoji stay", () => {
  for (const text of ["👩‍👩‍👧", "می‌خواهم", "क्‍ष"]) assert.deepEqual(cutAtUnseen(text), [text]);
});

test("a long name loses its middle", () => {
  assert.equal(shortened("abcdefghij", 5), "ab…ij");
  assert.equal(shortened("abcde", 5), "abcde");
});
