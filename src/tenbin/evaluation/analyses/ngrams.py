"""N-grams of the references that one system renders and another does not.

Each n-gram counts once per segment: a reference has it, and a translation of that segment has it or
has not. Pairs of systems are compared by the difference of the smoothed log-odds of having it, in
units of its standard error.
"""

from collections.abc import Sequence
from itertools import pairwise, permutations

import numpy as np
import numpy.typing as npt

from tenbin.annotation.languages import parse_language
from tenbin.core.arrays import FloatArray, IntArray, Numbering
from tenbin.core.batch import Column
from tenbin.core.report import NgramContrast, RenderedNgram
from tenbin.core.text import TestSet
from tenbin.evaluation.analyses.words import is_word, word_column

LONGEST = 4
MOST_CHARACTERS = 2_500_000
"""Text that is cut into words; of a larger test set the first segments."""
_MOST_UNSPACED = 600_000  # words that no spaces separate take longer to find
_MOST_SYSTEMS = 8
_MOST_ROWS = 12
_MOST_SEGMENTS = 30
_LEAST_ALONE = 2
_SMOOTHING = 0.5

Hits = npt.NDArray[np.bool_]


def ngram_contrasts(
    texts: TestSet, language: str, order: Sequence[int], *, baseline: int | None = None
) -> tuple[NgramContrast, ...]:
    """Return what systems render of the references and others do not.

    Of at most eight systems every one is compared with every other; of more systems each with the
    best one (or the baseline) and with its neighbors in the ranking.

    Args:
        texts: The texts.
        language: The target language.
        order: Positions of the systems, best first.
        baseline: Position of the system that the others are compared with.
    """
    if not texts.has_references or len(texts.systems) < 2:  # noqa: PLR2004 - two make a pair
        return ()
    part = texts.part(0, _counted_segments(texts, spaced=parse_language(language).spaced))
    counted = _CountedNgrams.of(part, language)
    pairs = _pairs(order, baseline)
    contrasts = (NgramContrast(a=a, b=b, rows=counted.rows(a, b)) for a, b in pairs)
    return tuple(one for one in contrasts if one.rows)


def _counted_segments(texts: TestSet, *, spaced: bool) -> int:
    """Return how many segments are read: as many as can be cut into words in a short time."""
    columns = [[some[0] for some in texts.references], *texts.hypotheses.values()]
    lengths = np.sum([[len(text) for text in column] for column in columns], axis=0)
    most = MOST_CHARACTERS if spaced else _MOST_UNSPACED
    return max(1, int(np.searchsorted(np.cumsum(lengths), most, side="right")))


def _pairs(order: Sequence[int], baseline: int | None) -> list[tuple[int, int]]:
    if len(order) <= _MOST_SYSTEMS:
        return sorted(permutations(order, 2))
    center = order[0] if baseline is None else baseline
    near = [(center, one) for one in order if one != center]
    near += pairwise(order)
    return sorted({*near, *((b, a) for a, b in near)})


