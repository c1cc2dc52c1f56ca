"""Trains a learned metric on human judgments, and writes its adapter.

The base model is not changed: the file has what training adds to it, a few megabytes, with a card
that says on which judgments, from which model and how it was made.
"""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.annotation.encoders.settings import (
    Device,
    NumberType,
    require_extra,
    settled_device,
)
from tenbin.annotation.joint.adapter import FULL, Adapter, AdapterCard, Array, write_adapter
from tenbin.annotation.joint.network import AdapterShape, JointNetwork, first_tensors
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.building.corpus import Phase, check_free, no_progress
from tenbin.building.metric.adapters import check_base, found_adapter, named
from tenbin.building.metric.damage import DamageGenerator
from tenbin.building.metric.data import JudgmentSources, MetricData, collected, vocabulary_notes
from tenbin.building.metric.distillation import MOST_TEXTS, student_block
from tenbin.building.metric.examples import ExampleSource
from tenbin.building.metric.holding_out import held_out_facts
from tenbin.building.metric.lessons import SubwordLessons
from tenbin.building.metric.plain_text import Vectors, read_plain_text
from tenbin.building.metric.recipe import MetricRecipe
from tenbin.building.metric.spread import MOST_MEASURED, BaseBertscore, balanced_share
from tenbin.building.metric.student import (
    Taught,
    TeacherMetric,
    Teaching,
    found_teacher,
    segment_vectors,
    subword_numbers,
    variant_maker,
)
from tenbin.building.metric.training import MetricTraining, ReportMetricStep
from tenbin.building.metric.variants import VariantMaker
from tenbin.building.one_process import alone_in
from tenbin.building.training_numbers import TrainingNumbers, settled_numbers
from tenbin.building.training_progress import advancing
from tenbin.building.work_folder import WorkFolder
from tenbin.core.arrays import IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.formats.output import check_target
from tenbin.metrics.representations.model_defaults import default_layer
from tenbin.resources.checkpoints import Checkpoint, find_checkpoint
from tenbin.version import __version__

WORK_ENDING = ".work"
USUAL_SHARE = 0.4
"""The best compromise on WMT14 to WMT23 into English."""
_STATE = "state.safetensors"
_SEED = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricStart:
    """What a training begins with.

    Attributes:
        base: The base model: a resource or a folder; empty: that of the adapter.
        adapter: An adapter that is trained further; empty: a new one.
        teacher: An adapter whose scores are learned; empty: judgments are learned.
        teacher_base: The base model of that adapter; empty: the one it names, or `base`.
        teacher_share: The share of the learned score in the labels of that adapter; None: as its
            card says; 0: BERTScore of its base model alone, into which no judgments went.
        subwords_required: Whether it is an error if nothing can be learned of subwords; if not, it
            is a note.
        most_texts: Most translations that the teacher judges.
        peers: Translations of other systems that each is judged against too.
    """

    base: str = ""
    adapter: str = ""
    teacher: str = ""
    teacher_base: str = ""
    teacher_share: float | None = None
    subwords_required: bool = False
    most_texts: int = MOST_TEXTS
    peers: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """What the adapter says besides its numbers.

    Attributes:
        name: Its name; empty: that of the file.
        layer: The layer that BERTScore compares; None: that of the base model.
        share: The share of the learned score; None: so that it and BERTScore vary as much.
        rounded: Whether weights of the base model that were trained are stored as int8.
    """

    name: str = ""
    layer: int | None = None
    share: float | None = USUAL_SHARE
    rounded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRun:
    """Where a training runs, and who hears of it.

    Attributes:
        device: CPU, CUDA, or CUDA where there is a device.
        numbers: What is computed with.
        work: The work folder, which is not removed; None: ``OUTPUT.work``, removed at the end.
        force: Whether a file that is there is replaced.
        phase: Shows the progress.
        report: Called after each step of the training.
        tell: Called with notes, as they come.
        seconds_between_states: How often the state of the training is written; five times as
            long if all weights are trained.
    """

    device: Device = Device.AUTO
    numbers: TrainingNumbers = TrainingNumbers.AUTO
    work: Path | None = None
    force: bool = False
    phase: Phase = no_progress
    report: ReportMetricStep = lambda _position, _done: None
    tell: Callable[[str], None] = lambda _note: None
    seconds_between_states: float = 60.0


