"""The joint network: pairs as rows, hidden states, adapters beside and inside the weights."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
import transformers

from tenbin.annotation.encoders.layered_model import loaded_model
from tenbin.annotation.encoders.own_layers import LayerRun, dropped
from tenbin.annotation.encoders.settings import NumberType
from tenbin.annotation.encoders.subwords import SubwordTokenizer
from tenbin.annotation.joint import network as joint_network
from tenbin.annotation.joint.adapter import FULL, MIX, UP, Adapter, AdapterCard
from tenbin.annotation.joint.network import AdapterShape, JointNetwork, first_tensors
from tenbin.annotation.joint.pairs import JointRow, PairTokenizer
from tenbin.core.errors import UnreadableFile
from tenbin.resources.checkpoints import Checkpoint, find_checkpoint

SHAPE = AdapterShape(rank=3, alpha=6.0, width=8)
TEXTS = ("the cat sat on a mat", "a big dog", "houses", "the dog sat", "a", "the cats sat on")


@pytest.fixture(params=["tiny_model", "tiny_mpnet"])
def base(request: pytest.FixtureRequest) -> Checkpoint:
    folder: Path = request.getfixturevalue(request.param)
    return find_checkpoint(str(folder), "en")


def trained_tensors(checkpoint: Checkpoint, seed: int = 3) -> dict[str, Any]:
    """Return an adapter that changes the base model, as if it had been trained."""
    rng = np.random.default_rng(seed)
    found = first_tensors(checkpoint, SHAPE, seed)
    for name, one in found.items():
        if name.endswith(UP) or name == MIX:
            found[name] = rng.normal(0, 0.3, one.shape).astype(np.float32)
    return found


def network_of(checkpoint: Checkpoint, **given: Any) -> JointNetwork:
    return JointNetwork(checkpoint, trained_tensors(checkpoint), 2.0, **given)


def rows_of(checkpoint: Checkpoint) -> list[JointRow]:
    pairs = PairTokenizer(checkpoint)
    ids = pairs.ids(TEXTS)
    return [pairs.row(one, other) for one in ids for other in ids]


def test_a_pair_is_written_as_the_tokenizer_writes_it(base: Checkpoint) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(base.folder)
    expected = tokenizer(TEXTS[0], TEXTS[1], return_token_type_ids=True)
    pairs = PairTokenizer(base)
    row = pairs.row(*pairs.ids(TEXTS[:2]))
    assert row.ids.tolist() == expected["input_ids"]
    if base.config["model_type"] == "bert":  # others have one type, whatever the tokenizer says
        assert row.first == expected["token_type_ids"].index(1)


def test_texts_that_were_looked_at_before_are_not_cut_again(
    base: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs, cut = PairTokenizer(base), list[str]()
    plain = SubwordTokenizer.plain_ids

    def noted(self: SubwordTokenizer, texts: list[str]) -> list[Any]:
        cut.extend(texts)
        return plain(self, texts)

    monkeypatch.setattr(SubwordTokenizer, "plain_ids", noted)
    first = pairs.ids(TEXTS[:2])
    again = pairs.ids([f" {TEXTS[1]}", TEXTS[2], TEXTS[0]])
    assert cut == list(TEXTS[:3])
    for one, other in zip(again, [first[1], *pairs.ids([TEXTS[2]]), first[0]], strict=True):
        np.testing.assert_array_equal(one, other)


def test_hidden_states_are_those_of_transformers(base: Checkpoint) -> None:
    network, model = network_of(base), loaded_model(base)
    with torch.no_grad():
        for name, module in model.named_modules():
            own = dict(network._model.named_modules()).get(name)
            if isinstance(module, torch.nn.Linear) and own is not None:
                module.weight.copy_(own.weight)
    # In double precision the order of sums does not show.
    model.double()
    network._model.double()
    rows = rows_of(base)[:7]
    ids, types, mask = network._padded(rows, 24)
    given = {"token_type_ids": types} if base.config["model_type"] == "bert" else {}
    with torch.inference_mode():
        own = network._states(types, mask, {"input_ids": ids})
        expected = model(
            input_ids=ids, attention_mask=mask.long(), output_hidden_states=True, **given
        ).hidden_states
    # Where gradients are worked out, attention is computed in another way.
    learning = network._states(types, mask, {"input_ids": ids})
    assert len(own) == len(learning) == len(expected)
    for one, same, other in zip(own, learning, expected, strict=True):
        assert float((one[mask] - other[mask]).abs().max()) < 1e-10
        assert float((same[mask] - other[mask]).abs().max()) < 1e-10


@pytest.mark.parametrize("share", [0.1, 0.5, 0.0, 1.0])
@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_dropout(share: float, kind: Any) -> None:
    states = torch.ones(3, 7, 5_001, dtype=kind, requires_grad=True)
    torch.manual_seed(1)
    one = dropped(torch, states, share)
    zeros = float((one == 0).float().mean())
    assert abs(zeros - share) < 0.005
    if share < 1:
        assert torch.allclose(one[one != 0], torch.tensor(1 / (1 - share), dtype=kind))
    one.sum().backward()
    assert states.grad is not None
    assert torch.equal(states.grad, one.detach())
    torch.manual_seed(1)
    assert torch.equal(dropped(torch, states, share), one)
    # Neighbors, which are made of one drawn number, are zero independently of each other.
    gone = (one.detach().reshape(-1)[: 4 * 26_000] == 0).reshape(-1, 4).double()
    if 0 < share < 1:
        alike = np.corrcoef(gone.numpy().T)
        assert np.abs(alike[~np.eye(4, dtype=bool)]).max() < 0.03


def test_gradients_are_those_of_the_fused_attention(
    base: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, found = rows_of(base)[:7], []
    for fused in (False, True):
        network = network_of(base, merged=False)
        network._model.double()
        if fused:
            attention = torch.nn.functional.scaled_dot_product_attention
            monkeypatch.setattr(
                LayerRun,
                "_attention_step_by_step",
                lambda _run, query, key, value, bias, dropout, own=attention: own(
                    query, key, value, attn_mask=bias, dropout_p=dropout
                ),
            )
        network.raw(rows).sum().backward()
        found.append({name: one.grad for name, one in network.parameters.items()})
    for name, one in found[0].items():
        assert torch.allclose(one, found[1][name], rtol=1e-4, atol=1e-6), name


def test_the_formula(base: Checkpoint) -> None:
    network, row = network_of(base), rows_of(base)[1]
    ids, types, _ = network._padded([row], len(row))
    tensors = {name: np.asarray(one, float) for name, one in trained_tensors(base).items()}
    with torch.inference_mode():
        states = network._states(types, None, {"input_ids": ids})
    shares = np.exp(tensors[MIX]) / np.exp(tensors[MIX]).sum()
    mixed = sum(share * one[0].double().numpy() for share, one in zip(shares, states, strict=True))
    first, second = mixed[: row.first].mean(axis=0), mixed[row.first :].mean(axis=0)
    features = np.concatenate([mixed[0], first, second, abs(first - second), first * second])
    hidden = np.tanh(tensors["head/hidden/weight"] @ features + tensors["head/hidden/bias"])
    raw = float((tensors["head/output/weight"] @ hidden + tensors["head/output/bias"])[0])
    assert network.scores([row])[0] == pytest.approx(1 / (1 + np.exp(-raw)), abs=1e-6)


def test_an_adapter_beside_the_weights_is_one_inside_them(base: Checkpoint) -> None:
    rows = rows_of(base)
    inside, beside = network_of(base), network_of(base, merged=False)
    assert np.allclose(inside.scores(rows), beside.scores(rows), atol=1e-5)
    assert np.ptp(inside.scores(rows)) > 0.01
    raw = beside.raw(rows).detach().double().numpy()
    assert np.allclose(1 / (1 + np.exp(-raw)), inside.scores(rows), atol=1e-5)


def test_an_untrained_adapter_changes_nothing(base: Checkpoint) -> None:
    tensors = first_tensors(base, SHAPE, 1)
    plain = {name: one for name, one in tensors.items() if not name.startswith("lora/")}
    rows = rows_of(base)
    with_it, without = (JointNetwork(base, one, 2.0).scores(rows) for one in (tensors, plain))
    assert np.array_equal(with_it, without)


@pytest.mark.parametrize("number_type", NumberType)
def test_a_score_does_not_depend_on_the_other_rows(
    base: Checkpoint, number_type: NumberType
) -> None:
    network, rows = network_of(base, number_type=number_type), rows_of(base)
    scores = network.scores(rows)
    order = list(range(len(rows)))
    random.Random(4).shuffle(order)  # noqa: S311 - no secret
    shuffled = network.scores([rows[place] for place in order])
    assert np.abs(shuffled - scores[order]).max() < 1e-12
    for place in (0, 5, 20):
        assert abs(network.scores([rows[place]])[0] - scores[place]) < 1e-12


def test_int8_and_bfloat16_are_near(base: Checkpoint) -> None:
    rows = rows_of(base)
    exact = network_of(base).scores(rows)
    for number_type in (NumberType.INT8, NumberType.BFLOAT16):
        near = network_of(base, number_type=number_type).scores(rows)
        assert np.abs(near - exact).max() < 0.05


def test_fewer_layers(base: Checkpoint) -> None:
    tensors = first_tensors(base, AdapterShape(rank=2, width=4, layers=2), 1)
    assert len(tensors[MIX]) == 3
    network = JointNetwork(base, tensors, 1.0)
    assert network.layers == 2
    model = loaded_model(base)
    row = rows_of(base)[3]
    ids, types, _ = network._padded([row], len(row))
    given = {"token_type_ids": types} if base.config["model_type"] == "bert" else {}
    with torch.inference_mode():
        own = network._states(types, None, {"input_ids": ids})
        expected = model(input_ids=ids, output_hidden_states=True, **given).hidden_states
    assert len(own) == 3
    assert torch.allclose(own[2], expected[2], atol=1e-5)


def test_a_model_that_transformers_runs(base: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of(base)
    own = network_of(base).scores(rows)
    monkeypatch.setattr(joint_network, "opened_model", loaded_model)
    monkeypatch.setattr(joint_network, "has_own_layers", lambda _model: False)
    assert np.allclose(network_of(base).scores(rows), own, atol=1e-5)


def test_training_moves_the_adapter_alone(base: Checkpoint) -> None:
    network = JointNetwork(base, first_tensors(base, SHAPE, 1), 2.0, merged=False)
    before = {name: one.clone() for name, one in network._model.named_parameters()}
    rows, labels = rows_of(base)[:6], torch.tensor([1.0, -1.0, 0.5, 0.0, -0.5, 1.0])
    optimizer = torch.optim.AdamW(network.parameters.values(), lr=0.02)
    torch.manual_seed(1)
    losses = []
    for _ in range(30):
        with network.training():
            loss = torch.nn.functional.huber_loss(network.raw(rows), labels)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        losses.append(float(loss.detach()))
    assert np.mean(losses[-5:]) < np.mean(losses[:5])
    for name, one in network._model.named_parameters():
        assert torch.equal(one, before[name])
    kept = network.tensors()
    again = JointNetwork(base, kept, 2.0, merged=False)
    assert np.array_equal(again.scores(rows), network.scores(rows))
    network.load(first_tensors(base, SHAPE, 1))
    assert not np.array_equal(again.scores(rows), network.scores(rows))


def test_full_weights(base: Checkpoint) -> None:
    network = JointNetwork(
        base, first_tensors(base, AdapterShape(rank=0, width=4), 1), 0.0, merged=False
    )
    network.train_base()
    rows = rows_of(base)[:4]
    before = network.scores(rows)
    optimizer = torch.optim.SGD(network.parameters.values(), lr=0.05)
    network.raw(rows).sum().backward()
    optimizer.step()
    after = network.scores(rows)
    assert not np.allclose(before, after)
    tensors = network.tensors()
    assert any(name.startswith(FULL) for name in tensors)
    assert np.allclose(JointNetwork(base, tensors, 0.0).scores(rows), after, atol=1e-6)


def test_long_pairs_are_cut_in_proportion(base: Checkpoint) -> None:
    pairs = PairTokenizer(base)
    reference, hypothesis = pairs.ids(["the cat sat on a mat " * 10, "a big dog " * 5])
    parts = pairs.parts(reference, hypothesis, 24)
    assert all(len(part.row) <= 24 for part in parts)
    assert sum(part.share for part in parts) == pytest.approx(1)
    for side in ("reference", "hypothesis"):
        ranges = [getattr(part, side) for part in parts]
        assert [one[1] for one in ranges[:-1]] == [one[0] for one in ranges[1:]]
    assert parts[-1].reference[1] == len(reference)
    assert parts[-1].hypothesis[1] == len(hypothesis)
    (whole,) = pairs.parts(reference[:4], hypothesis[:4], 24)
    assert whole.share == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found.pop(_some(found, "/down")), "missing"),
        (lambda found: found.update({"lora/encoder.layer.9.x/down": np.zeros((3, 32))}), "has no"),
        (lambda found: found.update({_some(found, "/down"): np.zeros((3, 9))}), "needs"),
        (lambda found: found.update({MIX: np.zeros(9)}), "8 layers"),
        (lambda found: found.update({"head/hidden/weight": np.zeros((8, 62))}), "8x62"),
        (lambda found: found.update({f"{FULL}nothing.weight": np.zeros(2)}), "has no"),
    ],
)
def test_an_adapter_that_does_not_fit(base: Checkpoint, change: Any, said: str) -> None:
    tensors = trained_tensors(base)
    change(tensors)
    with pytest.raises(UnreadableFile, match=said):
        JointNetwork(base, tensors, 2.0, where="some.safetensors")


def _some(found: dict[str, Any], end: str) -> str:
    return next(name for name in found if name.endswith(end))


def test_of_adapter(base: Checkpoint) -> None:
    card = AdapterCard(
        name="x",
        language="en",
        base="tiny",
        base_fingerprint="0",
        rank=3,
        alpha=6.0,
        width=8,
        layer=2,
        share=0.5,
    )
    tensors = trained_tensors(base)
    adapter = Adapter(tensors=tensors, card=card)
    rows = rows_of(base)
    expected = JointNetwork(base, tensors, 2.0).scores(rows)
    assert np.array_equal(JointNetwork.of_adapter(base, adapter).scores(rows), expected)
