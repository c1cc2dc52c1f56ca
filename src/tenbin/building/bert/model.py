"""From text to a model that metrics can score with: pieces learned, text packed, a BERT trained.

Devlin, Chang, Lee and Toutanova (2019), "BERT: Pre-training of Deep Bidirectional Transformers for
Language Understanding", without its second task, which Liu et al. (2019, RoBERTa) found useless.
"""

from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tenbin.annotation.encoders.settings import Device, require_extra, settled_device
from tenbin.building.bert.folder import TOKENIZER, check_free_folder, write_model_folder
from tenbin.building.bert.packing import read_rows, write_rows
from tenbin.building.bert.recipe import Recipe
from tenbin.building.bert.state import Position
from tenbin.building.bert.training import Guesses, Told, Training
from tenbin.building.bert.vocabulary import learned_tokenizer, opened_tokenizer, words_for_pieces
from tenbin.building.corpus import Advance, Corpus, Phase, unseen
from tenbin.building.work_folder import WorkFolder
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO
from tenbin.formats.lines import STANDARD_INPUT
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.version import __version__

WORK_ENDING = ".work"
_ROWS, _VALID_ROWS, _STATE = "rows.safetensors", "valid.safetensors", "state.safetensors"
_PARTS = 1_000  # that the progress of a training is shown in


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The text that a model is made of.

    Attributes:
        texts: Text files, packed or not: a segment a line, a blank line between documents.
        language: Their language.
        tokenizer: What cuts it into words; ``auto``: the words of the language. Where words stand
            between spaces it is not needed.
        valid: A file of other text, on which the model is tried at the end; empty: none.
    """

    texts: list[str]
    language: str
    tokenizer: str = AUTO
    valid: str = ""


@dataclass(frozen=True, slots=True)
class BuiltModel:
    """What was made, and which stages were there already."""

    card: dict[str, Any]
    guesses: Guesses | None
    reused: tuple[str, ...]


def build_bert(
    source: Source,
    output: str,
    recipe: Recipe,
    *,
    work: Path | None = None,
    phase: Phase = unseen,
    report: Told = lambda _position, _done: None,
    seconds_between_states: float = 300.0,
) -> BuiltModel:
    """Train a model and write its folder.

    What is finished is kept in a work folder, the training every five minutes: a build that was
    interrupted goes on from there. On a processor it ends as if it had not been interrupted, and
    the same seed gives the same model.

    Args:
        source: The text.
        output: The folder to make, whole or not at all.
        recipe: The shape of the model and the course of its training.
        work: The work folder, kept afterwards; default: ``OUTPUT.work``, removed at the end.
        phase: Shows the progress.
        report: Hears of each step of the training.
        seconds_between_states: How often the state of the training is written.

    Raises:
        UsageError: The folder is there already, the language does not exist, or a text is no file.
        MissingExtra: A package of the extra ``neural``, or one for the language, is not installed.
        InputError: A file cannot be read, or there is too little text.
        OutputError: The folder or the work folder cannot be written.
    """
    target = Path(output)
    check_free_folder(target)
    _require_files([*source.texts, *filter(None, [source.valid])])
    require_extra("the pretraining of a model")
    device = settled_device(recipe.device)
    folder = WorkFolder(target.with_name(target.name + WORK_ENDING) if work is None else work)
    corpus = words_for_pieces(source.texts, source.language, source.tokenizer)
    learned = _learned(folder, corpus, source, recipe, phase)
    packed = _packed(folder, source, learned, recipe, phase)
    pieces = opened_tokenizer(learned / TOKENIZER).get_vocab_size()
    training, place = _begun(folder, packed, pieces, recipe, device)
    with phase("training", _PARTS) as advance:
        training.run(
            place / _STATE,
            _shown(report, advance),
            seconds_between_states=seconds_between_states,
        )
    guesses = training.guesses(read_rows(packed / _VALID_ROWS)) if source.valid else None
    facts: dict[str, Any] = {
        "words": {"tokenizer": corpus.tokenizer.name, "versions": corpus.versions},
        "pieces": pieces,
        "rows": len(read_rows(packed / _ROWS)),
        "device": str(device),
        "valid": guesses and {**_file(source.valid), **guesses._asdict()},
    }
    card = _card(source, recipe, training, facts)
    content = (learned / TOKENIZER).read_text(encoding="utf-8")
    write_model_folder(target, training.model, content, card)
    if work is None:
        folder.remove()
    return BuiltModel(card, guesses, tuple(folder.reused))


def _require_files(paths: list[str]) -> None:
    """Raise `UsageError` for standard input and pipes; what is missing shows when it is read."""
    for path in paths:
        if path == STANDARD_INPUT or (Path(path).exists() and not Path(path).is_file()):
            raise UsageError(
                f"{path}: text is read more than once, and again after an interruption. Give files."
            )


def _shown(report: Told, advance: Advance | None) -> Told:
    """Return what reports steps, and moves the bar."""
    shown = 0

    def told(position: Position, done: float) -> None:
        nonlocal shown
        report(position, done)
        now = int(done * _PARTS)
        if advance is not None and now > shown:
            advance(now - shown)
            shown = now

    return told


def _learned(
    folder: WorkFolder, corpus: Corpus, source: Source, recipe: Recipe, phase: Phase
) -> Path:
    """Return the folder of the tokenizer."""
    described = {
        "texts": [file_sha256(Path(text)) for text in source.texts],
        "language": corpus.language.tag,
        "tokenizer": [corpus.tokenizer.name, corpus.versions],
        "vocabulary": recipe.vocabulary,
        "tokenizers": version("tokenizers"),
    }

    def make(place: Path) -> None:
        corpus.check()
        made = learned_tokenizer(corpus, recipe.vocabulary, phase=phase)
        (place / TOKENIZER).write_text(made.to_str(pretty=True), encoding="utf-8")

    return folder.stage("pieces", described, make)


def _packed(
    folder: WorkFolder, source: Source, learned: Path, recipe: Recipe, phase: Phase
) -> Path:
    """Return the folder of the text in pieces."""
    described = {
        "pieces": learned,
        "length": recipe.length,
        "valid": file_sha256(Path(source.valid)) if source.valid else "",
    }

    def make(place: Path) -> None:
        tokenizer = opened_tokenizer(learned / TOKENIZER)
        with phase("cutting into pieces", None) as advance:
            write_rows(place / _ROWS, source.texts, tokenizer, recipe.length, advance)
            if source.valid:
                found = [source.valid]
                write_rows(place / _VALID_ROWS, found, tokenizer, recipe.length, advance)

    return folder.stage("rows", described, make)


def _begun(
    folder: WorkFolder, packed: Path, pieces: int, recipe: Recipe, device: Device
) -> tuple[Training, Path]:
    """Return a training and the folder of its state."""
    described = {
        "rows": packed,
        "recipe": asdict(replace(recipe, device=device)),
        "versions": {name: version(name) for name in ("torch", "transformers")},
    }
    place = folder.stage("training", described, lambda _place: None)
    return Training(read_rows(packed / _ROWS), pieces, recipe, device), place


def _card(
    source: Source, recipe: Recipe, training: Training, facts: dict[str, Any]
) -> dict[str, Any]:
    """Return all that the folder will say about how the model was made."""
    libraries = ("safetensors", "tokenizers", "torch", "transformers")
    return {
        "kind": "BERT",
        "language": source.language,
        "corpus": [_file(text) for text in source.texts],
        "recipe": {**asdict(recipe), "extent": f"{recipe.extent.amount:g} {recipe.extent.measure}"},
        **facts,
        "steps": training.position.step,
        "seconds": round(training.position.seconds, 1),
        "loss": round(training.position.loss, 4),
        "weights": sum(weight.numel() for weight in training.model.parameters()),
        "versions": {"tenbin": __version__, **{name: version(name) for name in libraries}},
    }


def _file(path: str) -> dict[str, str]:
    return {"name": Path(path).name, "sha256": file_sha256(Path(path))}
