"""Word alignment of a bitext: trained by sil-thot, or read from files of links."""

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.building.corpus import Advance, Phase, no_progress
from tenbin.building.paraphrases.bitext import BitextFile, PackedBitext, PackedSide
from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import LengthMismatch, MissingExtra
from tenbin.evaluation.parallel import advance_in_worker, mapped
from tenbin.formats.bitext import link_out_of_range, read_links
from tenbin.formats.tensor_file import TensorWriter, map_tensors

PackedLinks = tuple[IdArray, IdArray, IntArray]
"""Pivot positions, target positions, and where the links of each segment begin and end."""

_SEGMENTS_AT_ONCE = 10_000
_ITERATIONS = 5
_THREADS = "OMP_NUM_THREADS"


class Aligner(StrEnum):
    """The aligner.

    FAST_ALIGN is IBM model 2 with a preference for the diagonal (Dyer, Chahuneau and Smith 2013);
    HMM is that of Vogel, Ney and Tillmann (1996) after IBM model 1; IBM4 goes on to IBM models 3
    and 4 (Brown et al. 1993), as GIZA++ does.
    """

    FAST_ALIGN = "fast-align"
    HMM = "hmm"
    IBM4 = "ibm4"


# The models that are trained one after the other, each from the one before.
_MODELS = {
    Aligner.FAST_ALIGN: ("FastAlignModel",),
    Aligner.HMM: ("Ibm1AlignmentModel", "HmmAlignmentModel"),
    Aligner.IBM4: (
        "Ibm1AlignmentModel",
        "HmmAlignmentModel",
        "Ibm3AlignmentModel",
        "Ibm4AlignmentModel",
    ),
}


def learned_links(
    bitext: PackedBitext,
    aligner: Aligner,
    *,
    jobs: int = 1,
    label: str = "",
    phase: Phase = no_progress,
) -> tuple[PackedLinks, PackedLinks]:
    """Return the links of both directions: pivot to target and target to pivot.

    In the first one every target word has at most one link, in the second one every pivot word.

    Args:
        bitext: The text.
        aligner: What learns the links.
        jobs: Two or more: the directions are learned at the same time, each in a process.
        label: What the progress is called.
        phase: Shows it.

    Raises:
        MissingExtra: sil-thot is not installed.
    """
    _thot()
    sides = (bitext.pivot, bitext.target, aligner), (bitext.target, bitext.pivot, aligner)
    steps = 2 * (len(_MODELS[aligner]) * _ITERATIONS + 1)
    with phase(f"{label}aligning words", steps) as advance:
        if jobs > 1:
            forward, backward = mapped(_direction_apart, sides, jobs=2, advance=advance)
        else:
            forward, backward = (_direction(*side, advance=advance) for side in sides)
    return forward, (backward[1], backward[0], backward[2])


def _direction_apart(side: tuple[PackedSide, PackedSide, Aligner]) -> PackedLinks:
    """Return the result of `_direction`, in a process of its own."""
    return _direction(*side, advance=advance_in_worker)


def _direction(
    source: PackedSide, goal: PackedSide, aligner: Aligner, *, advance: Advance | None = None
) -> PackedLinks:
    """Return source positions, goal positions and bounds; every goal word has at most one link."""
    advance = advance or _no_progress
    model = _trained(source, goal, aligner, advance)
    chosen = array("i")
    for sources, goals in _batches(source, goal):
        for _, matrix in model.get_best_alignments(sources, goals):
            chosen.extend(matrix.to_list())
    advance(1)
    places = np.array(chosen, dtype=np.int32) - 1  # 0: the word has no link
    starts = np.repeat(goal.offsets[:-1], goal.lengths)
    positions = (np.arange(places.size) - starts).astype(np.int32)
    linked = places >= 0
    bounds = np.concatenate([[0], np.cumsum(linked)])[goal.offsets].astype(np.int64)
    return places[linked], positions[linked], bounds


def _no_progress(_done: int) -> None:
    pass


