"""``tenbin build paraphrases``: options, results, exit codes."""

import gzip
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.building.paraphrases.alignment import Aligner
from tenbin.building.paraphrases.pivot import EngineName
from tenbin.cli.building import paraphrases
from tenbin.kernels.alignment.symmetrization import Symmetrization
from tenbin.resources.paraphrases import load_paraphrase_sets
from tenbin.resources.store.store import ResourceStore

Cli = Callable[..., subprocess.CompletedProcess[str]]


def test_choices_are_those_of_the_library() -> None:
    assert set(paraphrases._ALIGNERS) == set(Aligner)
    assert set(paraphrases._METHODS) == set(Symmetrization)
    assert set(paraphrases._ENGINES) == set(EngineName)


def test_from_text_to_table(cli: Cli, texts: Path) -> None:
    pytest.importorskip("duckdb")
    (texts / "en").write_text("under control\nin check\n")
    (texts / "de").write_text("unter Kontrolle\nunter Kontrolle\n")
    (texts / "links").write_text("0-0 1-1\n0-0 1-1\n")
    words = ("build", "paraphrases", "en", "-l", "en", "--other", "de", "--links", "links")
    target = ("-o", "out.paraphrases", "--jobs", "1")
    done = cli(*words, "--pivot", "de", *target, "--meteor", "out.gz")
    assert (done.returncode, done.stdout) == (0, "")
    assert "out.paraphrases: 6 phrases in 3 sets, 6 pairs" in done.stderr
    store = ResourceStore(texts / "cache", offline=True)
    table = load_paraphrase_sets(str(texts / "out.paraphrases"), "en", store)
    assert table.phrase(table.phrase_count - 1) == "under control"
    assert gzip.decompress((texts / "out.gz").read_bytes()).count(b"\n") == 18
    assert cli(*words, "--pivot", "de", *target).returncode == 2
    assert cli(*words, "--pivot", "de", "fr", *target, "--force").returncode == 2
    none = cli(*words, *target, "--force")
    assert none.returncode == 2
    assert "pivot: 0 given, expected one for each bitext" in none.stderr
    quiet = cli(*words, "--pivot", "de", *target, "--force", "-q", "--work", "work")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    again = cli(*words, "--pivot", "de", *target, "--force", "--work", "work")
    assert "note: already there: text-de, links-de, phrases-de, pivot" in again.stderr


def test_a_bitext_that_is_broken(cli: Cli, texts: Path) -> None:
    (texts / "broken.tsv").write_text("no tab\n")
    words = ("build", "paraphrases", "broken.tsv", "-l", "en", "--pivot", "de", "-o", "x")
    done = cli(*words)
    assert done.returncode == 3
    assert "broken.tsv, line 1: 1 column" in done.stderr
    assert not (texts / "x").exists()


def test_paraphrases_that_are_ready(cli: Cli, texts: Path) -> None:
    (texts / "sets.tsv").write_text("1\tblown up\n1\tbombing\n1\texplosion\n")
    done = cli(
        "build", "paraphrases", "sets.tsv", "-l", "en", "--from", "sets", "-o", "out.paraphrases"
    )
    assert done.returncode == 0
    assert "out.paraphrases: 3 phrases in 1 set, 0 pairs" in done.stderr
