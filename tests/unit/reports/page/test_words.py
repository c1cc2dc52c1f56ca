"""The page says the same in all its languages."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tenbin.core.errors import UsageError
from tenbin.reports.page.words import DEFAULT_LANGUAGE, load_words, page_languages

_PLACEHOLDER = re.compile(r"\{\w+\}")
OTHERS = [language for language in page_languages() if language != DEFAULT_LANGUAGE]


def leaves(words: dict[str, Any], place: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text with its place."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{place}{key}.")
        else:
            yield f"{place}{key}", value


def placeholders(text: str) -> set[str]:
    """Return what is put into a text; forms for one and many have the same."""
    return set(_PLACEHOLDER.findall(text))


def test_there_are_english_and_japanese() -> None:
    assert set(page_languages()) >= {"en", "ja"}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_texts(language: str) -> None:
    english = dict(leaves(load_words(DEFAULT_LANGUAGE)))
    own = dict(leaves(load_words(language)))
    assert sorted(own) == sorted(english)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_puts_the_same_values_in(language: str) -> None:
    english = dict(leaves(load_words(DEFAULT_LANGUAGE)))
    own = dict(leaves(load_words(language)))
    differing = {
        key: (english[key], own[key])
        for key in english
        if placeholders(english[key]) != placeholders(own[key])
    }
    assert differing == {}


@pytest.mark.parametrize("language", OTHERS)
def test_a_text_is_empty_in_all_languages_or_in_none(language: str) -> None:
    english = dict(leaves(load_words(DEFAULT_LANGUAGE)))
    own = dict(leaves(load_words(language)))
    assert [key for key in own if bool(own[key].strip()) != bool(english[key].strip())] == []


def test_other_languages_are_refused() -> None:
    with pytest.raises(UsageError, match="not written in 'tlh'; choose `page_language` among en"):
        load_words("tlh")
    with pytest.raises(UsageError, match="not written in"):
        load_words("../words/en")
