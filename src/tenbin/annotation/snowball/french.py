"""The French Snowball stemmer, before it learned the diaeresis."""

import re

from tenbin.annotation.snowball.french_endings import (
    VOWELS,
    Starts,
    without_adverb,
    without_derivation,
)
from tenbin.annotation.snowball.suffixes import Suffixes, regions
from tenbin.resources.stem_suffixes import load_stem_suffixes

_REGION = re.compile(f"[^{VOWELS}]*[{VOWELS}]+[^{VOWELS}]")
_TO_RV = re.compile(f"[{VOWELS}]{{2}}.|par|col|tap|.[^{VOWELS}]*[{VOWELS}]", re.DOTALL)
_TO_MARK = re.compile("[iuy]")
_ACCENTED_END = re.compile(f"[éè](?=[^{VOWELS}]+$)")
_SMALL = str.maketrans("IUY", "iuy")
_KEPT_BEFORE_S = tuple("aiouès")

_GROUPS = load_stem_suffixes("fr")
_A_VERB = _GROUPS["a verb"]
_RESIDUE = _GROUPS["residue"]
_I_VERB_ENDS = Suffixes(_GROUPS["i verb"])
_VERB_ENDS = Suffixes(_GROUPS["verb"], _A_VERB)
_RESIDUE_ENDS = Suffixes(_RESIDUE)
_DOUBLED = tuple(_GROUPS["doubled"])


def stem(word: str) -> str:
    """Return the stem of a lower-cased French word.

    >>> stem("continuellement"), stem("chevaux"), stem("mangeaient")
    ('continuel', 'cheval', 'mang')
    """
    word = _marked(word)
    vowel = _TO_RV.match(word)
    rv = len(word) if vowel is None else vowel.end()
    word = _without_ending(word, Starts(rv, *regions(word, _REGION)))
    if word.endswith(_DOUBLED):
        word = word[:-1]
    return _ACCENTED_END.sub("e", word).translate(_SMALL)


def _marked(word: str) -> str:
    """Return the word with those i, u and y in capitals that are no vowels."""
    if _TO_MARK.search(word) is None:
        return word
    letters = [*word, " ", " "]
    for place, letter in enumerate(word):
        # The letter itself may have been marked one step before.
        following = letters[place + 1]
        if letters[place] in VOWELS and (
            following == "y" or (following in {"u", "i"} and letters[place + 2] in VOWELS)
        ):
            letters[place + 1] = following.upper()
        if letters[place] == "y" and letters[place + 1] in VOWELS:
            letters[place] = "Y"
        if letter == "q" and following == "u":
            letters[place + 1] = "U"
    return "".join(letters[:-2])


def _without_ending(word: str, starts: Starts) -> str:
    shorter = without_derivation(word, starts)
    if shorter is None:
        word = without_adverb(word, starts) or word
        shorter = _without_verb(word, starts)
    if shorter is None:
        return _without_residue(word, starts)
    if shorter.endswith("Y"):
        return f"{shorter[:-1]}i"
    return f"{shorter[:-1]}c" if shorter.endswith("ç") else shorter


def _without_verb(word: str, starts: Starts) -> str | None:
    rv = starts.rv
    ending = _I_VERB_ENDS.longest(word, rv)
    rest = word[: len(word) - len(ending)]
    if ending and len(rest) > rv and rest[-1] not in VOWELS:
        return rest
    ending = _VERB_ENDS.longest(word, rv)
    rest = word[: len(word) - len(ending)]
    if not ending or (ending == "ions" and len(rest) < starts.r2):
        return None
    return rest[:-1] if ending in _A_VERB and len(rest) > rv and rest.endswith("e") else rest


def _without_residue(word: str, starts: Starts) -> str:
    if word.endswith("s") and len(word) > 1 and not word[:-1].endswith(_KEPT_BEFORE_S):
        word = word[:-1]
    ending = _RESIDUE_ENDS.longest(word, starts.rv)
    if not ending:
        return word
    rest = word[: len(word) - len(ending)]
    inside = rest[starts.rv :]
    if ending == "ion" and not (len(rest) >= starts.r2 and inside.endswith(("s", "t"))):
        return word
    if ending == "ë" and not inside.endswith("gu"):
        return word
    return rest + _RESIDUE[ending]
