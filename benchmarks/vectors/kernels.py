"""The kernels under metrics over word vectors, beside numpy, scipy and POT on the same arrays."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.tables import Row, Section
from benchmarks.vectors.texts import Texts
from benchmarks.vectors.timing import turns
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Batch
from tenbin.evaluation.batching import build_batch
from tenbin.kernels.alignment.assignment import assignment
from tenbin.kernels.similarity.threshold_sums import link_sums, threshold_sums
from tenbin.metrics.aggregations.flow_problem import FlowProblem
from tenbin.metrics.aggregations.positions import position_costs
from tenbin.metrics.earth_movers import WeWpi
from tenbin.metrics.representations.blocks import Blocks
from tenbin.metrics.representations.collected_texts import (
    reference_collection,
    shares,
    system_numbers,
)
from tenbin.metrics.representations.term_vectors import TermVectors, term_weights
from tenbin.metrics.representations.vector_tokens import VectorTokens

SECTION = Section(
    "Kernels over word vectors",
    "Microseconds of processor time per pair, net of tokens and of looking up: arrays in, arrays "
    "out. Tenbin and its peer take turns; medians of seven. WAS with MAS and HAS begin with the "
    "cosines of all words of a pair, which is most of their work; their peers work pair by pair: a "
    "matrix product of numpy with its mean and maxima, and scipy's `linear_sum_assignment`. For "
    "WE_WPI all get the same costs and weights; POT is called pair by pair, its C++ core as "
    "`ot.lp.emd_wrap.emd_c`. All of WE_WPI is cosines, weights, costs and flow. The difference is "
    "the largest one between two results.",
    "compiled kernels; no similarities",
)

_THRESHOLD = np.zeros(1)
_ITERATIONS = 100_000  # the default of ot.emd2

_Play = Callable[[], FloatArray]
_Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """One task, done by Tenbin and by a peer; and what Tenbin promises."""

    task: str
    own: _Play
    peer: str
    theirs: Callable[[], _Play]
    most: str | None = None
    faster: str | None = None


def run_kernels(texts: Texts) -> list[Row]:
    """Return a row for each task and peer."""
    metric = WeWpi(tokenizer="none", vectors=str(texts.table)).bind("en")
    batch = build_batch(texts.test_set(tokenized=True), metric.needs.annotations)
    words = metric.part(TermVectors).words(batch)
    transports = _transports(lambda: _problem(metric, batch, words))
    contests = [*_alignments(words, *batch.pairs()), *transports]
    return [_row(contest, len(batch)) for contest in contests]


def _row(contest: Contest, pairs: int) -> Row:
    row: dict[str, str | float | None] = {
        "task": contest.task,
        "peer": contest.peer,
        "Tenbin, µs": None,
        "target, µs": contest.most,
        "peer, µs": None,
        "ratio": None,
        "target": contest.faster,
        "difference": None,
    }
    try:
        theirs = contest.theirs()
    except ImportError:
        times = turns({"own": contest.own}, pairs)
        return row | {"peer": f"{contest.peer}: not installed", "Tenbin, µs": times["own"]}
    times = turns({"own": contest.own, "peer": theirs}, pairs)
    return row | {
        "Tenbin, µs": times["own"],
        "peer, µs": times["peer"],
        "ratio": times["peer"] / times["own"],
        "difference": float(np.max(np.abs(contest.own() - theirs()))),
    }


def _alignments(words: VectorTokens, left: IntArray, right: IntArray) -> Iterator[Contest]:
    """Yield WAS with MAS, and HAS, at a threshold of 0."""
    rows = words.rows

    def whole_and_maximum() -> FloatArray:
        part = words.blocks(left, right)
        sums = threshold_sums(*part, _THRESHOLD)[:, 0]
        whole = sums[:, 0] / (part.heights * part.widths)
        return np.stack([whole, (sums[:, 2] / part.heights + sums[:, 4] / part.widths) / 2])

    def one_to_one() -> FloatArray:
        part = words.blocks(left, right)
        columns = assignment(*part)
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(part.heights)])
        sums = link_sums(part.values, part.starts, part.widths, columns, offsets, _THRESHOLD)
        found: FloatArray = sums[:, 0, 0] / np.minimum(part.heights, part.widths)
        return found

    def matrices() -> Iterator[_Matrix]:
        for own, other in zip(left, right, strict=True):
            here, there = rows.row(own), rows.row(other)
            cosines = words.units[here] @ words.units[there].T
            cosines[here[:, None] == there] = 1
            yield cosines

    def numpy_whole_and_maximum() -> FloatArray:
        found = []
        for cosines in matrices():
            kept = np.maximum(cosines, 0)
            both = kept.max(axis=1).mean() + kept.max(axis=0).mean()
            found.append((kept.mean(), both / 2))
        return np.array(found).T

    def scipy_one_to_one() -> _Play:
        solve = import_module("scipy.optimize").linear_sum_assignment
        return lambda: np.array(
            [np.maximum(one[solve(one, maximize=True)], 0).mean() for one in matrices()]
        )

    yield Contest(
        task="WAS and MAS",
        own=whole_and_maximum,
        peer="numpy",
        theirs=lambda: numpy_whole_and_maximum,
        most="<= 20",
    )
    yield Contest(
        task="HAS", own=one_to_one, peer="numpy and scipy", theirs=scipy_one_to_one, most="<= 25"
    )


def _problem(metric: WeWpi, batch: Batch, words: VectorTokens) -> FlowProblem:
    """Return costs and weights of WE_WPI for all pairs."""
    left, right = batch.pairs()
    part: Blocks = words.blocks(left, right)
    references = reference_collection(batch)
    size = len(words.vocabulary)
    weights = term_weights(words.rows, size, references, metric.tf, None, None)
    systems = np.repeat(system_numbers(batch), batch.references.lengths)
    own, own_bounds, other, other_bounds = weights.of_pairs(systems, left, right)
    return FlowProblem(
        position_costs(part, metric.position, metric.alignment, clip=metric.clip),
        part.starts,
        shares(own, own_bounds),
        own_bounds,
        shares(other, other_bounds),
        other_bounds,
    )


def _transports(make: Callable[[], FlowProblem]) -> Iterator[Contest]:
    """Yield the flow of WE_WPI beside both ways to call POT, and all of WE_WPI beside its core."""
    problem = make()
    sides = [
        np.split(problem.supplies, problem.supply_bounds[1:-1]),
        np.split(problem.demands, problem.demand_bounds[1:-1]),
    ]
    costs = [
        np.ascontiguousarray(flat.reshape(len(own), len(other)))
        for flat, own, other in zip(
            np.split(problem.costs, problem.starts[1:-1]), *sides, strict=True
        )
    ]
    cases = list(zip(*sides, costs, strict=True))

    def core() -> _Play:
        solve: Any = import_module("ot.lp.emd_wrap").emd_c
        return lambda: np.array([solve(*case, _ITERATIONS, 1, None, None)[1] for case in cases])

    def whole() -> _Play:
        solve: Any = import_module("ot").emd2
        return lambda: np.array([solve(*case) for case in cases])

    yield Contest(
        task="flow of WE_WPI", own=problem.work, peer="POT, C++ core", theirs=core, faster="> 1"
    )
    yield Contest(
        task="flow of WE_WPI", own=problem.work, peer="POT ot.emd2", theirs=whole, faster=">= 3"
    )
    yield Contest(
        task="all of WE_WPI",
        own=lambda: make().work(),
        peer="POT, C++ core, flow alone",
        theirs=core,
    )
