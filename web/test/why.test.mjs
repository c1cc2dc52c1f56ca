import assert from "node:assert/strict";
import { test } from "node:test";
import { bestOf, heatStep } from "../src/why/heatmap.ts";
import { blocksOf, ends, labelPoints, onCurve, ribbon } from "../src/why/layout.ts";
import { chunksOf, formOf, linksOf, tokensOf, unmatched, wordsOf } from "../src/why/links.ts";
import { contributionsOf, lossesOf } from "../src/why/losses.ts";
import { phrase, phraseKey } from "../src/why/phrases.ts";
import { explainCommand, shellWord } from "../src/why/unexplained.ts";

const link = (own, other, similarity = 1, kind = "exact") => ({
  own: { start: own, stop: own + 1 }, other: { start: other, stop: other + 1 }, kind, similarity, evidence: "", mass: null, cost: null,
});

const part = (changes) => ({
  system: 0, segment: 0, metric: 0, score: 0, hypothesis: ["a", "b"], reference: ["a", "c"], comparedWith: "reference", referenceIndex: 0, exclusive: true,
  matches: [[0, 1, 0, 1, "exact", 1, "a", null, null]], steps: [], ...changes,
});

test("a line holds as many words as fit, and at least one", () => {
  assert.deepEqual(ends([5, 5, 5, 20, 1], 10), [2, 3, 3, 4, 5]);
});

test("two sentences that fit stand in one block", () => {
  assert.deepEqual(blocksOf([10, 10], [10], [], 100), [{ own: { start: 0, stop: 2 }, other: { start: 0, stop: 1 } }]);
  assert.deepEqual(blocksOf([], [], [], 100), []);
  assert.deepEqual(blocksOf([], [10], [], 100), [{ own: null, other: { start: 0, stop: 1 } }]);
});

test("blocks hold every word once, within the width, and cut few links", () => {
  const own = Array(30).fill(10);
  const other = Array(36).fill(10);
  const links = own.map((_, at) => link(at, at + 6));
  const blocks = blocksOf(own, other, links, 120);
  assert.deepEqual(blocks.flatMap(({ own: span }) => (span ? [span.start, span.stop] : [])).at(-1), 30);
  let [i, j, cut] = [0, 0, 0];
  for (const block of blocks) {
    assert.equal(block.own?.start ?? i, i);
    assert.equal(block.other?.start ?? j, j);
    assert.ok((block.own?.stop ?? i) - i <= 12 && (block.other?.stop ?? j) - j <= 12);
    const [k, l] = [block.own?.stop ?? i, block.other?.stop ?? j];
    cut += links.filter(({ own: a, other: b }) => (a.start >= i && a.start < k) !== (b.start >= j && b.start < l)).length;
    [i, j] = [k, l];
  }
  assert.deepEqual([i, j], [30, 36]);
  assert.equal(cut, 0);
});

test("a text of a thousand words is laid out in lines too", () => {
  const words = Array(1000).fill(30);
  const blocks = blocksOf(words, words, words.map((_, at) => link(at, at)), 900);
  assert.equal(blocks.at(-1)?.own?.stop, 1000);
  assert.ok(blocks.length < 60);
});

test("letters of curves do not touch", () => {
  const curves = [0, 4, 8].map((x) => [{ x, y: 0 }, { x, y: 90 }]);
  const points = labelPoints(curves, 15);
  for (const [at, one] of points.entries()) for (const other of points.slice(at + 1)) assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= 15);
  assert.deepEqual(onCurve({ x: 0, y: 0 }, { x: 10, y: 80 }, 0.5), { x: 5, y: 40 });
  assert.match(ribbon([0, 4], [10, 12], 0, 80), /^M0,0C.*Z$/);
});

test("runs go on while both sides do", () => {
  const links = [link(0, 1), link(1, 2), link(2, 0), link(4, 3)];
  assert.deepEqual(chunksOf(links).map((chunk) => chunk.length), [2, 1, 1]);
});

test("marks of a model are no unmatched words, subwords are joined", () => {
  assert.deepEqual(unmatched(["[CLS]", "a", "b", "[SEP]"], [{ start: 1, stop: 2 }]), [2]);
  assert.equal(wordsOf(["thought", "##less", "thing"], { start: 0, stop: 3 }), "thoughtless thing");
});

