"""Trains a context model on the references and sources of a test set, and writes its folder.

Echizen'ya (2021), section 3. Beside the model itself (`tenbin.annotation.context.model_folder`):

FOLDER/training.json   from what texts and how it was trained, with the loss of each epoch
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tenbin.annotation.context.context_model import ContextModel
from tenbin.annotation.context.model_folder import write_model
from tenbin.annotation.context.network import require_context_models
from tenbin.annotation.context.pairs import ContextPairs
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.context.training import (
    LEAST_GAIN,
    LONGEST,
    ContextTraining,
    Report,
    TrainingPosition,
    no_report,
)
from tenbin.annotation.encoders.settings import Device, settled_device
from tenbin.building.context.texts import ContextTexts
from tenbin.building.corpus import Phase, no_progress
from tenbin.building.one_process import alone_in
from tenbin.building.output_folder import check_free_folder, whole_folder
from tenbin.building.training_progress import PARTS, advancing
from tenbin.building.work_folder import WorkFolder
from tenbin.version import __version__

CARD = "training.json"
WORK_ENDING = ".work"
_STATE = "state.safetensors"


@dataclass(frozen=True, slots=True)
class BuiltContext:
    """The result of a training.

    Attributes:
        folder: The folder of the model.
        card: The content of ``training.json``.
        resumed: The step that an earlier build had come to; 0 if there was none.
        stopped_early: Whether it ended before the last epoch.
    """

    folder: str
    card: dict[str, Any]
    resumed: int
    stopped_early: bool


def build_context(
    texts: ContextTexts,
    output: str,
    recipe: ContextRecipe,
    *,
    device: Device = Device.CPU,
    work: Path | None = None,
    phase: Phase = no_progress,
    report: Report = no_report,
    seconds_between_states: float = 60.0,
) -> BuiltContext:
    """Train a model and write its folder.

    The state of the training is stored after each epoch and every minute: an interrupted build
    continues from there. On a CPU the result is the same as without an interruption, and the same
    seed gives the same model.

    Args:
        texts: The references and the source.
        output: The folder to create.
        recipe: The settings of the model and its training.
        device: CPU, CUDA, or CUDA where there is a device.
        work: The work folder, which is not removed; default: ``OUTPUT.work``, removed at the end.
        phase: Shows the progress.
        report: Called after each step of the training.
        seconds_between_states: How often the state of the training is written.

    Raises:
        UsageError: The folder exists, the language does not exist, or a text is not a file.
        MissingExtra: A package of the extra ``neural``, or one for a language, is not installed.
        InputError: A file cannot be read, the files differ in their number of segments, or no
            segment has words on both sides.
        OutputError: The folder or the work folder cannot be written; the state that was stored last
            is as it was.
    """
    target = Path(output)
    check_free_folder(target)
    require_context_models()
    settled = settled_device(device)
    pairs = texts.pairs()
    folder = WorkFolder(target.with_name(target.name + WORK_ENDING) if work is None else work)
    described = {
        "words": pairs.words_digest(),
        "recipe": asdict(recipe),
        "device": str(settled),
        "torch": version("torch"),
    }
    state = folder.stage("training", described, lambda _place: None) / _STATE
    training = ContextTraining(pairs, recipe, settled)
    with alone_in(state.parent), phase("training", PARTS) as advance:
        if state.is_file():
            training.read_state(state)
        resumed = training.position.step
        training.run(
            advancing(report, advance), state, seconds_between_states=seconds_between_states
        )
    model = ContextModel.of_training(training, pairs, recipe)
    stopped_early = len(model.facts.losses) < recipe.epochs
    card = _card(texts, model, training.position, pairs, settled)
    with whole_folder(target) as making:
        write_model(making, model, texts.tokens())
        (making / CARD).write_text(_json(card), encoding="utf-8")
    if work is None:
        folder.remove()
    return BuiltContext(output, card, resumed, stopped_early)


def _card(
    texts: ContextTexts,
    model: ContextModel,
    position: TrainingPosition,
    pairs: ContextPairs,
    device: Device,
) -> dict[str, Any]:
    """Return the content of ``training.json``."""
    facts = model.facts
    sizes = {"references": len(model.text_words.words), "sources": len(model.source_words.words)}
    return {
        "kind": "context model",
        "language": texts.language,
        "source_language": texts.source_language or None,
        "files": texts.files(),
        "pairs": {"count": len(pairs), "sha256": pairs.digest},
        **texts.tokens(),
        "recipe": asdict(facts.recipe),
        "longest": LONGEST,
        "least_gain": LEAST_GAIN,
        "vocabulary": sizes,
        "weights": sum(weights.size for weights in model.network.weights().values()),
        "epochs": len(facts.losses),
        "steps": position.step,
        "losses": [round(loss, 6) for loss in facts.losses],
        "seconds": round(position.seconds, 1),
        "device": str(device),
        "versions": {"tenbin": __version__, "torch": version("torch"), **texts.versions()},
    }


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
