"""Whether an adapter fits a base model: its linear layers, and what stands beside them."""

from collections.abc import Mapping
from typing import Any

from tenbin.annotation.encoders.libraries import torch_module
from tenbin.annotation.encoders.own_layers import subword_table
from tenbin.annotation.joint.adapter import DOWN, FULL, HEAD_NAMES, LORA, MIX, UP, Array
from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.resources.checkpoints import Checkpoint

FEATURES = 5
"""Vectors that the head reads."""


def linear_layers(model: Any, count: int) -> dict[str, Any]:  # noqa: ANN401 - modules of torch
    """Return the linear layers inside the first layers of a model, by their paths."""
    torch = torch_module()
    stack = next(
        (
            name
            for name, part in model.named_modules()
            if type(part).__name__ == "ModuleList" and len(part) >= count
        ),
        None,
    )
    if stack is None:  # ALBERT runs one layer many times
        stack = "encoder"
    first = tuple(f"{stack}.{number}." for number in range(count))
    return {
        name: part
        for name, part in model.named_modules()
        if name.startswith(first) and isinstance(part, torch.nn.Linear)
    }


def check_fits(
    checkpoint: Checkpoint,
    model: Any,  # noqa: ANN401 - of transformers
    tensors: Mapping[str, Array],
    where: str,
) -> None:
    """Raise `UnreadableFile` unless the numbers of an adapter fit the base model."""
    base, layers = checkpoint.identity.name, len(tensors[MIX]) - 1
    advice = "Was it made for another model, or by another version of Tenbin?"
    if not 1 <= layers <= checkpoint.layer_count:
        read = counted(layers, "layer")
        problem = f"it reads {read}, and the model {base!r} has {checkpoint.layer_count}"
        raise UnreadableFile(where, problem, advice)
    expected: dict[str, tuple[int, ...]] = {}
    for name, linear in linear_layers(model, layers).items():
        outputs, inputs = linear.weight.shape
        expected[f"{LORA}{name}{DOWN}"] = (-1, inputs)
        expected[f"{LORA}{name}{UP}"] = (outputs, -1)
    named = {f"{FULL}{name}": tuple(one.shape) for name, one in model.named_parameters()}
    size = int(subword_table(model).embedding_dim)
    named[HEAD_NAMES[0]] = (-1, FEATURES * size)
    for name, one in tensors.items():
        shape = {**expected, **named}.get(name)
        if shape is None and name.startswith((LORA, FULL)):
            raise UnreadableFile(where, f"the model {base!r} has no {name!r}", advice)
        if shape is not None and not _fits(one.shape, shape):
            found, wanted = ("x".join(map(str, one)) for one in (one.shape, shape))
            problem = f"{name} is {found}, the model {base!r} needs {wanted}"
            raise UnreadableFile(where, problem.replace("-1", "any"), advice)
    lacking = sorted(expected.keys() - tensors.keys())
    if adapted_modules(tensors) and lacking:
        raise UnreadableFile(where, f"{lacking[0]} is missing", advice)


def adapted_modules(tensors: Mapping[str, Array]) -> list[str]:
    """Return the linear layers that have matrices beside them."""
    return sorted(
        name.removeprefix(LORA).removesuffix(DOWN)
        for name in tensors
        if name.startswith(LORA) and name.endswith(DOWN)
    )


def _fits(found: tuple[int, ...], expected: tuple[int, ...]) -> bool:
    return len(found) == len(expected) and all(
        wanted in {-1, one} for one, wanted in zip(found, expected, strict=True)
    )
