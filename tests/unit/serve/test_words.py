"""The words of the local page: all there, in every language."""

import re
from pathlib import Path
from typing import Any

import pytest

from tenbin.metrics import registry
from tenbin.serve.page import page_words

SOURCES = Path(__file__).resolve().parents[3] / "web" / "src" / "serve"


def keys(words: dict[str, Any], before: str = "") -> set[str]:
    found: set[str] = set()
    for name, value in words.items():
        here = f"{before}{name}"
        found |= keys(value, f"{here}.") if isinstance(value, dict) else {here}
    return found


def test_every_language_has_the_same_words() -> None:
    words = page_words()
    assert {"en", "ja"} <= set(words)
    assert all(keys(own) == keys(words["en"]) for own in words.values())
    for key in keys(words["en"]) - {f"formats.{form}" for form in words["en"]["formats"]}:
        group, _, name = key.rpartition(".")
        english, japanese = (
            words[one][group][name] if group else words[one][name] for one in ("en", "ja")
        )
        assert set(re.findall(r"\{\w+\}", english)) >= set(re.findall(r"\{\w+\}", japanese)), key


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the sources of the page are not here")
def test_every_word_that_the_page_asks_for_is_there() -> None:
    known = keys(page_words()["en"])
    for path in SOURCES.glob("*.ts"):
        text = path.read_text("utf-8")
        asked = set(re.findall(r"\bt\(\"([\w.]+)\"", text))
        assert asked <= known, path.name


def test_every_metric_says_what_it_is_good_for() -> None:
    words = page_words()["en"]["goodFor"]
    own = {name for name in registry._METRICS if not registry.load(name).needs.parameters}
    assert own <= set(words)
    assert set(words) <= {*registry._METRICS, *registry.ALIASES}
