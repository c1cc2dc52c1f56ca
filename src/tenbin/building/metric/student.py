"""What a student learns from: the labels of its teacher, computed once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tenbin.annotation.encoders.context_encoder import ContextEncoder
from tenbin.annotation.encoders.settings import Device, TextPooling, View
from tenbin.annotation.joint.adapter import Adapter
from tenbin.annotation.joint.network import JointNetwork
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.building.corpus import Phase
from tenbin.building.metric.adapters import check_base, named
from tenbin.building.metric.damage import DamageGenerator
from tenbin.building.metric.distillation import (
    TeacherJudge,
    read_labels,
    read_subword_labels,
    write_labels,
)
from tenbin.building.metric.examples import SplitTexts
from tenbin.building.metric.judged_texts import JudgedBlock, TextPool
from tenbin.building.metric.lessons import SubwordLessons
from tenbin.building.metric.plain_text import Vectors
from tenbin.building.metric.recipe import CPU_SUBWORDS, CUDA_SUBWORDS, MetricRecipe
from tenbin.building.metric.spread import BaseBertscore
from tenbin.building.metric.subword_labels import SubwordLabels
from tenbin.building.metric.teacher_vectors import TeacherVectors, matched_subwords
from tenbin.building.metric.variants import VariantMaker
from tenbin.building.metric.word_neighbors import WordNeighbors
from tenbin.building.training_numbers import judging_numbers
from tenbin.building.work_folder import WorkFolder
from tenbin.core.arrays import IdArray
from tenbin.core.caching import caching
from tenbin.core.errors import UsageError
from tenbin.kernels.arrays import Float32Array
from tenbin.resources.checkpoints import Checkpoint, find_checkpoint
from tenbin.resources.store.store import default_store

_JUDGED_AT_ONCE = 4
_SAMPLE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TeacherMetric:
    """A metric that a student learns from.

    Attributes:
        adapter: Its adapter.
        checkpoint: Its base model.
        share: The share of the learned score in its labels; the rest is BERTScore.
    """

    adapter: Adapter
    checkpoint: Checkpoint
    share: float

    def facts(self) -> dict[str, str | float]:
        """Return for a card who taught."""
        return {**(named(self.adapter) or {}), "share": self.share}


def found_teacher(
    adapter: Adapter, bases: tuple[str, str], share: float | None, language: str
) -> TeacherMetric:
    """Return a teacher with its base model; where that was a folder, it may be the student's.

    Args:
        adapter: The adapter of the teacher.
        bases: Its base model, empty if that is the one it names; and that of the student.
        share: The share of the learned score; None: as the adapter says.
        language: The language of the texts.

    Raises:
        UsageError: The base model is not the one that it was trained with.
    """
    given, own = bases
    resources = {entry.name for entry in default_store().entries()}
    base = adapter.card.base if adapter.card.base in resources else own
    checkpoint = find_checkpoint(given or base, language)
    check_base(adapter, checkpoint, "teacher_base")
    chosen = adapter.card.share if share is None else share
    return TeacherMetric(adapter=adapter, checkpoint=checkpoint, share=chosen)


class Taught(NamedTuple):
    """What a teacher said.

    Attributes:
        block: The texts with their labels.
        subwords: What each subword is worth; None if that is not learned.
        stage: The stage of the labels: its name tells everything they depend on.
    """

    block: JudgedBlock
    subwords: SubwordLabels | None
    stage: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Teaching:
    """Lets a teacher judge what its student learns.

    Attributes:
        teacher: The teacher.
        tokenizer: The tokenizer of the student.
        numbers: The teacher's id of each subword of the student; None if nothing is learned of
            subwords.
        length: Most subwords of a text that the student reads.
        device: CPU or CUDA.
    """

    teacher: TeacherMetric
    tokenizer: PairTokenizer
    numbers: IdArray | None
    length: int
    device: Device

    def vectors(self) -> TeacherVectors | None:
        """Return the base model of the teacher, opened, if anything is learned of subwords."""
        if self.numbers is None:
            return None
        layer = self.teacher.adapter.card.layer
        numbers = judging_numbers(self.device)
        return TeacherVectors(self.teacher.checkpoint, layer, self.numbers, self.device, numbers)

    def taught(
        self, block: JudgedBlock, pool: TextPool, folder: WorkFolder, phase: Phase
    ) -> Taught:
        """Return the labels of texts, computed once.

        Args:
            block: The texts.
            pool: All texts.
            folder: Where labels are stored.
            phase: Shows the progress.
        """
        described = {
            "texts": block.digest(pool.listed()),
            "teacher": named(self.teacher.adapter),
            "share": self.teacher.share,
            "subwords": self._described_subwords(),
            "device": str(self.device),
            "torch": version("torch"),
        }

        def make(place: Path) -> None:
            write_labels(place, self._judge(block, pool), block, pool, phase)

        place = folder.stage("labels", described, make)
        judged = replace(block, rows=replace(block.rows, labels=read_labels(place)))
        subwords = None if self.numbers is None else read_subword_labels(place, block.rows)
        return Taught(judged, subwords, place)

    def _described_subwords(self) -> dict[str, str | int] | None:
        if self.numbers is None:
            return None
        base = self.tokenizer.checkpoint.identity.fingerprint
        return {"length": self.length, "cut_by": base}

    def _judge(self, block: JudgedBlock, pool: TextPool) -> TeacherJudge:
        adapter, checkpoint = self.teacher.adapter, self.teacher.checkpoint
        device, share = self.device, self.teacher.share
        vectors = self.vectors()
        numbers = np.concatenate([block.rows.references, block.rows.hypotheses])
        network = None
        if share > 0:
            network = JointNetwork.of_adapter(
                checkpoint, adapter, device=device, number_type=judging_numbers(device)
            )
        by_texts = share < 1 and vectors is None
        return TeacherJudge(
            network,
            PairTokenizer(checkpoint),
            _JUDGED_AT_ONCE * (CUDA_SUBWORDS if device is Device.CUDA else CPU_SUBWORDS),
            BaseBertscore(checkpoint, adapter.card.layer, device) if by_texts else None,
            share,
            vectors,
            SplitTexts(self.tokenizer, pool, numbers, self.length) if vectors else None,
        )

    def lessons(
        self, network: JointNetwork, recipe: MetricRecipe, subwords: SubwordLabels | None
    ) -> SubwordLessons | None:
        """Return what is learned of subwords, beside the labels."""
        if subwords is None:
            return None
        vectors = self.vectors() if recipe.state_weight else None
        return SubwordLessons(network, recipe, subwords.mean, vectors)


def variant_maker(
    network: JointNetwork, tokenizer: PairTokenizer, generator: DamageGenerator
) -> VariantMaker:
    """Return what makes variants of plain text, with the words of the student's table."""
    size = tokenizer.tokenizer.size
    every = network.torch.arange(size, device=network.device)
    with network.torch.no_grad():
        vectors = network.subword_vectors(every).float().cpu().numpy()
    names = tokenizer.tokenizer.texts(range(size))
    return VariantMaker(generator, WordNeighbors(names, vectors))


