"""Arrays on disk and on the device, which is a GPU if there is one."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

Tensor = Any  # of torch, whose own types say little
IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float32]
BoolArray = npt.NDArray[np.bool_]
Arrays = Mapping[str, npt.NDArray[Any]]

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
MULTIPLE = 8
"""Rows are padded to a length that is one: fast for GPUs."""

_FACTS = "facts"  # JSON among the arrays of a file


def sent(numbers: npt.NDArray[Any]) -> Tensor:
    """Return an array on the device."""
    return torch.from_numpy(np.ascontiguousarray(numbers)).to(DEVICE)


def places(width: int) -> Tensor:
    """Return the places of a row, (1, width)."""
    return torch.arange(width, device=DEVICE)[None]


def padded_width(longest: int) -> int:
    """Return the length that rows are padded to.

    >>> padded_width(9)
    16
    """
    return -(-longest // MULTIPLE) * MULTIPLE


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Return all arrays of a file."""
    with np.load(path, allow_pickle=False) as found:
        return {name: found[name] for name in found.files if name != _FACTS}


def read_facts(path: Path) -> dict[str, Any]:
    """Return what a card says of the training that made a file."""
    with np.load(path, allow_pickle=False) as found:
        return dict(json.loads(str(found[_FACTS])))


def write_arrays(
    path: Path,
    arrays: Arrays,
    facts: Mapping[str, Any] | None = None,
    *,
    compressed: bool = True,
) -> None:
    """Write a file in one step: it is whole, or not there.

    Args:
        path: The file.
        arrays: Its arrays by name.
        facts: What a card says of the training that made them.
        compressed: Whether it is to be small, rather than written soon.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    said = {} if facts is None else {_FACTS: np.array(json.dumps(facts))}
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            # Names are given as keywords, which mypy takes for the other parameters.
            save: Any = np.savez_compressed if compressed else np.savez
            save(file, **arrays, **said)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
