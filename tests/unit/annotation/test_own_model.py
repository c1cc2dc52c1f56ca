"""Models that are opened without transformers are those that transformers opens."""

import json
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
import transformers

from tenbin.annotation.encoders.layered_model import (
    LayeredModel,
    equal_groups,
    loaded_model,
    opened_model,
    position_limit,
)
from tenbin.annotation.encoders.own_layers import LayerRun, layer_parts, position_bias
from tenbin.annotation.encoders.own_model import own_model
from tenbin.annotation.encoders.settings import Device, NumberType, Pooling, View
from tenbin.core.errors import UnreadableFile
from tenbin.resources.checkpoints import Checkpoint, find_checkpoint

PADDED = 3  # subwords at the end of the last row


@pytest.fixture(params=["tiny_model", "tiny_mpnet"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    shutil.copytree(request.getfixturevalue(request.param), tmp_path / "model")
    return tmp_path / "model"


def checkpoint(folder: Path) -> Checkpoint:
    return find_checkpoint(str(folder), "en")


def changed_config(folder: Path, **values: Any) -> None:
    path = folder / "config.json"
    kept = json.loads(path.read_text()) | values
    path.write_text(json.dumps({key: one for key, one in kept.items() if one is not ...}))


def changed_weights(folder: Path, change: Any) -> None:
    tensors = import_module("safetensors.torch")
    weights = dict(tensors.load_file(folder / "model.safetensors"))
    tensors.save_file(change(weights), folder / "model.safetensors", {"format": "pt"})


def assert_equal_models(folder: Path) -> None:
    own, whole = own_model(checkpoint(folder)), loaded_model(checkpoint(folder))
    assert own is not None
    named = {name: one for name, one in whole.named_parameters() if "pooler" not in name}
    found = dict(own.named_parameters())
    assert found.keys() == named.keys()
    assert all(torch.equal(found[name], one) for name, one in named.items())
    assert position_limit(own) == position_limit(whole)
    assert not own.training


def test_the_weights_are_those_that_transformers_reads(folder: Path) -> None:
    assert_equal_models(folder)


def test_names_may_begin_with_the_kind_of_model(folder: Path) -> None:
    kind = checkpoint(folder).config["model_type"]
    changed_weights(folder, lambda some: {f"{kind}.{name}": one for name, one in some.items()})
    assert_equal_models(folder)


def test_states_are_those_of_transformers(folder: Path) -> None:
    own, whole = opened_model(checkpoint(folder)), loaded_model(checkpoint(folder))
    run = LayerRun(torch, own, layer_parts(own, 2))
    ids = torch.arange(5, 37).reshape(2, 16)
    mask = torch.ones(2, 16, dtype=torch.bool)
    ids[1, -PADDED:], mask[1, -PADDED:] = whole.config.pad_token_id, False
    types = (torch.arange(16) > 8).long().expand(2, 16)
    more = {"token_type_ids": types} if whole.config.model_type == "bert" else {}
    with torch.inference_mode():
        embedded = run.embeddings(types, input_ids=ids)
        assert torch.equal(embedded, whole.embeddings(input_ids=ids, **more))
        vectors = whole.get_input_embeddings()(ids)
        expected = whole.embeddings(inputs_embeds=vectors, **more)
        assert torch.equal(run.embeddings(types, inputs_embeds=vectors), expected)
        states = run.states(embedded, run.bias(embedded, mask), training=False)
        hidden = whole(input_ids=ids, attention_mask=mask.long(), output_hidden_states=True, **more)
    for one, other in zip(states, hidden.hidden_states, strict=False):
        assert torch.allclose(one[mask], other[mask], atol=1e-5)


@pytest.mark.parametrize("layers", [(3,), (1,), (0, 2)], ids=str)
def test_vectors_of_bert_are_those_of_transformers_to_the_last_digit(
    tiny_model: Path, layers: tuple[int, ...]
) -> None:
    base = checkpoint(tiny_model)
    view = View(layers=layers, pooling=Pooling.JOINED)
    rows = [np.arange(5, 5 + length, dtype=np.int32) for length in (1, 7, 7, 20)]
    own = LayeredModel(base, view, Device.CPU, NumberType.FLOAT32).vectors(rows)
    whole = loaded_model(base)
    groups = list(equal_groups([len(row) for row in rows], 128))
    with torch.inference_mode():
        for group in groups:
            ids = torch.from_numpy(np.stack([rows[place] for place in group]).astype(np.int64))
            states = whole(input_ids=ids, output_hidden_states=True).hidden_states
            expected = torch.cat([states[layer] for layer in layers], dim=-1).numpy()
            for place, one in zip(group, expected, strict=True):
                np.testing.assert_array_equal(own[place], one)


def test_distances_have_the_numbers_of_transformers() -> None:
    config = transformers.MPNetConfig(
        vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8
    )
    model: Any = transformers.MPNetModel(config)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        expected = model.encoder.compute_position_bias(torch.zeros(1, 300, 1))
        found = position_bias(torch, model, 300)
    assert found is not None
    assert torch.equal(found, expected)


@pytest.mark.parametrize(
    "changes",
    [
        {"model_type": "roberta"},
        {"hidden_act": "relu"},
        {"layer_norm_eps": ...},
        {"num_attention_heads": 5},
        {"num_hidden_layers": 5},
        {"hidden_size": 64},
        {"quantization_config": {"bits": 4}},
    ],
    ids=str,
)
def test_what_is_unusual_is_left_to_transformers(folder: Path, changes: dict[str, Any]) -> None:
    changed_config(folder, **changes)
    assert own_model(checkpoint(folder)) is None


def test_unknown_and_missing_weights_are_left_to_transformers(folder: Path) -> None:
    name = "encoder.layer.0.output.dense.bias"
    changed_weights(folder, lambda some: {**some, "adapter.weight": some[name].clone()})
    assert own_model(checkpoint(folder)) is None
    changed_weights(folder, lambda some: {key: one for key, one in some.items() if key != name})
    with pytest.raises(UnreadableFile, match="1 weight is missing"):
        opened_model(checkpoint(folder))


def test_weights_that_are_no_numbers_are_refused(folder: Path) -> None:
    def spoiled(some: dict[str, Any]) -> dict[str, Any]:
        some["encoder.layer.1.output.dense.weight"][2, 3] = float("nan")
        return some

    changed_weights(folder, spoiled)
    with pytest.raises(UnreadableFile, match="some weights are not finite numbers"):
        opened_model(checkpoint(folder))
