"""``tenbin build metric --student-of``: what a student learns of each subword, in two stages."""

import random
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
import transformers

from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.annotation.joint.adapter import Adapter, read_adapter
from tenbin.annotation.joint.network import JointNetwork
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.api.building import build_metric as build_by_options
from tenbin.building.metric import student
from tenbin.building.metric.data import JudgmentSources
from tenbin.building.metric.distillation import labels_of, student_block
from tenbin.building.metric.lessons import SubwordLessons
from tenbin.building.metric.model import (
    BuiltMetric,
    MetricResult,
    MetricRun,
    MetricStart,
    build_metric,
)
from tenbin.building.metric.recipe import STUDYING, MetricRecipe
from tenbin.building.metric.spread import BaseBertscore
from tenbin.building.metric.student import Teaching, found_teacher
from tenbin.building.metric.teacher_vectors import TeacherVectors, matched_subwords
from tenbin.building.metric.training import MetricPosition
from tenbin.core.errors import ScriptMismatch, UsageError
from tenbin.formats.tensor_file import map_tensors
from tenbin.resources.checkpoints import find_checkpoint

pytestmark = pytest.mark.usefixtures("_one_core")

WORDS = ("the", "a", "cat", "sat", "on", "mat", "house", "dogs", "x7", "big")
TEACHER_LAYER = 2
LONGEST = 10
"""Longer texts are cut: both texts and three special tokens fit into 24 positions."""
TINY = MetricRecipe(
    steps=6,
    rows=24,
    pairs=0,
    damaged=0,
    rank=4,
    alpha=8.0,
    rate=5e-3,
    head_rate=2e-2,
    width=8,
    length=12,
    every=10,
    threads=1,
    subword_weight=1.0,
    dropout=False,
)
FULL = replace(TINY, rank=0, keep_embeddings=True)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = random.Random(3)  # noqa: S311 - no secret
    lines = []
    for number in range(90):
        words = [rng.choice(WORDS) for _ in range(rng.randrange(2, 6))]
        other = [word if rng.random() < 0.6 else rng.choice(WORDS) for word in words]
        lines.append(f"{' '.join(other)}\t{' '.join(words)}\t{number % 7}\n")
    path = tmp_path_factory.mktemp("tables") / "t.tsv"
    path.write_text("hypothesis\treference\tscore\n" + "".join(lines), "utf-8")
    return path


class School:
    """A student of BERT, a teacher of MPNet, and texts."""

    def __init__(self, table: Path, student: Path, teacher: Path, adapter: Path) -> None:
        self.table, self.student, self.teacher, self.adapter = table, student, teacher, adapter

    def start(self, **more: Any) -> MetricStart:
        given = {"base": str(self.student), "teacher": str(self.adapter)}
        return MetricStart(**{**given, "teacher_base": str(self.teacher), **more})

    def build(
        self,
        output: Path,
        recipe: MetricRecipe = TINY,
        *,
        hold_out: tuple[str, ...] = (),
        start: MetricStart | None = None,
        **run: Any,
    ) -> BuiltMetric:
        return build_metric(
            JudgmentSources(tables=(str(self.table),), language="en", hold_out=hold_out),
            str(output),
            recipe,
            start or self.start(),
            result=MetricResult(share=1.0, layer=1),
            run=MetricRun(device=Device.CPU, **run),
        )


@pytest.fixture(scope="module")
def school(table: Path, tiny_model: Path, tiny_mpnet: Path, tiny_mpnet_adapter: Path) -> School:
    return School(table, tiny_model, tiny_mpnet, tiny_mpnet_adapter)


@cache
def opened(folder: Path) -> tuple[Any, Any]:
    model = transformers.AutoModel.from_pretrained(folder).eval()
    return transformers.AutoTokenizer.from_pretrained(folder), model


@cache
def slow_vectors(folder: Path, text: str) -> tuple[np.ndarray, np.ndarray]:
    """Return unit vectors of a text that transformers reads alone, and which are of subwords."""
    cut, model = opened(folder)
    given = cut([text], return_tensors="pt", return_special_tokens_mask=True)
    own = given.pop("special_tokens_mask")[0].numpy() == 0
    given.pop("token_type_ids", None)
    with torch.no_grad():
        states = model(**given, output_hidden_states=True).hidden_states[TEACHER_LAYER][0].numpy()
    return states / np.linalg.norm(states, axis=1, keepdims=True), own


def labels_in(work: Path) -> dict[str, np.ndarray]:
    (path,) = work.glob("labels-*/labels.safetensors")
    return {name: np.array(one) for name, one in map_tensors(path).tensors.items()}


