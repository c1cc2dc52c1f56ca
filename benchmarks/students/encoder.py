"""The base models: post-norm encoders, BERT and MPNet, written for training on a GPU.

Weights have short names: ``0.qkv.weight`` is what makes queries, keys and values of
the first layer.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import torch
from torch.nn import functional

from benchmarks.students.arrays import DEVICE, Tensor, places
from benchmarks.students.plan import EncoderFacts

QKV, ATTENDED, INNER, OUTER = "qkv", "attended", "inner", "outer"
LINEAR = (QKV, ATTENDED, INNER, OUTER)
ATTENDED_NORM, OUTER_NORM = "attended_norm", "outer_norm"
WORDS, POSITIONS, TYPES, RELATIVE = "words", "positions", "types", "relative"
EMBEDDING_NORM = "norm"
_OF_LAYER = [
    f"{name}.{end}" for name in (*LINEAR, ATTENDED_NORM, OUTER_NORM) for end in ("weight", "bias")
]

_FARTHEST = 128  # subwords; MPNet tells no distances beyond it
_TABLES = (WORDS, POSITIONS, TYPES, f"{EMBEDDING_NORM}.weight", f"{EMBEDDING_NORM}.bias")

Lora = Mapping[str, tuple[Tensor, Tensor]]
"""Matrices beside linear layers: what is multiplied first, and second."""


class _Pass(NamedTuple):
    """One pass through the layers."""

    weights: Mapping[str, Tensor]
    lora: Lora | None
    bias: Tensor
    dropout: float

    def layer(self, number: int, epsilon: float) -> "_Layer":
        """Return what one layer computes with."""
        prefix = f"{number}."
        weights = {name: self.weights[f"{prefix}{name}"] for name in _OF_LAYER}
        lora = (
            None if self.lora is None else {name: self.lora[f"{prefix}{name}"] for name in LINEAR}
        )
        return _Layer(weights, lora, self.dropout, epsilon)


class _Layer(NamedTuple):
    """What one layer computes with."""

    weights: dict[str, Tensor]
    lora: dict[str, tuple[Tensor, Tensor]] | None
    dropout: float
    epsilon: float

    def linear(self, name: str, states: Tensor) -> Tensor:
        """Return the outputs of a linear layer for (subwords, size)."""
        found = functional.linear(
            states, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        )
        if self.lora is None:
            return found
        down, up = self.lora[name]
        return torch.addmm(found, functional.linear(states, down), up.t())

    def normed(self, name: str, states: Tensor) -> Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return functional.layer_norm(states, (len(weight),), weight, bias, self.epsilon)

    def dropped(self, states: Tensor) -> Tensor:
        return functional.dropout(states, self.dropout) if self.dropout else states


def _after_attention(layer: _Layer, attended: Tensor, states: Tensor) -> Tensor:
    """Return the states after a layer, (subwords, size).

    Args:
        layer: The layer.
        attended: What its heads found.
        states: The states before.
    """
    taken = layer.dropped(layer.linear(ATTENDED, attended))
    between = layer.normed(ATTENDED_NORM, taken + states)
    inner = functional.gelu(layer.linear(INNER, between))
    outer = layer.dropped(layer.linear(OUTER, inner))
    return layer.normed(OUTER_NORM, outer + between)


class Encoder:
    """A base model.

    Attributes:
        facts: What its weights do not say.
        layers: How many layers are there.
        size: The size of states.
        weights: Those of the layers, in the number type of the products.
        words: The vectors of subwords, float32.
    """

    def __init__(
        self,
        weights: Mapping[str, Tensor],
        facts: EncoderFacts,
        layers: int,
        number_type: torch.dtype = torch.bfloat16,
    ) -> None:
        """Send the weights to the device.

        Args:
            weights: All weights by name.
            facts: What they do not say.
            layers: How many layers are read, from the first.
            number_type: What products are computed in; embeddings are looked up in float32.
        """
        self.facts, self.layers, self._type = facts, layers, number_type
        self.weights = {
            name: one.to(DEVICE).to(number_type)
            for name, one in weights.items()
            if is_of_layer(name) and int(name.partition(".")[0]) < layers
        }
        self._tables = {
            name: weights[name].to(DEVICE).float() for name in _TABLES if name in weights
        }
        self.words = self._tables[WORDS]
        self.size = int(self.words.shape[1])
        relative = weights.get(RELATIVE)
        self._relative = None if relative is None else relative.to(DEVICE).float()
        self._biases: dict[int, Tensor] = {}

    def states(
        self,
        ids: Tensor,
        mask: Tensor,
        types: Tensor | None = None,
        *,
        weights: Mapping[str, Tensor] | None = None,
        lora: Lora | None = None,
        dropout: float = 0.0,
        layers: int | None = None,
    ) -> list[Tensor]:
        """Return the embeddings and the states of each layer, (rows, width, size) each.

        Args:
            ids: Rows of subwords.
            mask: What is no padding.
            types: The text that each subword is of, where the model tells texts apart.
            weights: Weights in the place of its own.
            lora: Matrices beside linear layers.
            dropout: The share of numbers that are dropped.
            layers: How many layers are run; None for all.
        """
        run = _Pass(weights or self.weights, lora, self._bias(mask), dropout)
        embedded = self._embedded(ids, types)
        found = [functional.dropout(embedded, dropout) if dropout else embedded]
        for number in range(self.layers if layers is None else layers):
            layer = run.layer(number, self.facts.epsilon)
            flat = found[-1].view(-1, self.size)
            attended = self._attended(layer, run.bias, found[-1])
            found.append(_after_attention(layer, attended, flat).view(found[-1].shape))
        return found

    def _attended(self, layer: _Layer, bias: Tensor, states: Tensor) -> Tensor:
        """Return what the heads of a layer find, (subwords, size)."""
        rows, width, size = states.shape
        heads = self.facts.heads
        both = layer.linear(QKV, states.view(-1, size))
        queries, keys, values = both.view(rows, width, 3, heads, -1).permute(2, 0, 3, 1, 4)
        found = functional.scaled_dot_product_attention(
            queries, keys, values, attn_mask=bias, dropout_p=layer.dropout
        )
        return found.transpose(1, 2).reshape(-1, size)

    def _embedded(self, ids: Tensor, types: Tensor | None) -> Tensor:
        tables, first = self._tables, self.facts.first_position
        with torch.no_grad():  # embeddings are never trained
            found = self.words[ids] + tables[POSITIONS][first : first + ids.shape[1]]
            if types is not None:
                found = found + tables[TYPES][types]
            weight, bias = (tables[f"{EMBEDDING_NORM}.{one}"] for one in ("weight", "bias"))
            normed = functional.layer_norm(found, (self.size,), weight, bias, self.facts.epsilon)
            return normed.to(self._type)

    def _bias(self, mask: Tensor) -> Tensor:
        """Return what is added to the products of attention, (rows, heads, width, width)."""
        width = mask.shape[1]
        padding = torch.zeros(mask.shape, device=DEVICE, dtype=self._type)
        padding = padding.masked_fill(~mask, -math.inf)[:, None, None, :]
        if self._relative is None:
            return padding.expand(-1, self.facts.heads, width, -1)
        if width not in self._biases:
            numbers = distance_numbers(width, self._relative.shape[0])
            found = self._relative[numbers].permute(2, 0, 1)[None]
            self._biases[width] = found.to(self._type).contiguous()
        return self._biases[width] + padding


def is_of_layer(name: str) -> bool:
    """Return whether a weight is of a layer.

    >>> is_of_layer("0.qkv.weight"), is_of_layer("words")
    (True, False)
    """
    return name[0].isdigit()


def linear_names(layers: int) -> Iterator[tuple[int, str]]:
    """Yield the number of the layer and the part of each linear layer."""
    for layer in range(layers):
        for part in LINEAR:
            yield layer, part


def distance_numbers(width: int, count: int) -> Tensor:
    """Return which of the biases of MPNet each pair of places has, (width, width).

    Args:
        width: How many places there are.
        count: How many biases: half of them for subwords before, half for those after. Of these
            half tell near ones exactly, the others share logarithmic ranges.
    """
    half, near = count // 2, count // 4
    place = places(width)
    apart = place - place.t()
    size = apart.abs()
    share = (size.clamp_min(1).float() / near).log() / math.log(_FARTHEST / near)
    far = (near + (share * (half - near)).long()).clamp_max(half - 1)
    return (apart > 0).long() * half + torch.where(size < near, size, far)
