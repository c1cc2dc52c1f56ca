"""The head that judges a row, with the names that its numbers have in an adapter."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.nn import functional

from benchmarks.students.arrays import Arrays, Tensor
from benchmarks.students.rows import JoinedRows

MIX, HEAD = "mix", "head/"
HIDDEN, OUTPUT = f"{HEAD}hidden", f"{HEAD}output"

_FEATURES = 5
_WIDTH = 256


def first_head(size: int, layers: int, rng: np.random.Generator) -> Arrays:
    """Return the numbers that a training begins with.

    Args:
        size: The size of states.
        layers: How many layers are mixed, besides the embeddings.
        rng: What is drawn from.
    """
    found = {MIX: np.zeros(layers + 1, dtype=np.float32)}
    for name, inputs, outputs in ((HIDDEN, _FEATURES * size, _WIDTH), (OUTPUT, _WIDTH, 1)):
        most = 1 / np.sqrt(inputs)
        weight = rng.uniform(-most, most, (outputs, inputs))
        found[f"{name}/weight"] = weight.astype(np.float32)
        found[f"{name}/bias"] = rng.uniform(-most, most, outputs).astype(np.float32)
    return found


def judged(
    states: Sequence[Tensor], rows: JoinedRows, numbers: Mapping[str, Tensor], dropout: float = 0.0
) -> Tensor:
    """Return the raw score of each row.

    Args:
        states: The embeddings and the states of each layer.
        rows: What was read.
        numbers: Those of the head.
        dropout: The share of its numbers that are dropped.
    """
    shares = numbers[MIX].softmax(0).unbind()
    # Products with float32 are float32: nothing is lost in the sum.
    mixed = sum(share * one for share, one in zip(shares, states, strict=True))
    first, one, other = mixed[:, 0], _mean(mixed, rows.first), _mean(mixed, rows.second)
    features = torch.cat([first, one, other, (one - other).abs(), one * other], -1).float()
    hidden = torch.tanh(_linear(numbers, HIDDEN, _dropped(features, dropout)))
    return _linear(numbers, OUTPUT, _dropped(hidden, dropout))[:, 0]


def _mean(mixed: Tensor, mask: Tensor) -> Tensor:
    inside = mask[:, :, None].to(mixed.dtype)
    return (mixed * inside).sum(1) / inside.sum(1)


def _dropped(numbers: Tensor, share: float) -> Tensor:
    return functional.dropout(numbers, share) if share else numbers


def _linear(numbers: Mapping[str, Tensor], name: str, given: Tensor) -> Tensor:
    return functional.linear(given, numbers[f"{name}/weight"], numbers[f"{name}/bias"])
