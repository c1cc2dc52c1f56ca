"""How far a training has come, kept in one file so that it can go on after an interruption."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from tenbin.core.errors import UnreadableFile
from tenbin.formats.output import whole_file
from tenbin.formats.tensor_file import map_tensors

_WEIGHT, _MEAN, _SQUARE = "weight/", "mean/", "square/"
_FULL = "os error 28"


@dataclass(slots=True)
class Position:
    """Where a training stands.

    Attributes:
        step: Steps that are done.
        seconds: What they took.
        loss: Mean loss of late, in nats.
    """

    step: int = 0
    seconds: float = 0.0
    loss: float = float("nan")


def write_state(path: Path, model: Any, optimizer: Any, position: Position) -> None:  # noqa: ANN401
    """Write weights, both moments of each, and the position; whole or not at all.

    Raises:
        OutputError: Disk full, or no permission.
    """
    tensors = {}
    for name, weight in model.named_parameters():
        tensors[_WEIGHT + name] = weight.detach()
        kept = optimizer.state[weight]
        tensors[_MEAN + name], tensors[_SQUARE + name] = kept["exp_avg"], kept["exp_avg_sq"]
    noted = {key: repr(value) for key, value in asdict(position).items()}
    whole = {name: tensor.contiguous() for name, tensor in tensors.items()}
    with whole_file(str(path)) as temporary, library_errors():
        import_module("safetensors.torch").save_file(whole, str(temporary), noted)


def read_state(path: Path, torch: Any, model: Any, optimizer: Any) -> Position:  # noqa: ANN401
    """Put a model and its optimizer into a state that was written; return the position.

    Raises:
        UnreadableFile: The file is damaged, or that of another model.
    """
    noted = map_tensors(path).metadata
    stored = import_module("safetensors.torch").load_file(str(path))
    try:
        position = Position(
            step=int(noted["step"]), seconds=float(noted["seconds"]), loss=float(noted["loss"])
        )
        with torch.no_grad():
            for name, weight in model.named_parameters():
                weight.copy_(stored[_WEIGHT + name])
                optimizer.state[weight] = {
                    # fused optimizers count steps where the weights are
                    "step": torch.tensor(float(position.step), device=_step_device(weight)),
                    "exp_avg": stored[_MEAN + name].to(weight.device),
                    "exp_avg_sq": stored[_SQUARE + name].to(weight.device),
                }
    except (KeyError, ValueError, RuntimeError) as error:
        problem = f"is not the state of this training ({error})"
        raise UnreadableFile(str(path), problem, "Remove it to begin again.") from error
    return position


def _step_device(weight: Any) -> str:  # noqa: ANN401 - a tensor
    return str(weight.device) if weight.is_cuda else "cpu"


@contextmanager
def library_errors() -> Iterator[None]:
    """Turn an error of the library safetensors while writing into an `OSError`."""
    failure = import_module("safetensors").SafetensorError
    try:
        yield
    except failure as error:
        number = errno.ENOSPC if _FULL in str(error) else errno.EIO
        raise OSError(number, str(error)) from error
