"""Pretrains a BERT: learns the vocabulary, packs the text, trains the model and writes its folder.

Devlin, Chang, Lee and Toutanova (2019), "BERT: Pre-training of Deep Bidirectional Transformers for
Language Understanding", without next-sentence prediction, which Liu et al. (2019, RoBERTa) found
useless. The folder is in the format of transformers:

FOLDER/config.json            the configuration of the model
FOLDER/model.safetensors      its weights, 32 bits each
FOLDER/tokenizer.json         the vocabulary and the tokenizer
FOLDER/tokenizer_config.json  which of its tokens are special tokens
FOLDER/training.json          from what text and how it was trained
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tenbin.annotation.encoders.libraries import quietly
from tenbin.annotation.encoders.settings import Device, NumberType, require_extra, settled_device
from tenbin.building.bert.examples import read_rows, write_rows
from tenbin.building.bert.recipe import SPECIAL_TOKENS, BertRecipe
from tenbin.building.bert.training import (
    BertTraining,
    Guesses,
    ReportStep,
    library_errors,
)
from tenbin.building.bert.vocabulary import learned_tokenizer, opened_tokenizer, words_for_subwords
from tenbin.building.corpus import Corpus, Phase, no_progress
from tenbin.building.one_process import alone_in
from tenbin.building.output_folder import check_free_folder, whole_folder
from tenbin.building.training_numbers import TrainingNumbers, settled_numbers
from tenbin.building.training_progress import PARTS, advancing
from tenbin.building.work_folder import WorkFolder
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO
from tenbin.formats.lines import STANDARD_INPUT
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.version import __version__

TOKENIZER = "tokenizer.json"
CARD = "training.json"
WORK_ENDING = ".work"
_ROWS, _VALID_ROWS, _STATE = "rows.safetensors", "valid.safetensors", "state.safetensors"


def write_model_folder(
    folder: Path,
    model: Any,  # noqa: ANN401 - of transformers
    tokenizer: str,
    card: Mapping[str, Any],
) -> None:
    """Write the folder of a model atomically.

    Args:
        folder: The folder to create.
        model: The model.
        tokenizer: The content of ``tokenizer.json``.
        card: The content of ``training.json``.

    Raises:
        UsageError: The folder exists by now.
        OutputError: Disk full, or no permission.
    """
    with whole_folder(folder) as making:
        with quietly(), library_errors():
            model.to("cpu").save_pretrained(making)
        _write_texts(making, model.config, tokenizer, card)


def _write_texts(
    folder: Path,
    config: Any,  # noqa: ANN401 - of transformers
    tokenizer: str,
    card: Mapping[str, Any],
) -> None:
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    described = {
        # The generic class, which reads everything from tokenizer.json.
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": config.max_position_embeddings,
        "model_input_names": ["input_ids", "token_type_ids", "attention_mask"],
        "clean_up_tokenization_spaces": False,
        **dict(zip(names, SPECIAL_TOKENS, strict=True)),
    }
    texts = {
        TOKENIZER: tokenizer,
        "tokenizer_config.json": _json(described),
        CARD: _json(card),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The text that a model is trained on.

    Attributes:
        texts: Text files, compressed or not: one segment per line, an empty line between documents.
        language: Their language.
        tokenizer: The word tokenizer; ``auto``: that of the language. Not used for languages with
            spaces.
        valid: A file of held-out text for validation at the end; empty: none.
    """

    texts: list[str]
    language: str
    tokenizer: str = AUTO
    valid: str = ""


@dataclass(frozen=True, slots=True)
class BuiltModel:
    """The result of a pretraining, and the stages that were reused."""

    card: dict[str, Any]
    guesses: Guesses | None
    reused: tuple[str, ...]


