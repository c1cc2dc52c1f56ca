"""The command that compares systems."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., subprocess.CompletedProcess[str]]
INPUT = ("-r", "ref.txt", "-t", "good.txt", "poor.txt", "third.txt", "-l", "en", "--rounds", "99")


@pytest.fixture(autouse=True)
def third(texts: Path) -> None:
    lines = (texts / "good.txt").read_text().splitlines()
    (texts / "third.txt").write_text("\n".join([*lines[:5], "Nobody knew."]) + "\n")


def pairs(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    assert done.returncode == 0, done.stderr
    return [(p["system_a"], p["system_b"]) for p in json.loads(done.stdout)["pairs"]]


def test_all_pairs_are_tested(cli: Cli) -> None:
    found = pairs(cli("compare", *INPUT, "-m", "chrf", "-f", "json"))
    assert found == [("good", "poor"), ("good", "third"), ("poor", "third")]


@pytest.mark.parametrize(
    ("words", "base"),
    [
        (["--baseline"], "good"),
        (["--baseline", "poor"], "poor"),
        (["--baseline", "third.txt"], "third"),
    ],
)
def test_a_baseline_is_compared_with_each_other(cli: Cli, words: list[str], base: str) -> None:
    done = cli("compare", *INPUT, "-m", "chrf", "-f", "json", *words)
    others = [name for name in ("good", "poor", "third") if name != base]
    assert pairs(done) == [(base, other) for other in others]
    payload = json.loads(done.stdout)
    assert payload["test"]["baseline"] == base
    assert payload["ranks"] == {}
    text = cli("compare", *INPUT, "-m", "chrf", *words).stdout
    assert f"{base} (baseline)" in text
    assert "Verdict" in text


def test_an_unknown_baseline_is_refused(cli: Cli) -> None:
    done = cli("compare", *INPUT, "--baseline", "none")
    assert done.returncode == 2
    assert "'none' is not among the systems: good, poor, third" in done.stderr


def test_one_system_cannot_be_compared(cli: Cli) -> None:
    done = cli("compare", "-r", "ref.txt", "-t", "good.txt", "-l", "en")
    assert done.returncode == 2
    assert "needs at least two systems" in done.stderr


def test_the_bootstrap_and_its_signature(cli: Cli) -> None:
    done = cli("compare", *INPUT, "-m", "chrf", "--test", "bootstrap", "-f", "json")
    payload = json.loads(done.stdout)
    assert payload["test"]["name"] == "bootstrap"
    assert "bs:99" in payload["results"][0]["signature"]


def test_ranks_and_p_values_are_explained(cli: Cli) -> None:
    text = cli("compare", *INPUT, "-m", "chrf").stdout
    lines = text.splitlines()
    assert lines[0].split() == [
        "Rank",
        "System",
        "chrF",
        "↑",
        "Δ",
        "to",
        "next",
        "p",
        "p",
        "(Holm)",
        "people",
    ]
    assert [line.split()[1] for line in lines[2:5]] == ["good", "third", "poor"]
    flat = " ".join(text.split())
    assert "p is never below 0.01." in flat
    assert "corrected for the 3 pairs of a metric." in flat
    assert "beats at p (Holm) ≤ 0.05." in flat


def test_what_a_difference_means_to_people(cli: Cli) -> None:
    flat = " ".join(cli("compare", *INPUT, "-m", "chrf", "ter").stdout.split())
    assert "people: share of WMT system pairs with this difference" in flat
    assert "1,290 pairs (18 language pairs of wmt14 to wmt24) for chrf" in flat
    assert "1,224 pairs (17 language pairs of wmt14 to wmt24) for ter" in flat
    payload = json.loads(cli("compare", *INPUT, "-m", "chrf", "-f", "json").stdout)
    people = payload["pairs"][0]["people"]
    assert 0.9 < people["share"] < 1
    assert people["ci"][0] <= people["share"] <= people["ci"][1]
    assert payload["curves"][0]["pairs"] == 1290
    rows = [
        line.split("\t")
        for line in cli("compare", *INPUT, "-m", "chrf", "-f", "tsv").stdout.splitlines()
    ]
    assert rows[0][-4:] == ["people", "people_low", "people_high", "people_beyond"]
    assert float(rows[1][-4]) == people["share"]
    assert "people" in cli("compare", *INPUT, "-m", "chrf", "-f", "latex").stdout


@pytest.mark.parametrize(
    "words",
    [("-m", "chrf(beta=1)"), ("-m", "chrf", "-r", "good.txt"), ("-m", "was(threshold=0.5)")],
)
def test_other_settings_and_more_references_have_no_share(cli: Cli, words: tuple[str, ...]) -> None:
    done = cli("compare", *INPUT, *words)
    assert done.returncode == 0, done.stderr
    assert "people" not in done.stdout.splitlines()[0]
    assert "How often people agree is not known for" in " ".join(done.stdout.split())


def test_a_larger_difference_than_any_seen_is_marked(cli: Cli, texts: Path) -> None:
    (texts / "wrong.txt").write_text("x\n" * 6)
    (texts / "right.txt").write_text((texts / "ref.txt").read_text())
    words = ("-r", "ref.txt", "-t", "right.txt", "wrong.txt", "-l", "en", "--rounds", "9")
    text = cli("compare", *words, "-m", "chrf").stdout
    assert " %+ [" in text
    assert "+: a larger difference than any of theirs." in " ".join(text.split())


def test_a_curve_of_ones_own_must_be_one(cli: Cli, texts: Path) -> None:
    (texts / "other.json").write_text("{}")
    done = cli("compare", *INPUT, "-m", "chrf", "--curve", "other.json")
    assert done.returncode == 3
    assert "other.json: not a file of difference curves" in done.stderr


def test_two_systems_need_no_matrix(cli: Cli) -> None:
    words = (
        "-r",
        "ref.txt",
        "-t",
        "good.txt",
        "poor.txt",
        "-l",
        "en",
        "--rounds",
        "99",
        "-m",
        "chrf",
    )
    text = cli("compare", *words).stdout
    assert "vs 2" not in text
    assert "One pair, so p (Holm) is p." in " ".join(text.split())


def test_few_units_are_noted(cli: Cli) -> None:
    done = cli("compare", *INPUT, "-m", "chrf")
    assert "note: resampling draws from 6 segments only" in done.stderr
    assert cli("compare", *INPUT, "-m", "chrf", "-q").stderr == ""


def test_rounds_are_checked(cli: Cli) -> None:
    assert "--rounds 0" in cli("compare", *INPUT[:-1], "0").stderr
