"""Loads encoders by name."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from tenbin.annotation.encoders.context_encoder import ContextEncoder
from tenbin.annotation.encoders.encoded import Encoder
from tenbin.annotation.encoders.network_encoder import LAYER_COUNT, NetworkEncoder
from tenbin.annotation.encoders.settings import (
    Device,
    NumberType,
    TextPooling,
    View,
    require_extra,
)
from tenbin.annotation.encoders.static_encoder import StaticEncoder
from tenbin.annotation.languages import parse_language
from tenbin.core.errors import MissingExtra, MissingResource, UsageError
from tenbin.core.missing import Lack, missing_parts
from tenbin.resources.checkpoints import Checkpoint, find_checkpoint
from tenbin.resources.sentence_network import find_sentence_network, is_sentence_network
from tenbin.resources.store.store import default_store
from tenbin.resources.vectors.word_vectors import load_vectors

STATIC = "static:"
"""The prefix of a model name that stands for a table of word vectors."""

# A model takes hundreds of megabytes; a run uses one or two.
_MOST_CACHED = 2
_cached: "OrderedDict[Hashable, ContextEncoder | NetworkEncoder]" = OrderedDict()


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderChoice:
    """Everything that determines the vectors of a text.

    Attributes:
        model: A resource, a folder, or ``static:`` and a table of word vectors.
        language: The language of the texts.
        view: The layers.
        device: CPU or CUDA.
        number_type: The number type of the computation.
    """

    model: str
    language: str
    view: View
    device: Device = Device.CPU
    number_type: NumberType = NumberType.FLOAT32


def is_static(model: str) -> bool:
    """Return whether a name stands for word vectors."""
    return model.startswith(STATIC)


def is_network(model: str) -> bool:
    """Return whether a name is that of a network of convolutions, which Tenbin runs itself."""
    return is_sentence_network(model)


def layer_count(model: str, language: str) -> int:
    """Return how many layers above its embeddings a model has; the errors of `find_model`."""
    return LAYER_COUNT if is_network(model) else find_model(model, language).layer_count


def declared_pooling(model: str, language: str) -> TextPooling:
    """Return how a model makes one vector of a text; the mean if it does not say.

    Raises:
        UsageError: In a way that Tenbin does not know; and the errors of `find_model`.
    """
    if is_network(model):
        return TextPooling.MODEL
    if is_static(model):
        return TextPooling.MEAN
    checkpoint = find_model(model, language)
    asked = checkpoint.pooling_modes
    known = {"cls": TextPooling.FIRST, "mean": TextPooling.MEAN}
    if not asked <= known.keys() or len(asked) > 1:
        name, modes = checkpoint.identity.name, ", ".join(sorted(asked))
        raise UsageError(
            f"the model {name!r} makes the vector of a text in a way that Tenbin does not know "
            f'({modes}). Choose pooling="mean" or "first", which is not the same.'
        )
    return known[asked.pop()] if asked else TextPooling.MEAN


def find_model(model: str, language: str) -> Checkpoint:
    """Return the checkpoint of a model that can be run.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
        MissingExtra: The libraries that run it are not installed.
        MissingParts: Neither is it, nor are they.
        UnreadableFile: Its folder is incomplete or damaged.
    """
    try:
        checkpoint = find_checkpoint(model, language)
    except MissingResource as missing:
        lacks: list[Lack] = [("", missing)]
        try:
            require_extra(f"the model {missing.name!r}")
        except MissingExtra as other:
            lacks.append(("", other))
        raise missing_parts(lacks) from missing
    require_extra(f"the model {checkpoint.identity.name!r}")
    return checkpoint


def load_encoder(choice: EncoderChoice) -> Encoder:
    """Return an encoder; a model is loaded when the first text needs it.

    Raises:
        UsageError: The model has no such layer, or the device does not support the number type; and
            the errors of `find_model`.
    """
    if is_static(choice.model):
        name = choice.model.removeprefix(STATIC)
        return StaticEncoder(load_vectors(name, choice.language), choice.language)
    key, encoder = _found(choice)
    if key not in _cached:
        _cached[key] = encoder
    _cached.move_to_end(key)
    while len(_cached) > _MOST_CACHED:
        _cached.popitem(last=False)
    return _cached[key]


def _found(choice: EncoderChoice) -> tuple[Hashable, ContextEncoder | NetworkEncoder]:
    """Return an encoder that has not loaded its model, and all that it depends on."""
    settings = (choice.view, choice.device, choice.number_type)
    place = str(default_store().cache)
    if is_network(choice.model):
        _check_language(choice.model, choice.language)
        identity = find_sentence_network(choice.model)
        _check_layers(choice, identity.name, LAYER_COUNT)
        if choice.device is Device.CUDA or choice.number_type is not NumberType.FLOAT32:
            raise UsageError(
                f"the model {identity.name!r} runs on the CPU, in 32 bits: leave `device` and "
                "`dtype` as they are."
            )
        return (identity, *settings, place), NetworkEncoder(identity, choice.view)
    checkpoint = find_model(choice.model, choice.language)
    _check_layers(choice, checkpoint.identity.name, checkpoint.layer_count)
    if choice.number_type is NumberType.INT8 and choice.device is Device.CUDA:
        raise UsageError('dtype="int8" is for the CPU: with device="cuda" choose "bfloat16".')
    key = (str(checkpoint.folder), checkpoint.identity, *settings, place)
    return key, ContextEncoder(checkpoint, *settings)


def _check_layers(choice: EncoderChoice, name: str, count: int) -> None:
    if not all(0 <= layer <= count for layer in choice.view.layers):
        asked = ", ".join(map(str, choice.view.layers))
        raise UsageError(
            f"the model {name!r} has no layer {asked}: it has {count}, counted "
            "from 1; 0 is the output of its embeddings."
        )


def language_is_read(model: str, language: str) -> bool:
    """Return whether a resource says that it was trained on a language, or says nothing of it."""
    languages = default_store().entry(model).languages
    read = {parse_language(one).code for one in languages}
    return not read or parse_language(language).code in read


def _check_language(model: str, language: str) -> None:
    """Raise `UsageError` if a model of several languages was not trained on this one."""
    if not language_is_read(model, language):
        languages = default_store().entry(model).languages
        raise UsageError(
            f"the model {model!r} does not read the language {language!r}. It was trained on "
            f"{', '.join(languages)}. Name another model, or static vectors "
            '(model="static:VECTORS").'
        )
