"""What MoverScore moves: subwords, or n-grams of neighboring subwords, with vectors and weights."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tenbin.annotation.encoders.encoded import BoolArray, EncodedTexts
from tenbin.core.arrays import FloatArray, IdArray, IntArray, Ragged
from tenbin.kernels.similarity.blocks import padded


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MovedUnits:
    """Rows of subwords or n-grams, and pairs of these rows.

    Attributes:
        texts: The rows; a unit is a subword, or an n-gram.
        supplies: What each place of all rows weighs as part of a hypothesis, by system, shape
            (systems, places); one row where that does not depend on the system.
        demands: What it weighs as part of a reference, shape (places,).
        classes: Units of one class are made of the same subwords.
        left: Row of the hypothesis, per pair.
        right: Row of the reference, per pair.
    """

    texts: EncodedTexts
    supplies: FloatArray
    demands: FloatArray
    classes: IdArray
    left: IntArray
    right: IntArray


class Side(NamedTuple):
    """Where the texts of one side stand, per pair, and what their subwords weigh.

    Attributes:
        rows: The row of the text.
        systems: Which of the weights count for it.
        weights: Weights of the places of all rows, shape (systems, places).
    """

    rows: IntArray
    systems: IntArray
    weights: FloatArray


def single_subwords(
    texts: EncodedTexts, kept: BoolArray, hypotheses: Side, references: Side
) -> MovedUnits:
    """Return subwords one by one.

    Args:
        texts: The subwords.
        kept: Which places of all rows weigh anything.
        hypotheses: The texts on the left.
        references: The texts on the right, with one row of weights.
    """
    return MovedUnits(
        texts=texts,
        supplies=np.where(kept, hypotheses.weights, 0.0),
        demands=np.where(kept, references.weights[0], 0.0),
        classes=texts.classes,
        left=hypotheses.rows,
        right=references.rows,
    )


def subword_ngrams(
    texts: EncodedTexts, kept: BoolArray, hypotheses: Side, references: Side, size: int
) -> MovedUnits:
    """Return n-grams of the subwords that are kept, as the published program makes them.

    Subwords without weight are skipped, and their neighbors are adjacent. The vector of an n-gram
    is the sum of those of its subwords times their weights, of length 1; its weight is the sum of
    theirs. A text of fewer subwords than ``size`` is one n-gram. Vectors depend on weights, so a
    text has a row for each set of weights that it gets.

    Args:
        texts: The subwords.
        kept: Which places of all rows count.
        hypotheses: The texts on the left.
        references: The texts on the right, with one row of weights.
        size: Subwords of an n-gram.
    """
    ngrams = _Ngrams(texts)
    row_of: dict[tuple[int, int, int], int] = {}
    rows: list[list[int]] = []
    weights: list[float] = []
    sides = []
    for number, side in enumerate((hypotheses, references)):
        places = []
        for row, system in zip(side.rows.tolist(), side.systems.tolist(), strict=True):
            key = number, system, row
            if key not in row_of:
                row_of[key] = len(rows)
                span = np.arange(*texts.rows.offsets[row : row + 2].tolist())
                windows = _windows(span[kept[span]], size)
                rows.append([ngrams.number(window, side.weights[system]) for window in windows])
                weights += [float(side.weights[system][window].sum()) for window in windows]
            places.append(row_of[key])
        sides.append(np.array(places, dtype=np.int64))
    total = np.array(weights, dtype=np.float64)
    return MovedUnits(
        texts=ngrams.texts(Ragged.from_rows(rows)),
        supplies=total[np.newaxis],
        demands=total,
        classes=np.array(ngrams.classes, dtype=np.int32),
        left=sides[0],
        right=sides[1],
    )


def _windows(places: IntArray, size: int) -> list[IntArray]:
    """Return each run of so many places; all of them where they are fewer."""
    if not len(places):
        return []
    return [places[start : start + size] for start in range(max(len(places) - size, 0) + 1)]


class _Ngrams:
    """Numbers n-grams: those of equal subwords in equal shares are one unit, so exactly alike."""

    def __init__(self, texts: EncodedTexts) -> None:
        self.classes: list[int] = []
        self._texts = texts
        self._numbers: dict[Hashable, int] = {}
        self._same = texts.classes
        self._class_numbers: dict[tuple[int, ...], int] = {}
        self._vectors: list[FloatArray] = []
        self._spelled: list[str] = []

    def number(self, places: IntArray, weights: FloatArray) -> int:
        """Return the number of an n-gram of subwords at some places."""
        units = self._texts.rows.values[places]
        own = weights[places]
        total = float(own.sum())
        # Without weight nothing is moved; the subwords are named all the same.
        shares = own / total if total > 0 else own
        heavy = tuple(units[own > 0].tolist())
        # Subwords without a vector add nothing to the sum, whatever they weigh.
        known = bool(self._texts.known[list(heavy)].any())
        key = (tuple(units.tolist()), tuple(shares.tolist()) if known else ())
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers)
            made_of = tuple(self._same[list(heavy)].tolist())
            self.classes.append(self._class_numbers.setdefault(made_of, len(self._class_numbers)))
            vectors = self._texts.units[units].astype(np.float64)
            self._vectors.append((shares[:, np.newaxis] * vectors).sum(axis=0))
            vocabulary, subwords = self._texts.vocabulary, self._texts.subwords
            self._spelled.append(" ".join(vocabulary[subwords[unit]] for unit in units.tolist()))
        return self._numbers[key]

    def texts(self, rows: Ragged) -> EncodedTexts:
        """Return rows of n-grams with their vectors."""
        sums: FloatArray = np.array(self._vectors).reshape(-1, self._texts.units.shape[1])
        lengths = np.sqrt(np.square(sums).sum(axis=1, keepdims=True))
        known = lengths[:, 0] > 0
        units = np.divide(sums, lengths, out=np.zeros(sums.shape), where=lengths > 0)
        return replace(
            self._texts,
            rows=rows,
            units=padded(units.astype(np.float32)),
            known=known,
            subwords=np.arange(len(sums), dtype=np.int32),
            vocabulary=tuple(self._spelled),
            flags=np.zeros(len(sums), dtype=np.uint8),
            same=None,
        )
