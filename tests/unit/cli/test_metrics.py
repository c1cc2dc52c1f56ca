"""The command that lists and describes metrics."""

import json
import subprocess
from collections.abc import Callable

import pytest

from tenbin.metrics.registry import ALIASES, metric_names

Cli = Callable[..., subprocess.CompletedProcess[str]]


def test_every_metric_is_listed(cli: Cli) -> None:
    done = cli("metrics")
    assert done.returncode == 0
    listed = [line.split()[0] for line in done.stdout.splitlines()[2:] if line]
    assert listed[: len(metric_names())] == list(metric_names())
    names = done.stdout.partition("Short names: ")[2].partition(".")[0].replace("\n", " ")
    assert names.split(", ") == list(ALIASES)


@pytest.mark.parametrize("name", [*metric_names(), *ALIASES, "chrF++", "BLEU"])
def test_every_metric_is_described(cli: Cli, name: str) -> None:
    done = cli("metrics", name)
    assert done.returncode == 0
    for heading in (
        "Range",
        "Needs",
        "Weak points",
        "Checked against",
        "Cite",
        "Signature (target language en)",
    ):
        assert f"\n{heading}\n  " in done.stdout
    signature = done.stdout.splitlines()[-1]
    if "is not installed" in signature:
        pytest.skip(f"its signature names a resource: {signature.strip()}")
    assert "version:tenbin=" in signature


@pytest.mark.parametrize(
    ("name", "near"), [("blue", "bleu"), ("chrf+++", "chrf++"), ("WERR", "wer")]
)
def test_an_unknown_name_is_answered_with_near_ones(cli: Cli, name: str, near: str) -> None:
    done = cli("metrics", name)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Did you mean" in done.stderr
    assert near in done.stderr


def test_json(cli: Cli) -> None:
    listed = json.loads(cli("metrics", "-f", "json").stdout)["metrics"]
    assert [one["name"] for one in listed] == list(metric_names())
    one = json.loads(cli("metrics", "chrf", "-f", "json").stdout)
    assert one == next(entry for entry in listed if entry["name"] == "chrf")
    assert [parameter["name"] for parameter in one["parameters"]][:2] == [
        "char_order",
        "word_order",
    ]
    assert {"citation", "minimum", "maximum", "needs", "signature", "higher_is_better"} <= set(one)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("name", [None, *metric_names()])
def test_no_marks_of_code_and_no_internals(cli: Cli, name: str | None, form: str) -> None:
    shown = cli("metrics", *([] if name is None else [name]), "-f", form).stdout
    assert "`" not in shown
    assert "Rows" not in shown
    assert "self." not in shown


def test_what_to_take_for_a_language(cli: Cli) -> None:
    done = cli("metrics", "-l", "ja")
    assert done.returncode == 0, done.stderr
    flat = " ".join(done.stdout.split())
    assert "Target language ja. By default: chrf." in flat
    assert "tenbin resources install vectors-ja" in flat
    payload = json.loads(cli("metrics", "-l", "en", "-f", "json").stdout)
    assert payload["default"] == ["chrf++", "we_wpi"]
    assert [one["metric"] for one in payload["meaning"] if not one["installed"]][-1] == "tenbin"


def test_the_listing_says_what_to_take_for_languages(cli: Cli) -> None:
    flat = " ".join(cli("metrics").stdout.split())
    assert "What to take for a target language" in flat
    assert "ja: we_wpi" in flat or "ja: combination-ja" in flat


def test_a_language_and_a_name_are_two_questions(cli: Cli) -> None:
    done = cli("metrics", "chrf", "-l", "ja")
    assert done.returncode == 2
    assert "-l says what to take for a language" in done.stderr
