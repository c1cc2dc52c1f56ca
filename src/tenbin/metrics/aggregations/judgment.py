"""What a judge learned from people, mixed with BERTScore of the same model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import LCSseq

from tenbin.annotation.joint.contributions import Contributions, word_contributions
from tenbin.annotation.joint.pair_cache import Pair
from tenbin.core.alignment import Alignment, MatchKind
from tenbin.core.arrays import FloatArray, Numbering, Ragged
from tenbin.core.batch import Batch
from tenbin.core.explanation import Step
from tenbin.metrics.aggregations.aggregation import Aggregation, Explained
from tenbin.metrics.aggregations.baseline import NONE
from tenbin.metrics.aggregations.greedy import BertScoreMeans
from tenbin.metrics.aggregations.letters import letter_steps, letters_of, with_letters
from tenbin.metrics.aggregations.links import link, without_special_tokens
from tenbin.metrics.choices import BertScoreMeasure
from tenbin.metrics.f_score import EVEN, f_step, weighted_f
from tenbin.metrics.representations.compared import Compared, compared_parts
from tenbin.metrics.representations.judged_texts import JudgedTexts
from tenbin.metrics.written_numbers import n
from tenbin.penalty.choices import Coefficient, NameSource, Penalty

_PAIRS_AT_ONCE = 4_000
_LEARNED = "learned score"
_VALUES = 3
"""Precision, recall, and what the judge says; with a share of 1 only the last is computed."""


@dataclass(frozen=True, kw_only=True)
class JudgmentMixture(Aggregation):
    """A share of what the judge says, and for the rest F of the most similar subwords.

    Pairs are judged once, and what they scored is cached.

    Attributes:
        share: The share of the learned score; the rest is BERTScore. None: as the adapter says.
        letters: The share of the letters in common, in their order, in the score.
    """

    reads_blocks: ClassVar[bool] = False

    language: str
    share: float | None
    letters: float

    @property
    def bertscore(self) -> BertScoreMeans:
        """What gives precision and recall."""
        return BertScoreMeans(
            language=self.language,
            idf=False,
            penalty=Penalty.NONE,
            names=NameSource.AUTO,
            coefficient=Coefficient.DIRECTION,
            layer=None,
            measure=BertScoreMeasure.F_SCORE,
            baseline=NONE,
        )

    def scores(self, compared: Compared) -> FloatArray:
        """Return the scores of some pairs."""
        precision, recall, learned = self._values(compared)[compared.pairs].T
        mixed: FloatArray = self._mixed(learned, weighted_f(precision, recall, EVEN))
        return with_letters(mixed, letters_of(compared, self.letters, trimmed=True), self.letters)

    def explanation(self, compared: Compared) -> Explained:
        """Return the most similar subwords as links, and what each word contributes.

        Where BERTScore has no share, links are of equal subwords alone, and count nothing.
        """
        texts, alike = _judged(compared), letters_of(compared, self.letters, trimmed=True)
        learned = float(self._values(compared)[compared.first, 2])
        found = word_contributions(texts.judge(), *compared.strings())
        if not texts.compares:
            last = letter_steps(learned, alike, self.letters, _LEARNED)
            return _equal_subwords(compared), (*_judge_steps(found, learned), *last)
        explained = self.bertscore.sides_explained(compared)
        both = f_step("BERTScore", explained.precision, explained.recall, EVEN, "F of both")
        steps = [*explained.steps, both, *_judge_steps(found, learned)]
        share = self.share or 0.0
        formula = f"{n(share)} × {n(learned)} + {n(1 - share)} × {n(both.value)}"
        score = float(self._mixed(np.array(learned), np.array(both.value)))
        steps.append(Step("sense", "what was learned and BERTScore, by share", formula, score))
        return explained.links, (*steps, *letter_steps(score, alike, self.letters, "sense"))

    def _mixed(self, learned: FloatArray, plain: FloatArray) -> FloatArray:
        share = self.share or 0.0
        # At least one of both is a rounding away from 1 where both are 1.
        mixed: FloatArray = share * learned + (1 - share) * plain
        return mixed

    def _values(self, compared: Compared) -> FloatArray:
        """Return precision, recall and what the judge says of all pairs of a batch."""
        batch, texts = compared.batch, _judged(compared)

        def looked_up() -> FloatArray:
            left, right = texts.texts_of_pairs(batch)
            strings = [text.strip() for text in batch.strings]
            every = [(strings[own], strings[other]) for own, other in zip(left, right, strict=True)]
            numbering: dict[Pair, int] = {}
            places = [numbering.setdefault(pair, len(numbering)) for pair in every]
            values = self._distinct_values(texts, list(numbering))
            return values[places]

        return batch.once(("judged pairs", *texts.key()), looked_up)

    def _distinct_values(self, texts: JudgedTexts, pairs: Sequence[Pair]) -> FloatArray:
        """Return the values of pairs: from the cache, else computed."""
        values = np.zeros((len(pairs), _VALUES))
        cache = texts.pair_cache()
        found = {} if cache is None else cache.find(pairs)
        for place, row in found.items():
            values[place] = row
        missing = [place for place in range(len(pairs)) if place not in found]
        # In parts, so that finished pairs are cached even if a later part fails.
        for start in range(0, len(missing), _PAIRS_AT_ONCE):
            some = missing[start : start + _PAIRS_AT_ONCE]
            wanted = [pairs[place] for place in some]
            values[some] = self._computed(texts, wanted)
            if cache is not None:
                cache.store(wanted, values[some])
        return values

    def _computed(self, texts: JudgedTexts, pairs: Sequence[Pair]) -> FloatArray:
        """Return the values of pairs that are not cached."""
        learned = texts.judge().scores(pairs)
        if not texts.compares:
            return np.column_stack([np.zeros((len(pairs), _VALUES - 1)), learned])
        batch = _batch_of(pairs)
        parts = [
            self.bertscore.sides(compared, compared.blocks)
            for compared in compared_parts(texts, batch)
        ]
        return np.column_stack([np.concatenate(parts), learned])


def _judged(compared: Compared) -> JudgedTexts:
    if not isinstance(compared.representation, JudgedTexts):
        raise TypeError("the mixture needs a judge, which the representation does not have")
    return compared.representation


def _batch_of(pairs: Sequence[Pair]) -> Batch:
    """Return a batch with an item for each pair."""
    numbering = Numbering()
    own = numbering.numbers([hypothesis for hypothesis, _ in pairs])
    other = numbering.numbers([reference for _, reference in pairs])
    return Batch(
        strings=tuple(numbering),
        hypotheses=own.astype(np.int64),
        references=Ragged(other.astype(np.int32), np.arange(len(pairs) + 1)),
        segments=np.arange(len(pairs)),
        columns={},
    )


def _judge_steps(found: Contributions | None, learned: float) -> list[Step]:
    """Return the steps to what the judge says: what each word contributes to it."""
    if found is None:
        why = "equal to the reference: 1" if learned else "a text is empty: 0"
        return [Step(_LEARNED, why, "", learned)]
    steps = [Step("words hidden", "learned score where every word is hidden", "", found.hidden)]
    steps += [
        Step(f"word {number}: {word.word}", "what it contributes", "", word.value)
        for number, word in enumerate(found.words, start=1)
    ]
    steps.append(Step("rest", "what the words do not account for", "", found.rest))
    summed = sum(word.value for word in found.words)
    signed = [f"{'-' if value < 0 else '+'} {n(abs(value))}" for value in (summed, found.rest)]
    formula = f"{n(found.hidden)} {signed[0]} {signed[1]}"
    meaning = "words hidden + all words + rest (integrated gradients)"
    return [*steps, Step(_LEARNED, meaning, formula, learned)]


def _equal_subwords(compared: Compared) -> Alignment:
    """Return links of subwords that both texts have, in the same order; no special tokens."""
    own, other = compared.words()
    counted = compared.weights.own > 0
    matches = [
        link(place, their_place, MatchKind.EXACT, 1.0, own[place])
        for block in LCSseq.opcodes(own, other)
        if block.tag == "equal"
        for place, their_place in zip(
            range(block.src_start, block.src_end),
            range(block.dest_start, block.dest_end),
            strict=True,
        )
        if counted[place]
    ]
    links = Alignment(hypothesis=own, reference=other, matches=tuple(matches))
    return without_special_tokens(links, compared)
