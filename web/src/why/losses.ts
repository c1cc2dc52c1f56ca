// What lowered a score most, read off an explanation.

import type { ExplanationPart } from "../schema";
import { importance, isSpecial, linksOf, plainToken, unmatched, wordsOf } from "./links";

export type LossCause = "order" | "wrong" | "extra" | "missing" | "weak" | "moved" | "words" | "member" | "terms";

/** Something that lowered a score: how much where that is known, and the words it is about. */
export interface Loss {
  cause: LossCause;
  amount: number | null;
  words: string[];
}

const MOST_WORDS = 4;
const SMALL = 0.0005;

interface ReadStep {
  label: string;
  meaning: string;
  value: number;
}

function stepsOf(part: ExplanationPart): ReadStep[] {
  return part.steps.map(([label, meaning, , value]) => ({ label, meaning, value }));
}

/** What each word adds to the learned score; null where the metric is not learned. */
export function contributionsOf(part: ExplanationPart): { word: string; value: number }[] | null {
  const found = part.steps.flatMap(([label, , , value]) => {
    const match = /^word \d+: (.*)$/su.exec(label);
    return match ? [{ word: match[1] ?? "", value }] : [];
  });
  return found.length > 0 ? found : null;
}

const MEMBER = "what this member adds";

/** What each member adds to a combination of metrics. */
export function membersOf(part: ExplanationPart): { word: string; value: number }[] | null {
  const found = part.steps.flatMap(([label, meaning, , value]) => (meaning === MEMBER ? [{ word: label, value }] : []));
  return found.length > 0 ? found : null;
}

/** The terms of a glossary by the metric that compares them; null where the metric is another. */
export function termStepsOf(part: ExplanationPart): { term: string; rendered: boolean }[] | null {
  const found = part.steps.flatMap(([label, , , value]) => {
    const match = /^term \d+: (.*)$/su.exec(label);
    return match ? [{ term: match[1] ?? "", rendered: value > 0 }] : [];
  });
  return found.length > 0 ? found : null;
}

/** Words that have no counterpart or a distant one, farthest first. */
function farWords(tokens: readonly string[], best: Float64Array): string[] {
  return [...tokens.keys()]
    .filter((at) => !isSpecial(tokens[at] ?? "") && (best[at] ?? 0) < 0.9)
    .sort((one, two) => (best[one] ?? 0) - (best[two] ?? 0))
    .slice(0, MOST_WORDS)
    .map((at) => plainToken(tokens[at] ?? "").text);
}

/** What lowered the score, most first. */
export function lossesOf(part: ExplanationPart): Loss[] {
  const steps = stepsOf(part);
  const value = (label: string): number | null => steps.find((step) => step.label === label)?.value ?? null;
  const links = linksOf(part);
  const losses: Loss[] = [];
  const known = (cause: LossCause, amount: number, words: string[] = []): void => {
    if (amount > SMALL) losses.push({ cause, amount, words });
  };
  const terms = termStepsOf(part);
  if (terms !== null) {
    const wrong = terms.filter((one) => !one.rendered);
    known("terms", wrong.length / terms.length, [...new Set(wrong.map((one) => one.term))].slice(0, MOST_WORDS));
    return losses;
  }
  const factor = value("factor");
  const before = value("score before penalty");
  if (factor !== null && before !== null) known("wrong", before * (1 - factor));
  for (const side of ["precision", "recall"]) {
    const kept = value(`factor of ${side}`);
    const plain = value(side);
    if (kept !== null && plain !== null) known("wrong", plain * (1 - kept));
  }
  const mean = value("F-mean");
  const penalty = value("penalty");
  if (mean !== null && penalty !== null) known("order", mean * Math.min(penalty, 1));
  const members = membersOf(part);
  if (members !== null)
    for (const { word, value: added } of members) if (added < 0) known("member", -added, [word]);
  const contributed = contributionsOf(part);
  if (contributed !== null) {
    const negative = contributed.filter((one) => one.value < -SMALL).sort((one, two) => one.value - two.value);
    const sum = negative.reduce((total, one) => total - one.value, 0);
    known("words", sum, negative.slice(0, MOST_WORDS).map((one) => one.word));
  }
  const moved = links.filter((link) => link.mass !== null && link.cost !== null);
  if (moved.length > 0) {
    const work = moved.reduce((total, link) => total + importance(link), 0);
    const dear = [...moved].sort((one, two) => importance(two) - importance(one)).filter((link) => importance(link) > 0);
    const words = dear.slice(0, 3).map((link) => `${wordsOf(part.hypothesis, link.own)} → ${wordsOf(part.reference, link.other)}`);
    const share = dear.slice(0, 3).reduce((total, link) => total + importance(link), 0);
    if (work > SMALL) losses.push({ cause: "moved", amount: share / work, words });
  } else if (part.exclusive) {
    const extra = unmatched(part.hypothesis, links.map((link) => link.own));
    const missing = unmatched(part.reference, links.map((link) => link.other));
    const counts = extra.length + missing.length;
    // F-mean falls short of 1 for what is not matched, on either side.
    const short = mean === null ? null : 1 - mean;
    const named = (tokens: readonly string[], places: readonly number[]): string[] =>
      places.slice(0, MOST_WORDS).map((at) => plainToken(tokens[at] ?? "").text);
    if (missing.length > 0)
      losses.push({ cause: "missing", amount: short === null ? null : (short * missing.length) / counts, words: named(part.reference, missing) });
    if (extra.length > 0)
      losses.push({ cause: "extra", amount: short === null ? null : (short * extra.length) / counts, words: named(part.hypothesis, extra) });
  } else if (links.length > 0 && part.hypothesis.length > 1) {
    const own = new Float64Array(part.hypothesis.length);
    const other = new Float64Array(part.reference.length);
    for (const link of links) {
      for (let at = link.own.start; at < link.own.stop; at++) own[at] = Math.max(own[at] ?? 0, link.similarity);
      for (let at = link.other.start; at < link.other.stop; at++) other[at] = Math.max(other[at] ?? 0, link.similarity);
    }
    const words = [...new Set([...farWords(part.reference, other), ...farWords(part.hypothesis, own)])].slice(0, 6);
    if (words.length > 0) losses.push({ cause: "weak", amount: null, words });
  }
  // What is known in points of the score first; a share of the work moved is known, too.
  return losses.sort((one, two) => (two.amount ?? -1) - (one.amount ?? -1));
}
