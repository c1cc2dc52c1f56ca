"""What the teachers say of pairs of texts: scores, BERTScore, similarities of subwords."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from benchmarks.students.arrays import (
    DEVICE,
    Arrays,
    BoolArray,
    FloatArray,
    IntArray,
    Tensor,
    places,
    read_arrays,
    sent,
)
from benchmarks.students.batches import sorted_cuts
from benchmarks.students.comparison import TextVectors, compared
from benchmarks.students.material import Material
from benchmarks.students.plain_text import PlainText
from benchmarks.students.plan import ALL, PLAIN_YEAR, Kind
from benchmarks.students.rows import PaddedTexts, rows_of
from benchmarks.students.sizes import Sizes
from benchmarks.students.teacher import Teacher
from benchmarks.students.texts import FlatTexts

_SEED, _PLAIN_SEED = 3, 99
LEARNED = "learned/"
PAIRS = ("reference", "hypothesis", "year", "kind")


@dataclass(frozen=True, slots=True)
class TextPairs:
    """Pairs of texts.

    Attributes:
        texts: All texts.
        flat: Their subwords.
        reference: Texts by number.
        hypothesis: Texts by number.
        year: The number of the year.
        kind: Where a pair comes from.
    """

    texts: FlatTexts
    flat: npt.NDArray[np.int32]
    reference: IntArray
    hypothesis: IntArray
    year: IntArray
    kind: IntArray

    @property
    def lengths(self) -> IntArray:
        """The subwords of both texts of each pair."""
        lengths = self.texts.lengths
        found: IntArray = lengths[self.reference] + lengths[self.hypothesis]
        return found

    @property
    def starts(self) -> IntArray:
        """Where the subwords of each pair begin, if all stand one after the other."""
        found: IntArray = np.cumsum(self.lengths) - self.lengths
        return found

    def arrays(self) -> Arrays:
        """Return all that is to be stored."""
        columns = {name: getattr(self, name) for name in PAIRS}
        return {"flat": self.flat, "lengths": self.texts.lengths, **columns}

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> "TextPairs":
        """Return what was stored."""
        columns = (arrays[name].astype(np.int64) for name in PAIRS)
        flat = arrays["flat"].astype(np.int32)
        return cls(FlatTexts(flat, arrays["lengths"]), flat, *columns)


@torch.no_grad()
def make_labels(material: Material) -> Arrays:
    """Return the pairs that students read, and what each teacher says of them.

    Args:
        material: What was collected; the teachers of the folds are trained.
    """
    pairs = judged_pairs(material.texts, material.sizes, material.plain_text(_PLAIN_SEED))
    print(f"labels: {len(pairs.kind)} pairs, {int(pairs.lengths.sum())} subwords", flush=True)
    encoder = material.teacher()
    vectors = TextVectors(encoder, material.table, material.plan.compared_layer)
    bertscore, similar = compared_pairs(pairs, vectors, material.sizes.compared_subwords)
    found = {**pairs.arrays(), "bertscore": bertscore, "similar": similar}
    for name in (ALL, *material.plan.taught):
        teacher = Teacher(encoder, read_arrays(material.work.teacher(name)))
        year = PLAIN_YEAR - 1 if name == ALL else list(material.plan.years).index(name)
        # Its own year is judged where systems stand beside references alone: to be measured.
        wanted = (pairs.year != year) | (pairs.kind == Kind.DIRECT)
        found[f"{LEARNED}{name}"] = judged_by(teacher, pairs, wanted, material)
        print(f"labels: judged by the teacher {name}", flush=True)
    return found


def judged_pairs(arrays: Arrays, sizes: Sizes, plain: PlainText) -> TextPairs:
    """Return the pairs that are judged: all of systems and references, some others, plain text.

    Args:
        arrays: What was collected.
        sizes: How many of them.
        plain: Plain text.
    """
    reference, hypothesis, year, kind = (arrays[name].astype(np.int64) for name in PAIRS)
    lengths = arrays["lengths"].astype(np.int64)
    there = (lengths[reference] > 0) & (lengths[hypothesis] > 0)
    rng = np.random.default_rng(_SEED)
    direct = np.flatnonzero(there & (kind == Kind.DIRECT))
    chosen = [direct[:: -(-len(direct) // sizes.direct) or 1]]  # of all years
    for one, most in (
        (Kind.PEER, sizes.peers),
        (Kind.DAMAGED, sizes.damaged),
        (Kind.TRIP, sizes.trips),
    ):
        every = np.flatnonzero(there & (kind == one))
        chosen.append(every[rng.permutation(len(every))[:most]])
    places_ = np.sort(np.concatenate(chosen))
    # What is compared with a segment has it for a reference, so that it makes a group.
    added = plain.pairs(sizes.plain_segments, turned=0.0)
    inside = places(added.texts.width) < added.texts.lengths[:, None]
    more = added.texts.ids[inside].cpu().numpy()
    flat = np.concatenate([arrays["flat"].astype(np.int32), more.astype(np.int32)])
    first, second = (len(lengths) + one.cpu().numpy() for one in (added.first, added.second))
    return TextPairs(
        texts=FlatTexts(flat, np.concatenate([lengths, added.texts.lengths.cpu().numpy()])),
        flat=flat,
        reference=np.concatenate([reference[places_], first]),
        hypothesis=np.concatenate([hypothesis[places_], second]),
        year=np.concatenate([year[places_], np.full(len(first), PLAIN_YEAR)]),
        kind=np.concatenate([kind[places_], np.full(len(first), int(Kind.PLAIN))]),
    )


@torch.no_grad()
def compared_pairs(
    pairs: TextPairs, vectors: TextVectors, budget: int
) -> tuple[FloatArray, npt.NDArray[np.float16]]:
    """Return BERTScore of each pair, and what each subword is worth, one pair after another.

    Args:
        pairs: What is compared.
        vectors: Gives texts vectors.
        budget: Subwords that are compared at once.
    """
    scores = torch.zeros(len(pairs.kind), device=DEVICE)
    similar = torch.zeros(int(pairs.lengths.sum()), device=DEVICE, dtype=torch.float16)
    starts = sent(pairs.starts)
    for some in sorted_cuts(pairs.lengths, budget):
        one, other = _padded(pairs, some)
        both = PaddedTexts(torch.cat([one.ids, other.ids]), torch.cat([one.lengths, other.lengths]))
        read, count = vectors.of(both), len(some)
        worth = compared(read.chosen(slice(count)), read.chosen(slice(count, None)))
        scores[sent(some)] = worth.scores
        start = starts[sent(some)]
        _put(similar, start, one, worth.first)
        _put(similar, start + one.lengths, other, worth.second)
    return scores.cpu().numpy(), similar.cpu().numpy()


def _padded(pairs: TextPairs, some: IntArray) -> tuple[PaddedTexts, PaddedTexts]:
    sides = pairs.reference[some], pairs.hypothesis[some]
    width = int(max(pairs.texts.lengths[side].max() for side in sides))
    one, other = (PaddedTexts(*pairs.texts.padded(sent(side), width)) for side in sides)
    return one, other


def _put(similar: Tensor, starts: Tensor, texts: PaddedTexts, worth: Tensor) -> None:
    """Store what the subwords of texts are worth, without the special tokens."""
    place = places(texts.width)
    inside = place < texts.lengths[:, None]
    numbers = worth[:, 1 : texts.width + 1][inside]
    similar[(starts[:, None] + place)[inside]] = numbers.half()


@torch.no_grad()
def judged_by(
    teacher: Teacher, pairs: TextPairs, wanted: BoolArray, material: Material
) -> FloatArray:
    """Return the scores that a teacher gives, NaN for pairs that it is not asked about.

    Args:
        teacher: Who judges.
        pairs: All pairs.
        wanted: Which are judged.
        material: Tells how texts are read.
    """
    numbers = np.flatnonzero(wanted)
    found = torch.full((len(wanted),), float("nan"), device=DEVICE)
    facts, table = material.plan.teacher, material.table
    for part in sorted_cuts(pairs.lengths[numbers], material.sizes.judged_subwords):
        some = numbers[part]
        one, other = pairs.reference[some], pairs.hypothesis[some]
        raw = teacher.raw(rows_of(pairs.texts, one, other, facts, table))
        found[sent(some)] = torch.sigmoid(raw)
    scores: FloatArray = found.cpu().numpy()
    return scores


def direct_scores(labels: Arrays) -> Arrays:
    """Return what the teachers say of translations beside references: worth bringing home.

    Args:
        labels: All labels.
    """
    direct = labels["kind"] == Kind.DIRECT
    names = [*PAIRS, "bertscore", *(name for name in labels if name.startswith(LEARNED))]
    return {name: labels[name][direct] for name in names}
