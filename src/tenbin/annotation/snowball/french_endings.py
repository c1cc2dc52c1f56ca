"""The derivational endings of French, for its stemmer."""

from collections.abc import Callable
from typing import NamedTuple

from tenbin.annotation.snowball.suffixes import Suffixes
from tenbin.resources.stem_suffixes import load_stem_suffixes

VOWELS = "aeiouyâàëéêèïîôûù"


class Starts(NamedTuple):
    """Where the regions of a word begin."""

    rv: int
    r1: int
    r2: int


# What is before the ending, what the ending may be replaced by, where the regions begin.
_Cut = Callable[[str, str, Starts], str | None]


def without_derivation(word: str, starts: Starts) -> str | None:
    """Return the word without its derivational ending; None if it has none or may not lose it."""
    ending = _ENDS.longest(word)
    if not ending:
        return None
    group = _GROUP_OF[ending]
    return _CUTS[group](word[: len(word) - len(ending)], _GROUPS[group][ending], starts)


def without_adverb(word: str, starts: Starts) -> str | None:
    """Return an adverb without ``-ment``; None if it is none or may not lose it.

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
_GROUPS = load_stem_suffixes("fr")
_GROUP_OF = {suffix: group for group in _CUTS for suffix in _GROUPS[group]}
_ENDS = Suffixes(_GROUP_OF)
