"""``tenbin build``: options, results, exit codes."""

import argparse
import inspect
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.api.building import build_vectors
from tenbin.building.vectors.recipe import Method, VectorTraining
from tenbin.cli import build
from tenbin.core.vector_variants import VectorVariant
from tenbin.resources.function_words import FREQUENCY

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def kinds() -> dict[str, argparse.ArgumentParser]:
    parser = argparse.ArgumentParser()
    build.add_arguments(parser)
    (action,) = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    return dict(action.choices)


def test_every_kind_is_described(cli: Cli, kinds: dict[str, argparse.ArgumentParser]) -> None:
    listed = cli("build", "--help").stdout
    for name, parser in kinds.items():
        assert f"{name} " in listed or f"{name}\n" in listed
        assert parser.description
        assert f"tenbin build {name}" in (parser.epilog or "")
        assert [action.dest for action in parser._actions if not action.help] == []
        assert cli("build", name, "--help").returncode == 0


def test_function_words(cli: Cli, texts: Path) -> None:
    words = ("build", "function-words", "ref.txt", "good.txt", "-l", "en", "-o", "words.txt")
    done = cli(*words, "--share", "0.05")
    assert (done.returncode, done.stdout) == (0, "")
    assert (texts / "words.txt").read_text() == ".\nthe\n"
    assert "words.txt: 2 of 41 distinct words, in 101 tokens" in done.stderr
    assert "note: the corpus has 101 tokens" in done.stderr
    again = cli(*words)
    assert again.returncode == 2
    assert "(--force)" in again.stderr
    quiet = cli(*words, "--force", "-q")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert len((texts / "words.txt").read_text().splitlines()) == 41
    scored = cli(
        *("score", "-r", "ref.txt", "-t", "good.txt", "-l", "en", "-f", "json"),
        *("-m", 'meteor(task="universal", function_words="words.txt", paraphrases="none")'),
    )
    (result,) = json.loads(scored.stdout)["results"]
    assert "|stages:exact|" in result["signature"]
    assert "|resource:words.txt=" in result["signature"]


def test_the_share_in_the_help_is_that_of_the_library(
    kinds: dict[str, argparse.ArgumentParser],
) -> None:
    assert kinds["function-words"].get_default("share") == FREQUENCY


def test_choices_of_vectors_are_those_of_the_library(
    kinds: dict[str, argparse.ArgumentParser],
) -> None:
    options = {action.dest: action for action in kinds["vectors"]._actions}
    assert list(options["variant"].choices or ()) == list(VectorVariant)
    assert list(options["method"].choices or ()) == list(Method)
    own = VectorTraining()
    assert options["method"].default == own.method
    assert options["variant"].default == VectorVariant.MONO
    for name in ("dimensions", "window", "min_count", "epochs", "negative", "sample", "beta"):
        assert options[name].default == getattr(own, name), name
    library = inspect.signature(build_vectors).parameters
    for name in options.keys() & library.keys() - {"language", "output", "source_language"}:
        default = library[name].default
        assert options[name].default == default or not (default or options[name].default), name


def test_vectors_of_two_languages(cli: Cli, texts: Path) -> None:
    pairs = [f"der Hund {n % 3}\tthe dog {n % 3}\n" for n in range(30)]
    (texts / "bitext.tsv").write_text("".join([*pairs, "leer\t\n"]))
    words = ("build", "vectors", "bitext.tsv", "-l", "de", "-o", "de.bin", "--variant", "bi")
    small = ("--dimensions", "4", "--epochs", "1")
    done = cli(*words, *small)
    assert done.returncode == 2
    assert "give --source-language" in done.stderr
    done = cli(*words, *small, "--source-language", "en", "--source-output", "en.bin")
    assert (done.returncode, done.stdout) == (0, "")
    assert "de.bin: 5 vectors of 4 numbers, for 100.0 % of all tokens" in done.stderr
    assert "en.bin: 5 vectors of 4 numbers, in the same space" in done.stderr
    assert "1 of 31 lines without words on a side was left out" in done.stderr
    swapped = cli(*words, *small, "--source-language", "ru", "--force")
    assert swapped.returncode == 3
    assert "with --source-first" in swapped.stderr
    tags = cli(
        *("build", "vectors", "ref.txt", "-l", "fr", "-o", "fr.bin", "--variant", "pseudo-pos")
    )
    assert tags.returncode == 2
    assert "give the file (--tags)" in tags.stderr


def test_vectors(cli: Cli, texts: Path) -> None:
    words = ("build", "vectors", "ref.txt", "good.txt", "-l", "en", "-o", "v.bin", "--lowercase")
    small = ("--dimensions", "8", "--min-count", "2", "--epochs", "1", "--method", "skipgram")
    done = cli(*words, *small)
    assert (done.returncode, done.stdout) == (0, "")
    card = json.loads((texts / "v.bin.card.json").read_text())
    assert card["parameters"]["method"] == "skipgram"
    vectors = card["vocabulary"]
    assert f"v.bin: {vectors} vectors of 8 numbers, for " in done.stderr
    assert (texts / "v.bin").read_bytes().startswith(f"{vectors} 8\n".encode())
    assert cli(*words, *small).returncode == 2
    jobs = cli(*words, *small, "--force", "--jobs", "2")
    assert "note: with 2 jobs another run gives slightly other vectors." in jobs.stderr
    quiet = cli(*words, *small, "--force", "--quiet")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    rare = cli(*words, "--min-count", "99", "--force")
    assert rare.returncode == 3
    assert "no word occurs 99 times" in rare.stderr


@pytest.mark.parametrize(
    ("words", "code", "fact"),
    [
        ((), 2, "KIND"),
        (("nonsense",), 2, "invalid choice: 'nonsense'"),
        (("vectors", "-l", "en", "-o", "v"), 2, "CORPUS"),
        (("vectors", "ref.txt", "-o", "v"), 2, "--language"),
        (("vectors", "ref.txt", "-l", "en"), 2, "--output"),
        (("vectors", "ref.txt", "-l", "en", "-o", "v", "--dimensions", "0"), 2, "dimensions=0"),
        (("vectors", "ref.txt", "-l", "en", "-o", "v", "--jobs", "-1"), 2, "--jobs -1"),
        (("vectors", "ref.txt", "-l", "en", "-o", "v", "--dim", "5"), 2, "--dim"),
        (("vectors", "none.txt", "-l", "en", "-o", "v"), 3, "none.txt: there is no such file"),
        (("vectors", "ref.txt", "-l", "en", "-o", "no/v"), 1, "there is no folder"),
        (("function-words", "ref.txt", "-l", "xx", "-o", "w"), 2, "not a language tag"),
        (("function-words", "ref.txt", "-l", "en", "-o", "w", "--share", "7"), 2, "share=7"),
    ],
)
@pytest.mark.usefixtures("texts")
def test_wrong_usage(cli: Cli, words: tuple[str, ...], code: int, fact: str) -> None:
    pytest.importorskip("gensim")
    done = cli("build", *words)
    assert done.returncode == code
    assert fact in done.stderr
