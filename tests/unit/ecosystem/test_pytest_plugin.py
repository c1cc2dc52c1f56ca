"""The fixture ``translation_check`` in a real run of pytest."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tenbin
from tenbin.core.errors import InputError, UsageError
from tenbin.ecosystem.translation_check import TranslationLimits, check_translations

PLUGIN = "tenbin.ecosystem.pytest_plugin"

TESTS = """\
HYPOTHESES = ["the cat number %d sat" % number for number in range(20)]
REFERENCES = ["the cat number %d sat down" % number for number in range(20)]

def test_good(translation_check):
    scores = translation_check(HYPOTHESES, REFERENCES, language="en",
                               at_least={"chrf": 50}, at_most={"ter": 30})
    assert set(scores) == {"chrf", "ter"}

def test_bad(translation_check):
    translation_check(HYPOTHESES[::-1], REFERENCES, language="en", at_least={"chrf": 99.5})

def test_baseline(translation_check):
    worse = __import__("os").environ.get("WORSE")
    texts = ["no"] * 20 if worse else HYPOTHESES
    translation_check(texts, REFERENCES, language="en", baseline="stored/base.json",
                      max_drop={"chrf": 0.3})
"""


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_texts.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    paths = [str(Path(tenbin.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={
            **kept,
            # With Tenbin installed it is there by itself; here it is named, once.
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join(paths),
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_limits_and_baselines(tmp_path: Path) -> None:
    first = run(tmp_path, "-q")
    assert "2 failed, 1 passed" in first.stdout, first.stdout + first.stderr
    assert "expected at least 99.5." in first.stdout
    assert "the cat number" in first.stdout
    assert "there is no baseline stored/base.json" in first.stdout
    assert "--write-baselines" in first.stdout
    written = run(tmp_path, "-q", "-k", "baseline", "--write-baselines")
    assert written.returncode == 0, written.stdout
    assert (tmp_path / "stored" / "base.json").is_file()
    assert run(tmp_path, "-q", "-k", "baseline").returncode == 0
    worse = run(tmp_path, "-q", "-k", "baseline", WORSE="1")
    assert worse.returncode == 1
    assert "SIGNIFICANT DROP" in worse.stdout


def test_the_plugin_costs_nothing_before_it_is_used() -> None:
    show = f"import sys, pytest; before = set(sys.modules); import {PLUGIN}\n"
    show += "print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, check=True, text=True)
    assert done.stdout.split() == [
        *("tenbin", "tenbin.ecosystem", PLUGIN, "tenbin.moved", "tenbin.version"),
    ]


def test_the_plugin_is_an_entry_point() -> None:
    file = Path(__file__).resolve().parents[3] / "pyproject.toml"
    project = tomllib.loads(file.read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"tenbin": PLUGIN}


def limits(
    at_least: dict[str, float] | None = None,
    at_most: dict[str, float] | None = None,
    max_drop: dict[str, float] | None = None,
) -> TranslationLimits:
    return TranslationLimits(at_least or {}, at_most or {}, max_drop or {})


def test_both_limits_are_checked() -> None:
    texts = (["a dog"], ["a cat"])
    passed = check_translations(*texts, language="en", limits=limits({"chrf": 1}, {"ter": 60}))
    assert passed.failures == ()
    found = check_translations(*texts, language="en", limits=limits({"chrf": 90}, {"ter": 10}))
    assert found.failures[0].startswith("chrf is 6.25, expected at least 90")
    assert found.failures[1] == "ter is 50.00, expected at most 10."


def test_specs_may_be_spelled_in_other_ways() -> None:
    asked = limits({"chrf( word_order = 2 )": 100})
    assert asked.metrics == ["chrf(word_order=2)"]
    assert check_translations(["a"], ["a"], language="en", limits=asked).failures == ()


def test_what_asks_for_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing is asked of the translations"):
        check_translations(["a"], ["a"], language="en", limits=limits())
    place = tmp_path / "base.json"
    with pytest.raises(UsageError, match="a baseline needs metrics"):
        check_translations(["a"], ["a"], language="en", limits=limits(), baseline=place, write=True)
    with pytest.raises(InputError, match="there is no baseline"):
        check_translations(["a"], ["a"], language="en", limits=limits(), baseline=place)
