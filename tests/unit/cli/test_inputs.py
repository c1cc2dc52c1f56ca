"""The ways texts are named: files, standard input, archives, folders, pairs."""

import bz2
import gzip
import io
import json
import lzma
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
INPUT = ("-r", "ref.txt", "-t", "good.txt", "-l", "en")
EXAMPLE = ("--set", "bundled:example", "--pair", "ja-en")


def results(done: subprocess.CompletedProcess[str]) -> dict[str, float]:
    assert done.returncode == 0, done.stderr
    return {r["system"]: r["score"] for r in json.loads(done.stdout)["results"]}


def chrf(cli: Cli, *words: object) -> dict[str, float]:
    return results(cli("score", *words, "-m", "chrf", "-f", "json"))


@pytest.mark.usefixtures("texts")
def test_i_is_t_and_options_may_be_repeated(cli: Cli) -> None:
    expected = chrf(cli, "-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en")
    assert list(expected) == ["good", "poor"]
    assert chrf(cli, "-i", "good.txt", "poor.txt", "-r", "ref.txt", "-l", "en") == expected
    assert chrf(cli, "-t", "good.txt", "-t", "poor.txt", "-r", "ref.txt", "-l", "en") == expected


@pytest.mark.usefixtures("texts")
def test_repeated_metrics_add_up_and_count_once(cli: Cli) -> None:
    done = cli("score", *INPUT, "-m", "bleu", "-m", "chrf", "bleu", "-f", "json")
    assert [r["metric"] for r in json.loads(done.stdout)["results"]] == ["bleu", "chrf"]


def test_standard_input(cli: Cli, texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = chrf(cli, *INPUT)["good"]
    content = (texts / "good.txt").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert chrf(cli, "-r", "ref.txt", "-t", "-", "-l", "en") == {"stdin": expected}


@pytest.mark.parametrize(
    ("end", "pack"), [("gz", gzip.compress), ("xz", lzma.compress), ("bz2", bz2.compress)]
)
def test_archives(cli: Cli, texts: Path, end: str, pack: Callable[[bytes], bytes]) -> None:
    expected = chrf(cli, *INPUT)
    for name in ("ref", "good"):
        (texts / f"{name}.txt.{end}").write_bytes(pack((texts / f"{name}.txt").read_bytes()))
    assert chrf(cli, "-r", f"ref.txt.{end}", "-t", f"good.txt.{end}", "-l", "en") == expected


def test_several_references_are_better_than_one(cli: Cli, texts: Path) -> None:
    (texts / "other.txt").write_text((texts / "good.txt").read_text())
    alone = chrf(cli, *INPUT)["good"]
    assert chrf(cli, "-r", "ref.txt", "other.txt", "-t", "good.txt", "-l", "en")["good"] == 100
    assert alone < 100


def test_systems_with_the_same_name_are_told_apart(cli: Cli, texts: Path) -> None:
    for folder in ("x", "y"):
        (texts / folder).mkdir()
        (texts / folder / "out.txt").write_text((texts / "good.txt").read_text())
    found = chrf(cli, "-r", "ref.txt", "-t", "x/out.txt", "y/out.txt", "-l", "en")
    assert list(found) == ["x/out.txt", "y/out.txt"]


def test_a_set_with_names(cli: Cli) -> None:
    everything = cli("score", *EXAMPLE, "-m", "chrf", "-f", "json")
    assert list(results(everything)) == ["careful", "gloss", "literal"]
    assert "scored against refA; also available: refB (-r)." in everything.stderr
    both = cli("score", *EXAMPLE, "-r", "refA", "refB", "-t", "gloss", "-m", "chrf", "-f", "json")
    assert list(results(both)) == ["gloss"]
    assert both.stderr == ""
    assert "nrefs:2" in both.stdout
    assert cli("score", *EXAMPLE, "-r", "refC").returncode == 2
    assert "There are: careful" in cli("score", *EXAMPLE, "-t", "none").stderr


def test_the_language_of_a_pair_is_its_target(cli: Cli) -> None:
    done = cli("score", *EXAMPLE, "-m", "chrf", "-f", "json", "-q")
    assert json.loads(done.stdout)["language"] == "en"
    done = cli("score", *EXAMPLE, "-l", "en-GB", "-m", "chrf", "-f", "json", "-q")
    assert json.loads(done.stdout)["language"] == "en-GB"


def test_a_real_set(cli: Cli, shared: Path) -> None:
    words = ("--set", shared / "data/wmt20", "--pair", "en-de", "-t", "OPPO.1535", "refP", "-q")
    found = results(cli("score", *words, "-m", "bleu", "-f", "json"))
    assert found["OPPO.1535"] == pytest.approx(38.56, abs=0.005)


def test_unknown_folder_and_pair(cli: Cli, tmp_path: Path) -> None:
    done = cli("score", "--set", tmp_path / "none", "--pair", "de-en")
    assert (done.returncode, "there is no such folder" in done.stderr) == (3, True)
    done = cli("score", "--set", tmp_path, "--pair", "de-en")
    assert (done.returncode, "Expected the layout" in done.stderr) == (3, True)
    done = cli("score", "--set", "bundled:example", "--pair", "fr-en")
    assert "Language pairs with references and outputs: en-ja, ja-en." in done.stderr


def test_a_name_that_is_not_utf8(cli: Cli, texts: Path) -> None:
    odd = texts / "odd\udcff.txt"
    odd.write_text((texts / "good.txt").read_text())
    done = cli("score", "-r", "ref.txt", "-t", "odd\udcff.txt", "-l", "en", "-o", "out.txt")
    assert done.returncode == 0
    assert "odd\ufffd" in (texts / "out.txt").read_text()


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize("command", ["score", "compare"])
def test_without_metrics_the_language_decides(cli: Cli, command: str) -> None:
    words = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en")
    done = cli(command, *words, "-f", "json")
    assert done.returncode == 0, done.stderr
    payload = json.loads(done.stdout)
    assert list(dict.fromkeys(one["metric"] for one in payload["results"])) == ["chrf++", "we_wpi"]
    assert done.stderr.splitlines()[-1].startswith("note: for en, ")
    assert "tenbin resources install" in done.stderr
    assert cli(command, *words, "-q").stderr == ""
    assert "can be installed" not in cli(command, *words, "-m", "chrf").stderr


@pytest.mark.usefixtures("texts")
def test_a_language_without_data_gets_characters_alone(cli: Cli) -> None:
    done = cli("score", "-r", "ref.txt", "-t", "good.txt", "-l", "is", "-f", "json")
    assert [one["metric"] for one in json.loads(done.stdout)["results"]] == ["chrf++"]
    assert done.stderr == ""
