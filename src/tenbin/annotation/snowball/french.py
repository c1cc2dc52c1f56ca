"""The French Snowball stemmer, before it learned the diaeresis."""

import re
from collections.abc import Callable
from typing import NamedTuple

from tenbin.annotation.snowball.suffixes import Suffixes, regions
from tenbin.resources.stem_suffixes import load_stem_suffixes

VOWELS = "aeiouyâàëéêèïîôûù"
_REGION = re.compile(f"[^{VOWELS}]*[{VOWELS}]+[^{VOWELS}]")
_TO_RV = re.compile(f"[{VOWELS}]{{2}}.|par|col|tap|.[^{VOWELS}]*[{VOWELS}]", re.DOTALL)
_SEMIVOWEL = re.compile("[iuy]")
_ACCENTED_END = re.compile(f"[éè](?=[^{VOWELS}]+$)")
_LOWER = str.maketrans("IUY", "iuy")
_S_STAYS_AFTER = tuple("aiouès")

_GROUPS = load_stem_suffixes("fr")
_A_VERB = _GROUPS["a verb"]
_RESIDUE = _GROUPS["residue"]
_I_VERB_ENDS = Suffixes(_GROUPS["i verb"])
_VERB_ENDS = Suffixes(_GROUPS["verb"], _A_VERB)
_RESIDUE_ENDS = Suffixes(_RESIDUE)
_DOUBLED = tuple(_GROUPS["doubled"])


class Starts(NamedTuple):
    """Where the regions of a word begin."""

    rv: int
    r1: int
    r2: int


# What is before the ending, what the ending may be replaced by, where the regions begin.
_Cut = Callable[[str, str, Starts], str | None]


def without_derivation(word: str, starts: Starts) -> str | None:
    """Return the word without its derivational ending; None if none can be removed."""
    ending = _ENDS.longest(word)
    if not ending:
        return None
    group = _GROUP_OF[ending]
    return _CUTS[group](word[: len(word) - len(ending)], _GROUPS[group][ending], starts)


def without_adverb(word: str, starts: Starts) -> str | None:
    """Return an adverb without ``-ment``; None if it cannot be removed.

    The rest may still be a verb form, unlike after other derivational endings.
    """
    ending = _ENDS.longest(word)
    rest = word[: len(word) - len(ending)]
    if ending in _GROUPS["amment"]:
        return rest + _GROUPS["amment"][ending] if len(rest) >= starts.rv else None
    cut = ending in _GROUPS["ment"] and len(rest) > starts.rv and rest[-1] in VOWELS
    return rest if cut else None


def _in_r2(rest: str, replacement: str, starts: Starts) -> str | None:
    return rest + replacement if len(rest) >= starts.r2 else None


def _in_r1(rest: str, replacement: str, starts: Starts) -> str | None:
    return rest + replacement if len(rest) >= starts.r1 else None


def _anywhere(rest: str, replacement: str, starts: Starts) -> str | None:  # noqa: ARG001
    return rest + replacement


def _never(rest: str, replacement: str, starts: Starts) -> str | None:  # noqa: ARG001
    return None


def _in_r2_or_r1(rest: str, replacement: str, starts: Starts) -> str | None:
    return rest if len(rest) >= starts.r2 else _in_r1(rest, replacement, starts)


def _agent(rest: str, _: str, starts: Starts) -> str | None:
    return _without_ic(rest, starts) if len(rest) >= starts.r2 else None


def _without_ic(rest: str, starts: Starts) -> str:
    if not rest.endswith("ic"):
        return rest
    inner = rest[:-2]
    return inner if len(inner) >= starts.r2 else f"{inner}iqU"


def _issement(rest: str, _: str, starts: Starts) -> str | None:
    return rest if len(rest) >= starts.r1 and rest and rest[-1] not in VOWELS else None


def _ite(rest: str, _: str, starts: Starts) -> str | None:
    if len(rest) < starts.r2:
        return None
    if rest.endswith("abil"):
        inner = rest[:-4]
        return inner if len(inner) >= starts.r2 else f"{inner}abl"
    if rest.endswith("iv"):
        return rest[:-2] if len(rest) - 2 >= starts.r2 else rest
    return _without_ic(rest, starts)


def _if(rest: str, _: str, starts: Starts) -> str | None:
    if len(rest) < starts.r2:
        return None
    inner = rest[:-2]
    return _without_ic(inner, starts) if rest.endswith("at") and len(inner) >= starts.r2 else rest


def _ement(rest: str, _: str, starts: Starts) -> str | None:
    if len(rest) < starts.rv:
        return None
    inner = rest[:-3]
    if rest.endswith("eus"):
        return _in_r2_or_r1(inner, "eux", starts) or rest
    if rest.endswith(("abl", "iqU")):
        return inner if len(inner) >= starts.r2 else rest
    if rest.endswith(("ièr", "Ièr")):
        return f"{inner}i" if len(inner) >= starts.rv else rest
    return _without_iv(rest, starts)


def _without_iv(rest: str, starts: Starts) -> str:
    inner = rest[:-2]
    if not rest.endswith("iv") or len(inner) < starts.r2:
        return rest
    return inner.removesuffix("at") if len(inner) - 2 >= starts.r2 else inner


_CUTS: dict[str, _Cut] = {
    "plain": _in_r2,
    "agent": _agent,
    "replaced": _in_r2,
    "ement": _ement,
    "ité": _ite,
    "if": _if,
    "eaux": _anywhere,
    "aux": _in_r1,
    "euse": _in_r2_or_r1,
    "issement": _issement,
    "amment": _never,
    "ment": _never,
}
_GROUP_OF = {suffix: group for group in _CUTS for suffix in _GROUPS[group]}
_ENDS = Suffixes(_GROUP_OF)


def stem(word: str) -> str:
    """Return the stem of a lower-cased French word.

    >>> stem("continuellement"), stem("chevaux"), stem("mangeaient")
    ('continuel', 'cheval', 'mang')
    """
    word = _with_semivowels(word)
    vowel = _TO_RV.match(word)
    rv = len(word) if vowel is None else vowel.end()
    word = _without_ending(word, Starts(rv, *regions(word, _REGION)))
    if word.endswith(_DOUBLED):
        word = word[:-1]
    return _ACCENTED_END.sub("e", word).translate(_LOWER)


def _with_semivowels(word: str) -> str:
    """Return the word with an i, u or y in upper case where it is not a vowel."""
    if _SEMIVOWEL.search(word) is None:
        return word
    letters = [*word, " ", " "]
    for place, letter in enumerate(word):
        # The letter itself may have been changed one step before.
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
    if word.endswith("s") and len(word) > 1 and not word[:-1].endswith(_S_STAYS_AFTER):
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
