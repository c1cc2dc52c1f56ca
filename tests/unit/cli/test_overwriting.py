"""No result replaces a file that the same command reads."""

import argparse
import hashlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenbin.cli.main import COMMANDS, build_parser
from tenbin.cli.overwriting import OUTPUTS

Cli = Callable[..., subprocess.CompletedProcess[str]]

TEXTS = ("-r", "ref.txt", "-t", "good.txt", "-l", "en", "-m", "chrf")

pytestmark = pytest.mark.usefixtures("texts")


def digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("words", "file", "option"),
    [
        (("score", *TEXTS, "-o", "good.txt"), "good.txt", "-o"),
        (("score", *TEXTS, "-o", "./ref.txt"), "ref.txt", "-o"),
        (("score", *TEXTS, "--report", "ref.txt"), "ref.txt", "--report"),
        (("score", *TEXTS, "-f", "tsv", "--signatures", "good.txt"), "good.txt", "--signatures"),
        (
            ("score", "-r", "ref.txt", "-t", "a=good.txt", "-l", "en", "-o", "good.txt"),
            "good.txt",
            "-o",
        ),
        (("mbr", "-t", "good.txt", "poor.txt", "-l", "en", "-o", "poor.txt"), "poor.txt", "-o"),
        (("check", *TEXTS, "--write-baseline", "good.txt"), "good.txt", "--write-baseline"),
        (("check", *TEXTS, "--baseline", "b", "--junit", "good.txt"), "good.txt", "--junit"),
        (("score", "--input", "all.csv", "-l", "en", "-o", "all.csv"), "all.csv", "-o"),
        (("explain", *TEXTS, "-n", "1", "-o", "link.txt"), "good.txt", "-o"),
    ],
)
def test_what_is_read_is_not_replaced(
    cli: Cli, words: tuple[str, ...], file: str, option: str
) -> None:
    Path("all.csv").write_text("ref,mt\na cat,the cat\n", encoding="utf-8")
    Path("link.txt").symlink_to("good.txt")
    before = digest(file)
    failed = cli(*words)
    assert failed.returncode == 2
    assert f"{option} " in failed.stderr
    assert "reads that file, which the result would replace" in failed.stderr
    assert digest(file) == before


@pytest.mark.parametrize(
    "options", [("-o", "x", "--report", "x"), ("-o", "x", "--signatures", "x")]
)
def test_two_results_are_two_files(cli: Cli, options: tuple[str, ...]) -> None:
    failed = cli("score", *TEXTS, "-f", "tsv", *options)
    assert failed.returncode == 2
    assert "-o names the same file; choose another" in failed.stderr
    assert not Path("x").exists()


def test_an_older_result_is_replaced(cli: Cli) -> None:
    Path("old.txt").write_text("old", encoding="utf-8")
    assert cli("score", *TEXTS, "-o", "old.txt").returncode == 0
    assert "chrF" in Path("old.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["score", "chrf", "en", "text"])
def test_a_result_may_be_called_like_a_word_of_the_command(cli: Cli, name: str) -> None:
    for _ in range(2):
        assert cli("score", *TEXTS, "-f", "text", "-o", name).returncode == 0
    assert "chrF" in Path(name).read_text(encoding="utf-8")


def test_nor_is_a_title_a_file(cli: Cli) -> None:
    Path("page.html").write_text("old", encoding="utf-8")
    assert cli("score", *TEXTS, "-f", "json", "--segments", "-o", "scores.json").returncode == 0
    done = cli("report", "scores.json", "--title", "page.html", "-o", "page.html")
    assert done.returncode == 0, done.stderr
    failed = cli("report", "scores.json", "-o", "scores.json")
    assert failed.returncode == 2
    assert "-o scores.json: this command reads that file" in failed.stderr


def _options(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _options(inner)
        else:
            yield action


def test_every_file_that_is_written_is_known() -> None:
    written = {
        action.dest
        for command in COMMANDS
        for action in _options(build_parser([command]))
        if action.metavar == "FILE"
        and (action.help or "").startswith(("write ", "draw ", "file to write", "adapter to write"))
    }
    assert written <= set(OUTPUTS)
    assert {"output", "chosen", "plot", "curve_output"} <= written
