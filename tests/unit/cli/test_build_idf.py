"""``tenbin build idf``: options, results, exit codes."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.building.idf import DocumentUnit
from tenbin.cli.building import idf
from tenbin.formats.idf_file import read_idf_file

Cli = Callable[..., subprocess.CompletedProcess[str]]


def test_a_dictionary(cli: Cli, texts: Path) -> None:
    words = ("build", "idf", "ref.txt", "good.txt", "-l", "en", "-o", "x.idf")
    done = cli(*words, "--document", "file", "--lowercase")
    assert (done.returncode, done.stdout) == (0, "")
    read = read_idf_file(texts / "x.idf")
    assert (read.documents, read.counts["the"]) == (2, 2)
    assert f"x.idf: {len(read.counts)} tokens in 2 documents" in done.stderr
    assert "note: 2 documents are few" in done.stderr
    assert cli(*words).returncode == 2  # the file is there
    quiet = cli(*words, "--force", "-q")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    lines = len((texts / "ref.txt").read_text().splitlines())
    assert read_idf_file(texts / "x.idf").documents == 2 * lines


@pytest.mark.parametrize(
    ("words", "code", "fact"),
    [
        (("ref.txt", "-l", "en", "-o", "x", "--document", "page"), 2, "invalid choice: 'page'"),
        (("ref.txt", "-l", "en", "-o", "x", "--tokenizer", "nope"), 2, "no tokenizer 'nope'"),
        (("ref.txt", "-l", "en", "-o", "x", "--tokenizer", "."), 3, "tokenizer.json"),
        (("none.txt", "-l", "en", "-o", "x"), 3, "none.txt: there is no such file"),
        (("ref.txt", "-l", "en", "-o", "no/x"), 1, "there is no folder"),
    ],
)
@pytest.mark.usefixtures("texts")
def test_wrong_usage(cli: Cli, words: tuple[str, ...], code: int, fact: str) -> None:
    pytest.importorskip("tokenizers")
    done = cli("build", "idf", *words)
    assert done.returncode == code
    assert fact in done.stderr


def test_the_help_names_the_units_of_the_library() -> None:
    assert tuple(DocumentUnit) == idf._UNITS
