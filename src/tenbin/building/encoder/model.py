"""Distills a multilingual encoder: learns a vocabulary, packs the text, trains, writes the folder.

The folder is in the format of transformers, a BERT without a pooler; see
`tenbin.building.bert.model`. ``training.json`` says from what and how it was made.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tenbin.annotation.encoders.settings import Device, NumberType, require_extra, settled_device
from tenbin.building.bert.model import TOKENIZER, WORK_ENDING, write_model_folder
from tenbin.building.bert.training import ReportStep
from tenbin.building.bert.vocabulary import opened_tokenizer
from tenbin.building.corpus import Phase, no_progress
from tenbin.building.encoder.examples import Examples, Role, read_examples, write_examples
from tenbin.building.encoder.recipe import EncoderRecipe, WeightType
from tenbin.building.encoder.student import Teacher, check_teacher, find_teacher
from tenbin.building.encoder.texts import EncoderTexts
from tenbin.building.encoder.training import EncoderTraining
from tenbin.building.encoder.vocabulary import known_unigrams, learned_unigrams, sampled_lines
from tenbin.building.one_process import alone_in
from tenbin.building.output_folder import check_free_folder
from tenbin.building.training_numbers import TrainingNumbers, settled_numbers
from tenbin.building.training_progress import PARTS, advancing
from tenbin.building.work_folder import WorkFolder
from tenbin.version import __version__

_STATE = "state.safetensors"
_LIBRARIES = ("safetensors", "tokenizers", "torch", "transformers")


@dataclass(frozen=True, slots=True)
class BuiltEncoder:
    """The result of a distillation, the stages that were reused, and notes for the user."""

    card: dict[str, Any]
    reused: tuple[str, ...]
    notes: tuple[str, ...]


def build_encoder(
    texts: EncoderTexts,
    output: str,
    recipe: EncoderRecipe,
    *,
    work: Path | None = None,
    phase: Phase = no_progress,
    report: ReportStep = lambda _position, _done: None,
    seconds_between_states: float = 300.0,
) -> BuiltEncoder:
    """Train an encoder and write its folder.

    Finished stages are stored in a work folder, the state of the training every five minutes: an
    interrupted build continues from there. On a CPU the result is the same as without an
    interruption, and the same seed gives the same model.

    Args:
        texts: The text.
        output: The folder to create.
        recipe: The settings.
        work: The work folder, which is not removed; default: ``OUTPUT.work``, removed at the end.
        phase: Shows the progress.
        report: Called after each step of the training.
        seconds_between_states: The interval at which the state of the training is written.

    Raises:
        UsageError: The folder exists, a language does not exist, a text is not a file, or the
            teacher is not a BERT.
        MissingResource: A teacher is not installed.
        MissingExtra: A package of the extra ``neural`` is not installed.
        InputError: A file cannot be read, is empty, or not in its language.
        OutputError: The folder or the work folder cannot be written.
    """
    target = Path(output)
    check_free_folder(target)
    require_extra("the distillation of an encoder")
    device = settled_device(recipe.device)
    names = {Role.TEACHER: recipe.teacher, Role.SECOND: recipe.second_teacher}
    teachers = {role: find_teacher(name, texts.language) for role, name in names.items() if name}
    check_teacher(teachers[Role.TEACHER], recipe)
    texts.check()
    folder = WorkFolder(target.with_name(target.name + WORK_ENDING) if work is None else work)
    learned = _learned(folder, texts, recipe, phase)
    packed = _packed(folder, texts, learned, teachers, recipe, phase)
    examples = read_examples(packed)
    tokenizer = opened_tokenizer(learned / TOKENIZER)
    numbers = settled_numbers(device, recipe.numbers)
    training, place = _begun(folder, packed, examples, tokenizer, teachers, recipe, device, numbers)
    parts = training.steps or PARTS
    with alone_in(place), phase("training", parts) as advance:
        training.run(
            place / _STATE,
            advancing(report, advance, parts),
            seconds_between_states=seconds_between_states,
        )
    card = _card(texts, recipe, teachers, examples, training) | {
        "pieces": tokenizer.get_vocab_size(),
        "device": str(device),
        "numbers": str(numbers),
    }
    model = training.student.bert
    if recipe.weight_type is WeightType.FLOAT16:
        model = model.half()
    content = (learned / TOKENIZER).read_text(encoding="utf-8")
    write_model_folder(target, model, content, card)
    if work is None:
        folder.remove()
    return BuiltEncoder(card, tuple(folder.reused), examples.notes)


def _learned(folder: WorkFolder, texts: EncoderTexts, recipe: EncoderRecipe, phase: Phase) -> Path:
    """Return the folder of the tokenizer."""
    if recipe.tokenizer:
        known = known_unigrams(Path(recipe.tokenizer)).to_str(pretty=True)
        sha256 = hashlib.sha256(known.encode("utf-8")).hexdigest()

        def copy(place: Path) -> None:
            (place / TOKENIZER).write_text(known, encoding="utf-8")

        return folder.stage("pieces", {"tokenizer": sha256, "texts": texts.described()}, copy)
    described = {
        "texts": texts.described(),
        "vocabulary": recipe.vocabulary,
        "cased": recipe.cased,
        "tokenizers": version("tokenizers"),
    }

    def make(place: Path) -> None:
        with phase("learning subwords", None):
            made = learned_unigrams(sampled_lines(texts), recipe.vocabulary, cased=recipe.cased)
        (place / TOKENIZER).write_text(made.to_str(pretty=True), encoding="utf-8")

    return folder.stage("pieces", described, make)


def _packed(
    folder: WorkFolder,
    texts: EncoderTexts,
    learned: Path,
    teachers: Mapping[Role, Teacher],
    recipe: EncoderRecipe,
    phase: Phase,
) -> Path:
    """Return the folder of the rows."""
    described = {
        "pieces": learned,
        "length": recipe.length,
        "teachers": {role: teacher.facts for role, teacher in teachers.items()},
    }

    def make(place: Path) -> None:
        own = dict.fromkeys((Role.OWN, Role.OTHER, Role.TEXT), learned / TOKENIZER)
        tokenizers = {role: teacher.tokenizer for role, teacher in teachers.items()}
        tokenizers |= {role: opened_tokenizer(path) for role, path in own.items()}
        with phase("splitting into subwords", None) as advance:
            write_examples(place, texts, tokenizers, recipe.length, advance)

    return folder.stage("rows", described, make)


def _begun(
    folder: WorkFolder,
    packed: Path,
    examples: Examples,
    tokenizer: Any,  # noqa: ANN401 - of tokenizers
    teachers: Mapping[Role, Teacher],
    recipe: EncoderRecipe,
    device: Device,
    numbers: NumberType,
) -> tuple[EncoderTraining, Path]:
    """Return a training and the folder of its state."""
    chosen = replace(recipe, device=device, numbers=TrainingNumbers(numbers))
    described = {
        "rows": packed,
        "recipe": asdict(_trained(chosen)),
        "versions": {name: version(name) for name in ("torch", "transformers")},
    }
    place = folder.stage("training", described, lambda _place: None)
    return EncoderTraining(examples, tokenizer, teachers, recipe, device, numbers), place


def _trained(recipe: EncoderRecipe) -> EncoderRecipe:
    """Return the settings that change the weights; the rows depend on teachers and tokenizer."""
    named = replace(recipe, teacher=EncoderRecipe().teacher, second_teacher="", tokenizer="")
    return replace(named, weight_type=WeightType.FLOAT32)


def _card(
    texts: EncoderTexts,
    recipe: EncoderRecipe,
    teachers: Mapping[Role, Teacher],
    examples: Examples,
    training: EncoderTraining,
) -> dict[str, Any]:
    """Return the content of ``training.json``."""
    extent = f"{recipe.extent.amount:g} {recipe.extent.measure}"
    weights = training.student.bert.parameters()
    return {
        "kind": "distilled BERT",
        "languages": [texts.language, *examples.languages],
        **texts.facts(),
        "pairs": examples.counts(),
        "teachers": [teacher.facts for teacher in teachers.values()],
        "recipe": {**asdict(recipe), "extent": extent},
        "steps": training.position.step,
        "epochs": round(training.position.step / training.steps_of_epoch, 3),
        "seconds": round(training.position.seconds, 1),
        "loss": round(training.position.loss, 4),
        "curve": training.curve,
        "weights": sum(weight.numel() for weight in weights),
        "versions": {"tenbin": __version__, **{name: version(name) for name in _LIBRARIES}},
    }
