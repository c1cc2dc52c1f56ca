"""``tenbin build metric``: training, interruptions, what is held out, the adapter."""

import errno
import json
import os
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.annotation.joint import network as joint_network
from tenbin.annotation.joint.adapter import read_adapter
from tenbin.annotation.joint.network import JointNetwork
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.api.building import build_metric as build_by_options
from tenbin.building.metric.damage import DamageGenerator, DamageKind
from tenbin.building.metric.data import JudgmentSources, collected, vocabulary_notes
from tenbin.building.metric.distillation import student_block
from tenbin.building.metric.model import (
    BuiltMetric,
    MetricResult,
    MetricRun,
    MetricStart,
    build_metric,
)
from tenbin.building.metric.recipe import MetricRecipe
from tenbin.building.metric.sets import SetChoice
from tenbin.building.metric.training import MetricPosition, MetricTraining, raw_scores
from tenbin.building.training_numbers import TrainingNumbers, settled_numbers
from tenbin.core.errors import (
    InputError,
    OutputError,
    ResourceError,
    ScriptMismatch,
    UnreadableFile,
    UsageError,
)
from tenbin.resources.checkpoints import find_checkpoint

pytestmark = pytest.mark.usefixtures("_one_core")

WORDS = ("the", "a", "cat", "sat", "on", "mat", "house", "3", "7")
WRONG = ("dog", "big")
"""Words that no reference has: even a tiny random model can learn how many there are."""
TINY = MetricRecipe(
    steps=30,
    rows=24,
    pairs=8,
    damaged=4,
    rank=4,
    alpha=8.0,
    rate=2e-2,
    head_rate=2e-2,
    width=8,
    length=12,
    every=10,
    threads=1,
)
LONGER = replace(TINY, steps=80, every=40)


def text(rng: random.Random) -> list[str]:
    return [rng.choice(WORDS) for _ in range(rng.randrange(4, 8))]