def judged_texts(school: School, recipe: MetricRecipe) -> list[tuple[str, str]]:
    """Return references and hypotheses in the order of the labels."""
    from tenbin.building.metric.damage import DamageGenerator  # noqa: PLC0415 - one use
    from tenbin.building.metric.data import collected  # noqa: PLC0415 - one use

    sources = JudgmentSources(tables=(str(school.table),), language="en")
    data = collected(sources, for_student=True)
    generator = DamageGenerator("en", spaced=True, shares=recipe.shares)
    rows = student_block(data, generator, most=200_000, seed=recipe.seed).rows
    texts = data.pool.listed()
    both = zip(rows.references.tolist(), rows.hypotheses.tolist(), strict=True)
    return [(texts[one], texts[other]) for one, other in both]


def test_labels_of_subwords_are_what_bertscore_is_the_mean_of(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    recipe = replace(TINY, steps=1)
    # Rounding moves similarities of a model of random numbers by hundredths.
    monkeypatch.setattr(student, "judging_numbers", lambda _device: NumberType.FLOAT32)
    school.build(
        tmp_path / "a.safetensors", recipe, start=school.start(teacher_share=0.0), work=work
    )
    found = labels_in(work)
    pairs = judged_texts(school, recipe)
    assert len(found["counts"]) == len(pairs) > 100
    assert found["similar"].dtype == np.float16
    assert len(found["similar"]) == found["counts"].sum()
    ends = np.cumsum(found["counts"])
    known = {text: slow_vectors(school.teacher, text) for pair in pairs for text in pair if text}
    checked, vectors = 0, []
    for place, (reference, hypothesis) in enumerate(pairs):
        if not reference or not hypothesis:
            continue
        (one, own), (other, theirs) = known[reference], known[hypothesis]
        if max(own.sum(), theirs.sum()) > LONGEST:
            continue
        products = one @ other.T
        expected = np.concatenate([products.max(axis=1)[own], products.max(axis=0)[theirs]])
        similar = found["similar"][ends[place] - found["counts"][place] : ends[place]]
        assert np.allclose(similar, expected, atol=1e-3)
        vectors += [one, other]
        checked += 1
    assert checked > 60
    mean = np.concatenate(vectors).mean(axis=0)
    assert np.corrcoef(mean, found["mean"])[0, 1] > 0.95


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    rng = random.Random(5)  # noqa: S311 - no secret
    lines = [" ".join(rng.choice(WORDS) for _ in range(rng.randrange(3, 7))) for _ in range(60)]
    path = tmp_path / "plain.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_a_student_learns_from_plain_text(school: School, plain: Path, tmp_path: Path) -> None:
    made = build_metric(
        JudgmentSources(texts=(str(plain),), language="en"),
        str(tmp_path / "a.safetensors"),
        replace(TINY, steps=2),
        school.start(teacher_share=0.0, most_texts=120),
        result=MetricResult(share=1.0, layer=1),
        run=MetricRun(device=Device.CPU, work=tmp_path / "work"),
    )
    (block,) = made.card["training"]["sets"]
    assert block["read"] == ["plain.txt"]
    # 30 segments with three variants each, and damaged ones beside them.
    assert 90 < block["rows"] <= 120 * 1.6
    assert len(labels_in(tmp_path / "work")["labels"]) == block["rows"]


def test_plain_text_beside_sets_and_tables(school: School, plain: Path, tmp_path: Path) -> None:
    made = build_metric(
        JudgmentSources(tables=(str(school.table),), texts=(str(plain),), language="en"),
        str(tmp_path / "a.safetensors"),
        replace(TINY, steps=1),
        school.start(),
        result=MetricResult(share=1.0, layer=1),
        run=MetricRun(device=Device.CPU),
    )
    (block,) = made.card["training"]["sets"]
    assert block["read"] == ["t.tsv", "plain.txt"]
    assert block["rows"] > 90 + 4 * 50


def test_plain_text_without_a_teacher(school: School, plain: Path, tmp_path: Path) -> None:
    given: dict[str, Any] = {"base_model": str(school.student), "language": "en", "device": "cpu"}
    with pytest.raises(UsageError, match="plain text has no judgments"):
        build_by_options(str(tmp_path / "a.safetensors"), plain_text=[str(plain)], **given)
    with pytest.raises(UsageError, match="the language of the texts is missing"):
        build_by_options(
            str(tmp_path / "a.safetensors"),
            plain_text=[str(plain)],
            base_model=str(school.student),
            student_of=str(school.adapter),
            teacher_base=str(school.teacher),
        )
    wrong = tmp_path / "russian.txt"
    words = ("кошка", "собака", "дом", "сидит", "на", "большой")
    lines = [" ".join(words[n % 5 :] + words[: n % 3]) for n in range(30)]
    wrong.write_text("\n".join(lines), "utf-8")
    with pytest.raises(ScriptMismatch):
        build_by_options(
            str(tmp_path / "a.safetensors"),
            plain_text=[str(wrong)],
            student_of=str(school.adapter),
            teacher_base=str(school.teacher),
            **given,
        )


def test_labels_without_a_learned_share_are_bertscore(school: School, tmp_path: Path) -> None:
    recipe = replace(TINY, steps=1, length=12)
    pairs = judged_texts(school, recipe)
    bertscore = BaseBertscore(find_checkpoint(str(school.teacher), "en"), TEACHER_LAYER)
    expected = labels_of(bertscore.of(pairs))
    for weight in (0.0, 1.0):
        work = tmp_path / f"work{weight}"
        made = school.build(
            tmp_path / f"{weight}.safetensors",
            replace(recipe, subword_weight=weight),
            start=school.start(teacher_share=0.0),
            work=work,
        )
        found = labels_in(work)
        assert ("similar" in found) == bool(weight)
        # Texts of more subwords than the student reads are compared as far as it reads them.
        near = np.abs(found["labels"] - expected) < 1e-4
        assert near.mean() > (0.9 if weight else 0.999)
        assert made.card["training"]["student_of"]["share"] == 0.0


def test_other_options_make_other_labels(school: School, tmp_path: Path) -> None:
    work = tmp_path / "work"
    brief = replace(TINY, steps=1)
    shares = (None, None, 0.45, None, None)
    recipes = (brief, brief, brief, replace(brief, length=4), replace(brief, subword_weight=0.0))
    counts = []
    for number, (share, recipe) in enumerate(zip(shares, recipes, strict=True)):
        start = school.start(teacher_share=share)
        school.build(tmp_path / f"{number}.safetensors", recipe, start=start, work=work)
        counts.append(len(list(work.glob("labels-*"))))
    assert counts == [1, 1, 2, 3, 4]


def states_and_worth(school: School, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the last states of a student, and how similar the most similar subwords are."""
    checkpoint = find_checkpoint(str(school.student), "en")
    network = JointNetwork.of_adapter(checkpoint, read_adapter(path=str(path)))
    tokenizer = PairTokenizer(checkpoint)
    states, worth = [], []
    for texts in judged_texts(school, TINY):
        ids = tokenizer.ids(texts)
        if not 0 < min(map(len, ids)) <= max(map(len, ids)) <= LONGEST:
            continue
        (one, own), (other, theirs) = (slow_vectors(school.teacher, text) for text in texts)
        products = one @ other.T
        with torch.no_grad():
            last = network.raw_with_states([tokenizer.row(*ids)])[1][0].numpy()
        count, more = map(len, ids)
        states.append(last[[*range(1, 1 + count), *range(2 + count, 2 + count + more)]])
        worth += [products.max(axis=1)[own], products.max(axis=0)[theirs]]
    return np.concatenate(states), np.concatenate(worth)


def probed(states: np.ndarray, worth: np.ndarray) -> float:
    """Return the correlation of a linear readout with what it should read, on other subwords."""
    half = len(worth) // 2
    given = np.column_stack([states, np.ones(len(states))])
    readout = np.linalg.lstsq(given[:half], worth[:half], rcond=None)[0]
    return float(np.corrcoef(given[half:] @ readout, worth[half:])[0, 1])


def test_states_tell_what_a_subword_is_worth(school: School, tmp_path: Path) -> None:
    found = {}
    for weight in (0.0, 1.0):
        recipe = replace(FULL, steps=80, subword_weight=weight, rate=3e-3)
        path = tmp_path / f"{weight}.safetensors"
        school.build(path, recipe)
        found[weight] = probed(*states_and_worth(school, path))
        # The readout is thrown away.
        assert not any("lessons" in name for name in read_adapter(path=str(path)).tensors)
    assert found[1.0] > found[0.0] + 0.08


def test_states_are_drawn_to_the_vectors_of_the_teacher(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    losses: list[float] = []
    state_loss = SubwordLessons.state_loss

    def noted(self: SubwordLessons, known: Any, part: Any) -> Any:
        found = state_loss(self, known, part)
        losses.append(float(found.detach()))
        return found

    monkeypatch.setattr(SubwordLessons, "state_loss", noted)
    recipe = replace(FULL, steps=40, state_weight=1.0, rate=3e-3, subwords=100_000)
    made = school.build(tmp_path / "a.safetensors", recipe)
    assert len(losses) == 40
    assert 0.7 < losses[0] < 1.3
    assert np.mean(losses[-5:]) < 0.8 * losses[0]
    stored = made.card["training"]["recipe"]
    assert (stored["subword_weight"], stored["state_weight"]) == (1.0, 1.0)
    assert (stored["dropout"], stored["keep_embeddings"]) == (False, True)


@pytest.mark.parametrize("recipe", [TINY, FULL, replace(FULL, keep_embeddings=False)])
def test_a_second_stage_goes_on_from_the_first(
    school: School, tmp_path: Path, recipe: MetricRecipe
) -> None:
    first, second = (tmp_path / f"{name}.safetensors" for name in ("first", "second"))
    school.build(first, replace(recipe, state_weight=1.0), start=school.start(teacher_share=0.0))
    gentle = replace(recipe, rate=1e-6, head_rate=1e-6, steps=2)
    start = school.start(base="", adapter=str(first), teacher_share=0.45)
    start = replace(start, base=str(school.student))
    made = school.build(second, gentle, start=start)
    training = made.card["training"]
    assert training["from"]["name"] == "first"
    assert training["student_of"]["share"] == 0.45
    old, new = (read_adapter(path=str(one)).tensors for one in (first, second))
    assert old.keys() == new.keys()
    for name, one in old.items():
        assert np.allclose(one, new[name], atol=2e-3), name


def test_embeddings_are_kept(school: School, tmp_path: Path) -> None:
    names = {}
    for kept in (True, False):
        path = tmp_path / f"{kept}.safetensors"
        school.build(path, replace(FULL, keep_embeddings=kept, steps=1))
        names[kept] = set(read_adapter(path=str(path)).tensors)
    left_out = names[False] - names[True]
    assert left_out
    assert all(name.startswith("full/embeddings.") for name in left_out)
    assert any(name.startswith("full/encoder.layer.2.") for name in names[True])
    # Embeddings that were trained before are not lost.
    start = school.start(adapter=str(tmp_path / "False.safetensors"))
    path = tmp_path / "more.safetensors"
    school.build(path, replace(FULL, steps=1), start=start)
    old, new = (
        read_adapter(path=str(tmp_path / f"{one}.safetensors")) for one in ("False", "more")
    )
    assert old.tensors.keys() == new.tensors.keys()
    for name in left_out:
        assert np.array_equal(old.tensors[name], new.tensors[name])


class Interrupted(Exception):
    pass


def test_an_interrupted_student_goes_on(school: School, tmp_path: Path) -> None:
    recipe = replace(FULL, state_weight=0.5, steps=8)

    def stop(position: MetricPosition, _done: float) -> None:
        if position.step == 5:
            raise Interrupted

    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    school.build(whole, recipe, hold_out=("0.2",))
    with pytest.raises(Interrupted):
        school.build(parts, recipe, hold_out=("0.2",), report=stop, seconds_between_states=0.0)
    made = school.build(parts, recipe, hold_out=("0.2",))
    assert made.resumed == 5
    one, other = (read_adapter(path=str(path)).tensors for path in (whole, parts))
    for name, numbers in one.items():
        assert np.array_equal(numbers, other[name]), name


def test_parts_of_a_step_add_up(school: School, tmp_path: Path) -> None:
    losses: dict[int, list[float]] = {}
    for subwords in (64, 100_000):
        seen = losses.setdefault(subwords, [])
        school.build(
            tmp_path / f"{subwords}.safetensors",
            replace(TINY, steps=3, subwords=subwords, state_weight=1.0),
            report=lambda position, _done, seen=seen: seen.append(position.loss),
        )
    assert np.allclose(losses[64], losses[100_000], rtol=1e-3)


def test_memory_that_is_short(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = TeacherVectors.of

    def short(self: TeacherVectors, texts: Any) -> Any:
        if STEPPING and len(texts) > 20:
            raise RuntimeError("CUDA out of memory. Tried to allocate 1 GiB")
        return of(self, texts)

    monkeypatch.setattr(TeacherVectors, "of", short)
    taught = Teaching.taught

    def then_steps(self: Teaching, *given: Any) -> Any:
        found = taught(self, *given)
        STEPPING.append(True)
        return found

    monkeypatch.setattr(Teaching, "taught", then_steps)
    notes: list[str] = []
    recipe = replace(TINY, steps=2, state_weight=1.0, subwords=1_024)
    made = school.build(tmp_path / "a.safetensors", recipe, tell=notes.append)
    STEPPING.clear()
    assert made.card["training"]["steps"] == 2
    assert any("out of memory: from here on" in note for note in notes)


STEPPING: list[bool] = []


@pytest.fixture(scope="module")
def other_cutter(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that does not know the word *cat*, and cuts it into letters."""
    folder = tmp_path_factory.mktemp("models") / "other"
    shutil.copytree(tiny_model, folder)
    for path in folder.glob("*.json"):
        path.write_text(path.read_text("utf-8").replace('"cat"', '"zzz"'), "utf-8")
    return folder


def test_models_that_cut_texts_differently(
    school: School, other_cutter: Path, tmp_path: Path
) -> None:
    start = school.start(base=str(other_cutter))
    brief = replace(TINY, steps=1)
    message = "texts are cut into different subwords by 'other' and 'tiny-mpnet'"
    notes: list[str] = []
    path = tmp_path / "a.safetensors"
    made = school.build(path, brief, start=start, tell=notes.append)
    assert any(f"{message}: the student learns whole scores only" in note for note in notes)
    assert made.card["training"]["recipe"]["subword_weight"] == 0
    for recipe, required in ((brief, True), (replace(brief, state_weight=1.0), False)):
        asked = replace(start, subwords_required=required)
        with pytest.raises(UsageError, match=message):
            school.build(tmp_path / "b.safetensors", recipe, start=asked)
    options: dict[str, Any] = {"tables": [str(school.table)], "language": "en", "device": "cpu"}
    options |= {"student_of": str(school.adapter), "teacher_base": str(school.teacher)}
    with pytest.raises(UsageError, match=message):
        build_by_options(
            str(tmp_path / "b.safetensors"),
            base_model=str(other_cutter),
            subword_weight=1.0,
            **options,
        )
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_ids_of_the_teacher(school: School) -> None:
    student, teacher = (
        PairTokenizer(find_checkpoint(str(folder), "en"))
        for folder in (school.student, school.teacher)
    )
    texts = ["the cat sat on 7 mats", "é unknown", ""]
    numbers = matched_subwords(student, teacher, texts)
    assert numbers is not None
    for one, other in zip(student.ids(texts), teacher.ids(texts), strict=True):
        assert np.array_equal(numbers[one], other)
    assert matched_subwords(student, teacher, []) is None


def test_a_teacher_with_little_room(school: School) -> None:
    checkpoint = find_checkpoint(str(school.teacher), "en")
    adapter = read_adapter(path=str(school.adapter))
    teacher = found_teacher(adapter, (str(school.teacher), ""), 0.5, "en")
    assert teacher.facts()["share"] == 0.5
    assert isinstance(teacher.adapter, Adapter)
    numbers = np.arange(100, dtype=np.int32)
    vectors = TeacherVectors(checkpoint, 1, numbers, Device.CPU, NumberType.INT8)
    with pytest.raises(UsageError, match="reads 22 subwords of a text"):
        vectors.of([np.full(23, 7, dtype=np.int32)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"subword_weight": -1.0}, "subword_weight=-1.0: give a number from 0 to 1000"),
        ({"state_weight": float("nan")}, "state_weight=nan: give a number from 0"),
        ({"teacher_share": 1.5}, "`teacher_share` 1.5: give a number from 0 to 1"),
        ({"keep_embeddings": True}, "`keep_embeddings`: the weights of the base model"),
        ({"student_of": "", "subword_weight": 1.0}, "are for a student"),
        ({"student_of": "", "teacher_share": 0.5}, "are for a student"),
    ],
)
def test_settings_that_are_not_possible(
    school: School, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    given: dict[str, Any] = {
        "tables": [str(school.table)],
        "language": "en",
        "base_model": str(school.student),
        "student_of": str(school.adapter),
        "teacher_base": str(school.teacher),
        "device": "cpu",
    }
    with pytest.raises(UsageError, match=message):
        build_by_options(str(tmp_path / "a.safetensors"), **{**given, **options})
    assert not list(tmp_path.iterdir())


def test_settings_of_a_second_stage_are_those_of_a_student(school: School, tmp_path: Path) -> None:
    first = tmp_path / "first.safetensors"
    school.build(first, replace(TINY, steps=1))
    made = build_by_options(
        str(tmp_path / "second.safetensors"),
        tables=[str(school.table)],
        language="en",
        base_model=str(school.student),
        start=str(first),
        student_of=str(school.adapter),
        teacher_base=str(school.teacher),
        device="cpu",
        steps=1,
        layer=1,
        threads=1,
    )
    recipe = made.card["training"]["recipe"]
    expected = {name: value for name, value in STUDYING.items() if name != "steps"}
    assert {name: recipe[name] for name in expected} == expected