class _CountedNgrams:
    """Which n-grams of the references each system has.

    Attributes:
        names: The n-grams as text.
        grams: For each distinct pair of a segment and an n-gram of its reference: the n-gram.
        segments: The segment of each of these pairs.
        hits: Whether each system has the n-gram there, shape (systems, pairs).
    """

    def __init__(
        self, names: Sequence[str], grams: IntArray, segments: IntArray, hits: Hits
    ) -> None:
        self.names = names
        self.grams = grams
        self.segments = segments
        self.hits = hits
        self._in_references = np.bincount(grams, minlength=len(names))
        self._by_system = [
            np.bincount(grams[own], minlength=len(names)).astype(np.int64) for own in hits
        ]

    @classmethod
    def of(cls, texts: TestSet, language: str) -> "_CountedNgrams":
        """Count the n-grams of all lengths."""
        pool = Numbering()
        references = pool.numbers([some[0] for some in texts.references])
        systems = [pool.numbers(own) for own in texts.hypotheses.values()]
        column = word_column(tuple(pool), language)
        joint = " " if parse_language(language).spaced else ""
        found = [
            _of_length(column, references, systems, length, joint)
            for length in range(1, LONGEST + 1)
        ]
        names: list[str] = []
        grams = []
        for own, numbers, _, _ in found:
            grams.append(numbers + len(names))
            names += own
        return cls(
            names,
            np.concatenate(grams),
            np.concatenate([segments for _, _, segments, _ in found]),
            np.concatenate([hits for _, _, _, hits in found], axis=1),
        )

    def rows(self, a: int, b: int) -> tuple[RenderedNgram, ...]:
        """Return the most telling n-grams of one pair of systems."""
        only = self.hits[a] & ~self.hits[b]
        alone = np.bincount(self.grams[only], minlength=len(self.names))
        telling = self._scores(a, b)
        telling[alone < _LEAST_ALONE] = -np.inf
        rows: list[RenderedNgram] = []
        taken: set[tuple[int, ...]] = set()
        # Longer ones first where the numbers are the same: the shorter ones are parts of them.
        for gram in np.lexsort((-np.arange(len(self.names)), -telling)).tolist():
            if telling[gram] <= 0 or len(rows) == _MOST_ROWS:
                break
            places = self.segments[only & (self.grams == gram)]
            segments = tuple(np.sort(places)[:_MOST_SEGMENTS].tolist())
            if segments in taken:
                continue
            taken.add(segments)
            rows.append(
                RenderedNgram(
                    ngram=self.names[gram],
                    a=int(self._by_system[a][gram]),
                    b=int(self._by_system[b][gram]),
                    reference=int(self._in_references[gram]),
                    segments=segments,
                )
            )
        return tuple(rows)

    def _scores(self, a: int, b: int) -> FloatArray:
        odds: FloatArray = np.zeros(len(self.names))
        variance: FloatArray = np.zeros(len(self.names))
        for sign, system in ((1, a), (-1, b)):
            has = self._by_system[system] + _SMOOTHING
            lacks = self._in_references - self._by_system[system] + _SMOOTHING
            odds += sign * np.log(has / lacks)
            variance += 1 / has + 1 / lacks
        return odds / np.sqrt(variance)


def _of_length(
    column: Column, references: IntArray, systems: Sequence[IntArray], length: int, joint: str
) -> tuple[list[str], IntArray, IntArray, Hits]:
    """Return the n-grams of one length: texts, numbers and segments of pairs, hits."""
    strings, starts = _places(column, length)
    keys = _keys(column, starts, length)
    words = is_word(column)[column.rows.values] > 0
    # At least one word: what punctuation a system has tells nothing.
    useful = np.logical_or.reduce([words[starts + shift] for shift in range(length)])
    strings, starts, keys = strings[useful], starts[useful], keys[useful]
    _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    # Every text of the pool with its distinct n-grams, then those of the texts of each segment.
    span = max(len(first), 1)
    own = np.unique(strings.astype(np.int64) * span + numbers.ravel())
    ends = np.searchsorted(own, np.arange(len(column.rows) + 1, dtype=np.int64) * span)
    pairs = _of_segments(own, ends, references, span)
    hits = np.array(
        [np.isin(pairs, _of_segments(own, ends, one, span), assume_unique=True) for one in systems]
    ).reshape(len(systems), len(pairs))
    grams, segments = pairs % span, pairs // span
    used, grams = np.unique(grams, return_inverse=True)
    names = [
        joint.join(
            column.vocabulary[token]
            for token in column.rows.values[starts[place] : starts[place] + length]
        )
        for place in first[used].tolist()
    ]
    return names, grams.ravel(), segments, hits


def _of_segments(own: IntArray, ends: IntArray, strings: IntArray, span: int) -> IntArray:
    """Return pairs of segment and n-gram, ``segment * span + n-gram``, of a text per segment."""
    counts = ends[strings + 1] - ends[strings]
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts)
    grams = own[np.repeat(ends[strings], counts) + within] % span
    segments = np.repeat(np.arange(len(strings), dtype=np.int64), counts)
    pairs: IntArray = segments * span + grams
    return pairs


def _places(column: Column, length: int) -> tuple[IntArray, IntArray]:
    """Return the string and the position of the first token of every n-gram."""
    rows = column.rows
    counts = np.maximum(rows.lengths - length + 1, 0)
    strings = np.repeat(np.arange(len(rows), dtype=np.int64), counts)
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts)
    starts: IntArray = rows.offsets[strings] + within
    return strings, starts


def _keys(column: Column, starts: IntArray, length: int) -> IntArray:
    """Return a number for each n-gram, the same for the same tokens."""
    tokens = column.rows.values.astype(np.int64)
    keys = tokens[starts]
    size = max(len(column.vocabulary), 1)
    for shift in range(1, length):
        # Numbered anew at each step, so that products stay small.
        keys = np.unique(keys, return_inverse=True)[1].ravel() * size + tokens[starts + shift]
    return keys
