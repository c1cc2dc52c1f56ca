"""What a training computes with.

Half of the bits are enough for products in a training, and take a quarter of the time where a
processor multiplies such numbers itself; weights and sums are float32 in any case. Where it does
not, bfloat16 would only be slow.
"""

from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from typing import Any

from tenbin.annotation.encoders.libraries import torch_module
from tenbin.annotation.encoders.settings import Device, NumberType

# As torch calls what processors of Intel, AMD and ARM can do.
_INSTRUCTIONS = ("avx512_bf16", "amx_bf16", "bf16")


class TrainingNumbers(StrEnum):
    """What is computed with; AUTO is what is fastest on the device."""

    AUTO = "auto"
    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"


def settled_numbers(device: Device, chosen: TrainingNumbers) -> NumberType:
    """Return what a device computes with while a model is trained."""
    if chosen is not TrainingNumbers.AUTO:
        return NumberType(chosen)
    fast = device is Device.CUDA or multiplies_halves(torch_module())
    return NumberType.BFLOAT16 if fast else NumberType.FLOAT32


def multiplies_halves(torch: Any) -> bool:  # noqa: ANN401 - not imported here
    """Return whether the processor has an instruction for products of bfloat16."""
    known: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return any(known.get(name, False) for name in _INSTRUCTIONS)


def mixed_numbers(torch: Any, device: str, *, halves: bool) -> AbstractContextManager[Any]:  # noqa: ANN401
    """Return what products are computed in: bfloat16 where weights are float32, or as they are.

    Args:
        torch: The library.
        device: What a training runs on.
        halves: Whether products are bfloat16.
    """
    if not halves:
        return nullcontext()
    chosen: AbstractContextManager[Any] = torch.autocast(device, dtype=torch.bfloat16)
    return chosen


def set_attention(model: Any, device: Device, numbers: NumberType) -> None:  # noqa: ANN401 - of transformers
    """Let a model that is trained in bfloat16 on a processor compute attention by plain products.

    torch's fused function takes up to twice as long there while gradients are needed. In float32,
    where it matters less, it stays, so that the same command gives the bytes that it always gave.

    Args:
        model: The model.
        device: What it is trained on.
        numbers: What products are computed with.
    """
    if device is Device.CPU and numbers is NumberType.BFLOAT16:
        model.set_attn_implementation("eager")


def judging_numbers(device: Device) -> NumberType:
    """Return what a teacher judges with: on a processor as its metric does."""
    return NumberType.BFLOAT16 if device is Device.CUDA else NumberType.INT8
