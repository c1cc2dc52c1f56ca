"""``tenbin build metric``: options, results, exit codes."""

import argparse
import inspect
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from tenbin.annotation.encoders.settings import Device
from tenbin.annotation.joint.adapter import read_adapter
from tenbin.api.building import build_metric
from tenbin.building.metric.judged_texts import LEAST_DIFFERENCE
from tenbin.building.metric.model import USUAL_SHARE
from tenbin.building.metric.recipe import ADAPTING, FULL_RATE, STUDYING, MetricRecipe
from tenbin.building.training_numbers import TrainingNumbers
from tenbin.cli.building import metric
from tenbin.cli.building.options import DEVICES, NUMBER_TYPES
from tenbin.formats.tensor_file import map_tensors

Cli = Callable[..., subprocess.CompletedProcess[str]]

LITTLE = (
    *("--steps", "2", "--rows", "8", "--pairs-per-step", "2", "--damaged", "2", "--rank", "2"),
    *("--width", "4", "--threads", "1", "--device", "cpu", "--layer", "1"),
)


@pytest.fixture
def table(texts: Path) -> Path:
    rows = [f"the cat sat {n % 10}\tthe cat sat on {n % 61}\t{n % 9}\tann\n" for n in range(200)]
    path = texts / "own.tsv"
    path.write_text("hypothesis\treference\tscore\tannotator\n" + "".join(rows))
    return path


def key(option: str) -> str:
    name = option[2:].replace("-", "_")
    return "pairs" if name == "pairs_per_step" else name


def test_defaults_and_choices_are_those_of_the_library() -> None:
    recipe = MetricRecipe()
    shown = {key(option): default for option, (default, _meaning) in metric._NUMBERS.items()}
    others = {"shares", "dropout", "keep_embeddings"}
    assert shown == {name: getattr(recipe, name) for name in recipe.__slots__ if name not in others}
    changed_by = {
        option: {key(name): value for name, value in changed.items()}
        for option, changed in metric._OTHER_DEFAULTS.items()
    }
    full = {"rank": 0, "rate": FULL_RATE}
    studying = {name: value for name, value in STUDYING.items() if name != "dropout"}
    assert changed_by == {"--from": ADAPTING, "--student-of": studying, "--full": full}
    assert (recipe.dropout, STUDYING["dropout"], recipe.keep_embeddings) == (True, False, False)
    parser = argparse.ArgumentParser()
    metric.add_arguments(parser)
    plain = parser.parse_args(["-o", "x"])
    library = inspect.signature(build_metric).parameters
    assert plain.share == library["share"].default == USUAL_SHARE
    assert plain.difference is library["difference"].default is None
    assert LEAST_DIFFERENCE == 0.15  # the specification, learned.md, section 3
    assert f"(default: {LEAST_DIFFERENCE})" in " ".join(parser.format_help().split())
    assert set(DEVICES) == set(Device)
    assert set(NUMBER_TYPES) == set(TrainingNumbers)
    for name in ("dropout", "teacher_share"):
        assert getattr(plain, name) is library[name].default is None
    for name in ("keep_embeddings", "rounded"):
        assert getattr(plain, name) is library[name].default is False


def test_from_a_table_to_scores(cli: Cli, table: Path, tiny_model: Path) -> None:
    words = ("build", "metric", "--table", table, "-l", "en", "--base", tiny_model, *LITTLE)
    done = cli(*words, "--hold-out", "0.2", "-o", "ours.safetensors")
    assert (done.returncode, done.stdout) == (0, "")
    assert "judgments are few" in done.stderr
    assert "ours.safetensors: 0.0" in done.stderr
    assert "agreement with what was held out: " in done.stderr
    again = cli(*words, "-o", "ours.safetensors")
    assert again.returncode == 2
    assert "there is such a file already" in again.stderr
    assert "--force" in again.stderr
    spec = f'learned(adapter="ours.safetensors", base="{tiny_model}")'
    done = cli("score", "-r", "ref.txt", "-t", "good.txt", "-l", "en", "-m", spec)
    assert done.returncode == 0, done.stderr
    assert "adapter:ours" in done.stdout


def test_a_student_in_two_stages(
    cli: Cli, table: Path, tiny_model: Path, tiny_mpnet: Path, tiny_mpnet_adapter: Path
) -> None:
    words = (
        *("build", "metric", "--table", table, "-l", "en", "--base", tiny_model, *LITTLE[:8]),
        *("--student-of", tiny_mpnet_adapter, "--teacher-base", tiny_mpnet, *LITTLE[10:]),
    )
    full = ("--full", "--keep-embeddings")
    more = ("--teacher-share", "0", "--subword-weight", "1", "--state-weight", "1")
    done = cli(*words, *full, *more, "--dropout", "on", "-o", "first.safetensors")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    second = ("--from", "first.safetensors", "--teacher-share", "0.45")
    done = cli(*words, *full, *second, "--rounded", "-o", "second.safetensors")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    recipes = []
    for name in ("first", "second"):
        card = read_adapter(path=str(table.with_name(f"{name}.safetensors"))).card
        recipes.append({**card.training["recipe"], **card.training["student_of"]})
    assert [one["share"] for one in recipes] == [0.0, 0.45]
    stored = map_tensors(table.with_name("second.safetensors")).tensors
    weights = [one for name, one in stored.items() if name.startswith("full/") and one.ndim == 2]
    assert weights
    assert all(one.dtype == np.int8 for one in weights)
    assert [one["dropout"] for one in recipes] == [True, False]
    assert [one["state_weight"] for one in recipes] == [1.0, 0.0]
    assert [one["subword_weight"] for one in recipes] == [1.0, 1.0]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "give test sets (--set) or a table (--table)"),
        (("--set", "nowhere"), 3, "there is no such folder"),
        (("--table", "own.tsv"), 2, "give it (-l en)"),
        (("--text", "good.txt", "-l", "en"), 2, "--text: plain text has no judgments"),
        (("--table", "own.tsv", "-l", "en", "--hold-out", "wmt16"), 2, "--hold-out wmt16: no such"),
        (("--table", "own.tsv", "-l", "en", "--weight", "x=1"), 2, "weight of x: no such"),
        (("--table", "own.tsv", "-l", "en", "--rate", "0"), 2, "rate=0.0: give a number above 0"),
        (("--table", "own.tsv", "-l", "en", "--share", "most"), 2, "--share most: give a number"),
        (("--table", "own.tsv", "-l", "en", "--keep-embeddings"), 2, "only if all are (--full)"),
        (("--table", "own.tsv", "-l", "en", "--rounded"), 2, "if they are trained (--full)"),
        (
            ("--table", "own.tsv", "-l", "en", "--subword-weight", "1"),
            2,
            "Name its teacher (--student-of), or leave them out",
        ),
        (
            ("--table", "own.tsv", "-l", "en", "--teacher-share", "2"),
            2,
            "--teacher-share 2: give a number from 0 to 1",
        ),
        (("--table", "own.tsv", "-l", "ja"), 3, "not in the script of the target language 'ja'"),
    ],
)
def test_mistakes(
    cli: Cli, table: Path, tiny_model: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    done = cli("build", "metric", *words, "--base", tiny_model, "-o", "ours.safetensors")
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert not table.with_name("ours.safetensors").exists()
    assert not table.with_name("ours.safetensors.work").exists()