def _thot() -> Any:  # noqa: ANN401 - sil-thot ships no types
    try:
        with _one_thread():
            return import_module("thot.alignment")
    except ImportError as error:
        alternative = "Or make the links with another aligner and give their file."
        raise MissingExtra("aligning words", "build", alternative) from error


@contextmanager
def _one_thread() -> Iterator[None]:
    """Load a library so that it computes in one thread.

    Several threads of OpenMP add up numbers in any order, and each build would be another table.
    """
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before


def _trained(source: PackedSide, goal: PackedSide, aligner: Aligner, advance: Advance) -> Any:  # noqa: ANN401
    models = _thot()
    model = None
    for name in _MODELS[aligner]:
        kind = getattr(models, name)
        if model is None:
            model = kind()
            model.variational_bayes = True
            for sources, goals in _batches(source, goal):
                for one, other in zip(sources, goals, strict=True):
                    model.add_sentence_pair(one, other, 1)
        else:
            model = kind(model)
        model.start_training()
        for _ in range(_ITERATIONS):
            model.train()
            advance(1)
        model.end_training()
    return model


def _batches(source: PackedSide, goal: PackedSide) -> Iterator[tuple[list[list[str]], ...]]:
    # Numbers instead of words, so that no word is a reserved one of the aligner.
    names = [[str(number) for number in range(len(side.words))] for side in (source, goal)]
    for first in range(0, source.offsets.size - 1, _SEGMENTS_AT_ONCE):
        batch = []
        for side, spelled in zip((source, goal), names, strict=True):
            bounds = side.offsets[first : first + _SEGMENTS_AT_ONCE + 1]
            words = [spelled[n] for n in side.values[bounds[0] : bounds[-1]].tolist()]
            cuts = (bounds - bounds[0]).tolist()
            batch.append([words[a:b] for a, b in pairwise(cuts)])
        yield tuple(batch)


def links_of_file(bitext: PackedBitext, file: BitextFile, path: str) -> PackedLinks:
    """Return the links that another aligner wrote for a bitext.

    Raises:
        MalformedLine: A link leads to a word that is not there.
        LengthMismatch: There are more or fewer lines of links than of text.
    """
    pivot, target, bounds = array("i"), array("i"), array("q", [0])
    wanted = dict(zip(bitext.lines.tolist(), range(bitext.lines.size), strict=True))
    sizes = bitext.pivot.lengths.tolist(), bitext.target.lengths.tolist()
    number = -1
    for number, links in enumerate(read_links(path)):
        segment = wanted.get(number)
        if segment is None:
            continue
        for link in sorted(set(links)):
            f, e = link if file.pivot_first else link[::-1]
            if f >= sizes[0][segment] or e >= sizes[1][segment]:
                lengths = sizes[0][segment], sizes[1][segment]
                ordered = lengths if file.pivot_first else lengths[::-1]
                raise link_out_of_range(path, number + 1, link, ordered)
            pivot.append(f)
            target.append(e)
        bounds.append(len(pivot))
    if number + 1 != bitext.line_count:
        raise LengthMismatch({file.path: bitext.line_count, path: number + 1})
    columns = (np.array(part, dtype=np.int32) for part in (pivot, target))
    return (*columns, np.array(bounds, dtype=np.int64))  # type: ignore[return-value]


def write_packed_links(path: Path, *directions: PackedLinks) -> None:
    """Write the links of one or two directions to a file."""
    with TensorWriter(path) as writer:
        for number, (pivot_places, target_places, bounds) in enumerate(directions):
            writer.extend(f"bounds_{number}", bounds)
            writer.extend(f"pivot_{number}", pivot_places)
            writer.extend(f"target_{number}", target_places)
        writer.finish({})


def read_packed_links(path: Path) -> list[PackedLinks]:
    """Return the links of a file, by direction."""
    tensors = map_tensors(path).tensors
    count = sum(name.startswith("bounds_") for name in tensors)
    return [
        (tensors[f"pivot_{n}"], tensors[f"target_{n}"], tensors[f"bounds_{n}"])
        for n in range(count)
    ]
