"""The folder of a context model: weights in safetensors, words in JSON.

FOLDER/model.safetensors   the weights, 32 bits each
FOLDER/vocabulary.json     the words of the texts and of the sources
FOLDER/config.json         what the model was made from: settings, hash of the texts, tokenizers
FOLDER/training.json       the card of a model that 'tenbin build context' made; not read here
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from tenbin.annotation.context.context_model import ContextFacts, ContextModel
from tenbin.annotation.context.network import ContextNetwork
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.context.vocabulary import Vocabulary
from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.files import exists, regular_file
from tenbin.formats.json_text import parse_json
from tenbin.formats.tensor_file import TensorWriter, check_tensors, map_tensors
from tenbin.resources.store.store import default_store

WEIGHTS, WORDS, CONFIG = "model.safetensors", "vocabulary.json", "config.json"
_FORMAT = "tenbin context model 1"
_FACTS, _TOKENS = "facts", "tokens"
_SIDES = ("texts", "sources")
_ADVICE = "Expected a folder that 'tenbin build context' made; build it again."
# What JSON and numpy raise for content that was changed.
_DAMAGE_ERRORS = (ValueError, TypeError, KeyError, AttributeError, IndexError)


def write_model(folder: Path, model: ContextModel, tokens: dict[str, str]) -> None:
    """Write a model into a folder that is there.

    Args:
        folder: The folder.
        model: The model.
        tokens: How its texts were tokenized.

    Raises:
        OSError: Disk full, or no permission.
    """
    noted = {"format": _FORMAT, _FACTS: asdict(model.facts), _TOKENS: tokens}
    (folder / CONFIG).write_text(json.dumps(noted, indent=2) + "\n", encoding="utf-8")
    words = dict(zip(_SIDES, (model.text_words.words, model.source_words.words), strict=True))
    # Escaped: a program may have passed halves of surrogate pairs.
    (folder / WORDS).write_text(json.dumps(words, indent=0) + "\n", encoding="utf-8")
    with TensorWriter(folder / WEIGHTS) as writer:
        for name, weights in model.network.weights().items():
            writer.extend(name, weights)
        writer.finish({"format": _FORMAT})


def read_model(folder: Path) -> tuple[ContextModel, dict[str, str]]:
    """Return a model, and how its texts were tokenized.

    Raises:
        UnreadableFile: The folder lacks something, or a file of it is damaged.
    """
    facts, tokens = read_facts(folder)
    check_tensors(folder / WEIGHTS, _ADVICE)
    try:
        found = json.loads((folder / WORDS).read_bytes())
        words = [Vocabulary(tuple(map(str, found[side]))) for side in _SIDES]
        network = ContextNetwork(facts.recipe, *map(len, words))
        stored = map_tensors(folder / WEIGHTS).tensors
        network.load({name: np.asarray(stored[name]) for name, _ in network.parameters()})
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise UnreadableFile(str(folder / WORDS), problem, _ADVICE) from error
    except _DAMAGE_ERRORS as error:
        problem = f"its words and its weights do not fit together ({error})"
        raise UnreadableFile(str(folder), problem, _ADVICE) from error
    return ContextModel(network, *words, facts), tokens


def read_facts(folder: Path) -> tuple[ContextFacts, dict[str, str]]:
    """Return what a model was made from, and how its texts were tokenized; no weights are read.

    Raises:
        UnreadableFile: The folder has no model, or its file is damaged.
    """
    if not exists(folder / CONFIG):
        inside = exists(folder) and folder.is_dir()
        problem = f"there is no {CONFIG} in it" if inside else "there is no such folder"
        raise UnreadableFile(str(folder), problem, _ADVICE)
    path = regular_file(folder / CONFIG)
    try:
        noted = parse_json(path.read_bytes())
        if noted["format"] != _FORMAT:
            raise ValueError("it is of another format")
        facts = noted[_FACTS]
        recipe = ContextRecipe(**facts.pop("recipe"))
        losses = tuple(map(float, facts.pop("losses")))
        tokens = {str(key): str(value) for key, value in noted[_TOKENS].items()}
        return ContextFacts(recipe=recipe, losses=losses, **facts), tokens
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise UnreadableFile(str(path), problem, _ADVICE) from error
    except (*_DAMAGE_ERRORS, UsageError) as error:
        raise UnreadableFile(str(path), "this is no context model", _ADVICE) from error


def model_identity(folder: Path, language: str) -> ResourceIdentity:
    """Return the identity of a model, by its weights, its words and its settings."""
    prints = default_store().fingerprints
    files = [folder / name for name in (WEIGHTS, WORDS, CONFIG)]
    listed = "".join(f"{file.name}\t{prints.fingerprint(file)}\n" for file in files)
    return ResourceIdentity(
        folder.absolute().name,
        ResourceKind.ENCODER,
        "local",
        language,
        "unknown",
        hashlib.sha256(listed.encode()).hexdigest(),
    )
