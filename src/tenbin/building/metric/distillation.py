"""Labels of another learned metric: a student learns the scores that its teacher gives.

The teacher judges the translations of the sets, and damaged ones, which no set has. Its scores are
computed once and stored in the work folder. They are the whole scores, with the share of BERTScore:
a small model cannot compare subwords as well as its teacher, and learns that part from it too. What
the student gives before the logistic function is drawn to what the teacher's score would be there::

    label = log(score / (1 - score))

If both models cut texts into the same subwords, what each of them is worth is stored as well, see
`subword_labels`.
"""

from collections.abc import Iterator
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
from tenbin.building.metric.subword_labels import HalfArray, SubwordLabels, compared_pairs
from tenbin.building.metric.teacher_vectors import TeacherVectors
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.caching import caching
from tenbin.core.errors import InputError
from tenbin.formats.tensor_file import TensorWriter, map_tensors

STUDENT = "student"
MOST_TEXTS = 200_000
"""Translations that are judged by the teacher; of more, so many are drawn."""
DAMAGED_SHARE = 0.3
"""Damaged translations beside them."""

_FILE = "labels.safetensors"
_LABELS, _MEAN, _COUNTS, _SIMILAR = "labels", "mean", "counts", "similar"
_LENGTH = 128
_AT_ONCE = 4_000
_COMPARED_AT_ONCE = 500  # pairs whose vectors are in memory
_NEAREST = 0.01  # to 0 and 1, where labels would be without bounds


class TeacherJudge(NamedTuple):
    """A metric whose scores are learned.

    Attributes:
        network: Its network; None if its share is 0.
        tokenizer: Its tokenizer.
        subwords: Subwords that are judged at once.
        bertscore: BERTScore of its base model; None if its share is 0, or subwords are compared.
        share: The share of the learned score; the rest is BERTScore.
        vectors: Its base model, if subwords are compared.
        split: The texts as the student reads them, if subwords are compared.
    """

    network: JointNetwork | None
    tokenizer: PairTokenizer
    subwords: int
    bertscore: BaseBertscore | None
    share: float
    vectors: TeacherVectors | None = None
    split: SplitTexts | None = None


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
    parts = [part for texts in data.texts for part in compared_texts(texts, peers)]
    own = [block.rows for block, _ in data.weighted]
    parts += [np.stack([rows.references, rows.hypotheses]) for rows in own]
    if not parts:
        raise InputError("there is no translation that the teacher could judge. Give test sets.")
    pairs = np.unique(np.concatenate(parts, axis=1), axis=1)
    rng = np.random.default_rng((seed, 0))
    if pairs.shape[1] > most:
        pairs = pairs[:, np.sort(rng.choice(pairs.shape[1], most, replace=False))]
    pairs = np.concatenate([pairs, damaged_pairs(pairs, data.pool, generator, rng)], axis=1)
    rows = JudgedRows(
        references=pairs[0],
        hypotheses=pairs[1],
        segments=pairs[0],
        labels=np.zeros(pairs.shape[1]),
    )
    read = [f"{texts.name}/{texts.pair}" for texts in data.texts]
    read += [block.name for block, _ in data.weighted]
    return JudgedBlock(
        name=STUDENT,
        pair="",
        kind=STUDENT,
        rows=rows,
        pairs=JudgedPairs.none(),
        usual_weight=1.0,
        facts={"read": read, "peers": peers},
    )


def compared_texts(texts: SetTexts, peers: int) -> Iterator[IntArray]:
    """Yield references and translations of a set, then translations and others of them.

    Args:
        texts: The set.
        peers: Other translations that each is compared with.

    Yields:
        Numbers of texts, (2, pairs).
    """
    outputs = [texts.outputs(system)[texts.usable] for system in texts.systems]
    for output in outputs:
        yield np.stack([texts.references[texts.usable], output])
    for distance in range(1, min(peers, len(outputs) - 1) + 1):
        for place, output in enumerate(outputs):
            both = np.stack([outputs[(place + distance) % len(outputs)], output])
            yield both[:, both[0] != both[1]]


