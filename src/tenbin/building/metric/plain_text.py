"""Plain text that a student learns from: segments beside variants, and beside each other.

A teacher judges any two texts, so that no translation is needed. Each segment is compared with
three variants of it, two of these with each other, and the segment with one of those that are most
like it: two sentences that people wrote differ as translations do, where there are enough of them.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from tenbin.building.metric.judged_texts import JudgedBlock, JudgedPairs, JudgedRows, TextPool
from tenbin.building.metric.variants import VariantMaker
from tenbin.core.errors import UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.kernels.arrays import Float32Array
from tenbin.kernels.similarity.nearest import nearest_rows

TEXT = "text"
"""The kind of what is learned from plain text."""

_VARIANTS = 3
_PAIRS = _VARIANTS + 2
_NEAREST = 8
_COMPARED_AT_ONCE = 50_000
_EVEN = 0.5
_DRAWING, _LIKENESS = 2**40, 2**40 + 1  # more than there are segments


Vectors = Callable[[Sequence[str]], Float32Array]
"""Gives texts a vector each; those of similar texts are near."""


def read_plain_text(
    paths: Sequence[str],
    pool: TextPool,
    maker: VariantMaker,
    vectors: Vectors,
    *,
    most: int,
    seed: int,
) -> JudgedBlock:
    """Return pairs of segments and variants, with labels of 0 as yet.

    Args:
        paths: Text files, one segment per line.
        pool: Gets the texts.
        maker: Makes the variants.
        vectors: Tells which segments are alike.
        most: Most pairs; of more segments than that takes, so many are drawn.
        seed: Of what is drawn.

    Raises:
        InputError: A file cannot be read, or has no text.
    """
    segments = _drawn(paths, max(most // _PAIRS, 1), np.random.default_rng((seed, _DRAWING)))
    parts = [
        _pairs_of(segment, segments, pool, maker, np.random.default_rng((seed, number)))
        for number, segment in enumerate(segments)
    ]
    parts.append(_alike(segments, pool, vectors, np.random.default_rng((seed, _LIKENESS))))
    pairs = np.concatenate([np.array(part, dtype=np.int64).reshape(-1, 2) for part in parts]).T
    if not pairs.size:
        problem = "its segments are too short to be changed"
        raise UnreadableFile(", ".join(paths), problem, "Give sentences, one per line.")
    rows = JudgedRows(
        references=pairs[0],
        hypotheses=pairs[1],
        segments=pairs[0],
        labels=np.zeros(pairs.shape[1]),
    )
    name = ", ".join(Path(path).name for path in paths)
    none = JudgedPairs.none()
    return JudgedBlock(name=name, pair="", kind=TEXT, rows=rows, pairs=none, usual_weight=1.0)


def _drawn(paths: Sequence[str], most: int, rng: np.random.Generator) -> list[str]:
    """Return segments, each once; of more than that, so many, any of them as likely as another."""
    kept: list[str] = []
    known: set[str] = set()
    for number, segment in enumerate(_segments(paths)):
        place = len(kept) if len(kept) < most else int(rng.integers(number + 1))
        if place >= most or segment in known:
            continue
        known.add(segment)
        if place == len(kept):
            kept.append(segment)
        else:
            known.discard(kept[place])
            kept[place] = segment
    if not kept:
        advice = "Give text in the language, one segment per line."
        raise UnreadableFile(", ".join(paths), "there is no text", advice)
    return kept


def _segments(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        for line in TextFile(path).lines():
            if segment := line.strip():
                yield segment


def _pairs_of(
    segment: str,
    segments: Sequence[str],
    pool: TextPool,
    maker: VariantMaker,
    rng: np.random.Generator,
) -> list[tuple[int, int]]:
    """Return references and hypotheses that are made of a segment; either may be the variant."""
    other = segments[int(rng.integers(len(segments)))]
    found = [segment]
    for number in range(_VARIANTS):
        # The last one may be a variant of a variant, which is further away.
        origin = found[int(rng.integers(len(found)))] if number == _VARIANTS - 1 else segment
        variant = maker.variant(origin, rng, other)
        if variant and variant not in found:
            found.append(variant)
    own, *variants = pool.numbers(found).tolist()
    pairs = [(own, variant) for variant in variants]
    if len(variants) > 1:
        one, another = rng.choice(variants, 2, replace=False).tolist()
        pairs.append((one, another))
    return [pair if rng.random() < _EVEN else pair[::-1] for pair in pairs]


def _alike(
    segments: Sequence[str], pool: TextPool, vectors: Vectors, rng: np.random.Generator
) -> list[tuple[int, int]]:
    """Return each segment with one of those that are most like it, among some of them."""
    found = []
    numbers = pool.numbers(segments)
    for start in range(0, len(segments), _COMPARED_AT_ONCE):
        some = segments[start : start + _COMPARED_AT_ONCE]
        if len(some) == 1:
            continue
        near = nearest_rows(vectors(some), _NEAREST)
        drawn = near[np.arange(len(some)), rng.integers(near.shape[1], size=len(some))]
        both = np.stack([start + np.arange(len(some)), start + drawn], axis=1)
        found += [(int(one), int(other)) for one, other in numbers[both].tolist()]
    return found
