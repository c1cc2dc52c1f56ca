"""The Spanish Snowball stemmer, before it learned unaccented ``-cion``."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes, regions
from tenbin.resources.stem_suffixes import load_stem_suffixes

_VOWELS = "aeiouáéíóúü"
_REGION = re.compile(f"[^{_VOWELS}]*[{_VOWELS}]+[^{_VOWELS}]")
_TO_RV = re.compile(
    f"[{_VOWELS}](?:[^{_VOWELS}]+[{_VOWELS}]|[{_VOWELS}]+[^{_VOWELS}])"
    f"|[^{_VOWELS}](?:[^{_VOWELS}]+[{_VOWELS}]|[{_VOWELS}].)",
    re.DOTALL,
)
_FLAT = str.maketrans("áéíóú", "aeiou")

_GROUPS = load_stem_suffixes("es")
_STANDARD = ("plain", "agent", "replaced", "amente", "mente", "idad", "iva")
_GROUP_OF = {suffix: group for group in _STANDARD for suffix in _GROUPS[group]}
_BEFORE_PRONOUN = _GROUPS["before pronoun"]
_PRONOUN_ENDS = Suffixes(_GROUPS["pronoun"])
_BEFORE_PRONOUN_ENDS = Suffixes(_BEFORE_PRONOUN)
_STANDARD_ENDS = Suffixes(_GROUP_OF)
_Y_VERB_ENDS = Suffixes(_GROUPS["y verb"])
_E_VERB = _GROUPS["e verb"]
_VERB_ENDS = Suffixes(_GROUPS["verb"], _E_VERB)
_RESIDUE_ENDS = Suffixes(_GROUPS["residue"])
# What may be cut off as well once the ending of a group is gone.
_INNER = {
    "plain": Suffixes(),
    "agent": Suffixes(["ic"]),
    "amente": Suffixes(["iv", "os", "ic", "ad"]),
    "mente": Suffixes(["ante", "able", "ible"]),
    "idad": Suffixes(["abil", "ic", "iv"]),
    "iva": Suffixes(["at"]),
}


def stem(word: str) -> str:
    """Return the stem of a lower-cased Spanish word.

    >>> stem("canciones"), stem("rápidamente"), stem("comprándoselo")
    ('cancion', 'rapid', 'compr')
    """
    vowel = _TO_RV.match(word)
    rv = len(word) if vowel is None else vowel.end()
    r1, r2 = regions(word, _REGION)
    word = _without_pronoun(word, rv)
    shorter = _without_standard(word, r1, r2)
    if shorter is None:
        shorter = _without_verb(word, rv)
    return _without_residue(shorter, rv).translate(_FLAT)


def _without_pronoun(word: str, rv: int) -> str:
    pronoun = _PRONOUN_ENDS.longest(word)
    rest = word[: len(word) - len(pronoun)]
    before = _BEFORE_PRONOUN_ENDS.longest(rest) if pronoun else ""
    inner = rest[: len(rest) - len(before)]
    if not before or len(inner) < rv or (before == "yendo" and not inner.endswith("u")):
        return word
    return inner + _BEFORE_PRONOUN[before]


def _without_standard(word: str, r1: int, r2: int) -> str | None:
    ending = _STANDARD_ENDS.longest(word)
    if not ending:
        return None
    group = _GROUP_OF[ending]
    rest = word[: len(word) - len(ending)]
    if len(rest) < (r1 if group == "amente" else r2):
        return None
    if group == "replaced":
        return rest + _GROUPS[group][ending]
    inner = _INNER[group].longest(rest)
    if not inner or len(rest) - len(inner) < r2:
        return rest
    shorter = rest[: len(rest) - len(inner)]
    if group == "amente" and inner == "iv" and len(shorter) - 2 >= r2:
        return shorter.removesuffix("at")
    return shorter


def _without_verb(word: str, rv: int) -> str:
    ending = _Y_VERB_ENDS.longest(word, rv)
    rest = word[: len(word) - len(ending)]
    if ending and rest.endswith("u"):
        return rest
    ending = _VERB_ENDS.longest(word, rv)
    rest = word[: len(word) - len(ending)]
    return rest[:-1] if ending in _E_VERB and rest.endswith("gu") else rest


def _without_residue(word: str, rv: int) -> str:
    ending = _RESIDUE_ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < rv:
        return word
    if ending in {"e", "é"} and rest.endswith("gu") and len(rest) - 1 >= rv:
        return rest[:-1]
    return rest
