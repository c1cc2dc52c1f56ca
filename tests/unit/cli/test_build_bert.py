"""``tenbin build bert``: options, results, exit codes."""

import argparse
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from tenbin.annotation.encoders.settings import Device
from tenbin.api.building import DEFAULT_EPOCHS
from tenbin.building.bert.recipe import BertRecipe
from tenbin.building.training_numbers import TrainingNumbers
from tenbin.cli.building import bert
from tenbin.cli.building.options import DEVICES, NUMBER_TYPES

pytestmark = pytest.mark.usefixtures("_one_core")

Cli = Callable[..., subprocess.CompletedProcess[str]]

HALVES = ("--numbers", "bfloat16")
SHAPE = ("--vocabulary", "60", "--layers", "1", "--width", "16", "--heads", "2", "--length", "16")


@pytest.fixture
def text(texts: Path) -> Path:
    words = [f"{one}{other} {other}{one}" for one in "abcdefgh" for other in "stuvwxyz"]
    (texts / "corpus.txt").write_text("".join(f"{line}\n" for line in words * 3))
    return texts


def test_defaults_and_choices_are_those_of_the_library() -> None:
    recipe = BertRecipe()
    for option, (default, _meaning) in bert._NUMBERS.items():
        assert getattr(recipe, option[2:]) == default
    assert recipe.extent.amount == DEFAULT_EPOCHS
    parser = argparse.ArgumentParser()
    bert.add_arguments(parser)
    plain = parser.parse_args(["corpus.txt", "-l", "en", "-o", "model"])
    assert plain.numbers == recipe.numbers
    assert (plain.rate, plain.dropout) == (recipe.rate, recipe.dropout)
    assert set(DEVICES) == set(Device)
    assert set(NUMBER_TYPES) == set(TrainingNumbers)


def test_from_text_to_model(cli: Cli, text: Path) -> None:
    words = ("build", "bert", "corpus.txt", "-l", "en", *SHAPE, "--batch", "4", "--device", "cpu")
    done = cli(*words, "--steps", "2", "--valid", "corpus.txt", "-o", "model")
    assert (done.returncode, done.stdout) == (0, "")
    assert "model: 0.0 million weights, " in done.stderr
    assert "2 steps" in done.stderr
    assert "corpus.txt: loss " in done.stderr
    assert (text / "model" / "model.safetensors").is_file()
    again = cli(*words, "-o", "model")
    assert again.returncode == 2
    assert "model: there is such a folder already" in again.stderr
    quiet = cli(*words, "--epochs", "0.1", "-o", "other", "-q", "--work", "kept", *HALVES)
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert json.loads((text / "other" / "training.json").read_text())["numbers"] == "bfloat16"
    more = cli(*words, "--epochs", "0.2", "-o", "third", "--work", "kept")
    assert "note: already there: pieces, rows\n" in more.stderr


def test_how_it_is_trained_is_what_was_asked_for(cli: Cli, text: Path) -> None:
    words = ("build", "bert", "corpus.txt", "-l", "en", *SHAPE, "--batch", "4", "--device", "cpu")
    how = ("--rate", "0.002", "--dropout", "0", "--seed", "7", "--minutes", "0.0001")
    done = cli(*words, *how, "-o", "model", "-q")
    assert done.returncode == 0, done.stderr
    recipe = json.loads((text / "model" / "training.json").read_text())["recipe"]
    asked = {"rate": 0.002, "dropout": 0.0, "seed": 7, "extent": "0.0001 minutes", "batch": 4}
    assert asked.items() <= recipe.items()


def test_wrong_requests(cli: Cli, text: Path) -> None:
    words = ("build", "bert", "corpus.txt", "-l", "en", "-o", "model")
    assert cli(*words, "--steps", "1", "--epochs", "1").returncode == 2
    odd = cli(*words, "--width", "100", "--heads", "6")
    assert odd.returncode == 2
    assert "width=100: give a multiple of the number of heads, 6" in odd.stderr
    none = cli(*words, "--dropout", "1")
    assert none.returncode == 2
    assert "dropout=1: give a number from 0 to below 1" in none.stderr
    small = cli(*words)
    assert small.returncode == 3
    assert "too small for a vocabulary of 16000" in small.stderr
    assert not list(text.glob("model*/*"))
