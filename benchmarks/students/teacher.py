"""Teachers: the larger base model with matrices of low rank beside its layers, and a head.

Their numbers have the names of an adapter, as `tenbin build metric` writes it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from benchmarks.students.arrays import DEVICE, Arrays, FloatArray, Tensor
from benchmarks.students.encoder import ATTENDED, INNER, OUTER, QKV, Encoder, Lora, linear_names
from benchmarks.students.head import HEAD, MIX, first_head, judged
from benchmarks.students.rows import JoinedRows

_MODULES = {
    QKV: ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    ATTENDED: ("attention.attn.o",),
    INNER: ("intermediate.dense",),
    OUTER: ("output.dense",),
}
_RANK, _ALPHA = 8, 16.0


class Teacher:
    """A base model with an adapter.

    Attributes:
        encoder: The base model.
        numbers: Those of the adapter.
    """

    def __init__(self, encoder: Encoder, numbers: Arrays, *, trained: bool = False) -> None:
        """Send the numbers to the device.

        Args:
            encoder: The base model.
            numbers: Those of the adapter.
            trained: Whether they are to be trained; if not, they are added to the weights.
        """
        self.encoder = encoder
        self.numbers: dict[str, Tensor] = {
            name: torch.tensor(np.asarray(one, np.float32), device=DEVICE, requires_grad=trained)
            for name, one in numbers.items()
        }
        self._weights = None if trained else self._merged()

    def raw(self, rows: JoinedRows, lora: Lora | None = None, dropout: float = 0.0) -> Tensor:
        """Return the raw score of each row.

        Args:
            rows: What is judged.
            lora: What `lora` returned, where the numbers are trained.
            dropout: The share of numbers that are dropped.
        """
        states = self.encoder.states(
            rows.ids, rows.mask, weights=self._weights, lora=lora, dropout=dropout
        )
        return judged(states, rows, self.numbers, dropout)

    def lora(self) -> dict[str, tuple[Tensor, Tensor]]:
        """Return the matrices beside each linear layer, in the type of the products."""
        kind = self.encoder.weights[f"0.{QKV}.weight"].dtype
        return {name: (down.to(kind), up.to(kind)) for name, (down, up) in self._matrices().items()}

    def arrays(self) -> dict[str, FloatArray]:
        """Return the numbers."""
        return {name: one.detach().cpu().numpy() for name, one in self.numbers.items()}

    def _matrices(self) -> dict[str, tuple[Tensor, Tensor]]:
        """Return both matrices of each linear layer; queries, keys and values have own blocks."""
        found = {}
        for layer, part in linear_names(self.encoder.layers):
            names = [_name(layer, module) for module in _MODULES[part]]
            downs = [self.numbers[f"{name}/down"] for name in names]
            ups = [self.numbers[f"{name}/up"] for name in names]
            scale = _ALPHA / downs[0].shape[0]
            found[f"{layer}.{part}"] = torch.cat(downs), scale * _in_blocks(ups)
        return found

    def _merged(self) -> Mapping[str, Tensor]:
        found = dict(self.encoder.weights)
        for name, (down, up) in self._matrices().items():
            before = found[f"{name}.weight"]
            found[f"{name}.weight"] = (before.float() + up @ down).to(before.dtype)
        return found


def first_numbers(encoder: Encoder, seed: int) -> dict[str, np.ndarray[Any, Any]]:
    """Return what a training begins with: an adapter that changes nothing, and a drawn head."""
    rng = np.random.default_rng(seed)
    found: dict[str, np.ndarray[Any, Any]] = {}
    for layer, part in linear_names(encoder.layers):
        modules = _MODULES[part]
        outputs, inputs = encoder.weights[f"{layer}.{part}.weight"].shape
        for module in modules:
            name = _name(layer, module)
            down = rng.standard_normal((_RANK, inputs)) / np.sqrt(inputs)
            found[f"{name}/down"] = down.astype(np.float32)
            found[f"{name}/up"] = np.zeros((outputs // len(modules), _RANK), dtype=np.float32)
    return found | dict(first_head(encoder.size, encoder.layers, rng))


def is_of_head(name: str) -> bool:
    """Return whether a number is of the head, not of the base model or of the mix of its layers."""
    return name.startswith(HEAD) and name != MIX


def _in_blocks(matrices: Sequence[Tensor]) -> Tensor:
    blocks: Tensor = torch.block_diag(*matrices)  # type: ignore[no-untyped-call] # of torch
    return blocks


def _name(layer: int, module: str) -> str:
    return f"lora/encoder.layer.{layer}.{module}"