def build_bert(
    source: Source,
    output: str,
    recipe: BertRecipe,
    *,
    work: Path | None = None,
    phase: Phase = no_progress,
    report: ReportStep = lambda _position, _done: None,
    seconds_between_states: float = 300.0,
) -> BuiltModel:
    """Train a model and write its folder.

    Finished stages are stored in a work folder, the state of the training every five minutes: an
    interrupted build continues from there. On a CPU the result is the same as without an
    interruption, and the same seed gives the same model.

    Args:
        source: The text.
        output: The folder to create.
        recipe: The settings of the model and its training.
        work: The work folder, which is not removed; default: ``OUTPUT.work``, removed at the end.
        phase: Shows the progress.
        report: Called after each step of the training.
        seconds_between_states: The interval at which the state of the training is written.

    Raises:
        UsageError: The folder exists, the language does not exist, or a text is not a file.
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
    corpus = words_for_subwords(source.texts, source.language, source.tokenizer)
    learned = _learned(folder, corpus, source, recipe, phase)
    packed = _packed(folder, source, learned, recipe, phase)
    vocabulary = opened_tokenizer(learned / TOKENIZER).get_vocab_size()
    numbers = settled_numbers(device, recipe.numbers)
    training, place = _begun(folder, packed, vocabulary, recipe, device, numbers)
    parts = training.steps or PARTS
    with alone_in(place), phase("training", parts) as advance:
        training.run(
            place / _STATE,
            advancing(report, advance, parts),
            seconds_between_states=seconds_between_states,
        )
    guesses = training.guesses(read_rows(packed / _VALID_ROWS)) if source.valid else None
    facts: dict[str, Any] = {
        "words": {"tokenizer": corpus.tokenizer.name, "versions": corpus.versions},
        "pieces": vocabulary,
        "rows": len(read_rows(packed / _ROWS)),
        "device": str(device),
        "numbers": str(numbers),
        "valid": guesses and {**_file(source.valid), **guesses._asdict()},
    }
    card = _card(source, recipe, training, facts)
    content = (learned / TOKENIZER).read_text(encoding="utf-8")
    write_model_folder(target, training.model, content, card)
    if work is None:
        folder.remove()
    return BuiltModel(card, guesses, tuple(folder.reused))


def _require_files(paths: list[str]) -> None:
    """Raise `UsageError` for standard input and pipes; missing files are reported on reading."""
    for path in paths:
        if path == STANDARD_INPUT or (Path(path).exists() and not Path(path).is_file()):
            raise UsageError(
                f"{path}: text is read more than once, and again after an interruption. Give files."
            )


def _learned(
    folder: WorkFolder, corpus: Corpus, source: Source, recipe: BertRecipe, phase: Phase
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
    folder: WorkFolder, source: Source, learned: Path, recipe: BertRecipe, phase: Phase
) -> Path:
    """Return the folder of the rows."""
    described = {
        "pieces": learned,
        "length": recipe.length,
        "valid": file_sha256(Path(source.valid)) if source.valid else "",
    }

    def make(place: Path) -> None:
        tokenizer = opened_tokenizer(learned / TOKENIZER)
        with phase("splitting into subwords", None) as advance:
            write_rows(place / _ROWS, source.texts, tokenizer, recipe.length, advance)
            if source.valid:
                found = [source.valid]
                write_rows(place / _VALID_ROWS, found, tokenizer, recipe.length, advance)

    return folder.stage("rows", described, make)


def _begun(
    folder: WorkFolder,
    packed: Path,
    vocabulary: int,
    recipe: BertRecipe,
    device: Device,
    numbers: NumberType,
) -> tuple[BertTraining, Path]:
    """Return a training and the folder of its state."""
    described = {
        "rows": packed,
        "recipe": asdict(replace(recipe, device=device, numbers=TrainingNumbers(numbers))),
        "versions": {name: version(name) for name in ("torch", "transformers")},
    }
    place = folder.stage("training", described, lambda _place: None)
    return BertTraining(read_rows(packed / _ROWS), vocabulary, recipe, device, numbers), place


def _card(
    source: Source, recipe: BertRecipe, training: BertTraining, facts: dict[str, Any]
) -> dict[str, Any]:
    """Return the content of ``training.json``."""
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
