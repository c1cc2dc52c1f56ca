"""The columnar batch that metrics see: a pool of distinct strings and items that point into it."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar, cast

import numpy as np

from tenbin.core.arrays import FloatArray, IntArray, Ragged

_Found = TypeVar("_Found")


class AnnotationKind(StrEnum):
    """What an annotation adds to a string."""

    TOKENS = "tokens"
    CHARACTERS = "characters"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Annotation:
    """An annotation of every string of the pool.

    Attributes:
        kind: What the column holds.
        method: Name of the tokenizer (tokens) or of the text normalizer (characters).
        lowercase: Whether the string is lower-cased first.
    """

    kind: AnnotationKind
    method: str
    lowercase: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The pool seen through one annotation: a row of ids per string.

    For tokens an id is a position in ``vocabulary``; for characters it is the code point, and the
    vocabulary is empty.
    """

    rows: Ragged
    vocabulary: tuple[str, ...] = ()

    def tokens(self, string: int) -> list[str]:
        """Return the tokens of a string as text."""
        return [self.vocabulary[identifier] for identifier in self.rows.row(string)]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Batch:
    """Items to score. Every distinct string of a run is in the pool once.

    Attributes:
        strings: The distinct strings.
        hypotheses: Position of each item's hypothesis in the pool, shape (items,).
        references: For each item the pool positions of its references, one or more; no item has
            any where none were given, and for a metric that does not need them.
        segments: For each item the number of its segment, so that items of one segment (other
            systems) are known to share references.
        sources: Position of each item's source in the pool, where a source is given.
        columns: The annotations that the metrics declared in their needs, and no others.
        systems: For each item the number of its system; None where all are of one system.
        workings: Intermediate results shared by metrics; see `once`.
    """

    strings: tuple[str, ...]
    hypotheses: IntArray
    references: Ragged
    segments: IntArray
    columns: Mapping[Annotation, Column]
    sources: IntArray | None = None
    systems: IntArray | None = None
    workings: dict[Hashable, object] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def column(self, annotation: Annotation) -> Column:
        """Return a declared annotation; a metric may read only what its needs name."""
        if annotation not in self.columns:
            raise KeyError(f"{annotation} was not declared in the needs of the metric")
        return self.columns[annotation]

    def once(self, key: Hashable, make: Callable[[], _Found]) -> _Found:
        """Return an intermediate result that several metrics share, computed once.

        It must be a function of the batch and the key alone, so that no score depends on the other
        metrics of a run.
        """
        if key not in self.workings:
            self.workings[key] = make()
        return cast("_Found", self.workings[key])

    def positions(self, *, references: bool, sources: bool) -> IntArray:
        """Return the pool positions of the hypotheses and, if asked for, of the other texts."""
        texts = [self.hypotheses]
        if references:
            texts.append(self.references.values.astype(np.int64))
        if sources and self.sources is not None:
            texts.append(self.sources)
        return np.unique(np.concatenate(texts))

    def pairs(self) -> tuple[IntArray, IntArray]:
        """Return all (hypothesis, reference) pairs of pool positions, item after item."""
        left = np.repeat(self.hypotheses, self.references.lengths)
        return left, self.references.values.astype(np.int64)

    def distinct_pairs(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return `pairs` without repetitions, and for each pair the number of its distinct pair.

        Systems often give the same translation of a short segment.
        """
        left, right = self.pairs()
        keys, places = np.unique(left * len(self.strings) + right, return_inverse=True)
        first, second = np.divmod(keys, len(self.strings))
        return first, second, places.astype(np.int64)

    def best_pairs(self, values: FloatArray, *, highest: bool) -> IntArray:
        """Return for each item the number of its best pair (see `pairs`); the first wins a tie.

        Args:
            values: One value per pair.
            highest: Whether the highest value is the best.
        """
        signed = values if highest else -values
        starts = self.references.offsets[:-1]
        best = np.repeat(np.maximum.reduceat(signed, starts), self.references.lengths)
        candidates = np.flatnonzero(signed == best)
        first = np.searchsorted(candidates, starts)
        return candidates[first]

    def distinct_segments(self) -> IntArray:
        """Return one item number for each distinct segment, in order of the segments."""
        return np.unique(self.segments, return_index=True)[1].astype(np.int64)
