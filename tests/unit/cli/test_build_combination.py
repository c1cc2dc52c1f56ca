"""``tenbin build combination``: options, the report, exit codes."""

import subprocess
from collections.abc import Callable
from inspect import signature
from pathlib import Path

import pytest

from tenbin.api.building import build_combination
from tenbin.building.combination.recipe import CombinationRecipe
from tenbin.cli.building import combination

Cli = Callable[..., subprocess.CompletedProcess[str]]
JudgedSetMaker = Callable[..., Path]


def test_build_then_score_then_explain(
    cli: Cli, make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    folder, output = make_judged_set(), tmp_path / "x.combination"
    words = ("build", "combination", "-m", "chrf", "eed", "--set", str(folder), "--pair", "de-en")
    done = cli(*words, "-o", str(output), "--resamples", "20")
    assert done.returncode == 0, done.stderr
    assert "segment-pearson on what was left out (segments), against esa" in done.stdout
    assert "over its best member" in done.stdout
    assert f"{output}: written" in done.stderr
    quiet = cli(*words, "-o", str(output), "--resamples", "20", "--force", "-q")
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")
    spec = f'combination(file="{output}")'
    texts = ("--set", str(folder), "--pair", "de-en")
    scored = cli("score", *texts, "-m", spec, "chrf")
    assert scored.returncode == 0, scored.stderr
    assert "members:chrf + eed" in scored.stdout
    explained = cli("explain", *texts, "-m", spec, "-n", "1", "-t", "S0")
    assert explained.returncode == 0, explained.stderr
    assert "what this member adds" in explained.stdout


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ((), "missing -m SPEC, --set DIR, --pair PAIR or -l LANG"),
        (("-m", "chrf", "--set", "SET", "--pair", "de-en"), "name them (-m)"),
        (("-m", "chrf", "eed", "--set", "SET", "--pair", "en-fr"), "no test set has judgments"),
        (("-m", "chrf", "eed", "--set", "SET", "-l", "xx"), "xx"),
        (("-m", "chrf", "eed", "--set", "SET", "-l", "en", "--seed", "-1"), "--seed -1"),
        (("-m", "chrf", "eed", "--set", "SET", "-l", "en", "--folds", "0"), "--folds 0"),
        (("-m", "chrf", "eed", "--set", "SET", "-l", "en", "--by", "sets"), "--by segments"),
    ],
)
def test_wrong_usage(
    cli: Cli,
    make_judged_set: JudgedSetMaker,
    tmp_path: Path,
    words: tuple[str, ...],
    fact: str,
) -> None:
    folder = str(make_judged_set())
    given = [folder if word == "SET" else word for word in words]
    done = cli("build", "combination", *given, "-o", str(tmp_path / "x"))
    assert done.returncode == 2
    assert fact in done.stderr


def test_defaults_are_written_alike() -> None:
    named = signature(build_combination).parameters
    recipe = CombinationRecipe()
    assert named["regularization"].default == recipe.regularization == combination._REGULARIZATION
    assert named["trees"].default == recipe.trees == combination._TREES
    assert named["resamples"].default == recipe.resamples == combination._RESAMPLES
    assert named["seed"].default == recipe.seed
    assert named["kind"].default == recipe.kind
