"""ParaEval explained: the phrases with their sets and clips, the single words, the arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import Column
from tenbin.core.explanation import Step
from tenbin.kernels.phrases.clipping import PhraseMatch, TwoTierMatch, two_tier_match
from tenbin.kernels.phrases.sets import PhraseRows
from tenbin.metrics.f_score import EVEN, f_step
from tenbin.metrics.paraeval.choices import ParaEvalMeasure, RecallReference
from tenbin.penalty.applied_steps import SideLosses
from tenbin.resources.paraphrases import ParaphraseSets

_LISTED_PHRASES = 4
_LISTED_WORDS = 12
_Link = tuple[PhraseMatch, PhraseMatch]
_Sides = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Item:
    """A hypothesis and its references, as rows of a pool.

    Attributes:
        column: The tokens of the pool.
        rows: The phrases in them.
        hypothesis: Row of the hypothesis.
        references: Rows of the references.
        min_length: Least number of words of a phrase of the hypothesis.
        table: Where sets are looked up; None where there are none.
        joined: Whether sets that share a phrase are one.
    """

    column: Column
    rows: PhraseRows
    hypothesis: int
    references: list[int]
    min_length: int
    table: ParaphraseSets | None
    joined: bool

    def precision_match(self) -> TwoTierMatch:
        """Return what is matched in the hypothesis."""
        return two_tier_match(
            self.rows, self.hypothesis, self.references, least_scored=self.min_length
        )

    def recall_match(self, reference: int) -> TwoTierMatch:
        """Return what is matched in a reference, counted from 0."""
        return two_tier_match(
            self.rows, self.references[reference], [self.hypothesis], least_other=self.min_length
        )

    def tokens(self, row: int) -> tuple[str, ...]:
        """Return the words of a row."""
        return tuple(self.column.tokens(row))

    def best_reference(self, recalls: FloatArray | None) -> int:
        """Return the reference to show: that with the best recall, or that explains most words.

        Args:
            recalls: Matched words and words of each reference; None where recall does not count.
        """
        if recalls is not None:
            shares = recalls[:, 0] / np.maximum(recalls[:, 1], 1)
            longest_first = sorted(range(len(shares)), key=lambda n: -recalls[n, 1])
            return max(longest_first, key=lambda n: float(shares[n]))
        linked = [
            sum(len(match.hypothesis) for match in alignment_of(self, n).matches)
            for n in range(len(self.references))
        ]
        return int(np.argmax(linked))

    def name(self, number: int) -> str:
        """Return what a set is called."""
        return f"the sets joined with set {number}" if self.joined else f"set {number}"

    def members(self, number: int) -> str:
        """Return some phrases of a set."""
        if self.table is None:
            return ""
        phrases, offsets = self.table.sets
        numbers = phrases[offsets[number] : offsets[number + 1]].tolist()
        listed = [self.table.phrase(phrase) for phrase in numbers[:_LISTED_PHRASES]]
        more = [f"{len(numbers) - _LISTED_PHRASES:,} more"] if numbers[_LISTED_PHRASES:] else []
        return " | ".join([*listed, *more])


def alignment_of(
    item: Item, reference: int, measure: ParaEvalMeasure = ParaEvalMeasure.PRECISION
) -> Alignment:
    """Return the matches of the hypothesis with one reference, in the order of the hypothesis.

    A phrase or word that is matched by another reference alone has no link here.
    """
    other = item.references[reference]
    sides = item.tokens(item.hypothesis), item.tokens(other)
    if measure is ParaEvalMeasure.RECALL:
        found = item.recall_match(reference)
        links = [(own, their) for their, own in _linked(sides[1], found, sides[0], 0)]
        words = [(own, their) for their, own in _linked_words(sides[1], found, sides[0], 0)]
    else:
        found = item.precision_match()
        links = _linked(sides[0], found, sides[1], reference)
        words = _linked_words(sides[0], found, sides[1], reference)
    matches = [
        Match(
            hypothesis=Span(own.start, own.start + own.length),
            reference=Span(their.start, their.start + their.length),
            kind=MatchKind.PARAPHRASE,
            similarity=1.0,
            evidence=_evidence(item, sides, (own, their), found.clips[own.set]),
        )
        for own, their in links
    ]
    matches += [
        Match(
            hypothesis=Span(own_place, own_place + 1),
            reference=Span(place, place + 1),
            kind=MatchKind.EXACT,
            similarity=1.0,
            evidence=sides[0][own_place],
        )
        for own_place, place in words
    ]
    ordered = tuple(sorted(matches, key=lambda match: match.hypothesis))
    return Alignment(hypothesis=sides[0], reference=sides[1], matches=ordered)


def _evidence(item: Item, sides: _Sides, link: _Link, clip: int) -> str:
    own, their = link
    here = sides[0][own.start : own.start + own.length]
    there = sides[1][their.start : their.start + their.length]
    said = f"{item.name(own.set)}, clip {clip}"
    # That equal phrases are in one set is no news.
    return said if here == there else f"{said}: {item.members(own.set)}"


def _linked(
    scored: Sequence[str], found: TwoTierMatch, other: Sequence[str], number: int
) -> list[_Link]:
    """Return matched spans of the scored row with occurrences of their sets in another row.

    Which of them belong together is not for the score to say; equal ones are, then the leftmost.
    """
    free = sorted(found.occurrences[number])
    links: list[_Link] = []
    left = sorted(found.phrases)
    for equal in (True, False):
        for span in list(left):
            text = scored[span.start : span.start + span.length]
            for occurrence in free:
                there = other[occurrence.start : occurrence.start + occurrence.length]
                if occurrence.set == span.set and (text == there or not equal):
                    links.append((span, occurrence))
                    left.remove(span)
                    free.remove(occurrence)
                    break
    return links


def _linked_words(
    scored: Sequence[str], found: TwoTierMatch, other: Sequence[str], number: int
) -> list[tuple[int, int]]:
    """Return places of single words that match, on the scored side and in another row."""
    taken = {match.set for match in found.phrases}
    covered = {
        place
        for match in found.occurrences[number]
        if match.set in taken
        for place in range(match.start, match.start + match.length)
    }
    free = [place for place in range(len(other)) if place not in covered]
    links = []
    for own in found.words:
        place = next((place for place in free if other[place] == scored[own]), None)
        if place is not None:
            free.remove(place)
            links.append((own, place))
    return links


def score_steps(
    item: Item,
    measure: ParaEvalMeasure,
    choice: RecallReference,
    recalls: FloatArray | None,
    losses: Sequence[SideLosses],
) -> tuple[Step, ...]:
    """Return the way from the matches of an item to its score; the last step is the score.

    Args:
        item: The item.
        measure: What is the score.
        choice: Which references count for recall.
        recalls: Matched words and words of each reference; None where recall does not count.
        losses: What wrong names and numbers leave, by each reference.
    """
    steps: list[Step] = []
    if measure is not ParaEvalMeasure.RECALL:
        own = item.tokens(item.hypothesis)
        steps += _side_steps(item, own, item.precision_match(), "the translation", "precision")
        least_wrong = max(losses, key=lambda one: one.precision)
        steps += least_wrong.precision_steps(steps[-1].value)
    if recalls is None:
        return tuple(steps)
    precision = steps[-1].value if steps else 0.0
    if choice is RecallReference.MAX:
        chosen = [item.best_reference(recalls)]
    else:
        chosen = list(range(len(item.references)))
    each = []
    for number in chosen:
        name = f"recall {number + 1}" if len(chosen) > 1 else "recall"
        side = item.tokens(item.references[number])
        place = f"reference {number + 1}" if len(item.references) > 1 else "the reference"
        steps += _side_steps(item, side, item.recall_match(number), place, name)
        steps += losses[number].recall_steps(steps[-1].value)
        each.append(steps[-1].value)
    recall = sum(each) / len(each)
    if len(chosen) > 1:
        formula = f"({' + '.join(f'{value:.4f}' for value in each)}) / {len(each)}"
        steps.append(Step("recall", "mean over the references", formula, recall))
    if measure is ParaEvalMeasure.F:
        steps.append(f_step("score", precision, recall, EVEN, "harmonic mean of both"))
    return tuple(steps)


def _side_steps(
    item: Item, words: tuple[str, ...], found: TwoTierMatch, side: str, name: str
) -> list[Step]:
    """Return the steps for the side that is counted: phrases, single words, quotient."""
    steps = []
    clipping = "one reference" if side == "the translation" else "the translation"
    used: dict[int, int] = {}
    for match in found.phrases:
        used[match.set] = used.get(match.set, 0) + 1
        text = " ".join(words[match.start : match.start + match.length])
        formula = f"{used[match.set]} of {found.clips[match.set]} that {clipping} has"
        meaning = f"words of {text!r}, {item.name(match.set)}"
        steps.append(Step("phrase", meaning, formula, float(match.length)))
    in_phrases = sum(match.length for match in found.phrases)
    single = [words[place] for place in found.words]
    listed = " ".join(single[:_LISTED_WORDS]) + (" …" if single[_LISTED_WORDS:] else "")
    steps.append(Step("words", "equal words besides, clipped", listed, float(len(single))))
    steps.append(Step("length", f"words of {side}", "", float(len(words))))
    formula = f"({in_phrases} + {len(single)}) / {len(words)}" if words else "0"
    value = (in_phrases + len(single)) / len(words) if words else 0.0
    steps.append(Step(name, f"matched words of {side}", formula, value))
    return steps
