"""Judgments that are held out, and how well a metric agrees with them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tenbin.building.metric.judged_texts import BoolArray, JudgedBlock
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError

MOST_ROWS, MOST_PAIRS = 1_000, 2_000
"""Judgments of each set that are measured; of more, so many are drawn."""

_FEWEST_ROWS = 3
_SEED = 7
_PRIME = 1_000_003
_MOST_TEXTS = 2**31
_LARGEST_SHARE = 0.5

RawScores = Callable[[IntArray, IntArray], FloatArray]
"""Returns raw scores of references and hypotheses, given as numbers of texts."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Judgments that no step is trained on.

    Attributes:
        blocks: Their sets.
    """

    blocks: tuple[JudgedBlock, ...]

    def __bool__(self) -> bool:
        return bool(self.blocks)

    def agreement(self, raw: RawScores) -> dict[str, float]:
        """Return the agreement of scores with each set: Pearson of rows, tau of pairs.

        Where a set has both, it counts with their mean.

        Args:
            raw: The metric.
        """
        found: dict[str, float] = {}
        score = self._scored_once(raw)
        for block in self.blocks:
            values = []
            rows, pairs = block.rows, block.pairs
            if len(rows) >= _FEWEST_ROWS:
                values.append(pearson(score(rows.references, rows.hypotheses), rows.labels))
            if len(pairs):
                better = score(pairs.references, pairs.better)
                worse = score(pairs.references, pairs.worse)
                values.append(float(np.mean(np.sign(better - worse))))
            if values:
                found[block.title] = float(np.mean(values))
        return found

    def _scored_once(self, raw: RawScores) -> RawScores:
        """Return what looks scores up, each of which is computed once."""
        parts = []
        for block in self.blocks:
            rows, pairs = block.rows, block.pairs
            parts.append(np.stack([rows.references, rows.hypotheses]))
            parts += [np.stack([pairs.references, side]) for side in (pairs.better, pairs.worse)]
        distinct = np.unique(np.concatenate(parts, axis=1), axis=1)
        scores = raw(distinct[0], distinct[1])
        keys = _key(distinct[0], distinct[1])

        def score(references: IntArray, hypotheses: IntArray) -> FloatArray:
            found: FloatArray = scores[np.searchsorted(keys, _key(references, hypotheses))]
            return found

        return score


def _key(references: IntArray, hypotheses: IntArray) -> IntArray:
    key: IntArray = references * _MOST_TEXTS + hypotheses
    return key


def pearson(one: FloatArray, other: FloatArray) -> float:
    """Return the correlation of two columns; 0 where one of them is constant.

    >>> round(pearson(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 4.0])), 6)
    1.0
    """
    first, second = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / scale if scale > 0 else 0.0


def held_out_of(
    weighted: Sequence[tuple[JudgedBlock, float]], wanted: Sequence[str]
) -> tuple[list[tuple[JudgedBlock, float]], HeldOut]:
    """Return what is trained on, and what is held out.

    Args:
        weighted: Judgments and their weights.
        wanted: Sets, by the beginning of their names, with ``:PAIR`` for one language pair; or one
            number, a share of the segments of all sets.

    Raises:
        UsageError: A name that fits no set, a share out of its range, or nothing is left.
    """
    if not wanted:
        return list(weighted), HeldOut(())
    share = _share(wanted)
    kept: list[tuple[JudgedBlock, float]] = []
    held: list[JudgedBlock] = []
    fitting: set[str] = set()
    for block, weight in weighted:
        if share is not None:
            # Scores of teachers are no human judgments, so that they are trained on alone; yet not
            # those of segments that are held out.
            rows, pairs = (
                _is_held(one.segments, block, share) for one in (block.rows, block.pairs)
            )
            left, out = block.split(rows, pairs)
            kept.append((left, weight))
            held += [out] if weight and block.kind != "teacher" else []
            continue
        names = [name for name in wanted if _fits(name, block)]
        fitting |= set(names)
        if not names:
            kept.append((block, weight))
        elif block.kind != "teacher":
            held.append(block)
    if share is None and (missing := [name for name in wanted if name not in fitting]):
        sets = ", ".join(dict.fromkeys(block.place for block, _ in weighted))
        raise UsageError(f"`hold_out` {', '.join(missing)}: no such set among {sets}.")
    if not any(len(block) and weight for block, weight in kept):
        raise UsageError("`hold_out`: nothing is left to train on. Hold out fewer sets.")
    found = [block for block in held if len(block.rows) >= _FEWEST_ROWS or len(block.pairs)]
    if not found:
        raise UsageError(
            f"`hold_out` {', '.join(wanted)}: that leaves fewer than "
            f"{counted(_FEWEST_ROWS, 'judgment')} to measure agreement on. Hold out more."
        )
    return kept, HeldOut(tuple(_sample(block) for block in found))


def _share(wanted: Sequence[str]) -> float | None:
    try:
        share = float(wanted[0])
    except ValueError:
        return None
    if len(wanted) > 1 or not 0 < share <= _LARGEST_SHARE:
        raise UsageError(
            f"`hold_out` {', '.join(wanted)}: give a share above 0 up to {_LARGEST_SHARE:g}, or "
            "names of sets."
        )
    return share


def _fits(name: str, block: JudgedBlock) -> bool:
    place, colon, pair = name.partition(":")
    if colon:
        return block.name.startswith(place) and block.pair == pair
    return block.place.startswith(name)


def _is_held(segments: IntArray, block: JudgedBlock, share: float) -> BoolArray:
    """Return whether each segment is held out; all kinds of judgment of a set agree on it."""
    if not len(segments):
        return np.zeros(0, dtype=np.bool_)
    key = sum(place * ord(sign) for place, sign in enumerate(block.place, start=1)) % _PRIME
    distinct, places = np.unique(segments, return_inverse=True)
    draws = np.array([np.random.default_rng((_SEED, key, int(one))).random() for one in distinct])
    held: BoolArray = (draws < share)[places]
    return held


def _sample(block: JudgedBlock) -> JudgedBlock:
    rng = np.random.default_rng(_SEED)
    rows, pairs = np.ones(len(block.rows), np.bool_), np.ones(len(block.pairs), np.bool_)
    for chosen, most in ((rows, MOST_ROWS), (pairs, MOST_PAIRS)):
        if len(chosen) > most:
            chosen[:] = False
            chosen[rng.choice(len(chosen), most, replace=False)] = True
    return block.split(~rows, ~pairs)[0]


def held_out_facts(held: HeldOut, curve: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return for a card what was held out, and the best agreement with it."""
    measured = [point for point in curve if "agreement" in point]
    best = max(measured, key=lambda point: point["agreement"], default=None)
    return {
        "sets": [
            {"name": block.place, "kind": block.kind, "rows": len(block.rows)}
            | {"pairs": len(block.pairs)}
            for block in held.blocks
        ],
        "best": best,
    }
