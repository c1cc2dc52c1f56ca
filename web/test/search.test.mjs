import assert from "node:assert/strict";
import { test } from "node:test";
import { cutAtHits, searchFor } from "../src/search.ts";

const has = (query, text) => searchFor(query).test(text, text.toLowerCase());

test("a substring is found in any case, and signs mean themselves", () => {
  assert.ok(has("CAT", "concatenate"));
  assert.ok(has("a.b(", "xa.b(y"));
  assert.ok(!has("a.b", "axb"));
  assert.ok(has("猫", "吾輩は猫である"));
});

test("a pattern stands between slashes", () => {
  assert.ok(has("/c.t\\d+/", "Cat12"));
  assert.ok(!has("/^cat$/", "a cat"));
  assert.ok(has("/^b$/m", "a\nb\nc"));
});

test("a pattern that is none has an error and hides nothing", () => {
  const search = searchFor("/(/");
  assert.match(search.error, /regular expression|Unterminated/i);
  assert.ok(search.test("anything", "anything"));
});

test("hits are every second piece", () => {
  assert.deepEqual(cutAtHits("a CAT, a cat", searchFor("cat").hits), ["a ", "CAT", ", a ", "cat", ""]);
  assert.deepEqual(cutAtHits("abc", searchFor("/x*/").hits), ["abc"]);
  assert.deepEqual(cutAtHits("abc", null), ["abc"]);
});
