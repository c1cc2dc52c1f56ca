"""Layers with products of 8-bit integers, run on many texts end to end without padding.

Weights are rounded with one scale per output, inputs with one scale per subword, and the sums are
exact; all else is computed subword by subword, and attention text by text. So the result for a text
does not depend on the texts beside it, whatever their number and lengths.

Some models (MPNet) have a few inputs that are always many times as large as the others, which would
be rounded to almost nothing beside them. Those are divided by a number, and the weights multiplied
by it, so that the difficulty is shared (Xiao et al. 2023, SmoothQuant, with exponent .5). How large
inputs are is seen on rows of random subwords.

What GELU gives is hardly ever negative: there -127 is the least number that it can give, so that
all integers are used. That halves what rounding changes in the input that is hardest to round.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import prod
from threading import local
from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.annotation.encoders.encoded import Float32Array
from tenbin.annotation.encoders.integer_sums import IntegerWeights
from tenbin.annotation.encoders.own_layers import (
    LayerParts,
    LayerRun,
    embedded,
    layer_parts,
    position_bias,
)
from tenbin.core.arrays import IdArray
from tenbin.kernels.products.rounding import (
    plain_rounded_rows,
    rescale,
    rescale_above,
    round_rows,
    round_rows_above,
)

Tensor = Any  # of torch, which is not imported here

PACK_SUBWORDS = 1_024
"""Subwords that are run at once: enough for what is done once for all of them to cost little."""

# Inputs that are so many times as large as the usual ones make the others hard to round.
_MUCH_LARGER = 3
_SEEN = (6, 40)  # rows and subwords in which inputs are looked at
_LEAST_OF_GELU = -0.17  # at -.752; a little less than the exact one


def packs(lengths: Sequence[int], subwords: int = PACK_SUBWORDS) -> Iterator[list[int]]:
    """Yield texts that are run together, as positions, with about ``subwords`` in each pack.

    The longest texts come first, so that a lack of memory shows at once.

    >>> list(packs([2, 3, 2, 9], 5))
    [[3], [1, 0], [2]]
    """
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    pack: list[int] = []
    held = 0
    for place in order:
        if pack and held + lengths[place] > subwords:
            yield pack
            pack, held = [], 0
        pack.append(place)
        held += lengths[place]
    if pack:
        yield pack


class IntegerProduct:
    """One or several linear layers of the same input, as one product of integers."""

    def __init__(
        self,
        torch: Any,  # noqa: ANN401 - not imported here
        linear: Sequence[Any],
        greatest: Float32Array | None = None,
    ) -> None:
        """Round weights.

        Args:
            torch: The library.
            linear: The linear layers.
            greatest: How large each input gets; None if that need not be known.
        """
        self._torch = torch
        weights = np.concatenate([one.weight.detach().numpy() for one in linear])
        self._shrunk: Float32Array | None = None
        divisors = None if greatest is None else _divisors(greatest)
        if divisors is not None:
            weights = weights * divisors
            self._shrunk = np.float32(1) / divisors
        integers, self._scales = plain_rounded_rows(weights)
        self._totals = integers.sum(axis=1, dtype=np.int32).astype(np.float32)
        self._weights = IntegerWeights(torch, torch.from_numpy(integers))
        empty = [
            np.zeros(one.out_features, np.float32)
            if one.bias is None
            else one.bias.detach().numpy()
            for one in linear
        ]
        self._bias = np.concatenate(empty)

    @property
    def outputs(self) -> int:
        """The number of columns of the output."""
        return len(self._bias)

    def write(
        self,
        inputs: Float32Array,
        room: "_Workroom",
        sums: Tensor,
        added: Float32Array | None = None,
    ) -> None:
        """Write the output for rows of inputs, plus another matrix.

        Args:
            inputs: The rows.
            room: Memory for rounded inputs.
            sums: Integers, whose memory holds the output as floats in the end.
            added: What is added to it; None for nothing.
        """
        integers = room.of("rounded", inputs.shape, np.int8)
        units = room.of("units", (len(inputs),), np.float32).numpy()
        round_rows(inputs, integers.numpy(), units, self._shrunk)
        self._weights.sums(integers, sums)
        rescale(sums.numpy(), units, self._scales, self._bias, added)

    def write_of_gelu(
        self, inputs: Float32Array, room: "_Workroom", sums: Tensor, added: Float32Array
    ) -> None:
        """Write the output for rows that GELU gave, plus another matrix.

        Args:
            inputs: The rows.
            room: Memory for rounded inputs.
            sums: Integers, whose memory holds the output as floats in the end.
            added: What is added to it.
        """
        integers = room.of("rounded", inputs.shape, np.int8)
        units, middles = room.of("units", (2, len(inputs)), np.float32).numpy()
        round_rows_above(inputs, _LEAST_OF_GELU, integers.numpy(), units, middles)
        self._weights.sums(integers, sums)
        scales, bias = self._scales, self._bias
        rescale_above(sums.numpy(), units, middles, self._totals, scales, bias, added)


class _Workroom(local):
    """Memory of each thread for what is made on the way: to get new one takes long."""

    def __init__(self, torch: Any) -> None:  # noqa: ANN401 - not imported here
        super().__init__()
        self._torch = torch
        self._memory: dict[str, npt.NDArray[Any]] = {}

    def of(self, name: str, shape: tuple[int, ...], kind: type[np.generic]) -> Tensor:
        """Return the memory of a name, which the next one to ask for that name gets again."""
        size = prod(shape)
        found = self._memory.get(name)
        if found is None or found.size < size:
            found = self._memory[name] = np.empty(size, kind)
        return self._torch.from_numpy(found[:size].reshape(shape))


def _divisors(greatest: Float32Array) -> Float32Array | None:
    """Return what inputs are divided by; None if none is much larger than the others."""
    usual = float(np.median(greatest))
    if usual <= 0 or greatest.max() <= _MUCH_LARGER * usual:
        return None
    found: Float32Array = np.sqrt(np.maximum(greatest / usual, 1)).astype(np.float32)
    return found


class _PackedLayer:
    """A layer whose linear parts are products of integers."""

    def __init__(self, torch: Any, parts: LayerParts, greatest: dict[Any, Float32Array]) -> None:  # noqa: ANN401 - of torch
        first = parts.projections[0]
        self.projected = IntegerProduct(torch, parts.projections, greatest.get(first))
        self.attended = IntegerProduct(torch, [parts.attended])
        self.attended_norm = parts.attended_norm
        self.inner = IntegerProduct(torch, [parts.inner], greatest.get(parts.inner))
        self.outer = IntegerProduct(torch, [parts.outer])
        self.outer_norm = parts.outer_norm


def _greatest_inputs(
    torch: Any,  # noqa: ANN401 - not imported here
    model: Any,  # noqa: ANN401 - of transformers
    layers: list[LayerParts],
) -> dict[Any, Float32Array]:
    """Return how large the inputs of linear layers get that read normalized states."""
    found: dict[Any, Float32Array] = {}

    def noted(module: Any, inputs: tuple[Tensor, ...]) -> None:  # noqa: ANN401
        found[module] = inputs[0].abs().amax(dim=(0, 1)).numpy()

    read = [module for parts in layers for module in (parts.projections[0], parts.inner)]
    hooks = [module.register_forward_pre_hook(noted) for module in read]
    length = min(_SEEN[1], int(model.config.max_position_embeddings) // 2)
    vocabulary = int(model.config.vocab_size)
    ids = np.random.default_rng(1).integers(0, vocabulary, (_SEEN[0], length))
    run = LayerRun(torch, model, layers)
    with torch.inference_mode():
        tensor = torch.from_numpy(ids)
        first = run.embeddings(torch.zeros_like(tensor), input_ids=tensor)
        run.states(first, run.bias(first, None), training=False)
    for hook in hooks:
        hook.remove()
    return found


class PackedLayers:
    """The first layers of a model, with products of integers."""

    def __init__(
        self,
        torch: Any,  # noqa: ANN401 - not imported here
        model: Any,  # noqa: ANN401 - of transformers
        count: int,
        *,
        smoothed: bool = True,
    ) -> None:
        """Round the weights of a model.

        Args:
            torch: The library.
            model: The model, in float32.
            count: How many of its layers are run.
            smoothed: Whether inputs that are much larger than others are divided first.
        """
        self._torch = torch
        self._embeddings = model.embeddings
        self._heads = int(model.config.num_attention_heads)
        every = layer_parts(model, count)
        greatest = _greatest_inputs(torch, model, every) if smoothed else {}
        self._layers = [_PackedLayer(torch, parts, greatest) for parts in every]
        padding = getattr(model.embeddings.position_embeddings, "padding_idx", None)
        # RoBERTa and similar models count positions from the one after padding.
        self._first_position = 0 if padding is None else padding + 1
        kinds = getattr(model.config, "type_vocab_size", 0)
        self._types = kinds if hasattr(model.embeddings, "token_type_embeddings") else 0
        self._room = _Workroom(torch)
        with torch.no_grad():
            self._bias = position_bias(torch, model, int(model.config.max_position_embeddings))

    def states(self, rows: Sequence[IdArray], firsts: Sequence[int]) -> Iterator[Tensor]:
        """Yield the output of the embeddings and of each layer for texts end to end.

        Args:
            rows: Ids of the subwords of each text.
            firsts: How many of them are of the first token type.
        """
        lengths = [len(row) for row in rows]
        states = self._embedded(rows, firsts)
        yield states
        for layer in self._layers:
            states = self._run(layer, states, lengths)
            yield states

    def _embedded(self, rows: Sequence[IdArray], firsts: Sequence[int]) -> Tensor:
        places = [np.arange(len(row)) for row in rows]
        given = {"input_ids": np.concatenate(rows)}
        given["position_ids"] = np.concatenate(places) + self._first_position
        if self._types:
            second = [one >= first for one, first in zip(places, firsts, strict=True)]
            given["token_type_ids"] = np.minimum(np.concatenate(second), self._types - 1)
        made = {
            name: self._torch.from_numpy(one.astype(np.int64))[None] for name, one in given.items()
        }
        return embedded(self._torch, self._embeddings, **made)[0]

    def _run(self, layer: _PackedLayer, states: Tensor, lengths: Sequence[int]) -> Tensor:
        torch, room, given = self._torch, self._room, states.numpy()
        projected = room.of("projected", (len(given), layer.projected.outputs), np.int32)
        layer.projected.write(given, room, projected)
        seen = self._attended(projected.view(torch.float32), lengths)
        summed = room.of("summed", given.shape, np.int32)
        layer.attended.write(seen.numpy(), room, summed, given)
        middle = layer.attended_norm(summed.view(torch.float32)).numpy()
        inner = room.of("inner", (len(given), layer.inner.outputs), np.int32)
        layer.inner.write(middle, room, inner)
        bent = torch.ops.aten.gelu_(inner.view(torch.float32))
        layer.outer.write_of_gelu(bent.numpy(), room, summed, middle)
        return layer.outer_norm(summed.view(torch.float32))

    def _attended(self, projected: Tensor, lengths: Sequence[int]) -> Tensor:
        """Return what attention gives for each subword, from queries, keys and values."""
        size = projected.shape[1] // 3
        attention = self._torch.nn.functional.scaled_dot_product_attention
        found = []
        start = 0
        # Texts of one length beside each other, which the order of a pack makes likely.
        for length, some in groupby(lengths):
            count = len(list(some))
            stop = start + count * length
            shape = (count, length, 3, self._heads, size // self._heads)
            query, key, value = projected[start:stop].view(shape).permute(2, 0, 3, 1, 4)
            bias = None if self._bias is None else self._bias[:, :, :length, :length]
            own = attention(query, key, value, attn_mask=bias)
            found.append(own.transpose(1, 2).reshape(-1, size))
            start = stop
        return self._torch.cat(found)
