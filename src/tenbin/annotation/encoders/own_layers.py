"""The layers of BERT and MPNet, run without what transformers does around them.

The same modules with the same weights, so that the hidden states are those of transformers (to the
last digits: attention is computed by one fused function). Other kinds of models are run by
transformers itself.
"""

from math import log, sqrt
from typing import Any, NamedTuple

Tensor = Any  # of torch, which is not imported here
Module = Any

_BERT_LIKE = {"bert", "roberta", "xlm-roberta"}
_MPNET = "mpnet"
_FAR = 128  # subwords; MPNet makes no difference between greater distances


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
    own = _mpnet_parts if _is_mpnet(model) else _bert_parts
    return [own(layer) for layer in model.encoder.layer[:count]]


def _is_mpnet(model: Module) -> bool:
    return bool(model.config.model_type == _MPNET)


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


def subword_table(model: Module) -> Module:
    """Return what gives subwords their first vectors."""
    own = getattr(getattr(model, "embeddings", None), "word_embeddings", None)
    return model.get_input_embeddings() if own is None else own


def embedded(
    torch: Any,  # noqa: ANN401 - not imported here
    part: Module,
    *,
    input_ids: Tensor | None = None,
    inputs_embeds: Tensor | None = None,
    token_type_ids: Tensor | None = None,
    position_ids: Tensor | None = None,
) -> Tensor:
    """Return the output of the embeddings of a model whose layers are run here.

    Args:
        torch: The library.
        part: The embeddings of the model.
        input_ids: The subwords, (rows, subwords).
        inputs_embeds: Their vectors, in the place of ids.
        token_type_ids: Their token types, where the model has types.
        position_ids: Their positions; None: their places in the row.
    """
    vectors = inputs_embeds if input_ids is None else part.word_embeddings(input_ids)
    if position_ids is None:
        position_ids = _positions(torch, part, vectors, input_ids)
    if token_type_ids is not None:
        vectors = vectors + part.token_type_embeddings(token_type_ids)
    return part.dropout(part.LayerNorm(vectors + part.position_embeddings(position_ids)))


def _positions(torch: Any, part: Module, vectors: Tensor, ids: Tensor | None) -> Tensor:  # noqa: ANN401
    """Return the positions of subwords; in some models those of padding do not count."""
    padding = part.position_embeddings.padding_idx
    if padding is None or ids is None:
        first = 0 if padding is None else padding + 1
        return torch.arange(first, first + vectors.shape[1], device=vectors.device)[None]
    inside = ids.ne(padding).long()
    return inside.cumsum(dim=1) * inside + padding


def position_bias(torch: Any, model: Module, length: int) -> Tensor | None:  # noqa: ANN401
    """Return what a model adds to attention by the distance of subwords; None for most models.

    The shape is (1, heads, length, length). Near distances have a number each, farther ones share
    them by the logarithm of the distance (Raffel et al. 2020), before and after apart.
    """
    table = getattr(model.encoder, "relative_attention_bias", None)
    if table is None:
        return None
    places = torch.arange(length, device=table.weight.device)
    distance = places[None] - places[:, None]
    half = table.num_embeddings // 2
    near = half // 2
    size = distance.abs()
    far = (size.float() / near).log() / log(_FAR / near) * (half - near)
    shared = (near + far.long()).clamp_max(half - 1)
    number = (distance > 0).long() * half + torch.where(size < near, size, shared)
    return table(number).permute(2, 0, 1)[None]


def known_types(model: Module, types: Tensor) -> Tensor:
    """Return token types that a model has; RoBERTa has one for both texts."""
    return types.clamp_max(int(getattr(model.config, "type_vocab_size", 1)) - 1)


def dropped(torch: Any, states: Tensor, share: float) -> Tensor:  # noqa: ANN401
    """Return states of which a share, drawn at random, is 0, and the rest so much larger.

    The function of torch draws each number for itself on a processor, which takes a sixth of a
    training; here four are made of one.
    """
    if states.is_cuda or not 0 < share < 1:
        return torch.nn.functional.dropout(states, share)
    count = states.numel()
    drawn = torch.empty(-(-count // 4), dtype=torch.int64).random_(-(2**63), None)
    kept = drawn.view(torch.int16)[:count].view(states.shape) >= round(share * 2**16) - 2**15
    return states * (kept.to(states.dtype) / (1 - share))


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
        known = None if _is_mpnet(self._model) else known_types(self._model, types)
        return embedded(self._torch, self._model.embeddings, token_type_ids=known, **given)

    def bias(self, states: Tensor, mask: Tensor | None) -> Tensor | None:
        """Return what is added to the attention scores, or None.

        Args:
            states: The output of the embeddings, shape (rows, subwords, size).
            mask: True for subwords, False for padding; None where nothing is padded.
        """
        found = position_bias(self._torch, self._model, states.shape[1])
        if found is not None:
            found = found.to(states.dtype)
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
        dropout = self._attention_dropout if training else 0.0
        if self._torch.is_grad_enabled() and not states.is_cuda:
            seen = self._attention_step_by_step(query, key, value, bias, dropout)
        else:
            scale = 1 / sqrt(shape[-1])
            seen = functions.scaled_dot_product_attention(
                query, key, value, attn_mask=bias, dropout_p=dropout, scale=scale
            )
        attended = layer.attended(seen.transpose(1, 2).reshape(rows, length, size))
        if training:
            attended = dropped(self._torch, attended, self._dropout)
        states = layer.attended_norm(attended + states)
        outer = layer.outer(functions.gelu(layer.inner(states)))
        if training:
            outer = dropped(self._torch, outer, self._dropout)
        return layer.outer_norm(outer + states)

    def _attention_step_by_step(
        self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, dropout: float
    ) -> Tensor:
        """Return what attention gives, by plain products.

        On a processor the fused function takes two to three times as long to work out gradients of
        texts that are as short as sentences.
        """
        torch, (rows, heads, length, size) = self._torch, query.shape
        query, key, value = (
            one.reshape(rows * heads, length, size) for one in (query / sqrt(size), key, value)
        )
        with torch.autocast(query.device.type, enabled=False):
            scores = torch.bmm(query, key.transpose(1, 2))
            if bias is not None:
                scores = (scores.view(rows, heads, length, length) + bias).view_as(scores)
            shares = scores.softmax(dim=-1)
            if dropout:
                shares = dropped(torch, shares, dropout)
            return torch.bmm(shares, value).view(rows, heads, length, size)
