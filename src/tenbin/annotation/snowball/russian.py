"""The Russian Snowball stemmer, before it read ё as е in 2018."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes

_VOWELS = "аеиоуыэюя"
_TO_RV = re.compile(f"[^{_VOWELS}]*[{_VOWELS}]")
_TO_R2 = re.compile(
    f"[{_VOWELS}]*[^{_VOWELS}]+[{_VOWELS}]+[^{_VOWELS}]"
)
_AFTER_A = ("а", "я")
_GERUND_AFTER_A = frozenset("в вши вшись".split())
_GERUND = Suffixes([*_GERUND_AFTER_A, *"ив ивши ившись ыв ывши ывшись".split()])
_ADJECTIVE = Suffixes(
    "ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею"
)
_PARTICIPLE_AFTER_A = frozenset("ем нн вш ющ щ".split())
_PARTICIPLE = Suffixes([*_PARTICIPLE_AFTER_A, "ивш", "ывш", "ующ"])
_VERB_AFTER_A = frozenset("ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно".split())
_VERB = Suffixes(
    [
        *_VERB_AFTER_A,
        *"ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют".split(),
        *"ит ыт ены ить ыть ишь ую ю".split(),
    ]
)
_NOUN = Suffixes(
    "а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь ию "
    "ью ю ия ья я"
)


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
    for ending in ("ость", "ост"):
        if word.endswith(ending):
            start = len(word) - len(ending)
            word = word[:start] if start >= max(r2, rv) else word
            break
    return _tidied(word, rv)


def _without_inflection(word: str, rv: int) -> str:
    shorter = _cut(word, rv, _GERUND, _GERUND_AFTER_A)
    if shorter is not None:
        return shorter
    if len(word) - 2 >= rv and word.endswith(("ся", "сь")):
        word = word[:-2]
    shorter = _cut(word, rv, _ADJECTIVE)
    if shorter is not None:
        participle = _cut(shorter, rv, _PARTICIPLE, _PARTICIPLE_AFTER_A)
        return shorter if participle is None else participle
    for endings, after_a in ((_VERB, _VERB_AFTER_A), (_NOUN, frozenset[str]())):
        shorter = _cut(word, rv, endings, after_a)
        if shorter is not None:
            return shorter
    return word


def _cut(
    word: str, rv: int, endings: Suffixes, after_a: frozenset[str] = frozenset()
) -> str | None:
    """Return the word without its longest ending; None if it has none or may not lose it."""
    ending = endings.longest(word, rv)
    if not ending:
        return None
    rest = word[: len(word) - len(ending)]
    if ending in after_a and not (len(rest) > rv and rest.endswith(_AFTER_A)):
        return None
    return rest


def _tidied(word: str, rv: int) -> str:
    inside = word[rv:]
    for ending in ("ейше", "ейш"):
        if inside.endswith(ending):
            word = word.removesuffix(ending)
            inside = word[rv:]
            return word[:-1] if inside.endswith("нн") else word
    if inside.endswith("нн") or inside.endswith("ь"):
        return word[:-1]
    return word
