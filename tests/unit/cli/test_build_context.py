"""``tenbin build context``: options, results, exit codes."""

import argparse
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")

from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.encoders.settings import Device
from tenbin.cli.building import context
from tenbin.cli.building.options import DEVICES

Cli = Callable[..., subprocess.CompletedProcess[str]]

LITTLE = ("--units", "4", "--embedding", "4", "--epochs", "1", "--repeats", "1")


@pytest.fixture
def folder(texts: Path) -> Path:
    lines = ["the cat sat", "a dog barked", "no"]
    (texts / "own.en").write_text("".join(f"{line}\n" for line in lines))
    (texts / "own.de").write_text("die Katze saß\nein Hund bellte\nnein\n")
    return texts


def test_defaults_and_choices_are_those_of_the_library() -> None:
    recipe = ContextRecipe()
    for option, (default, _meaning) in context._NUMBERS.items():
        assert getattr(recipe, option[2:]) == default
    parser = argparse.ArgumentParser()
    context.add_arguments(parser)
    plain = parser.parse_args(["-s", "a", "-r", "b", "-l", "en", "-o", "model"])
    assert plain.rate == recipe.rate
    assert set(DEVICES) == set(Device)


def test_from_files_to_scores(cli: Cli, folder: Path) -> None:
    files = ("-s", "own.de", "-r", "own.en", "-l", "en")
    done = cli("build", "context", *files, *LITTLE, "-o", "model")
    assert (done.returncode, done.stdout) == (0, "")
    assert "model: 3 pairs, 1 epoch" in done.stderr
    assert "loss per word of each epoch: " in done.stderr
    assert json.loads((folder / "model" / "training.json").read_text())["epochs"] == 1
    again = cli("build", "context", *files, *LITTLE, "-o", "model")
    assert again.returncode == 2
    assert "there is such a folder already" in again.stderr
    scored = ("score", *files, "-t", "own.en", "-m", 'we_wpi_attention(context="model")')
    done = cli(*scored)
    assert done.returncode == 0, done.stderr
    assert "transductive:yes" in done.stdout
    other = ("-s", "own.de", "-r", "own.de", "-t", "own.en", "-l", "en")
    done = cli("score", *other, "-m", 'we_wpi_attention(context="model")')
    assert done.returncode == 3
    assert "was trained on other references and sources" in done.stderr


def test_a_test_set_has_a_default_folder(cli: Cli, folder: Path) -> None:
    done = cli("build", "context", "--set", "bundled:example", "--pair", "ja-en", *LITTLE)
    assert done.returncode == 0, done.stderr
    assert "trained on refA; also available: refB (-r)" in done.stderr
    assert (folder / "example.ja-en.context" / "model.safetensors").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-s", "own.de"), "missing -r REF and -l LANG and -o FOLDER"),
        (("--set", "bundled:example"), "--set needs --pair"),
        (("--set", "bundled:example", "--pair", "ja-en", "-s", "own.de"), "-s is not needed"),
        (("--set", "bundled:example", "--pair", "ja-en", "--units", "0"), "units=0: give a whole"),
        (("--set", "bundled:example", "--pair", "ja-en", "-l", "fr"), "contradicts the pair"),
    ],
)
def test_wrong_usage(cli: Cli, folder: Path, words: tuple[str, ...], said: str) -> None:  # noqa: ARG001
    done = cli("build", "context", *words)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_without_source_the_option_is_named(cli: Cli, folder: Path) -> None:  # noqa: ARG001
    done = cli("score", "-r", "own.en", "-t", "own.en", "-l", "en", "-m", "we_wpi_attention")
    assert done.returncode == 2
    assert "reads the source text, which is missing (-s)" in done.stderr
