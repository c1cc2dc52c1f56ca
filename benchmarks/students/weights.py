"""Weights in 16 bits, as files that compress well.

The first byte of such a number has its sign and nearly all of its exponent, which differ little
between weights; the second byte looks like noise. Apart, the first bytes become half as large.
"""

from collections.abc import Mapping

import numpy as np
import torch

from benchmarks.students.arrays import Arrays, Tensor

_KINDS = {"float16": torch.float16, "bfloat16": torch.bfloat16}
_HIGH, _LOW = "high", "low"
_BYTE = 8


def packed(weights: Mapping[str, Tensor], kind: str) -> Arrays:
    """Return weights as arrays; vectors stay float32.

    Args:
        weights: Tensors by name.
        kind: ``float16`` or ``bfloat16``: what matrices are rounded to.
    """
    found = {}
    for name, one in weights.items():
        plain = one.detach().cpu().contiguous()
        if plain.ndim == 1:
            found[name] = plain.float().numpy()
            continue
        bits = plain.to(_KINDS[kind]).view(torch.int16).numpy().view(np.uint16)
        found[f"{name}|{kind}|{_HIGH}"] = (bits >> _BYTE).astype(np.uint8)
        found[f"{name}|{kind}|{_LOW}"] = (bits & 0xFF).astype(np.uint8)
    return found


def unpacked(arrays: Arrays) -> dict[str, Tensor]:
    """Return the weights that were packed."""
    found = {}
    for key, one in arrays.items():
        name, *parts = key.split("|")
        if not parts:
            found[name] = torch.from_numpy(one)
        elif parts[1] == _HIGH:
            low = arrays[f"{name}|{parts[0]}|{_LOW}"]
            bits = (one.astype(np.uint16) << _BYTE) | low
            found[name] = torch.from_numpy(bits.view(np.int16)).view(_KINDS[parts[0]])
    return found
