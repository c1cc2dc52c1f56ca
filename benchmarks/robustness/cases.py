"""Pairs of a good translation and a damaged one, made from real texts by rules.

The good translation is never the reference itself: a second reference, or the output of a good
system. What is damaged is that translation, so that the two differ in the damage alone. A rule
applies where it surely makes the text worse: a number or a name is replaced if the reference has
it too, a negation is added or removed if both texts have equally many.
"""

import random
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

_NAMES = Path(__file__).with_name("names.txt")
_LEAST_WORDS = 6
_NUMBER = re.compile(r"(?<![\w.,])\d[\d,.]*\d|(?<![\w.,])\d(?![\w])")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
_VERB = re.compile(r"\b(is|are|was|were|will|would|can|could|should|must|has|have|had|does|did)\b")
_NEGATIVE = re.compile(r"\b(?:not|no|never|none|nobody|nothing|without|cannot)\b|n['’]t\b", re.I)


class Damage(StrEnum):
    """What is done to a translation."""

    EMPTY = "empty"
    SOURCE = "copied source"
    LANGUAGE = "wrong language"
    REPEATED = "repeated"
    TRUNCATED = "truncated"
    NUMBER = "wrong number"
    NAME = "wrong name"
    NEGATION = "negation"
    SHUFFLED = "shuffled words"


class Text(NamedTuple):
    """A segment that cases are made of.

    Attributes:
        source: What was translated.
        translation: A good translation.
        reference: Another one, which scores are computed with.
        foreign: A text in a third language.
    """

    source: str
    translation: str
    reference: str
    foreign: str


class Case(NamedTuple):
    """A good translation, the same damaged, and the reference."""

    good: str
    damaged: str
    reference: str


Rule = Callable[[Text, random.Random], str | None]


def cases(texts: list[Text], damage: Damage, count: int, seed: int) -> list[Case]:
    """Return up to so many cases of one kind; texts are drawn once each.

    Args:
        texts: Where they come from.
        damage: What is done to them.
        count: How many.
        seed: Of the draws.
    """
    rng = random.Random(f"{seed} {damage}")  # noqa: S311 - no secret
    order = rng.sample(texts, len(texts))
    found: list[Case] = []
    for text in order:
        if len(found) == count:
            break
        if len(text.translation.split()) < _LEAST_WORDS or text.translation == text.reference:
            continue
        damaged = _RULES[damage](text, rng)
        if damaged is not None and damaged.strip() != text.translation.strip():
            found.append(Case(text.translation, damaged, text.reference))
    return found


def read_texts(data: Path) -> list[Text]:
    """Return the segments of WMT into English that have two good translations.

    Args:
        data: A folder of test sets in the layout of mt-metrics-eval.
    """
    chosen = (
        ("wmt23", "he-en", "references/he-en.refB.txt", "refA"),
        ("wmt23", "he-en", "system-outputs/he-en/GPT4-5shot.txt", "refA"),
        ("wmt22", "de-en", "references/de-en.refB.txt", "refA"),
        ("wmt22", "cs-en", "references/cs-en.refC.txt", "refB"),
    )
    foreign = [
        line
        for language in ("es", "is", "cs")
        for line in _lines(data / "wmt24" / "references" / f"en-{language}.refA.txt")
    ]
    found = []
    for name, pair, translations, reference in chosen:
        columns = (
            _lines(data / name / "sources" / f"{pair}.txt"),
            _lines(data / name / translations),
            _lines(data / name / "references" / f"{pair}.{reference}.txt"),
        )
        for number, (source, translation, other) in enumerate(zip(*columns, strict=True)):
            found.append(Text(source, translation, other, foreign[number % len(foreign)]))
    return found


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def _emptied(_text: Text, _rng: random.Random) -> str:
    return ""


def _source(text: Text, _rng: random.Random) -> str:
    return text.source


def _foreign(text: Text, _rng: random.Random) -> str:
    return text.foreign


def _repeated(text: Text, rng: random.Random) -> str:
    words = text.translation.split()
    if rng.random() < 0.5:
        return " ".join([*words, *words])
    # The end again and again, as systems do that got stuck.
    length = rng.randint(2, 4)
    return " ".join([*words, *words[-length:] * rng.randint(2, 4)])


def _truncated(text: Text, rng: random.Random) -> str:
    words = text.translation.split()
    return " ".join(words[: max(int(len(words) * rng.uniform(0.3, 0.7)), 1)])


def _wrong_number(text: Text, rng: random.Random) -> str | None:
    shared = [one for one in _NUMBER.finditer(text.translation) if one.group() in text.reference]
    if not shared:
        return None
    one = rng.choice(shared)
    digits = [place for place, sign in enumerate(one.group()) if sign.isdigit()]
    place, changed = rng.choice(digits), list(one.group())
    others = [digit for digit in "123456789" if digit != changed[place]]
    changed[place] = rng.choice(others)
    return text.translation[: one.start()] + "".join(changed) + text.translation[one.end() :]


def _wrong_name(text: Text, rng: random.Random) -> str | None:
    shared = [one for one in _NAME.finditer(text.translation) if one.group() in text.reference]
    if not shared:
        return None
    one = rng.choice(shared)
    names = [name for name in _lines(_NAMES) if name not in text.reference]
    return text.translation[: one.start()] + rng.choice(names) + text.translation[one.end() :]


def _negated(text: Text, rng: random.Random) -> str | None:
    own, other = (len(_NEGATIVE.findall(one)) for one in (text.translation, text.reference))
    if own != other:
        return None
    removed = list(re.finditer(r" not\b", text.translation))
    if removed:
        one = rng.choice(removed)
        return text.translation[: one.start()] + text.translation[one.end() :]
    verbs = list(_VERB.finditer(text.translation))
    if own or not verbs:
        return None
    one = rng.choice(verbs)
    return text.translation[: one.end()] + " not" + text.translation[one.end() :]


def _shuffled(text: Text, rng: random.Random) -> str:
    words = text.translation.split()
    return " ".join(rng.sample(words, len(words)))


_RULES: dict[Damage, Rule] = {
    Damage.EMPTY: _emptied,
    Damage.SOURCE: _source,
    Damage.LANGUAGE: _foreign,
    Damage.REPEATED: _repeated,
    Damage.TRUNCATED: _truncated,
    Damage.NUMBER: _wrong_number,
    Damage.NAME: _wrong_name,
    Damage.NEGATION: _negated,
    Damage.SHUFFLED: _shuffled,
}


def all_cases(texts: list[Text], count: int, seed: int) -> Iterator[tuple[Damage, list[Case]]]:
    """Yield the cases of each kind."""
    for damage in Damage:
        yield damage, cases(texts, damage, count, seed)
