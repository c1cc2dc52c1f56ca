"""The Spanish Snowball stemmer, before it learned unaccented ``-cion`` in 2024."""

import re

from tenbin.annotation.snowball.suffixes import Suffixes, regions

_VOWELS = "aeiouáéíóúü"
_REGION = re.compile(f"[^{_VOWELS}]*[{_VOWELS}]+[^{_VOWELS}]")
_TO_RV = re.compile(
    f"[{_VOWELS}](?:[^{_VOWELS}]+[{_VOWELS}]|[{_VOWELS}]+[^{_VOWELS}])"
    f"|[^{_VOWELS}](?:[^{_VOWELS}]+[{_VOWELS}]|[{_VOWELS}].)",
    re.DOTALL,
)
_PLAIN = str.maketrans("áéíóú", "aeiou")
_PRONOUN = Suffixes("me se sela selo selas selos la le lo las les los nos")
_BEFORE_PRONOUN = Suffixes("iéndo ándo ár ér ír ando iendo ar er ir yendo")
_NOUN_LIKE = frozenset(
    "anza anzas ico ica icos icas ismo ismos able ables ible ibles ista istas oso osa osos osas "
    "amiento amientos imiento imientos".split()
)
_AFTER_IC = frozenset(
    "adora ador ación adoras adores aciones ante antes ancia ancias".split()
)
_REPLACED = {
    "logía": "log", "logías": "log", "ución": "u", "uciones": "u", "encia": "ente",
    "encias": "ente",
}  # fmt: skip
_STANDARD = Suffixes(
    [
        *_NOUN_LIKE,
        *_AFTER_IC,
        *_REPLACED,
        *"amente mente idad idades iva ivo ivas ivos".split(),
    ]
)
_Y_VERB = Suffixes("ya ye yan yen yeron yendo yo yó yas yes yais yamos")
_E_VERB = frozenset("en es éis emos".split())
_VERB = Suffixes(
    "en es éis emos arían arías arán arás aríais aría aréis aríamos aremos ará aré erían erías erán "
    "erás eríais ería eréis eríamos eremos erá eré irían irías irán irás iríais iría iréis iríamos "
    "iremos irá iré aba ada ida ía ara iera ad ed id ase iese aste iste an aban ían aran ieran asen "
    "iesen aron ieron ado ido ando iendo ió ar er ir as abas adas idas ías aras ieras ases ieses ís "
    "áis abais íais arais ierais aseis ieseis asteis isteis ados idos amos ábamos íamos imos áramos "
    "iéramos iésemos ásemos"
)
_RESIDUE = Suffixes("os a o á í ó e é")


def stem(word: str) -> str:
    """Return the stem of a lower-cased Spanish word.

    >>> stem("canciones"), stem("rápidamente"), stem("dándoselo")
    ('cancion', 'rapid', 'dand')
    """
    vowel = _TO_RV.match(word)
    rv = len(word) if vowel is None else vowel.end()
    r1, r2 = regions(word, _REGION)
    word = _without_pronoun(word, rv)
    for step in (_without_standard(word, r1, r2), _without_verb(word, rv)):
        if step is not None:
            word = step
            break
    return _without_residue(word, rv).translate(_PLAIN)


def _without_pronoun(word: str, rv: int) -> str:
    pronoun = _PRONOUN.longest(word)
    if not pronoun:
        return word
    rest = word[: len(word) - len(pronoun)]
    before = _BEFORE_PRONOUN.longest(rest)
    start = len(rest) - len(before)
    if not before or start < rv:
        return word
    if before == "yendo":
        return rest if rest[:start].endswith("u") else word
    return rest[:start] + before.translate(_PLAIN)


def _without_standard(word: str, r1: int, r2: int) -> str | None:
    ending = _STANDARD.longest(word)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < (r1 if ending == "amente" else r2):
        return None
    if ending in _NOUN_LIKE:
        return rest
    if ending in _REPLACED:
        return rest + _REPLACED[ending]
    if ending in _AFTER_IC:
        return _dropped(rest, r2, "ic")
    if ending == "amente":
        shorter = _dropped(rest, r2, "iv", "os", "ic", "ad")
        was_iv = shorter != rest and rest.endswith("iv")
        return _dropped(shorter, r2, "at") if was_iv else shorter
    if ending == "mente":
        return _dropped(rest, r2, "ante", "able", "ible")
    if ending in {"idad", "idades"}:
        return _dropped(rest, r2, "abil", "ic", "iv")
    return _dropped(rest, r2, "at")


def _dropped(word: str, start: int, *endings: str) -> str:
    """Return the word without one of the endings, if that lies behind ``start``."""
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= start:
            return word.removesuffix(ending)
    return word


def _without_verb(word: str, rv: int) -> str | None:
    ending = _Y_VERB.longest(word, rv)
    rest = word[: len(word) - len(ending)]
    if ending and rest.endswith("u"):
        return rest
    ending = _VERB.longest(word, rv)
    if not ending:
        return None
    rest = word[: len(word) - len(ending)]
    return rest[:-1] if ending in _E_VERB and rest.endswith("gu") else rest


def _without_residue(word: str, rv: int) -> str:
    ending = _RESIDUE.longest(word)
    rest = word[: len(word) - len(ending)]
    if not ending or len(rest) < rv:
        return word
    if ending in {"e", "é"} and rest.endswith("gu") and len(rest) - 1 >= rv:
        return rest[:-1]
    return rest
