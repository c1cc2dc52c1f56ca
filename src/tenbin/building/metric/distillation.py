"""Labels of another learned metric: a student learns the scores that its teacher gives.

The teacher judges the translations of the sets, and damaged ones, which no set has. Its scores are
computed once and stored in the work folder. They are the whole scores, with the share of BERTScore:
a small model cannot compare subwords as well as its teacher, and learns that part from it too. What
the student gives before the logistic function is drawn to what the teacher's score would be there::

    label = log(score / (1 - score))
"""

from collections.abc import Iterator, Sequence
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
from tenbin.building.metric.sets import SetTexts
from tenbin.building.metric.spread import BaseBertscore
from tenbin.building.metric.training import raw_scores
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.caching import caching
from tenbin.core.errors import InputError
from tenbin.formats.tensor_file import TensorWriter, map_tensors

STUDENT = "student"
MOST_TEXTS = 200_000
"""Translations that are judged by the teacher; of more, so many are drawn."""
DAMAGED_SHARE = 0.3
"""Damaged translations beside them."""

_LABELS = "labels"
_LENGTH = 128
_AT_ONCE = 4_000
_NEAREST = 0.01  # to 0 and 1, where labels would be without bounds


class TeacherJudge(NamedTuple):
    """A metric whose scores are learned.

    Attributes:
        network: Its network.
        tokenizer: Its tokenizer.
        subwords: Subwords that are judged at once.
        bertscore: BERTScore of its base model.
        share: The share of the learned score; the rest is BERTScore.
    """

    network: JointNetwork
    tokenizer: PairTokenizer
    subwords: int
    bertscore: BaseBertscore
    share: float

    def compared(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Return BERTScore of references and hypotheses."""
        if self.share >= 1:
            return np.zeros(len(pairs))
        return self.bertscore.of(pairs)


def labels_of(scores: FloatArray) -> FloatArray:
    """Return the labels that scores from 0 to 1 stand for.

    >>> labels_of(np.array([0.0, 0.5, 1.0])).round(2).tolist()
    [-4.6, 0.0, 4.6]
    """
    inside = np.clip(scores, _NEAREST, 1 - _NEAREST)
    found: FloatArray = np.log(inside / (1 - inside))
    return found


def student_block(
    data: MetricData, generator: DamageGenerator, *, most: int, seed: int, peers: int = 0
) -> JudgedBlock:
    """Return what the teacher is to judge, with labels of 0 as yet.

    Args:
        data: The texts of test sets, with all their systems, and tables; the pool gets damaged
            texts.
        generator: Damages texts.
        most: Most translations; of more, so many are drawn.
        seed: Of what is drawn.
        peers: Translations of other systems that each is judged against too, as if they were
            references. They differ in other ways than references do, and there are many of them.

    Raises:
        InputError: There is no translation.
    """
    parts = [part for texts in data.texts for part in _compared_texts(texts, peers)]
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


def _compared_texts(texts: SetTexts, peers: int) -> Iterator[IntArray]:
    """Yield references and translations of a set, then translations and others of them."""
    outputs = [texts.outputs(system)[texts.usable] for system in texts.systems]
    for output in outputs:
        yield np.stack([texts.references[texts.usable], output])
    for distance in range(1, min(peers, len(outputs) - 1) + 1):
        for place, output in enumerate(outputs):
            both = np.stack([outputs[(place + distance) % len(outputs)], output])
            yield both[:, both[0] != both[1]]


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
    """Let the teacher judge all translations, and write the labels.

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
    texts = pool.listed()
    found: list[FloatArray] = []
    # Vectors of so many texts would fill the cache, and are needed once.
    with phase("scores of the teacher", len(rows)) as advance, caching(enabled=False):
        for start in range(0, len(rows), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            references, hypotheses = rows.references[some], rows.hypotheses[some]
            inputs = split.rows(references, hypotheses)
            learned = 1 / (1 + np.exp(-raw_scores(judge.network, inputs, judge.subwords)))
            both = zip(references.tolist(), hypotheses.tolist(), strict=True)
            pairs = [(texts[one], texts[other]) for one, other in both]
            found.append(
                labels_of(judge.share * learned + (1 - judge.share) * judge.compared(pairs))
            )
            if advance is not None:
                advance(len(inputs))
    with TensorWriter(folder / "labels.safetensors") as writer:
        writer.extend(_LABELS, np.concatenate(found).astype(np.float32))
        writer.finish({})


def read_labels(folder: Path) -> FloatArray:
    """Return the labels that were written."""
    return np.array(map_tensors(folder / "labels.safetensors").tensors[_LABELS], dtype=np.float64)