def worse(words: list[str], rng: random.Random) -> list[str]:
    share = rng.random()
    return [word if rng.random() < share else rng.choice(WRONG) for word in words]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of 60 segments and 3 systems: scores say how many words a system got right."""
    folder = tmp_path_factory.mktemp("sets") / "wmt77"
    rng = random.Random(3)  # noqa: S311 - no secret
    references = [text(rng) for _ in range(60)]
    for name in ("references", "sources", "human-scores", "human-pairs", "system-outputs/xx-en"):
        (folder / name).mkdir(parents=True)
    lines = "".join(" ".join(words) + "\n" for words in references)
    (folder / "references" / "xx-en.refA.txt").write_text(lines, "utf-8")
    (folder / "sources" / "xx-en.txt").write_text("un dos tres\n" * 60, "utf-8")
    scores, right = [], {}
    for system in "ABC":
        outputs = []
        for number, words in enumerate(references):
            kept = worse(words, rng)
            outputs.append(" ".join(kept))
            same = sum(one == other for one, other in zip(words, kept, strict=True)) / len(words)
            scores.append(f"{system}\t{same:.4f}\n")
            right[number, system] = same
        (folder / "system-outputs" / "xx-en" / f"{system}.txt").write_text(
            "\n".join(outputs) + "\n", "utf-8"
        )
    (folder / "human-scores" / "xx-en.mqm.seg.score").write_text("".join(scores), "utf-8")
    pairs = [
        f"{number + 1}\t{one}\t{other}\n"
        for number in range(60)
        for one, other in ("AB", "BC", "CA")
        if right[number, one] > right[number, other]
    ]
    (folder / "human-pairs" / "xx-en.rr.tsv").write_text(
        "seg\tbetter\tworse\n" + "".join(pairs), "utf-8"
    )
    return folder


def sources(folder: Path, *, hold_out: tuple[str, ...] = (), **more: Any) -> JudgmentSources:
    return JudgmentSources(sets=SetChoice(folders=(str(folder),)), hold_out=hold_out, **more)


def build(
    folder: Path,
    base: Path,
    output: Path,
    recipe: MetricRecipe = TINY,
    *,
    hold_out: tuple[str, ...] = (),
    start: MetricStart | None = None,
    result: MetricResult | None = None,
    **run: Any,
) -> BuiltMetric:
    return build_metric(
        sources(folder, hold_out=hold_out),
        str(output),
        recipe,
        start or MetricStart(base=str(base)),
        result=result or MetricResult(share=0.5, layer=1),
        run=MetricRun(device=Device.CPU, **run),
    )


@pytest.fixture(scope="module")
def built(
    judged: Path, tiny_model: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, BuiltMetric, list[float]]:
    path = tmp_path_factory.mktemp("metric") / "tiny.safetensors"
    losses: list[float] = []
    made = build(
        judged,
        tiny_model,
        path,
        LONGER,
        report=lambda position, _done: losses.append(position.loss),
    )
    return path, made, losses


def test_the_loss_falls_and_the_card_says_how(
    built: tuple[Path, BuiltMetric, list[float]], tiny_model: Path
) -> None:
    path, made, losses = built
    assert losses[-1] < 0.7 * losses[0]
    adapter = read_adapter(path=str(path))
    assert adapter.card.as_json() == made.card == json.loads(json.dumps(made.card))
    assert (
        adapter.card.base_fingerprint == find_checkpoint(str(tiny_model), "en").identity.fingerprint
    )
    training = made.card["training"]
    kinds = {entry["kind"]: entry for entry in training["sets"]}
    assert kinds["mqm"]["rows"] == 180
    assert kinds["mqm"]["weight"] == kinds["rr"]["weight"] == 1.5
    assert kinds["rr"]["pairs"] > 50
    assert len(kinds["rr"]["digest"]) == 64
    assert training["steps"] == training["kept_step"] == 80
    assert [point["step"] for point in training["curves"]] == [40, 80]
    # Both texts and three special tokens fit into 24 positions.
    assert (training["recipe"]["rank"], training["recipe"]["length"]) == (4, 10)
    assert "source" in training["damage"]
    assert not path.with_name(f"{path.name}.work").exists()


def test_the_adapter_orders_translations(
    built: tuple[Path, BuiltMetric, list[float]], tiny_model: Path
) -> None:
    checkpoint = find_checkpoint(str(tiny_model), "en")
    network = JointNetwork.of_adapter(checkpoint, read_adapter(path=str(built[0])))
    pairs = PairTokenizer(checkpoint)
    rng = random.Random(9)  # noqa: S311 - no secret
    good, bad = [], []
    for _ in range(40):
        words = text(rng)
        wrong = [WRONG[0], *words[1:-1], WRONG[1]]
        reference, other = pairs.ids([" ".join(words), " ".join(wrong)])
        good.append(pairs.row(reference, reference))
        bad.append(pairs.row(reference, other))
    assert np.mean(network.scores(good) > network.scores(bad)) > 0.8


def test_the_same_seed_gives_the_same_adapter(
    judged: Path, tiny_model: Path, tmp_path: Path
) -> None:
    brief = replace(TINY, steps=5)
    for name, recipe in (("one", brief), ("same", brief), ("other", replace(brief, seed=2))):
        build(judged, tiny_model, tmp_path / f"{name}.safetensors", recipe)
    found = {path.stem: tensors(path) for path in tmp_path.iterdir()}
    assert found["one"] == found["same"] != found["other"]


def test_what_is_computed_with(judged: Path, tiny_model: Path, tmp_path: Path) -> None:
    """Halves of numbers give nearly the same adapter, and the same one again."""
    brief = replace(TINY, steps=5)
    names = {"one": TrainingNumbers.FLOAT32, "half": TrainingNumbers.BFLOAT16}
    names["again"] = TrainingNumbers.BFLOAT16
    for name, numbers in names.items():
        path = tmp_path / f"{name}.safetensors"
        card = build(judged, tiny_model, path, brief, numbers=numbers).card
        assert card["training"]["dtype"] == str(numbers)
    found = {path.stem: read_adapter(path=str(path)).tensors for path in tmp_path.iterdir()}
    assert tensors(tmp_path / "half.safetensors") == tensors(tmp_path / "again.safetensors")
    assert tensors(tmp_path / "half.safetensors") != tensors(tmp_path / "one.safetensors")
    one, half = (
        np.concatenate([found[name][key].ravel() for key in sorted(found[name])]).astype(float)
        for name in ("one", "half")
    )
    assert np.corrcoef(one, half)[0, 1] > 0.99


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, NumberType.FLOAT32),
        ({"avx512_bf16": False, "amx_bf16": False}, NumberType.FLOAT32),
        ({"avx512_bf16": True}, NumberType.BFLOAT16),
        ({"amx_bf16": True}, NumberType.BFLOAT16),
    ],
)
def test_processors_that_multiply_halves(
    known: dict[str, bool], expected: NumberType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: known)
    assert settled_numbers(Device.CPU, TrainingNumbers.AUTO) is expected
    assert settled_numbers(Device.CUDA, TrainingNumbers.AUTO) is NumberType.BFLOAT16
    for chosen in (TrainingNumbers.FLOAT32, TrainingNumbers.BFLOAT16):
        assert settled_numbers(Device.CPU, chosen) is NumberType(chosen)


def test_a_library_that_does_not_say_what_a_processor_can_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert settled_numbers(Device.CPU, TrainingNumbers.AUTO) is NumberType.FLOAT32


def tensors(path: Path) -> Mapping[str, bytes]:
    return {name: one.tobytes() for name, one in read_adapter(path=str(path)).tensors.items()}


class Interrupted(Exception):
    pass


@pytest.mark.parametrize("hold_out", [(), ("0.2",)])
def test_an_interrupted_build_goes_on(
    judged: Path, tiny_model: Path, tmp_path: Path, hold_out: tuple[str, ...]
) -> None:
    def stop(position: MetricPosition, _done: float) -> None:
        if position.step == 17:
            raise Interrupted

    whole = tmp_path / "whole.safetensors"
    expected = build(judged, tiny_model, whole, hold_out=hold_out)
    path = tmp_path / "parts.safetensors"
    with pytest.raises(Interrupted):
        build(judged, tiny_model, path, hold_out=hold_out, report=stop, seconds_between_states=0.0)
    assert not path.exists()
    steps: list[int] = []
    made = build(
        judged,
        tiny_model,
        path,
        hold_out=hold_out,
        report=lambda position, _done: steps.append(position.step),
    )
    assert (steps[0], made.resumed) == (18, 17)
    assert tensors(path) == tensors(whole)
    assert made.card["training"]["curves"] == expected.card["training"]["curves"]
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, whole.name]


def test_the_best_step_is_taken(judged: Path, tiny_model: Path, tmp_path: Path) -> None:
    wild = replace(TINY, every=5, patience=3, steps=60)
    made = build(judged, tiny_model, tmp_path / "a.safetensors", wild, hold_out=("0.3",))
    training = made.card["training"]
    measured = [point["agreement"] for point in training["curves"]]
    best = training["held_out"]["best"]
    assert best["agreement"] == max(measured)
    assert best["step"] == training["kept_step"]
    assert max(measured) > measured[0]
    held = {entry["kind"]: entry for entry in training["held_out"]["sets"]}
    trained = {entry["kind"]: entry for entry in training["sets"]}
    assert held["mqm"]["rows"] + trained["mqm"]["rows"] == 180
    if made.stopped_early:
        assert training["steps"] < 60


def test_parts_are_halved_if_memory_is_short(
    judged: Path, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = JointNetwork.raw
    largest = 300

    def short(self: JointNetwork, rows: Any) -> Any:
        if len(rows) * max(map(len, rows)) > largest:
            raise RuntimeError("CUDA out of memory. Tried to allocate 1 GiB")
        return raw(self, rows)

    monkeypatch.setattr(JointNetwork, "raw", short)
    notes: list[str] = []
    brief = replace(TINY, steps=3, subwords=1024)
    made = build(judged, tiny_model, tmp_path / "a.safetensors", brief, tell=notes.append)
    assert made.card["training"]["steps"] == 3
    assert any("out of memory: from here on 256 subwords" in note for note in notes)
    largest = 1
    with pytest.raises(ResourceError, match="not even one pair of texts"):
        build(judged, tiny_model, tmp_path / "b.safetensors", brief)


def test_parts_of_a_step_add_up(judged: Path, tiny_model: Path, tmp_path: Path) -> None:
    """Without dropout the gradients of small parts are those of the whole step."""
    losses: dict[int, list[float]] = {}
    for subwords in (64, 100_000):
        seen = losses.setdefault(subwords, [])
        build(
            judged,
            tiny_model,
            tmp_path / f"{subwords}.safetensors",
            replace(TINY, steps=3, subwords=subwords, seed=4),
            report=lambda position, _done, seen=seen: seen.append(position.loss),
        )
    assert np.allclose(losses[64], losses[100_000], rtol=0.25)


def test_an_adapter_is_trained_further(
    built: tuple[Path, BuiltMetric, list[float]], judged: Path, tiny_model: Path, tmp_path: Path
) -> None:
    more = replace(TINY, steps=4, rate=1e-4, head_rate=1e-4, rank=9, width=99)
    start = MetricStart(base=str(tiny_model), adapter=str(built[0]))
    made = build(judged, tiny_model, tmp_path / "b.safetensors", more, start=start)
    # Its sizes are those of the adapter.
    assert made.card["lora"] == {"rank": 4, "alpha": 8.0}
    assert made.card["training"]["from"]["name"] == "tiny"
    old, new = (
        read_adapter(path=str(one)).tensors for one in (built[0], tmp_path / "b.safetensors")
    )
    assert old.keys() == new.keys()
    moved = np.abs(old["head/hidden/weight"] - new["head/hidden/weight"]).max()
    assert 0 < moved < 0.01


def test_an_adapter_of_another_base_is_refused(
    built: tuple[Path, BuiltMetric, list[float]], judged: Path, tiny_mpnet: Path, tmp_path: Path
) -> None:
    start = MetricStart(base=str(tiny_mpnet), adapter=str(built[0]))
    with pytest.raises(UsageError, match=r"trained with the base model 'tiny' of sha256 \w{64}, "):
        build(judged, tiny_mpnet, tmp_path / "b.safetensors", start=start)
    assert not list(tmp_path.iterdir())


def test_an_adapter_of_another_kind_is_refused(
    built: tuple[Path, BuiltMetric, list[float]], judged: Path, tiny_model: Path, tmp_path: Path
) -> None:
    start = MetricStart(base=str(tiny_model), adapter=str(built[0]))
    with pytest.raises(UsageError, match=r"matrices of rank 4 beside the weights"):
        build(judged, tiny_model, tmp_path / "b.safetensors", replace(TINY, rank=0), start=start)
    table = tmp_path / "t.tsv"
    rows = "".join(f"ein hund {n}\tder hund {n}\t{n % 7}\n" for n in range(80))
    table.write_text("hypothesis\treference\tscore\n" + rows, "utf-8")
    for one in (start, MetricStart(base=str(tiny_model), teacher=str(built[0]))):
        with pytest.raises(UsageError, match="it judges texts in 'en', and the judgments are of"):
            build_metric(
                JudgmentSources(tables=(str(table),), language="de"),
                str(tmp_path / "b.safetensors"),
                TINY,
                one,
                run=MetricRun(device=Device.CPU),
            )
    assert [path.name for path in tmp_path.iterdir()] == ["t.tsv"]


def test_all_weights_can_be_trained(judged: Path, tiny_mpnet: Path, tmp_path: Path) -> None:
    full = replace(TINY, rank=0, steps=6, rate=1e-3)
    path = tmp_path / "full.safetensors"
    made = build(judged, tiny_mpnet, path, full, seconds_between_states=0.0)
    names = set(read_adapter(path=str(path)).tensors)
    assert any(name.startswith("full/encoder.layer.0") for name in names)
    assert not any(name.startswith("lora/") for name in names)
    assert made.card["lora"]["rank"] == 0
    again = MetricStart(base=str(tiny_mpnet), adapter=str(path))
    build(judged, tiny_mpnet, tmp_path / "more.safetensors", full, start=again)


def test_a_student_learns_the_scores_of_its_teacher(
    built: tuple[Path, BuiltMetric, list[float]], judged: Path, tiny_model: Path, tmp_path: Path
) -> None:
    recipe = replace(TINY, steps=40, pairs=0, damaged=0, rank=8, seed=5)
    start = MetricStart(base=str(tiny_model), teacher=str(built[0]))
    card = json.loads(json.dumps(built[1].card))
    work = tmp_path / "work"
    made = build(
        judged,
        tiny_model,
        tmp_path / "student.safetensors",
        recipe,
        start=start,
        hold_out=("0.2",),
        work=work,
    )
    training = made.card["training"]
    assert training["student_of"]["name"] == card["name"]
    (entry,) = training["sets"]
    assert entry["kind"] == "student"
    # Of 180 translations four fifths, and damaged ones.
    assert entry["rows"] > 180
    assert training["held_out"]["best"]["agreement"] > 0.5
    assert len(list(work.glob("labels-*"))) == 1


def test_translations_are_judged_against_those_of_other_systems(judged: Path) -> None:
    data = collected(sources(judged), for_student=True)
    generator = DamageGenerator("en", spaced=True, shares={})
    blocks = [
        student_block(data, generator, most=10_000, seed=0, peers=peers).rows
        for peers in (0, 1, 99)
    ]
    references = {number for texts in data.texts for number in texts.references.tolist()}
    outputs = {
        (place, number)
        for texts in data.texts
        for system in texts.systems
        for place, number in enumerate(texts.outputs(system).tolist())
    }
    alone, one, all_of_them = (
        set(zip(rows.references.tolist(), rows.hypotheses.tolist(), strict=True)) for rows in blocks
    )
    assert alone < one < all_of_them
    assert {reference for reference, _ in alone} <= references
    texts_of = {
        number: {place for place, other in outputs if other == number} for _, number in outputs
    }
    for reference, hypothesis in all_of_them - alone:
        assert reference != hypothesis
        # Both are translations of one segment.
        assert texts_of[reference] & texts_of[hypothesis]


def test_pairs_alone_and_damage_alone(judged: Path, tiny_model: Path, tmp_path: Path) -> None:
    start = MetricStart(base=str(tiny_model))
    for number, recipe in enumerate(
        (
            replace(TINY, steps=2, damaged=0),
            replace(TINY, steps=2, rows=0, pairs=0, shares={DamageKind.EMPTY: 1.0}),
            # Nothing can be drawn at all: no reference has a word of the kind.
            replace(TINY, steps=2, rows=0, pairs=0, shares={DamageKind.PUNCTUATION: 1.0}),
        )
    ):
        made = build_metric(
            replace(sources(judged), weights={"mqm": 0.0}),
            str(tmp_path / f"{number}.safetensors"),
            recipe,
            start,
            result=MetricResult(share=None, layer=1),
            run=MetricRun(device=Device.CPU),
        )
        assert [entry["kind"] for entry in made.card["training"]["sets"]] == ["rr"]


def test_the_share_balances_both_parts(judged: Path, tiny_model: Path, tmp_path: Path) -> None:
    made = build(
        judged,
        tiny_model,
        tmp_path / "a.safetensors",
        replace(TINY, steps=3),
        result=MetricResult(layer=1, share=None),
    )
    spread, share = made.card["training"]["spread"], made.card["bertscore"]["share"]
    assert share * spread["learned"] == pytest.approx((1 - share) * spread["bertscore"], rel=1e-2)


def test_a_disk_that_is_full(
    judged: Path, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    brief = replace(TINY, steps=2)
    path = tmp_path / "a.safetensors"
    path.write_bytes(b"old")
    with monkeypatch.context() as patched:
        patched.setattr("safetensors.torch.save_file", full)
        with pytest.raises(OutputError, match="No space left on device"):
            build(judged, tiny_model, path, brief, force=True, seconds_between_states=0.0)
    with monkeypatch.context() as patched:
        patched.setattr("tenbin.formats.tensor_file.TensorWriter.finish", full)
        with pytest.raises(OutputError, match="No space left on device"):
            build(judged, tiny_model, path, brief, force=True)
    assert path.read_bytes() == b"old"
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, f"{path.name}.work"]


def test_a_state_of_another_training_is_refused(
    judged: Path, tiny_model: Path, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    for name, rank in (("one", 4), ("two", 6)):
        build(
            judged,
            tiny_model,
            tmp_path / f"{name}.safetensors",
            replace(TINY, steps=2, rank=rank),
            work=work,
            seconds_between_states=0.0,
        )
    low, high = sorted(
        work.glob("training-*/state.safetensors"), key=lambda path: path.stat().st_size
    )
    high.write_bytes(low.read_bytes())
    with pytest.raises(UnreadableFile, match="not the state of this training"):
        build(
            judged,
            tiny_model,
            tmp_path / "three.safetensors",
            replace(TINY, steps=2, rank=6),
            work=work,
        )


def test_a_rate_that_is_too_high(
    judged: Path, tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loss = MetricTraining._loss

    def broken(self: MetricTraining, part: Any) -> Any:
        return loss(self, part) * float("nan")

    monkeypatch.setattr(MetricTraining, "_loss", broken)
    with pytest.raises(InputError, match=r"step 1: the loss is nan. Choose a smaller rate"):
        build(judged, tiny_model, tmp_path / "a.safetensors")
    assert not (tmp_path / "a.safetensors").exists()


def test_raw_scores_do_not_depend_on_the_groups(tiny_model: Path) -> None:
    checkpoint = find_checkpoint(str(tiny_model), "en")
    shape = joint_network.AdapterShape(rank=2, alpha=4.0, width=4)
    first = joint_network.first_tensors(checkpoint, shape, 1)
    network = JointNetwork(checkpoint, first, 2.0, merged=False)
    pairs = PairTokenizer(checkpoint)
    ids = pairs.ids(["the cat", "a dog sat on the mat", "house", ""])
    rows = [pairs.row(one, other) for one in ids[:3] for other in ids]
    few, many = raw_scores(network, rows, 8), raw_scores(network, rows, 10_000)
    assert np.allclose(few, many, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "steps=0: give a whole number from 1"),
        ({"rate": 2.0}, "rate=2.0: give a number above 0"),
        ({"rows": 1.5}, "rows=1.5: give a whole number"),
        ({"rows": 0, "pairs_per_step": 0, "damaged": 0}, "nothing to learn from"),
        ({"nonsense": 1}, "nonsense: no such setting"),
        ({"share": 2.0}, "`share` 2.0: give a number from 0 to 1, or spread"),
        ({"difference": -1.0}, "`difference` -1"),
        ({"weights": ["wmt77"]}, "expected NAME=NUMBER"),
        ({"weights": ["wmt99=2"]}, "weight of wmt99: no such judgments among wmt77/xx-en mqm"),
        ({"hold_out": ["wmt99"]}, "`hold_out` wmt99: no such set among wmt77/xx-en"),
        ({"hold_out": ["wmt77"]}, "nothing is left to train on"),
        ({"hold_out": ["0.9"]}, "give a share above 0 up to 0.5"),
        ({"damage": ["negation"]}, "the kinds are empty, truncated"),
        ({"teachers": ["COMET"]}, "`teachers` COMET: no set has such scores"),
        ({"pairs": ["de-en"]}, "`pairs` de-en: no judgments of it"),
        ({"language": "de"}, "translations into 'en'"),
        ({"layer": 99}, "layer=99: the model 'tiny' has 3 layers"),
        ({"start": "no-such-adapter.safetensors"}, "there is no such file, nor an adapter"),
        ({"test_sets": []}, "judgments are missing"),
        ({"student_of": "x", "teachers": ["y"]}, "are the only labels"),
        ({"hold_out": ["0.000001"]}, "fewer than 3 judgments to measure agreement on"),
        ({"most_texts": 0}, "`most_texts` 0: give a whole number from 1"),
        ({"peers": -1}, "`peers` -1: give a whole number from 0"),
    ],
)
def test_settings_that_are_not_possible(
    judged: Path, tiny_model: Path, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    given = {"test_sets": [str(judged)], "base_model": str(tiny_model), "device": "cpu", **options}
    with pytest.raises(UsageError, match=message):
        build_by_options(str(tmp_path / "a.safetensors"), **given)
    assert not list(tmp_path.iterdir())


def test_files_that_are_there(judged: Path, tiny_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(b"old")
    with pytest.raises(UsageError, match="there is such a file already"):
        build(judged, tiny_model, path)
    with pytest.raises(OutputError, match="there is no folder"):
        build(judged, tiny_model, tmp_path / "no" / "a.safetensors")
    assert path.read_bytes() == b"old"


def test_text_of_another_language(tiny_model: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.tsv"
    rows = "".join(f"猫は{n}匹\t猫が{n}匹いる\t{n % 7}\n" for n in range(80))
    table.write_text("hypothesis\treference\tscore\n" + rows, "utf-8")
    options: dict[str, Any] = {
        "tables": [str(table)],
        "base_model": str(tiny_model),
        "device": "cpu",
    }
    with pytest.raises(ScriptMismatch, match="not in the script of the target language 'en'"):
        build_by_options(str(tmp_path / "a.safetensors"), language="en", **options)
    with pytest.raises(InputError, match=r"\d+% of the subwords of the references are unknown"):
        build_by_options(str(tmp_path / "a.safetensors"), language="ja", **options)
    with pytest.raises(UsageError, match="the language of the texts is missing"):
        build_by_options(str(tmp_path / "a.safetensors"), **options)


def test_text_that_is_split_into_many_subwords(tiny_model: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.tsv"
    rows = "".join(f"ein hund {n}\tder hund bellt {n}\t{n % 7}\n" for n in range(80))
    table.write_text("hypothesis\treference\tscore\n" + rows, "utf-8")
    data = collected(JudgmentSources(tables=(str(table),), language="en"))
    tokenizer = PairTokenizer(find_checkpoint(str(tiny_model), "en"))
    (note,) = vocabulary_notes(tokenizer, data, "tiny")
    assert "subwords of 'tiny' per word of the references: 3" in note