def segment_vectors(checkpoint: Checkpoint, device: Device) -> Vectors:
    """Return what gives texts a vector each: the mean of the last states of a model."""
    view = View((checkpoint.layer_count,), whole=TextPooling.MEAN)
    encoder = ContextEncoder(checkpoint, view, device, judging_numbers(device))

    def vectors(texts: Sequence[str]) -> Float32Array:
        with caching(enabled=False):
            encoded = encoder.encode(texts)
        return encoded.units[[int(encoded.rows.row(place)[0]) for place in range(len(texts))]]

    return vectors


def subword_numbers(
    recipe: MetricRecipe,
    student: PairTokenizer,
    teacher: TeacherMetric,
    texts: list[str],
    *,
    required: bool,
    tell: Callable[[str], None],
) -> tuple[MetricRecipe, IdArray | None]:
    """Return the teacher's ids of the student's subwords, and the settings that are possible.

    Args:
        recipe: The settings.
        student: The tokenizer of the student.
        teacher: The teacher.
        texts: Some of the texts that are learned from.
        required: Whether the weights were asked for: it is an error if they cannot be.
        tell: Called with a note if nothing is learned of subwords.

    Raises:
        UsageError: Both models cut texts into different subwords.
    """
    if not recipe.learns_subwords:
        return recipe, None
    cutter = PairTokenizer(teacher.checkpoint)
    places = np.linspace(0, len(texts) - 1, min(len(texts), _SAMPLE)).astype(int)
    numbers = matched_subwords(student, cutter, [texts[place] for place in places.tolist()])
    if numbers is not None:
        return recipe, numbers
    names = f"{student.checkpoint.identity.name!r} and {teacher.checkpoint.identity.name!r}"
    problem = f"texts are cut into different subwords by {names}"
    if required or recipe.state_weight:
        raise UsageError(
            f"{problem}, so that the student cannot learn what each subword is worth "
            "(`subword_weight`, `state_weight`). Choose another base model (`base_model`), or set "
            "both to 0."
        )
    tell(f"{problem}: the student learns whole scores only.")
    return replace(recipe, subword_weight=0.0), None
