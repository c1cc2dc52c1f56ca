"""The Russian Snowball stemmer, before it read ё as е."""

import re
from collections.abc import Container

from tenbin.annotation.snowball.suffixes import Suffixes
from tenbin.resources.stem_suffixes import load_stem_suffixes

_VOWELS = "аеиоуыэюя"
_TO_RV = re.compile(f"[^{_VOWELS}]*[{_VOWELS}]")
_TO_R2 = re.compile(f"[{_VOWELS}]*[^{_VOWELS}]+[{_VOWELS}]+[^{_VOWELS}]")
_AFTER_A = ("а", "я")

_GROUPS = load_stem_suffixes("ru")
_GERUND_ENDS = Suffixes(_GROUPS["gerund"], _GROUPS["gerund after a"])
_ADJECTIVE_ENDS = Suffixes(_GROUPS["adjective"])
_PARTICIPLE_ENDS = Suffixes(_GROUPS["participle"], _GROUPS["participle after a"])
_VERB_ENDS = Suffixes(_GROUPS["verb"], _GROUPS["verb after a"])
_NOUN_ENDS = Suffixes(_GROUPS["noun"])
_OST_ENDS = Suffixes(["ост", "ость"])
_SUPERLATIVE_ENDS = Suffixes(["ейш", "ейше"])


def stem(word: str) -> str:
    """Return the stem of a lower-cased Russian word.

    >>> stem("важнейшими"), stem("кошками"), stem("прочитавшись")
    ('важн', 'кошк', 'прочита')
    """
    vowel = _TO_RV.match(word)
    if vowel is None:
        return word
    rv = vowel.end()
    second = _TO_R2.match(word, rv)
    r2 = len(word) if second is None else second.end()
    word = _without_inflection(word, rv)
    if len(word) > rv:
        word = word.removesuffix("и")
    ending = _OST_ENDS.longest(word, rv)
    if ending and len(word) - len(ending) >= r2:
        word = word[: len(word) - len(ending)]
    return _tidied(word, rv)


def _without_inflection(word: str, rv: int) -> str:
    shorter = _cut(word, rv, _GERUND_ENDS, _GROUPS["gerund after a"])
    if shorter is not None:
        return shorter
    if len(word) - 2 >= rv and word.endswith(("ся", "сь")):
        word = word[:-2]
    shorter = _cut(word, rv, _ADJECTIVE_ENDS)
    if shorter is not None:
        participle = _cut(shorter, rv, _PARTICIPLE_ENDS, _GROUPS["participle after a"])
        return shorter if participle is None else participle
    shorter = _cut(word, rv, _VERB_ENDS, _GROUPS["verb after a"])
    if shorter is None:
        shorter = _cut(word, rv, _NOUN_ENDS)
    return word if shorter is None else shorter


def _cut(word: str, rv: int, endings: Suffixes, after_a: Container[str] = ()) -> str | None:
    """Return the word without its longest ending; None if it has none or may not lose it."""
    ending = endings.longest(word, rv)
    if not ending:
        return None
    rest = word[: len(word) - len(ending)]
    if ending in after_a and not (len(rest) > rv and rest.endswith(_AFTER_A)):
        return None
    return rest


def _tidied(word: str, rv: int) -> str:
    superlative = _SUPERLATIVE_ENDS.longest(word, rv)
    word = word[: len(word) - len(superlative)]
    inside = word[rv:]
    if inside.endswith("нн") or (inside.endswith("ь") and not superlative):
        return word[:-1]
    return word