@dataclass(frozen=True, slots=True)
class BuiltMetric:
    """The result of a training.

    Attributes:
        path: The file of the adapter.
        card: Its card.
        notes: What was left out, and other remarks.
        resumed: The step that an earlier build had come to; 0 if there was none.
        stopped_early: Whether it ended before the last step.
    """

    path: str
    card: dict[str, Any]
    notes: tuple[str, ...]
    resumed: int
    stopped_early: bool


def build_metric(
    sources: JudgmentSources,
    output: str,
    recipe: MetricRecipe,
    start: MetricStart,
    *,
    result: MetricResult | None = None,
    run: MetricRun | None = None,
) -> BuiltMetric:
    """Train a metric and write its adapter.

    The state of the training is stored every minute: an interrupted build continues from there. On
    a CPU the result is the same as without an interruption, and the same seed and number of threads
    give the same adapter.

    Args:
        sources: The judgments.
        output: The file to write, ``.safetensors``.
        recipe: The settings of the training.
        start: The base model, and adapters to begin with or to learn from.
        result: Name, layer and share of the adapter.
        run: The device, the work folder, and what shows the progress.

    Raises:
        UsageError: The file exists, or names fit nothing.
        MissingExtra: A package of the extra ``neural`` is not installed.
        MissingResource: The base model is not installed.
        InputError: Judgments cannot be read, or nothing can be learned from them.
        OutputError: The file or the work folder cannot be written.
    """
    result, run = result or MetricResult(), run or MetricRun()
    _check_start(output, run)
    device = settled_device(run.device)
    data = collected(sources, for_student=bool(start.teacher))
    given = found_adapter(start.adapter, data.language)
    checkpoint = _base(start, given, data.language.tag)
    layer = _layer(result, checkpoint, data.language.tag)
    recipe = recipe if given is None else _recipe_of(given, recipe)
    _check_recipe(recipe, start, result, checkpoint)
    folder = WorkFolder(Path(f"{output}{WORK_ENDING}") if run.work is None else run.work)
    generator = DamageGenerator(data.language.code, data.language.spaced, recipe.shares)
    teacher = _teacher(start, data, checkpoint)
    tokenizer = PairTokenizer(checkpoint)
    computed_with = settled_numbers(device, run.numbers)
    network = _network(checkpoint, given, recipe, device, computed_with)
    # Both texts must fit into the model.
    recipe = replace(
        recipe, length=min(recipe.length, (network.room - tokenizer.special_count) // 2)
    )
    taught: Taught | None = None
    lessons: SubwordLessons | None = None
    if teacher is not None:
        with run.phase("variants of plain text", None) if sources.texts else nullcontext():
            data = _with_plain_text(
                data,
                sources.texts,
                lambda: variant_maker(network, tokenizer, generator),
                segment_vectors(checkpoint, device),
                most=start.most_texts,
                seed=recipe.seed,
            )
        block = student_block(
            data, generator, most=start.most_texts, seed=recipe.seed, peers=start.peers
        )
        recipe, numbers = subword_numbers(
            recipe,
            tokenizer,
            teacher,
            data.pool.listed(),
            required=start.subwords_required,
            tell=data.notes.append,
        )
        teaching = Teaching(
            teacher=teacher,
            tokenizer=tokenizer,
            numbers=numbers,
            length=recipe.length,
            device=device,
        )
        taught = teaching.taught(block, data.pool, folder, run.phase)
        data = data.with_student(taught.block, sources.hold_out)
        lessons = teaching.lessons(network, recipe, taught.subwords)
    notes = _notes(data, tokenizer, generator if recipe.damaged else None)
    for note in notes:
        run.tell(note)
    subwords = None if taught is None else taught.subwords
    with run.phase("splitting into subwords", None):
        source = ExampleSource(data.weighted, data.pool, tokenizer, recipe, generator, subwords)
    training = MetricTraining(network, source, data.held_out, recipe, device, run.tell, lessons)
    facts = {
        "sets": data.facts(),
        "recipe": recipe.as_json(),
        "from": named(given),
        "student_of": None if teacher is None else teacher.facts(),
        "device": str(device),
        "dtype": str(computed_with),
    }
    held = [block.digest(data.pool.listed()) for block in data.held_out.blocks]
    more = {"base": checkpoint.identity.fingerprint, "held_out": held, "torch": version("torch")}
    labels = {} if taught is None else {"labels": taught.stage}
    state = folder.stage("training", {**facts, **more, **labels}, lambda _place: None) / _STATE
    with alone_in(state.parent), run.phase("training", recipe.steps) as advance:
        if state.is_file():
            training.read_state(state)
        resumed = training.position.step
        training.run(
            state,
            advancing(run.report, advance, recipe.steps),
            # All weights with their moments are gigabytes.
            seconds_between_states=run.seconds_between_states * (5 if recipe.is_full else 1),
        )
    with run.phase("weighing against BERTScore", None):
        share, spreads = _share(result, training, data, BaseBertscore(checkpoint, layer, device))
    card = AdapterCard(
        name=result.name or Path(output).stem,
        language=data.language.tag,
        base=checkpoint.identity.name,
        base_fingerprint=checkpoint.identity.fingerprint,
        rank=recipe.rank,
        alpha=recipe.alpha,
        width=recipe.width,
        layer=layer,
        share=share,
        training={**facts, **_training_facts(training, data, recipe, source), "spread": spreads},
    )
    write_adapter(
        output, Adapter(tensors=_tensors(network, given), card=card), rounded=result.rounded
    )
    if run.work is None:
        folder.remove()
    return BuiltMetric(output, card.as_json(), tuple(notes), resumed, training.stopped_early)


def _check_start(output: str, run: MetricRun) -> None:
    """Raise if nothing could be written, or a package is missing, before anything is read."""
    check_target(output)
    check_free(output, force=run.force)
    require_extra("the training of a metric", "")


def _with_plain_text(
    data: MetricData,
    paths: tuple[str, ...],
    make_maker: Callable[[], VariantMaker],
    vectors: Vectors,
    *,
    most: int,
    seed: int,
) -> MetricData:
    """Return what was read with pairs of plain text, if there is some."""
    if not paths:
        return data
    return data.with_texts(
        read_plain_text(paths, data.pool, make_maker(), vectors, most=most, seed=seed)
    )


def _network(
    checkpoint: Checkpoint,
    given: Adapter | None,
    recipe: MetricRecipe,
    device: Device,
    numbers: NumberType,
) -> JointNetwork:
    """Return the network that is trained."""
    shape = AdapterShape(
        rank=recipe.rank,
        alpha=recipe.alpha,
        width=recipe.width,
        layers=recipe.layers or None,
        full=recipe.is_full,
    )
    tensors = first_tensors(checkpoint, shape, recipe.seed) if given is None else given.tensors
    network = JointNetwork(
        checkpoint,
        tensors,
        recipe.alpha / recipe.rank if recipe.rank else 0.0,
        device=device,
        number_type=numbers,
        merged=False,
    )
    if recipe.is_full:
        network.train_base(embeddings=not recipe.keep_embeddings)
    return network


def _notes(
    data: MetricData, tokenizer: PairTokenizer, generator: DamageGenerator | None
) -> list[str]:
    """Return remarks on the texts, and on damage, where texts are damaged."""
    notes = [*data.notes, *vocabulary_notes(tokenizer, data, tokenizer.checkpoint.identity.name)]
    absent = generator.impossible(has_sources=bool(data.pool.sources)) if generator else []
    if absent:
        notes.append(f"damage that cannot be made of these texts: {', '.join(absent)}.")
    return notes


def _tensors(network: JointNetwork, given: Adapter | None) -> dict[str, Array]:
    """Return what an adapter has: what was trained, and weights of an earlier one that were not."""
    kept = {} if given is None else given.tensors
    earlier = {name: one for name, one in kept.items() if name.startswith(FULL)}
    return {**earlier, **network.tensors()}


def _base(start: MetricStart, given: Adapter | None, language: str) -> Checkpoint:
    """Return the base model; that of an adapter must be the very one it was trained with."""
    if given is None:
        return find_checkpoint(start.base, language)
    checkpoint = find_checkpoint(start.base or given.card.base, language)
    check_base(given, checkpoint)
    return checkpoint


def _recipe_of(given: Adapter, recipe: MetricRecipe) -> MetricRecipe:
    """Return the settings with the sizes of an adapter that is trained further."""
    card = given.card
    if recipe.is_full and card.rank:
        raise UsageError(
            f"{given.where}: it has matrices of rank {card.rank} beside the weights, so that the "
            "weights themselves cannot be trained (`full`). Leave that out."
        )
    alpha = card.alpha or recipe.alpha
    return replace(recipe, rank=card.rank, alpha=alpha, width=card.width, layers=given.layers)


def _teacher(start: MetricStart, data: MetricData, checkpoint: Checkpoint) -> TeacherMetric | None:
    adapter = found_adapter(start.teacher, data.language)
    if adapter is None:
        return None
    bases = start.teacher_base, start.base or str(checkpoint.folder)
    return found_teacher(adapter, bases, start.teacher_share, data.language.tag)


def _check_recipe(
    recipe: MetricRecipe, start: MetricStart, result: MetricResult, checkpoint: Checkpoint
) -> None:
    if recipe.keep_embeddings and not recipe.is_full:
        raise UsageError(
            "`keep_embeddings`: the weights of the base model, embeddings among them, are trained "
            "only if all are (`full`). Give both, or neither."
        )
    if result.rounded and not recipe.is_full:
        raise UsageError(
            "`rounded`: weights of the base model are in the file only if they are trained "
            "(`full`). Give both, or neither."
        )
    if not start.teacher and (recipe.learns_subwords or start.teacher_share is not None):
        raise UsageError(
            "`subword_weight`, `state_weight` and `teacher_share` are for a student: judgments "
            "say nothing about subwords. Name its teacher (`student_of`), or leave them out."
        )
    if recipe.layers > checkpoint.layer_count:
        raise UsageError(
            f"layers={recipe.layers}: {checkpoint.identity.name!r} has "
            f"{counted(checkpoint.layer_count, 'layer')}. Give at most {checkpoint.layer_count}, "
            "or 0 for all."
        )


def _layer(result: MetricResult, checkpoint: Checkpoint, language: str) -> int:
    if result.layer is None:
        name = checkpoint.identity.name
        known = checkpoint.identity.version != "local"
        return default_layer(name if known else str(checkpoint.folder), language)
    if not 0 <= result.layer <= checkpoint.layer_count:
        raise UsageError(
            f"layer={result.layer}: the model {checkpoint.identity.name!r} has "
            f"{counted(checkpoint.layer_count, 'layer')}."
        )
    return result.layer


def _share(
    result: MetricResult, training: MetricTraining, data: MetricData, bertscore: BaseBertscore
) -> tuple[float, Mapping[str, float] | None]:
    """Return the share of the learned score, and the standard deviations it was chosen by."""
    if result.share is not None:
        return result.share, None
    references, hypotheses = _some_pairs(data)
    learned = 1 / (1 + np.exp(-training.raw(references, hypotheses)))
    texts = data.pool.listed()
    both = zip(references.tolist(), hypotheses.tolist(), strict=True)
    pairs = [(texts[reference], texts[hypothesis]) for reference, hypothesis in both]
    other = bertscore.of(pairs)
    spreads = {"learned": float(np.std(learned)), "bertscore": float(np.std(other))}
    return balanced_share(learned, other), {k: round(v, 6) for k, v in spreads.items()}


def _some_pairs(data: MetricData) -> tuple[IntArray, IntArray]:
    """Return references and hypotheses that are held out, else some that were trained on."""
    blocks = list(data.held_out.blocks) or [block for block, _ in data.trained()]
    parts = []
    for block in blocks:
        rows, pairs = block.rows, block.pairs
        parts.append(np.stack([rows.references, rows.hypotheses]))
        if not len(rows):
            parts.append(np.stack([pairs.references, pairs.better]))
            parts.append(np.stack([pairs.references, pairs.worse]))
    found = np.unique(np.concatenate(parts, axis=1), axis=1)
    count = min(found.shape[1], MOST_MEASURED)
    chosen = np.random.default_rng(_SEED).choice(found.shape[1], count, replace=False)
    return found[0, chosen], found[1, chosen]


def _training_facts(
    training: MetricTraining, data: MetricData, recipe: MetricRecipe, source: ExampleSource
) -> dict[str, Any]:
    position = training.position
    libraries = ("safetensors", "tokenizers", "torch", "transformers")
    teachers = sorted({t for b, _ in data.trained() for t in b.facts.get("teachers", ())})
    return {
        "teacher": teachers,
        "damage": {str(kind): round(share, 4) for kind, share in source.shares.items()}
        if recipe.damaged
        else {},
        "seed": recipe.seed,
        "steps": position.step,
        "kept_step": position.best_step if data.held_out else position.step,
        "seconds": round(position.seconds, 1),
        "numbers": sum(one.numel() for one in training.network.parameters.values()),
        "curves": position.curve,
        "held_out": held_out_facts(data.held_out, position.curve) if data.held_out else None,
        "versions": {"tenbin": __version__, **{name: version(name) for name in libraries}},
    }
