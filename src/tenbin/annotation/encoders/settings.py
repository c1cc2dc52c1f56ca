"""The settings of an encoder: layers, device and number type."""

import sys
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from tenbin.core.errors import MissingExtra, ResourceError

EXTRA = "neural"
_MODULES = ("torch", "transformers", "tokenizers", "safetensors")


class Device(StrEnum):
    """The device of a model; AUTO is CUDA if available, otherwise the CPU."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


class NumberType(StrEnum):
    """The number type of a model; INT8 rounds weights and inputs of matrix products."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    INT8 = "int8"


class Pooling(StrEnum):
    """How the vectors of several layers are combined.

    MEAN: their mean. EXTREMES: minimum, mean and maximum, concatenated. JOINED: all of them,
    concatenated.
    """

    MEAN = "mean"
    EXTREMES = "min-mean-max"
    JOINED = "joined"


class TextPooling(StrEnum):
    """How the subwords of a text become one vector of the whole.

    AUTO: as the model says, otherwise their mean. MEAN: the mean of all, special tokens included.
    FIRST: the first one, a special token. MODEL: by further layers of the model.
    """

    AUTO = "auto"
    MEAN = "mean"
    FIRST = "first"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class View:
    """The layers that vectors are taken from.

    Attributes:
        layers: Numbers of layers; 0 is the output of the embeddings.
        pooling: How several layers are combined.
        whole: How a text becomes one vector; None: each of its subwords has one.
    """

    layers: tuple[int, ...]
    pooling: Pooling = Pooling.MEAN
    whole: TextPooling | None = None

    def __str__(self) -> str:
        layers = f"{self.pooling}({','.join(map(str, self.layers))})"
        return layers if self.whole is None else f"{self.whole} of {layers}"


_STATIC_ALTERNATIVE = 'Or use static vectors: model="static:VECTORS".'


def require_extra(what: str, alternative: str = _STATIC_ALTERNATIVE) -> None:
    """Raise `MissingExtra` if models cannot be run, without importing anything.

    Args:
        what: What needs them.
        alternative: What can be done without them.
    """
    if not all(name in sys.modules or _is_installed(name) for name in _MODULES):
        raise MissingExtra(what, EXTRA, alternative)


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ImportError:
        return False


def settled_device(device: Device) -> Device:
    """Return the CPU or CUDA device that a setting stands for.

    Raises:
        ResourceError: CUDA was requested but is not available.
    """
    if device is Device.CPU:
        return device
    # Importing torch takes seconds, and most machines have no such device.
    possible = sys.platform != "linux" or any(
        Path(path).exists() for path in ("/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kfd")
    )
    if possible and find_spec("torch") and import_module("torch").cuda.is_available():
        return Device.CUDA
    if device is Device.CUDA:
        raise ResourceError(
            'device="cuda" is not possible: torch finds no CUDA device on this machine. Choose '
            'device="cpu", or install a build of torch for your device.'
        )
    return Device.CPU
