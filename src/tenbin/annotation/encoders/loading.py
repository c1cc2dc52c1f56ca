"""Loads encoders by name."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from tenbin.annotation.encoders.context_encoder import ContextEncoder
from tenbin.annotation.encoders.encoded import Encoder
from tenbin.annotation.encoders.settings import Device, NumberType, View, require_extra
from tenbin.annotation.encoders.static_encoder import StaticEncoder
from tenbin.core.errors import UsageError
from tenbin.resources.checkpoints import Checkpoint, find_checkpoint
from tenbin.resources.store.store import default_store
from tenbin.resources.vectors.word_vectors import load_vectors

STATIC = "static:"
"""The prefix of a model name that stands for a table of word vectors."""

# A model takes hundreds of megabytes; a run uses one or two.
_MOST_CACHED = 2
_cached: "OrderedDict[Hashable, ContextEncoder]" = OrderedDict()


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


def find_model(model: str, language: str) -> Checkpoint:
    """Return the checkpoint of a model that can be run.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
        MissingExtra: The libraries that run it are not installed.
        UnreadableFile: Its folder is incomplete or damaged.
    """
    checkpoint = find_checkpoint(model, language)
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
    checkpoint = find_model(choice.model, choice.language)
    count = checkpoint.layer_count
    if not all(0 <= layer <= count for layer in choice.view.layers):
        asked = ", ".join(map(str, choice.view.layers))
        raise UsageError(
            f"the model {checkpoint.identity.name!r} has no layer {asked}: it has {count}, counted "
            "from 1; 0 is the output of its embeddings."
        )
    if choice.number_type is NumberType.INT8 and choice.device is Device.CUDA:
        raise UsageError('dtype="int8" is for the CPU: with device="cuda" choose "bfloat16".')
    settings = (choice.view, choice.device, choice.number_type)
    key = (str(checkpoint.folder), checkpoint.identity, *settings, str(default_store().cache))
    if key not in _cached:
        _cached[key] = ContextEncoder(checkpoint, *settings)
    _cached.move_to_end(key)
    while len(_cached) > _MOST_CACHED:
        _cached.popitem(last=False)
    return _cached[key]
