"""The weights of both base models under the names that training has for them."""

from typing import Any

import torch

from benchmarks.students.arrays import Tensor
from benchmarks.students.encoder import (
    ATTENDED,
    ATTENDED_NORM,
    EMBEDDING_NORM,
    INNER,
    OUTER,
    OUTER_NORM,
    POSITIONS,
    QKV,
    RELATIVE,
    TYPES,
    WORDS,
)
from benchmarks.students.plan import EncoderFacts
from tenbin.annotation.encoders.layered_model import opened_model
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.resources.checkpoints import Checkpoint

_MPNET = "mpnet"
_ENDS = ("weight", "bias")


def base_weights(checkpoint: Checkpoint) -> dict[str, Tensor]:
    """Return the weights of a base model, BERT or MPNet.

    Args:
        checkpoint: The base model.
    """
    model = opened_model(checkpoint)
    embeddings, encoder = model.embeddings, model.encoder
    found = {
        WORDS: embeddings.word_embeddings.weight,
        POSITIONS: embeddings.position_embeddings.weight,
        **_both(EMBEDDING_NORM, embeddings.LayerNorm),
    }
    if _is_mpnet(checkpoint):
        found[RELATIVE] = encoder.relative_attention_bias.weight
    else:
        found[TYPES] = embeddings.token_type_embeddings.weight
    for number, layer in enumerate(encoder.layer):
        found |= _layer_weights(number, layer, is_mpnet=_is_mpnet(checkpoint))
    return {name: one.detach() for name, one in found.items()}


def _layer_weights(number: int, layer: Any, *, is_mpnet: bool) -> dict[str, Tensor]:  # noqa: ANN401 - of torch
    attention = layer.attention
    if is_mpnet:
        own = attention.attn
        parts, attended, norm = (own.q, own.k, own.v), own.o, attention.LayerNorm
    else:
        own, output = attention.self, attention.output
        parts, attended, norm = (own.query, own.key, own.value), output.dense, output.LayerNorm
    found = {f"{QKV}.{end}": torch.cat([getattr(part, end) for part in parts]) for end in _ENDS}
    named = {ATTENDED: attended, ATTENDED_NORM: norm, INNER: layer.intermediate.dense}
    named |= {OUTER: layer.output.dense, OUTER_NORM: layer.output.LayerNorm}
    for name, module in named.items():
        found |= _both(name, module)
    return {f"{number}.{name}": one for name, one in found.items()}


def _both(name: str, module: Any) -> dict[str, Tensor]:  # noqa: ANN401 - of torch
    return {f"{name}.{end}": getattr(module, end) for end in _ENDS}


def encoder_facts(tokenizer: PairTokenizer) -> EncoderFacts:
    """Return what the weights of a base model do not say.

    Args:
        tokenizer: The tokenizer of the model.
    """
    config = tokenizer.checkpoint.config
    (before,), between, (after,), first = tokenizer.special_ids
    padding = int(config.get("pad_token_id") or 0)
    return EncoderFacts(
        heads=int(config["num_attention_heads"]),
        epsilon=float(config["layer_norm_eps"]),
        # MPNet keeps the positions up to its padding for padding.
        first_position=padding + 1 if _is_mpnet(tokenizer.checkpoint) else 0,
        padding=padding,
        before=int(before),
        between=tuple(int(one) for one in between),
        after=int(after),
        first=int(first),
    )


def _is_mpnet(checkpoint: Checkpoint) -> bool:
    return bool(checkpoint.config["model_type"] == _MPNET)
