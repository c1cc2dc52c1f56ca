"""Stemmers, lemmatizers, and the search for names and numbers, on any text."""

import random
from pathlib import Path

from tests.fuzz.texts import any_text, changed_text

from tenbin.annotation.lemmas import lemmas
from tenbin.annotation.stems import STEMMED_LANGUAGES, load_stemmer
from tenbin.penalty.choices import NameSource, Penalty
from tenbin.penalty.names.recognition import name_spans
from tenbin.penalty.texts import TextPenalty

LANGUAGES = ("en", "ja", "zh", "de", "ru")
LEMMATIZED = ("en", "de", "ru")
STEMMED = STEMMED_LANGUAGES


def try_stemmer(language: str, rng: random.Random, _folder: Path) -> object:
    """Stem all words of a text: text again, and the same each time."""
    stemmer = load_stemmer(language)
    words = any_text(rng).lower().split()
    found = [stemmer.stem(word) for word in words]
    assert found == [stemmer.stem(word) for word in words]
    "".join(found).encode("utf-8")
    return found


def try_lemmas(language: str, rng: random.Random, _folder: Path) -> object:
    """Look up the lemmas of all words of a text."""
    words = any_text(rng).split()
    found = lemmas(words, language)
    assert len(found) == len(words)
    return found


def try_penalty(language: str, rng: random.Random, _folder: Path) -> object:
    """Compare names and numbers of two texts: a factor, the same both ways, 1 for equal texts."""
    own = any_text(rng)
    other = changed_text(own, rng) if rng.random() < 0.7 else any_text(rng)
    penalty = TextPenalty(penalty=Penalty.BOTH, language=language)
    there, back = penalty.factors(own, other), penalty.factors(other, own)
    assert 0 <= there.score <= 1
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert penalty.factors(own, own) == (1.0, 1.0, ())
    for name in name_spans(own, language, NameSource.AUTO):
        assert own[name.start : name.stop] == name.text != ""
    return there
