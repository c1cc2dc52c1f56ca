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

    def linear(self, name: str, states: Tensor) -> Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        found = functional.linear(states, weight, bias)
        if self.lora is None:
            return found
        down, up = self.lora[name]
        narrow = functional.linear(states, down).view(-1, down.shape[0])
        flat = found.view(-1, found.shape[-1])
        return torch.addmm(flat, narrow, up.t()).view(found.shape)

    def dropped(self, states: Tensor) -> Tensor:
        return functional.dropout(states, self.dropout) if self.dropout else states


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
        found = [run.dropped(self._embedded(ids, types))]
        for layer in range(self.layers if layers is None else layers):
            found.append(self._layer(run, f"{layer}.", found[-1]))
        return found

    def _layer(self, run: _Pass, prefix: str, states: Tensor) -> Tensor:
        attended = self._attended(run, prefix, states)
        states = self._normed(run, f"{prefix}{ATTENDED_NORM}", attended + states)
        inner = functional.gelu(run.linear(f"{prefix}{INNER}", states))
        outer = run.dropped(run.linear(f"{prefix}{OUTER}", inner))
        return self._normed(run, f"{prefix}{OUTER_NORM}", outer + states)

    def _attended(self, run: _Pass, prefix: str, states: Tensor) -> Tensor:
        rows, width, size = states.shape
        heads = self.facts.heads
        both = run.linear(f"{prefix}{QKV}", states).view(rows, width, 3, heads, size // heads)
        queries, keys, values = both.permute(2, 0, 3, 1, 4)
        found = functional.scaled_dot_product_attention(
            queries, keys, values, attn_mask=run.bias, dropout_p=run.dropout
        )
        flat = found.transpose(1, 2).reshape(rows, width, size)
        return run.dropped(run.linear(f"{prefix}{ATTENDED}", flat))

    def _normed(self, run: _Pass, name: str, states: Tensor) -> Tensor:
        weight, bias = run.weights[f"{name}.weight"], run.weights[f"{name}.bias"]
        return functional.layer_norm(states, (self.size,), weight, bias, self.facts.epsilon)

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