test("a wrong name is found among tokens, whatever their pieces", () => {
  assert.deepEqual(tokensOf(["in", "New", "York", "City", "now"], "New York"), [1, 2]);
  assert.deepEqual(tokensOf(["1", ",", "000", "men"], "1,000"), [0, 2]);
  assert.deepEqual(tokensOf(["mul", "##ler", "x"], "Muller"), [0, 1]);
  assert.deepEqual(tokensOf(["a"], "b"), []);
});

test("what is drawn follows from the links", () => {
  assert.equal(formOf(part({})), "curves");
  assert.equal(formOf(part({ exclusive: false })), "heat");
  assert.equal(formOf(part({ exclusive: false, matches: [[0, 1, 0, 1, "exact", 1, "", 0.5, 0]] })), "ribbons");
  assert.equal(formOf(part({ exclusive: false, hypothesis: ["x"], reference: ["y"] })), "whole");
  assert.equal(linksOf(part({}))[0].own.stop, 1);
});

test("the best of each row and column, the first of equals", () => {
  const { byOwn, byOther } = bestOf([link(0, 0, 0.5), link(0, 1, 0.9), link(1, 1, 0.9)]);
  assert.deepEqual([...byOwn], [1, 2]);
  assert.deepEqual([...byOther], [0, 1]);
  assert.deepEqual([-0.2, 0, 0.5, 0.999, 1].map(heatStep), [0, 0, 3, 5, 6]);
});

test("losses of METEOR add up to what is missing to 1", () => {
  const steps = [["F-mean", "", "", 0.75], ["penalty", "", "", 0.4], ["score", "", "", 0.45]];
  const losses = lossesOf(part({ steps, score: 0.45 }));
  assert.deepEqual(losses.map((loss) => loss.cause), ["order", "missing", "extra"]);
  assert.ok(Math.abs(losses.reduce((sum, loss) => sum + loss.amount, 0) - 0.55) < 1e-12);
});

test("moves that cost most come first; equal texts lost nothing", () => {
  const matches = [[0, 1, 0, 1, "exact", 1, "", 0.5, 0], [1, 2, 1, 2, "vector", 0.5, "", 0.5, 0.8]];
  assert.deepEqual(lossesOf(part({ exclusive: false, matches })), [{ cause: "moved", amount: 1, words: ["b → c"] }]);
  assert.deepEqual(lossesOf(part({ hypothesis: ["a"], reference: ["a"] })), []);
});

test("contributions of words are read off the steps", () => {
  assert.deepEqual(contributionsOf(part({ steps: [["word 1: a", "what it contributes", "", 0.5], ["rest", "", "", 0]] })), [{ word: "a", value: 0.5 }]);
  assert.equal(contributionsOf(part({})), null);
});

test("phrases keep their numbers in another language, and stay where the table lacks them", () => {
  assert.equal(phraseKey("content words weigh 0.75, function words 0.25"), "content_words_weigh_#_function_words_#");
  const page = { t: (key, values) => (key === "why.phrases.cosine_#" ? `コサイン ${values.a}` : key) };
  assert.equal(phrase(page, "cosine 0.81"), "コサイン 0.81");
  assert.equal(phrase(page, "no such phrase 3"), "no such phrase 3");
});

test("names in a command are quoted for a shell", () => {
  assert.equal(shellWord("system-A.txt"), "system-A.txt");
  assert.equal(shellWord("it's $x"), `'it'"'"'s $x'`);
  assert.equal(explainCommand("tenbin explain -t {system} -n {segment} -m {metric}", "a b", 16, "chrf(beta=2)"), "tenbin explain -t 'a b' -n 17 -m 'chrf(beta=2)'");
  assert.equal(explainCommand("-t '{system}' -m '{metric}'", "$it's", 0, "bleu"), `-t '$it'"'"'s' -m bleu`);
});

test("the metric of terms is lowered by terms alone, each named once", () => {
  const part = {
    matches: [], hypothesis: ["x"], reference: ["y"], exclusive: true, comparedWith: "source",
    steps: [["term 1: 剣", "missing: sword", "", 0], ["term 2: 剣", "missing: sword", "", 0], ["term 3: 猫", "rendered as asked: cat", "", 1], ["score", "", "1 / 3", 1 / 3]],
  };
  assert.deepEqual(lossesOf(part), [{ cause: "terms", amount: 2 / 3, words: ["剣"] }]);
});
