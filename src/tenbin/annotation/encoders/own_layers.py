"""The layers of BERT and MPNet, run without what transformers does around them.

The same modules with the same weights, so that the hidden states are those of transformers (to the
last digits: attention is computed by one fused function). Other kinds of models are run by
transformers itself.
"""

from math import sqrt
from typing import Any, NamedTuple

Tensor = Any  # of torch, which is not imported here
Module = Any

_BERT_LIKE = {"bert", "roberta", "xlm-roberta"}
_MPNET = "mpnet"


class LayerParts(NamedTuple):
    """The parts of one layer: attention, then two linear layers, each added and normalized.

    Attributes:
        projections: The linear layers that make queries, keys and values.
        attended: The linear layer after attention.
        attended_norm: What normalizes its sum with the input.
        inner: The first of the two linear layers.
        outer: The second.
        outer_norm: What normalizes its sum with its input.
    """

    projections: tuple[Module, Module, Module]
    attended: Module
    attended_norm: Module
    inner: Module
    outer: Module
    outer_norm: Module


def has_own_layers(model: Module) -> bool:
    """Return whether a model is one whose layers are run here."""
    config = model.config
    usual = getattr(config, "hidden_act", "") == "gelu"
    usual &= getattr(config, "position_embedding_type", "absolute") == "absolute"
    usual &= not getattr(config, "is_decoder", False)
    return usual and config.model_type in {*_BERT_LIKE, _MPNET}


def layer_parts(model: Module, count: int) -> list[LayerParts]:
    """Return the first layers of a model."""
    own = _mpnet_parts if model.config.model_type == _MPNET else _bert_parts
    return [own(layer) for layer in model.encoder.layer[:count]]


def _bert_parts(layer: Module) -> LayerParts:
    own, output = layer.attention.self, layer.attention.output
    return LayerParts(
        (own.query, own.key, own.value),
        output.dense,
        output.LayerNorm,
        layer.intermediate.dense,
        layer.output.dense,
        layer.output.LayerNorm,
    )


def _mpnet_parts(layer: Module) -> LayerParts:
    own = layer.attention.attn
    return LayerParts(
        (own.q, own.k, own.v),
        own.o,
        layer.attention.LayerNorm,
        layer.intermediate.dense,
        layer.output.dense,
        layer.output.LayerNorm,
    )


def known_types(model: Module, types: Tensor) -> Tensor:
    """Return token types that a model has; RoBERTa has one for both texts."""
    return types.clamp_max(int(getattr(model.config, "type_vocab_size", 1)) - 1)


class LayerRun:
    """Runs layers on a batch of rows of one length."""

    def __init__(self, torch: Any, model: Module, layers: list[LayerParts]) -> None:  # noqa: ANN401
        self._torch = torch
        self._model = model
        self._layers = layers
        config = model.config
        self._heads = int(config.num_attention_heads)
        self._dropout = float(getattr(config, "hidden_dropout_prob", 0.0))
        self._attention_dropout = float(getattr(config, "attention_probs_dropout_prob", 0.0))

    def embeddings(self, types: Tensor, **given: Tensor) -> Tensor:
        """Return the output of the embeddings.

        Args:
            types: Token types, which MPNet has none of.
            given: ``input_ids``, or ``inputs_embeds``, the vectors of subwords.
        """
        if self._model.config.model_type == _MPNET:
            return self._model.embeddings(**given)
        return self._model.embeddings(token_type_ids=known_types(self._model, types), **given)

    def bias(self, states: Tensor, mask: Tensor | None) -> Tensor | None:
        """Return what is added to the attention scores, or None.

        Args:
            states: The output of the embeddings, shape (rows, subwords, size).
            mask: True for subwords, False for padding; None where nothing is padded.
        """
        found = None
        if self._model.config.model_type == _MPNET:
            # Of one row: those of the others are the same.
            found = self._model.encoder.compute_position_bias(states[:1]).to(states.dtype)
        if mask is None:
            return found
        padded = self._torch.zeros(mask.shape, dtype=states.dtype, device=states.device)
        padded = padded.masked_fill(~mask, float("-inf"))[:, None, None, :]
        return padded if found is None else found + padded

    def states(self, embedded: Tensor, bias: Tensor | None, *, training: bool) -> list[Tensor]:
        """Return the output of the embeddings and of each layer."""
        found = [embedded]
        for layer in self._layers:
            found.append(self._layer(layer, found[-1], bias, training=training))
        return found

    def _layer(
        self, layer: LayerParts, states: Tensor, bias: Tensor | None, *, training: bool
    ) -> Tensor:
        functions = self._torch.nn.functional
        rows, length, size = states.shape
        shape = (rows, length, self._heads, size // self._heads)
        query, key, value = (one(states).view(shape).transpose(1, 2) for one in layer.projections)
        if bias is not None:
            bias = bias.to(query.dtype)
        seen = functions.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=bias,
            dropout_p=self._attention_dropout if training else 0.0,
            scale=1 / sqrt(shape[-1]),
        )
        attended = layer.attended(seen.transpose(1, 2).reshape(rows, length, size))
        if training:
            attended = functions.dropout(attended, self._dropout)
        states = layer.attended_norm(attended + states)
        outer = layer.outer(functions.gelu(layer.inner(states)))
        if training:
            outer = functions.dropout(outer, self._dropout)
        return layer.outer_norm(outer + states)
