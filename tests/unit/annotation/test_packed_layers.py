"""Layers with products of integers are near those of transformers, whatever the kind of model."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
import transformers

from tenbin.annotation.encoders import packed_layers
from tenbin.annotation.encoders.own_layers import has_own_layers
from tenbin.annotation.encoders.packed_layers import PackedLayers

_SIZES = {
    "vocab_size": 200,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 40,
}
_NEAR = 0.01


def _model(kind: str) -> Any:
    torch.manual_seed(4)
    config = getattr(transformers, f"{kind}Config")(**_SIZES)
    return getattr(transformers, f"{kind}Model")(config).eval()


@pytest.mark.parametrize("kind", ["Bert", "Roberta", "XLMRoberta", "MPNet"])
def test_states_are_near_those_of_transformers(kind: str) -> None:
    model = _model(kind)
    assert has_own_layers(model)
    rng = np.random.default_rng(6)
    rows = [rng.integers(5, 200, length).astype(np.int32) for length in (9, 17, 17, 4)]
    with torch.inference_mode():
        packed = list(PackedLayers(torch, model, 2).states(rows, [len(row) for row in rows]))
        start = 0
        for row in rows:
            ids = torch.from_numpy(row.astype(np.int64))[None]
            expected = model(input_ids=ids, output_hidden_states=True).hidden_states
            for one, other in zip(packed, expected, strict=True):
                found = one[start : start + len(row)]
                np.testing.assert_allclose(found.numpy(), other[0].numpy(), atol=_NEAR)
            start += len(row)


def test_gelu_gives_nothing_below_the_least_integer() -> None:
    every = torch.linspace(-12, 12, 2_000_003)
    least = float(torch.ops.aten.gelu(every).min())
    assert packed_layers._LEAST_OF_GELU < least < packed_layers._LEAST_OF_GELU + 1e-4


def test_states_stay_as_they_are_when_others_are_made() -> None:
    layers, rng = PackedLayers(torch, _model("Bert"), 2), np.random.default_rng(7)
    rows = [rng.integers(5, 200, length).astype(np.int32) for length in (9, 17, 30)]
    with torch.inference_mode():
        first = list(layers.states(rows[:1], [9]))
        kept = [one.clone() for one in first]
        list(layers.states(rows[1:], [17, 30]))
        alone = list(layers.states(rows[:1], [9]))
    for one, other, again in zip(first, kept, alone, strict=True):
        assert torch.equal(one, other)
        assert torch.equal(one, again)
