"""Layers with products of 8-bit integers, run on many texts end to end without padding.

Weights are rounded with one scale per output, inputs with one scale per subword, and the sums are
exact; all else is computed subword by subword, and attention text by text. So the result for a text
does not depend on the texts beside it, whatever their number and lengths.

Some models (MPNet) have a few inputs that are always many times as large as the others, which would
be rounded to almost nothing beside them. Those are divided by a number, and the weights multiplied
by it, so that the difficulty is shared (Xiao et al. 2023, SmoothQuant, with exponent .5). How large
inputs are is seen on rows of random subwords.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import sub
from typing import Any

import numpy as np

from tenbin.annotation.encoders.encoded import Float32Array
from tenbin.annotation.encoders.own_layers import LayerParts, LayerRun, layer_parts
from tenbin.core.arrays import IdArray
from tenbin.kernels.products.rounding import plain_rounded_rows, rescaled, rounded_rows

Tensor = Any  # of torch, which is not imported here

PACK_SUBWORDS = 1_024
"""Subwords that are run at once: enough for what is done once for all of them to cost little."""

# Inputs that are so many times as large as the usual ones make the others hard to round.
_MUCH_LARGER = 3
_SEEN = (6, 40)  # rows and subwords in which inputs are looked at


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
        self._shrunk: Tensor | None = None
        divisors = None if greatest is None else _divisors(greatest)
        if divisors is not None:
            weights = weights * divisors
            self._shrunk = torch.from_numpy(1 / divisors)
        integers, self._scales = plain_rounded_rows(weights)
        self._integers = torch.from_numpy(integers).t().contiguous()
        empty = [
            np.zeros(one.out_features, np.float32)
            if one.bias is None
            else one.bias.detach().numpy()
            for one in linear
        ]
        self._bias = np.concatenate(empty)

    def __call__(self, inputs: Tensor) -> Tensor:
        """Return the output for rows of inputs."""
        inputs = inputs if self._shrunk is None else inputs * self._shrunk
        integers, units = rounded_rows(inputs.numpy())
        sums = self._torch._int_mm(self._torch.from_numpy(integers), self._integers)  # noqa: SLF001 - torch has no public name for it
        return self._torch.from_numpy(rescaled(sums.numpy(), units, self._scales, self._bias))


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
        embedded = run.embeddings(torch.zeros_like(tensor), input_ids=tensor)
        run.states(embedded, run.bias(embedded, None), training=False)
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
        self._bias: Tensor | None = None
        if hasattr(model.encoder, "relative_attention_bias"):
            most = int(model.config.max_position_embeddings)
            blank = torch.zeros(1, most, 1)
            with torch.no_grad():
                self._bias = model.encoder.compute_position_bias(blank)

    def states(self, rows: Sequence[IdArray], firsts: Sequence[int]) -> Iterator[Tensor]:
        """Yield the output of the embeddings and of each layer for texts end to end.

        Args:
            rows: Ids of the subwords of each text.
            firsts: How many of them are of the first token type.
        """
        bounds = [0, *np.cumsum([len(row) for row in rows]).tolist()]
        states = self._embedded(rows, firsts)
        yield states
        for layer in self._layers:
            states = self._run(layer, states, bounds)
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
        return self._embeddings(**made)[0]

    def _run(self, layer: _PackedLayer, states: Tensor, bounds: Sequence[int]) -> Tensor:
        functions = self._torch.nn.functional
        size = states.shape[1]
        projected = layer.projected(states)
        seen = self._torch.empty_like(states)
        start = 0
        # Texts of one length beside each other, which the order of a pack makes likely.
        for length, some in groupby(map(sub, bounds[1:], bounds)):
            count = len(list(some))
            stop = start + count * length
            shape = (count, length, 3, self._heads, size // self._heads)
            query, key, value = projected[start:stop].view(shape).permute(2, 0, 3, 1, 4)
            bias = None if self._bias is None else self._bias[:, :, :length, :length]
            own = functions.scaled_dot_product_attention(query, key, value, attn_mask=bias)
            seen[start:stop] = own.transpose(1, 2).reshape(-1, size)
            start = stop
        states = layer.attended_norm(layer.attended(seen) + states)
        return layer.outer_norm(layer.outer(functions.gelu(layer.inner(states))) + states)
