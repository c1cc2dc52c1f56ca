"""The command that looks for everything that is wrong."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.usefixtures("texts")
def test_the_installation_alone(cli: Cli) -> None:
    done = cli("doctor")
    assert done.returncode == 0
    assert "Installation" in done.stdout
    assert "tokenizer 13a" in done.stdout
    assert "Texts" not in done.stdout


@pytest.mark.usefixtures("texts")
def test_good_texts(cli: Cli) -> None:
    done = cli("doctor", "-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en")
    assert done.returncode == 0
    assert done.stdout.endswith("Nothing amiss.\n")


def test_a_set_of_broken_files_at_once(cli: Cli, texts: Path) -> None:
    (texts / "latin.txt").write_bytes(b"ok\ncaf\xe9\n")
    (texts / "nul.txt").write_bytes(b"a\0b\n")
    (texts / "empty.txt").write_bytes(b"")
    (texts / "short.txt").write_bytes(b"\xef\xbb\xbfone\r\n\r\n")
    (texts / "cut.txt.gz").write_bytes(b"\x1f\x8b\x08\x00cut")
    broken = ["latin.txt", "nul.txt", "empty.txt", "short.txt", "cut.txt.gz", "none.txt", "."]
    words = ("doctor", "-r", "ref.txt", "-t", *broken, "-l", "en", "-f", "json")
    done = cli(*words)
    assert done.returncode == 3
    findings = json.loads(done.stdout)["findings"]
    told = {(one["level"], one["where"]): one["message"] for one in findings}
    assert told["error", "latin.txt"].startswith("line 2: byte 4 of the line (0xe9)")
    assert told["error", "nul.txt"].startswith("line 1: NUL character at byte 2")
    assert told["error", "empty.txt"].startswith("the file is empty")
    assert told["error", "cut.txt.gz"].startswith("the compressed file is damaged")
    assert told["error", "none.txt"].startswith("there is no such file")
    assert told["error", "."].startswith("this is a directory")
    assert "ref.txt: 6, short.txt: 2" in told["error", "all texts"]
    short = [one["message"] for one in findings if one["where"] == "short.txt"]
    assert any("CR LF" in message for message in short)
    assert any("byte order mark" in message for message in short)
    assert any("1 line empty: 2" in message for message in short)
    text = cli(*words[:-2])
    assert text.returncode == 3
    assert "7 errors, 3 notes." in text.stdout


def test_a_whole_test_set(cli: Cli) -> None:
    done = cli("doctor", "--set", "bundled:example", "--pair", "ja-en")
    assert done.returncode == 0
    assert "60 segments, 6 documents" in done.stdout
    assert "script fits en" in done.stdout


@pytest.mark.usefixtures("texts")
def test_the_language_is_checked(cli: Cli) -> None:
    done = cli("doctor", "-r", "ref.txt", "-l", "ja")
    assert done.returncode == 3
    assert "-l en" in done.stdout
    done = cli("doctor", "-r", "ref.txt", "-l", "en-de")
    assert done.returncode == 3
    assert "-l de" in done.stdout
