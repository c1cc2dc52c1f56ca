"""Pairs of texts of test sets, and what teachers without a year draw in each step. Needs tenbin."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.left_out_years.folds import READ, Fold, Kind, year_of
from benchmarks.students import plan
from benchmarks.students.arrays import Arrays, IntArray
from benchmarks.students.labels import PAIRS
from benchmarks.students.set_trips import Versions, distinct_pairs, trip_pairs
from benchmarks.students.teaching import DRAWN, NO_MARGIN
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.building.metric.damage import DamageGenerator
from tenbin.building.metric.data import JudgmentSources, MetricData, collected
from tenbin.building.metric.distillation import damaged_pairs
from tenbin.building.metric.examples import DrawnStep, ExampleSource
from tenbin.building.metric.judged_texts import TextPool
from tenbin.building.metric.recipe import MetricRecipe
from tenbin.building.metric.sets import SetChoice, SetTexts

MEASURED = "mlqe-pe"
"""The set that no student reads."""
YEARS = (*dict.fromkeys(map(year_of, READ)), MEASURED)

_PAIR = "*-en"
_PEERS = 3
_MOST_PEERS, _MOST_DAMAGED = 160_000, 60_000  # of a year
_SEED = 20_261_118


def read_texts(data: Path) -> MetricData:
    """Return the texts of all test sets.

    Args:
        data: The folder of the test sets.
    """
    folders = tuple(str(data / name) for name in (*READ, MEASURED))
    sources = JudgmentSources(sets=SetChoice(folders=folders, pairs=(_PAIR,)))
    return collected(sources, for_student=True)


def text_pairs(
    texts: Sequence[SetTexts], pool: TextPool, generator: DamageGenerator, versions: Versions
) -> dict[str, npt.NDArray[Any]]:
    """Return pairs of each year: with references, of systems, with damaged texts, of round trips.

    Args:
        texts: The texts of sets.
        pool: Gets those that are new.
        generator: Damages texts.
        versions: What became of texts that were translated and back.
    """
    rng = np.random.default_rng(_SEED)
    columns: list[IntArray] = []
    for number, year in enumerate(YEARS):
        some = [one for one in texts if year_of(one.name) == year]
        direct = distinct_pairs(some)
        made = [(plan.Kind.DIRECT, direct)]
        if year != MEASURED:
            made += _others(some, direct, pool, generator, rng)
            made.append((plan.Kind.TRIP, trip_pairs(direct, pool, versions)))
        for kind, pairs in made:
            marks = np.full((2, pairs.shape[1]), [[number], [int(kind)]])
            columns.append(np.concatenate([pairs, marks]))
        print(f"{year}: {sum(one.shape[1] for one in columns)} pairs so far", flush=True)
    every = np.concatenate(columns, axis=1)
    kinds = np.int32, np.int32, np.uint8, np.uint8
    return {name: one.astype(kind) for name, one, kind in zip(PAIRS, every, kinds, strict=True)}


def _others(
    texts: Sequence[SetTexts],
    direct: IntArray,
    pool: TextPool,
    generator: DamageGenerator,
    rng: np.random.Generator,
) -> list[tuple[plan.Kind, IntArray]]:
    known = set(map(tuple, direct.T.tolist()))
    every = distinct_pairs(texts, _PEERS)
    others = [pair for pair in every.T.tolist() if tuple(pair) not in known]
    peers = np.array(others, dtype=np.int64).reshape(-1, 2).T
    if peers.shape[1] > _MOST_PEERS:
        peers = peers[:, np.sort(rng.choice(peers.shape[1], _MOST_PEERS, replace=False))]
    both = np.concatenate([direct, peers], axis=1)
    some = both[:, rng.permutation(both.shape[1])[:_MOST_DAMAGED]]
    damaged = damaged_pairs(some, pool, generator, rng)
    return [(plan.Kind.PEER, peers), (plan.Kind.DAMAGED, damaged)]


def teacher_draws(
    year: str, data: Path, pool: TextPool, tokenizer: PairTokenizer, generator: DamageGenerator
) -> Arrays:
    """Return what a teacher without a year draws in each step of the usual recipe.

    Args:
        year: The year.
        data: The folder of the test sets.
        pool: Gets the texts.
        tokenizer: The tokenizer of the teacher.
        generator: Damages texts.
    """
    settings = Fold(Kind.LARGE, year).settings(data, Path())
    sets = SetChoice(
        folders=tuple(settings["test_sets"]),
        pairs=settings["pairs"],
        teachers=tuple(settings["teachers"]),
    )
    judged = collected(JudgmentSources(sets=sets))
    recipe = MetricRecipe()
    source = ExampleSource(judged.weighted, judged.pool, tokenizer, recipe, generator)
    own = judged.pool.listed()
    steps = [
        _recorded(source.drawn(step), own, pool, recipe.damaged) for step in range(recipe.steps)
    ]
    print(f"teacher without {year}: {source.row_count} rows, {source.pair_count} pairs", flush=True)
    return {
        f"{year}/{name}": np.stack([step[place] for step in steps])
        for place, name in enumerate(DRAWN)
    }


def _recorded(
    drawn: DrawnStep, own: Sequence[str], pool: TextPool, damaged: int
) -> list[npt.NDArray[Any]]:
    """Return the arrays of a step, in the order of `DRAWN`."""

    def numbers(texts: IntArray) -> npt.NDArray[np.int32]:
        return pool.numbers(own[text] for text in texts.tolist()).astype(np.int32)

    def filled(values: Sequence[float], kind: type, missing: float = 0) -> npt.NDArray[Any]:
        return np.array([*values, *[missing] * (damaged - len(values))], dtype=kind)

    rows, pairs, worse = drawn
    references = pool.numbers(own[one.reference] for one in worse)
    return [
        numbers(rows.references),
        numbers(rows.hypotheses),
        rows.labels.astype(np.float32),
        numbers(pairs.references),
        numbers(pairs.better),
        numbers(pairs.worse),
        filled(references.tolist(), np.int32),
        filled(pool.numbers(one.good for one in worse).tolist(), np.int32),
        filled(pool.numbers(one.bad for one in worse).tolist(), np.int32),
        filled([one.margin for one in worse], np.float32, NO_MARGIN),
    ]
