"""Labels of another learned metric: a student learns the raw scores that its teacher gives.

The teacher judges the translations of the sets, and damaged ones, which no set has. Its scores are
computed once and stored in the work folder.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from tenbin.annotation.joint.network import JointNetwork
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.building.corpus import Phase
from tenbin.building.metric.damage import DamageGenerator
from tenbin.building.metric.data import MetricData
from tenbin.building.metric.examples import SplitTexts, draw_damage
from tenbin.building.metric.judged_texts import JudgedBlock, JudgedPairs, JudgedRows, TextPool
from tenbin.building.metric.training import raw_scores
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.errors import InputError
from tenbin.formats.tensor_file import TensorWriter, map_tensors

STUDENT = "student"
MOST_TEXTS = 200_000
"""Translations that are judged by the teacher; of more, so many are drawn."""
DAMAGED_SHARE = 0.3
"""Damaged translations beside them."""

_RAW = "raw"
_LENGTH = 128
_AT_ONCE = 4_000


class TeacherJudge(NamedTuple):
    """A metric whose scores are learned.

    Attributes:
        network: Its network.
        tokenizer: Its tokenizer.
        subwords: Subwords that are judged at once.
    """

    network: JointNetwork
    tokenizer: PairTokenizer
    subwords: int


def student_block(
    data: MetricData, generator: DamageGenerator, *, most: int, seed: int
) -> JudgedBlock:
    """Return what the teacher is to judge, with labels of 0 as yet.

    Args:
        data: The texts of test sets, with all their systems, and tables; the pool gets damaged
            texts.
        generator: Damages texts.
        most: Most translations; of more, so many are drawn.
        seed: Of what is drawn.

    Raises:
        InputError: There is no translation.
    """
    parts = [
        np.stack([texts.references[texts.usable], texts.outputs(system)[texts.usable]])
        for texts in data.texts
        for system in texts.systems
    ]
    own = [block.rows for block, _ in data.weighted]
    parts += [np.stack([rows.references, rows.hypotheses]) for rows in own]
    if not parts:
        raise InputError("there is no translation that the teacher could judge. Give test sets.")
    pairs = np.unique(np.concatenate(parts, axis=1), axis=1)
    rng = np.random.default_rng((seed, 0))
    if pairs.shape[1] > most:
        pairs = pairs[:, np.sort(rng.choice(pairs.shape[1], most, replace=False))]
    pairs = np.concatenate([pairs, _damaged(pairs, data.pool, generator, rng)], axis=1)
    rows = JudgedRows(
        references=pairs[0],
        hypotheses=pairs[1],
        segments=pairs[0],
        labels=np.zeros(pairs.shape[1]),
    )
    return JudgedBlock(
        name=STUDENT, pair="", kind=STUDENT, rows=rows, pairs=JudgedPairs.none(), usual_weight=1.0
    )


def _damaged(
    pairs: IntArray, pool: TextPool, generator: DamageGenerator, rng: np.random.Generator
) -> IntArray:
    texts = pool.listed()

    def one_good(draw: np.random.Generator) -> tuple[int, int, int]:
        reference, hypothesis = pairs[:, int(draw.integers(pairs.shape[1]))].tolist()
        return reference, hypothesis, pool.sources.get(reference, -1)

    shares = generator.kinds(has_sources=bool(pool.sources))
    count = int(pairs.shape[1] * DAMAGED_SHARE) if shares else 0
    drawn = draw_damage(generator, shares, rng, count, one_good, texts) if count else []
    # Of a reference against itself the student learns from both sides of a pair.
    references = np.array([one.reference for one in drawn for _ in range(2)], dtype=np.int64)
    hypotheses = pool.numbers(text for one in drawn for text in (one.good, one.bad))
    return np.stack([references, hypotheses])


def write_labels(
    folder: Path, judge: TeacherJudge, block: JudgedBlock, pool: TextPool, phase: Phase
) -> None:
    """Let the teacher judge all translations, and write its raw scores.

    Args:
        folder: Where the file goes.
        judge: The teacher.
        block: The translations.
        pool: Their texts.
        phase: Shows the progress.
    """
    rows = block.rows
    numbers = np.concatenate([rows.references, rows.hypotheses])
    split = SplitTexts(judge.tokenizer, pool, numbers, _LENGTH)
    found: list[FloatArray] = []
    with phase("scores of the teacher", len(rows)) as advance:
        for start in range(0, len(rows), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            inputs = split.rows(rows.references[some], rows.hypotheses[some])
            found.append(raw_scores(judge.network, inputs, judge.subwords))
            if advance is not None:
                advance(len(inputs))
    with TensorWriter(folder / "labels.safetensors") as writer:
        writer.extend(_RAW, np.concatenate(found).astype(np.float32))
        writer.finish({})


def read_labels(folder: Path) -> FloatArray:
    """Return the raw scores of the teacher."""
    return np.array(map_tensors(folder / "labels.safetensors").tensors[_RAW], dtype=np.float64)
