"""The program and its surroundings: pipes, full disks, terminals, locales, workers."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
INPUT = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "-l", "en", "-m", "chrf")
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")

pytestmark = pytest.mark.usefixtures("texts")


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of sixteen kilobytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user cannot mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)  # noqa: S607


@needs_full
def test_a_full_device_for_o(cli: Cli) -> None:
    done = cli("score", *INPUT, "-o", "/dev/full")
    assert done.returncode == 1
    assert "/dev/full: could not be written (No space left on device)" in done.stderr


@pytest.mark.parametrize("name", ["scores.tsv", "scores.csv", "scores.xlsx"])
def test_a_full_disk_for_o_leaves_the_old_result(cli: Cli, tiny_disk: Path, name: str) -> None:
    result = tiny_disk / name
    result.write_text("old result\n")
    (tiny_disk / "ballast").write_bytes(b"x" * 12_000)
    words = ("score", *INPUT, "--segments", "-m", "bleu", "ter", "-o", result)
    done = cli(*words)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "nothing there was changed" in done.stderr
    assert result.read_text() == "old result\n"
    assert sorted(path.name for path in tiny_disk.iterdir()) == ["ballast", name]


@pytest.mark.parametrize("target", ["none/out.txt", ".", ""])
def test_a_place_that_cannot_be_written_is_refused_before_scoring(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    def scored(*_: object) -> None:
        pytest.fail("scoring began")

    monkeypatch.setattr("tenbin.cli.score.score_test_set", scored)
    done = cli("score", *INPUT, "-o", target)
    assert done.returncode == 1
    assert done.stderr.startswith("tenbin: error: ")


@needs_full
@pytest.mark.parametrize("words", [("score", *INPUT), ("--help",), ("metrics",)])
def test_a_full_disk_behind_stdout(program: Cli, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = program(*words, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr == (
        "tenbin: error: No space left on device; the result was not written in full.\n"
    )


@pytest.mark.parametrize("words", [("score", *INPUT, "--segments"), ("metrics",), ("--help",)])
def test_a_reader_that_goes_away(program: Cli, words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = program(*words, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert done.returncode == 0
    assert done.stderr == ""


def test_closed_streams(tmp_path: Path) -> None:
    command = f"{sys.executable} -m tenbin score {' '.join(INPUT)}"
    shell = ["sh", "-c", f"{command} >&-"]
    done = subprocess.run(shell, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert done.stderr == "tenbin: error: standard output is closed; name a file with -o.\n"
    shell = ["sh", "-c", f"{command} -o out.txt >&- 2>&- <&-"]
    assert subprocess.run(shell, cwd=tmp_path, check=False).returncode == 0
    assert "chrF" in (tmp_path / "out.txt").read_text()


def test_standard_input_and_the_shell(tmp_path: Path) -> None:
    command = f"{sys.executable} -m tenbin score -l en -m chrf -f json"
    given = [
        f"{command} -r ref.txt -t - < good.txt",
        f"cat good.txt | gzip | {command} -r ref.txt -t -",
        f"{command} -r <(cat ref.txt) -t good.txt",
        f"{command} -r ref.txt -t /dev/stdin < good.txt",
    ]
    scores = set()
    for line in given:
        shell = ["bash", "-c", line]
        done = subprocess.run(shell, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stderr
        scores.add(json.loads(done.stdout)["results"][0]["score"])
    assert len(scores) == 1


def test_quiet_and_notes(program: Cli, texts: Path) -> None:
    (texts / "good.txt").write_bytes((texts / "good.txt").read_bytes().replace(b"\n", b"\r\n"))
    loud, quiet = program("score", *INPUT), program("score", *INPUT, "-q")
    assert loud.stderr == "note: good.txt: 6 lines end in CR LF; read as LF.\n"
    assert quiet.stderr == ""
    assert quiet.stdout == loud.stdout
    assert "\x1b" not in loud.stdout + loud.stderr


@pytest.mark.parametrize("locale", ["C", "POSIX", "de_DE.UTF-8", "ja_JP.eucJP"])
def test_the_locale_does_not_matter(program: Cli, texts: Path, locale: str) -> None:
    (texts / "翻訳.txt").write_text((texts / "good.txt").read_text())
    words = ("score", "-r", "ref.txt", "-t", "翻訳.txt", "-l", "en", "-m", "chrf")
    environment = {**os.environ, "LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0"}
    if locale == "de_DE.UTF-8":
        environment["LOCPATH"] = german_locale(texts)
    done = program(*words, env=environment)
    assert done.returncode == 0, done.stderr
    assert "翻訳" in done.stdout
    assert "chrF ↑" in done.stdout
    score = done.stdout.splitlines()[2].split()[1]
    assert 0 < float(score) < 100


def german_locale(folder: Path) -> str:
    """Make a locale with a decimal comma, if this machine can; return its folder."""
    target = folder / "locales" / "de_DE.UTF-8"
    target.parent.mkdir()
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(target)]
    try:
        subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no German locale can be made here")
    return str(target.parent)


@pytest.mark.slow
def test_workers_change_no_digit(cli: Cli, texts: Path) -> None:
    # More than one chunk of 16,000 strings, so that there is work for two.
    for name in ("ref", "good"):
        lines = (texts / f"{name}.txt").read_text().splitlines()
        numbered = [f"{line} {number}" for number in range(1_400) for line in lines]
        (texts / f"{name}.txt").write_text("\n".join(numbered) + "\n")
    words = (
        "score",
        "-r",
        "ref.txt",
        "-t",
        "good.txt",
        "-l",
        "en",
        "-m",
        "bleu",
        "nist",
        "-f",
        "json",
    )
    one = cli(*words, "--ci", "--resamples", "20", "--jobs", "1")
    two = cli(*words, "--ci", "--resamples", "20", "--jobs", "2")
    assert one.returncode == 0, one.stderr
    assert json.loads(one.stdout)["segment_count"] == 8_400
    assert two.stdout == one.stdout
    assert two.stderr == one.stderr == ""