def damaged_pairs(
    pairs: IntArray, pool: TextPool, generator: DamageGenerator, rng: np.random.Generator
) -> IntArray:
    """Return references beside texts that are damaged, and beside what these were before.

    Args:
        pairs: References and translations that are damaged, (2, pairs).
        pool: Their texts; gets the damaged ones.
        generator: Damages texts.
        rng: What is drawn from.

    Returns:
        Numbers of texts, (2, pairs), in a fixed proportion to those that were given.
    """
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
    length = _LENGTH
    if judge.network is None:
        numbers = numbers[:0]
    else:
        length = min(length, (judge.network.room - judge.tokenizer.special_count) // 2)
    split = SplitTexts(judge.tokenizer, pool, numbers, length)
    texts = pool.listed()
    found: list[FloatArray] = []
    worth = _SubwordWorth(judge)
    # Vectors of so many texts would fill the cache, and are needed once.
    with phase("scores of the teacher", len(rows)) as advance, caching(enabled=False):
        for start in range(0, len(rows), worth.at_once):
            some = slice(start, start + worth.at_once)
            references, hypotheses = rows.references[some], rows.hypotheses[some]
            scores = np.zeros(len(references))
            if judge.network is not None:
                inputs = split.rows(references, hypotheses)
                scores += judge.share * judge.network.scores(inputs)
            if judge.vectors is not None:
                scores += (1 - judge.share) * worth.compared(references, hypotheses)
            elif judge.bertscore is not None:
                both = zip(references.tolist(), hypotheses.tolist(), strict=True)
                pairs = [(texts[one], texts[other]) for one, other in both]
                scores += (1 - judge.share) * judge.bertscore.of(pairs)
            found.append(labels_of(scores))
            if advance is not None:
                advance(len(references))
    with TensorWriter(folder / _FILE) as writer:
        writer.extend(_LABELS, np.concatenate(found).astype(np.float32))
        worth.write(writer)
        writer.finish({})


class _SubwordWorth:
    """Collects what the subwords of all pairs are worth, if they are compared."""

    def __init__(self, judge: TeacherJudge) -> None:
        self._judge = judge
        self.at_once = _AT_ONCE if judge.vectors is None else _COMPARED_AT_ONCE
        self._similar: list[HalfArray] = []
        self._counts: list[int] = []
        self._total: FloatArray | float = 0.0
        self._count = 0

    def compared(self, references: IntArray, hypotheses: IntArray) -> FloatArray:
        """Return BERTScore of references and hypotheses, and keep what it is the mean of."""
        judge = self._judge
        if judge.vectors is None or judge.split is None:
            return np.zeros(len(references))
        numbers, places = np.unique(np.concatenate([references, hypotheses]), return_inverse=True)
        ids = [judge.split.ids(number) for number in numbers.tolist()]
        first, second = np.split(places, 2)
        pairs = compared_pairs(judge.vectors, ids, first, second, judge.subwords)
        self._similar.append(np.concatenate(pairs.similar))
        self._counts += [len(one) for one in pairs.similar]
        self._total, self._count = self._total + pairs.total, self._count + pairs.vectors
        return pairs.scores

    def write(self, writer: TensorWriter) -> None:
        if not self._count:
            return
        writer.extend(_MEAN, np.asarray(self._total / self._count, dtype=np.float32))
        writer.extend(_COUNTS, np.array(self._counts, dtype=np.int32))
        writer.extend(_SIMILAR, np.concatenate(self._similar))


def read_labels(folder: Path) -> FloatArray:
    """Return the labels that were written."""
    return np.array(map_tensors(folder / _FILE).tensors[_LABELS], dtype=np.float64)


def read_subword_labels(folder: Path, rows: JudgedRows) -> SubwordLabels:
    """Return what the subwords of the rows are worth; the numbers stay on disk.

    Args:
        folder: Where labels were written.
        rows: All rows that have labels.
    """
    found = map_tensors(folder / _FILE).tensors
    counts, mean = found[_COUNTS].astype(np.int64), found[_MEAN].astype(np.float64)
    return SubwordLabels(rows, found[_SIMILAR], counts, mean)
