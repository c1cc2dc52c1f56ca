"""What each step of a training reads: judged translations, pairs, and damaged texts.

Everything that is drawn depends on the seed and the number of the step alone, so that a training
that was interrupted goes on as if it had not been.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tenbin.annotation.joint.pairs import JointRow, PairTokenizer
from tenbin.building.metric.damage import (
    MARGINS,
    USUAL_MARGIN,
    DamageGenerator,
    DamageKind,
    DamageTexts,
)
from tenbin.building.metric.judged_texts import JudgedBlock, JudgedPairs, JudgedRows, TextPool
from tenbin.building.metric.recipe import MetricRecipe
from tenbin.building.metric.subword_labels import SubwordLabels, SubwordTargets
from tenbin.core.arrays import FloatArray, IdArray, IntArray

OneGood = Callable[[np.random.Generator], tuple[int, int, int]]
"""Draws a reference, a translation of it that is not damaged, and the source (-1: not known)."""

_ROWS, _PAIRS, _DAMAGE = 1, 2, 3
_MULTIPLE = 8
# Texts that are tried before a step has fewer damaged texts than it should.
_TRIES = 15
_REFERENCES_DAMAGED = 0.3


class SplitTexts:
    """Texts as subwords; each is split once."""

    def __init__(
        self, tokenizer: PairTokenizer, pool: TextPool, numbers: IntArray, most: int
    ) -> None:
        """Split the texts that are used.

        Args:
            tokenizer: The tokenizer of the base model.
            pool: All texts.
            numbers: Those that are used; other ones are split when they are asked for.
            most: Most subwords of a text; the rest is cut off.
        """
        self._tokenizer, self._most = tokenizer, most
        self.texts = pool.listed()
        wanted = np.unique(numbers).tolist()
        split = self._split([self.texts[number] for number in wanted])
        self._ids: dict[int, IdArray] = dict(zip(wanted, split, strict=True))

    def row(self, reference: int, hypothesis: int) -> JointRow:
        """Return a reference and a hypothesis as one input."""
        return self._tokenizer.row(self.ids(reference), self.ids(hypothesis))

    def targets(self, reference: int, hypothesis: int, similar: FloatArray) -> SubwordTargets:
        """Return what is learned of the subwords of a row."""
        before, between, _, _ = self._tokenizer.special_ids
        texts = self.ids(reference), self.ids(hypothesis)
        places = np.arange(sum(map(len, texts))) + len(before)
        places[len(texts[0]) :] += len(between)
        return SubwordTargets(places, similar, texts)

    def rows(self, references: IntArray, hypotheses: IntArray) -> list[JointRow]:
        """Return references and hypotheses as inputs."""
        both = zip(references.tolist(), hypotheses.tolist(), strict=True)
        return [self.row(reference, hypothesis) for reference, hypothesis in both]

    def rows_with(self, references: Sequence[int], hypotheses: Sequence[str]) -> list[JointRow]:
        """Return inputs of hypotheses that are no texts of the pool."""
        split = self._split(hypotheses)
        return [
            self._tokenizer.row(self.ids(reference), ids)
            for reference, ids in zip(references, split, strict=True)
        ]

    def _split(self, texts: Sequence[str]) -> list[IdArray]:
        plain = [text.strip() for text in texts]
        return self._tokenizer.tokenizer.plain_ids(plain, self._most)

    def ids(self, number: int) -> IdArray:
        """Return a text as ids, without special tokens."""
        if number not in self._ids:
            self._ids[number] = self._split([self.texts[number]])[0]
        return self._ids[number]


@dataclass(frozen=True, slots=True, eq=False)
class StepExamples:
    """The inputs of a step, and what is to be learned from them.

    Attributes:
        inputs: All of them.
        singles: Places of inputs that have a label.
        labels: Their labels.
        label_weights: What each counts in the loss.
        better: Places of the better inputs of pairs.
        worse: Places of the worse ones.
        margins: By how much the better one should score higher.
        pair_weights: What each pair counts in the loss.
        subwords: What is learned of the subwords of inputs that have a label; of all or of none.
        subword_share: What each of these subwords counts in the loss.
    """

    inputs: Sequence[JointRow]
    singles: IntArray
    labels: FloatArray
    label_weights: FloatArray
    better: IntArray
    worse: IntArray
    margins: FloatArray
    pair_weights: FloatArray
    subwords: Sequence[SubwordTargets] = ()
    subword_share: float = 0.0

    def parts(self, subwords: int) -> Iterator["StepExamples"]:
        """Yield parts of about so many subwords, padding included; inputs of a part are alike long.

        The losses of the parts sum to that of the whole, and so do their gradients.
        """
        lengths = np.array([len(one) for one in self.inputs], dtype=np.int64)
        pair_lengths = np.maximum(lengths[self.better], lengths[self.worse])
        unit_lengths = np.concatenate([lengths[self.singles], pair_lengths])
        order = np.argsort(unit_lengths, kind="stable")
        split = len(self.singles)
        held: list[int] = []
        size = 0
        for unit in order.tolist():
            width = 1 if unit < split else 2
            longest = -(-int(unit_lengths[unit]) // _MULTIPLE) * _MULTIPLE
            if held and (size + width) * longest > subwords:
                yield self._part(np.array(held), split)
                held, size = [], 0
            held.append(unit)
            size += width
        if held:
            yield self._part(np.array(held), split)

    def _part(self, units: IntArray, split: int) -> "StepExamples":
        singles, pairs = np.sort(units[units < split]), np.sort(units[units >= split]) - split
        places = np.concatenate([self.singles[singles], self.better[pairs], self.worse[pairs]])
        count, double = len(singles), len(singles) + len(pairs)
        return StepExamples(
            inputs=[self.inputs[place] for place in places.tolist()],
            singles=np.arange(count),
            labels=self.labels[singles],
            label_weights=self.label_weights[singles],
            better=np.arange(count, double),
            worse=np.arange(double, len(places)),
            margins=self.margins[pairs],
            pair_weights=self.pair_weights[pairs],
            subwords=[self.subwords[place] for place in singles.tolist()] if self.subwords else (),
            subword_share=self.subword_share,
        )


@dataclass(frozen=True, slots=True)
class DamagedPair:
    """A text and a worse one, for the same reference.

    Attributes:
        reference: The number of the reference.
        good: The better text.
        bad: The worse one.
        kind: What was done to it.
    """

    reference: int
    good: str
    bad: str
    kind: DamageKind

    @property
    def margin(self) -> float:
        """By how much the better text should score higher."""
        return MARGINS.get(self.kind, USUAL_MARGIN)


class DrawnStep(NamedTuple):
    """What is drawn in a step, before it is split into subwords.

    Attributes:
        rows: Judged translations.
        pairs: Pairs of translations.
        damaged: Pairs of a text and a damaged one.
    """

    rows: JudgedRows
    pairs: JudgedPairs
    damaged: list[DamagedPair]


class ExampleSource:
    """Draws the examples of each step from weighted judgments."""

    def __init__(
        self,
        weighted: Sequence[tuple[JudgedBlock, float]],
        pool: TextPool,
        tokenizer: PairTokenizer,
        recipe: MetricRecipe,
        generator: DamageGenerator,
        subwords: SubwordLabels | None = None,
    ) -> None:
        """Collect the judgments that count.

        Args:
            weighted: Judgments and the weight of each of them.
            pool: Their texts.
            tokenizer: The tokenizer of the base model.
            recipe: How many are drawn in a step, and the seed.
            generator: Damages texts.
            subwords: What is learned of the subwords of all rows.
        """
        used = [(block, weight) for block, weight in weighted if weight > 0 and len(block)]
        self._recipe, self._pool = recipe, pool
        self._rows = JudgedRows.joined([block.rows for block, _ in used])
        self._pairs = JudgedPairs.joined([block.pairs for block, _ in used])
        self._row_chances = _chances([(len(block.rows), weight) for block, weight in used])
        self._pair_chances = _chances([(len(block.pairs), weight) for block, weight in used])
        rows, pairs = self._rows, self._pairs
        numbers = [rows.references, rows.hypotheses, pairs.references, pairs.better, pairs.worse]
        self.split = SplitTexts(tokenizer, pool, np.concatenate(numbers), recipe.length)
        self._generator, self._subwords = generator, subwords
        # What is damaged: translations, the better ones of pairs.
        self._good = np.stack(
            [
                np.concatenate([pairs.references, rows.references]),
                np.concatenate([pairs.better, rows.hypotheses]),
            ]
        )
        before = float(self._pair_chances[-1]) if len(pairs) else 0.0
        self._good_chances = np.concatenate([self._pair_chances, before + self._row_chances])
        self.shares = generator.kinds(has_sources=bool(pool.sources))

    @property
    def row_count(self) -> int:
        """Number of judged translations."""
        return len(self._rows)

    @property
    def pair_count(self) -> int:
        """Number of pairs."""
        return len(self._pairs)

    def drawn(self, number: int) -> DrawnStep:
        """Return what is drawn in a step."""
        recipe = self._recipe
        rows = self._rows.chosen(self._drawn(number, _ROWS, self._row_chances, recipe.rows))
        pairs = self._pairs.chosen(self._drawn(number, _PAIRS, self._pair_chances, recipe.pairs))
        return DrawnStep(rows, pairs, self._damaged(number) if self.shares else [])

    def step(self, number: int) -> StepExamples:
        """Return the examples of a step."""
        recipe, split = self._recipe, self.split
        rows, pairs, damaged = self.drawn(number)
        references = [one.reference for one in damaged]
        good = split.rows_with(references, [one.good for one in damaged])
        bad = split.rows_with(references, [one.bad for one in damaged])
        margins = [one.margin for one in damaged]
        inputs = [
            *split.rows(rows.references, rows.hypotheses),
            *split.rows(pairs.references, pairs.better),
            *good,
            *split.rows(pairs.references, pairs.worse),
            *bad,
        ]
        first, second, third = len(rows), len(pairs), len(good)
        weights = np.repeat(
            [recipe.pair_weight / max(second, 1), recipe.damage_weight / max(third, 1)],
            [second, third],
        )
        subwords = self._targets(rows)
        return StepExamples(
            inputs=inputs,
            singles=np.arange(first),
            labels=rows.labels,
            label_weights=np.full(first, 1 / max(first, 1)),
            better=first + np.arange(second + third),
            worse=first + second + third + np.arange(second + third),
            margins=np.concatenate([np.zeros(second), np.array(margins)]),
            pair_weights=weights,
            subwords=subwords,
            subword_share=1 / max(sum(len(one.places) for one in subwords), 1),
        )

    def _targets(self, rows: JudgedRows) -> list[SubwordTargets]:
        if self._subwords is None:
            return []
        similar = self._subwords.of(rows.references, rows.hypotheses)
        every = zip(rows.references.tolist(), rows.hypotheses.tolist(), similar, strict=True)
        return [self.split.targets(*one) for one in every]

    def _drawn(self, step: int, purpose: int, chances: FloatArray, count: int) -> IntArray:
        if not len(chances) or not count:
            return np.zeros(0, dtype=np.int64)
        rng = np.random.default_rng((self._recipe.seed, step, purpose))
        return _draw(rng, chances, count)

    def _damaged(self, step: int) -> list[DamagedPair]:
        rng = np.random.default_rng((self._recipe.seed, step, _DAMAGE))
        return draw_damage(
            self._generator,
            self.shares,
            rng,
            self._recipe.damaged,
            self._one_good,
            self.split.texts,
        )

    def _one_good(self, rng: np.random.Generator) -> tuple[int, int, int]:
        """Return a reference, its hypothesis and its source (-1: none)."""
        place = int(_draw(rng, self._good_chances, 1)[0])
        reference, hypothesis = self._good[:, place].tolist()
        return reference, hypothesis, self._pool.sources.get(reference, -1)


def draw_damage(
    generator: DamageGenerator,
    shares: dict[DamageKind, float],
    rng: np.random.Generator,
    count: int,
    one_good: OneGood,
    texts: Sequence[str],
) -> list[DamagedPair]:
    """Return pairs of a text and a damaged one.

    Args:
        generator: Damages texts.
        shares: How often each kind is drawn.
        rng: What is drawn from.
        count: How many are wanted; where texts are unfit, there are fewer.
        one_good: Draws a reference, its hypothesis and its source.
        texts: All texts by number.
    """
    kinds, chances = list(shares), np.cumsum(list(shares.values()))
    found: list[DamagedPair] = []
    for place in _draw(rng, chances, count).tolist():
        kind = kinds[place]
        for _ in range(_TRIES):
            reference, hypothesis, source = one_good(rng)
            other = texts[one_good(rng)[1]]
            if kind is DamageKind.IDENTITY:
                if texts[reference] != texts[hypothesis]:
                    good, bad = texts[reference], texts[hypothesis]
                    found.append(DamagedPair(reference, good, bad, kind))
                    break
                continue
            own = reference if rng.random() < _REFERENCES_DAMAGED else hypothesis
            beside = DamageTexts(source=texts[source] if source >= 0 else "", other=other)
            worse = generator.damaged(texts[own], kind, rng, beside)
            if worse is not None:
                found.append(DamagedPair(reference, texts[own], worse, kind))
                break
    return found


def _chances(counts: Sequence[tuple[int, float]]) -> FloatArray:
    """Return the summed weights of judgments, one after another."""
    if not counts:
        return np.zeros(0)
    return np.cumsum(np.repeat([weight for _, weight in counts], [count for count, _ in counts]))


def _draw(rng: np.random.Generator, summed: FloatArray, count: int) -> IntArray:
    found = np.searchsorted(summed, rng.random(count) * summed[-1], side="right")
    places: IntArray = np.minimum(found, len(summed) - 1).astype(np.int64)
    return places
