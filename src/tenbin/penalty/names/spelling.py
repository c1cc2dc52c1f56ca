"""Spellings of one name: transcriptions into Latin letters and into katakana.

Transcriptions of a foreign name differ in vowels, in doubled letters and in how a sound is written
(Netanyahu, Netanjahu; ヴェネツィア, ベネチア). Another consonant is another name
(Hansen, Jansen).
"""

import re
import unicodedata
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from tenbin.penalty.names.lists import kanji_variants

# One letter for the ways to write a sound, in this order.
_SOUNDS = (
    ("tsch", "c"),
    ("tch", "c"),
    ("sch", "s"),
    ("sh", "s"),
    ("ch", "c"),
    ("ph", "f"),
    ("ck", "k"),
    ("dt", "t"),
    ("tz", "z"),
    ("ts", "z"),
    ("cz", "z"),
    ("x", "ks"),
    ("q", "k"),
    ("c", "k"),
    ("z", "s"),
    ("w", "v"),
    ("y", "i"),
    ("j", "i"),
    ("ae", "e"),
    ("oe", "o"),
    ("ue", "u"),
    ("ou", "u"),
    ("ee", "i"),
)
_DOUBLED = re.compile(r"(.)\1+")
_VOWELS = frozenset("aeiou")
# Vowels that transcriptions confuse.
_NEAR_VOWELS = frozenset(("ei", "ie", "ou", "uo", "ae", "ea"))
# Letters that only make a form of a name: Texas, Texan; the Millers.
_FORM_ENDINGS = frozenset("nsiyre")
# Maria, Mario: another person.
_GENDER = frozenset("ao")
_SUFFIXES = frozenset(
    ("s", "n", "an", "ian", "i", "ia", "er", "ers", "in", "e", "ns", "ans", "ish")
)
_SHORTEST = 4
_SHORT_NAME, _ALIKE, _ALIKE_LONG = 7, 0.8, 0.7

_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc・=\u2010\u2212-]+")
_KANJI = re.compile("[\u3400-\u9fff]")
# Characters of one family name that are written for each other.
_CONFUSED = str.maketrans("斎", "斉")
_LATIN = re.compile("[a-z]+")
_NO_SOUND = re.compile("[・=\u2010\u2212ーッ -]")
_SMALL = str.maketrans("ァィゥェォャュョヮヂヅヲヱヰ", "アイウエオヤユヨワジズオエイ")
_VU = ("ヴァ", "ヴィ", "ヴェ", "ヴォ", "ヴュ", "ヴ"), ("バ", "ビ", "ベ", "ボ", "ビュ", "ブ")
_WA = ("ヴァ", "ヴィ", "ヴェ", "ヴォ"), ("ワ", "ウィ", "ウェ", "ウォ")
_OLD = (
    ("ツィ", "ティ", "ディ", "トゥ", "ドゥ", "テュ", "フュ", "シェ", "ジェ", "チェ"),
    ("チ", "チ", "ジ", "ツ", "ズ", "チュ", "ヒュ", "セ", "ゼ", "チ"),
)
_ROWS = {
    "k": "カキクケコ",
    "g": "ガギグゲゴ",
    "s": "サシスセソザジズゼゾ",
    "t": "タテトチツ",
    "d": "ダデド",
    "n": "ナニヌネノン",
    "h": "ハヒヘホ",
    "f": "フ",
    "b": "バビブベボヴ",
    "p": "パピプペポ",
    "m": "マミムメモ",
    "r": "ラリルレロ",
}
_CONSONANTS = {kana: letter for letter, row in _ROWS.items() for kana in row}
# As katakana writes the letters of a name.
_HEARD: tuple[tuple[str, str], ...] = (
    ("[aeiou]r$", ""),
    ("th", "s"),
    ("c(?=[eiy])", "s"),
    ("c", "k"),
    ("ph", "f"),
    ("sh|sch", "s"),
    ("x", "ks"),
    ("q", "k"),
    ("l", "r"),
    ("v", "b"),
    ("[zj]", "s"),
    ("g(?=[ei])", "s"),
    ("[aeiouyw]|(?<=.)h", ""),
)
_NEAR_SOUNDS = frozenset(("st", "ts", "hk", "kh", "hf", "fh"))
_FEWEST_CONSONANTS = 2


@lru_cache(maxsize=50_000)
def sounded(form: str) -> str:
    """Return a name in small Latin letters with one letter for each sound.

    >>> sounded("netanjahu") == sounded("netanyahu"), sounded("schapps") == sounded("shapps")
    (True, True)
    """
    heard = form
    for written, sound in _SOUNDS:
        heard = heard.replace(written, sound)
    # A silent h, but not the first sound.
    return _DOUBLED.sub(r"\1", heard[:1] + heard[1:].replace("h", ""))


def first_sound(form: str) -> str:
    """Return the class of sounds that all spellings of a name begin with, by `is_transcription`.

    >>> first_sound("qaddafi") == first_sound("gaddafi"), first_sound("ali") == first_sound("eli")
    (True, True)
    """
    heard = sounded(form)
    if len(heard) <= 1:
        return ""
    first = heard[0]
    return "a" if first in _VOWELS else "k" if first == "g" else first


def is_transcription(form: str, other: str) -> bool:
    """Return whether two names in small Latin letters are spellings of one.

    >>> is_transcription("tolstoy", "tolstoi"), is_transcription("mohammed", "muhammad")
    (True, True)
    >>> is_transcription("hansen", "jansen"), is_transcription("maria", "mario")
    (False, False)
    """
    own, yours = sounded(form), sounded(other)
    if own == yours:
        return True
    first, last = sorted((own, yours), key=len)
    if last.startswith(first):
        rest = last[len(first) :]
        declined = rest == "a" and len(first) >= _SHORT_NAME
        return len(first) >= _SHORTEST and (declined or rest in _SUFFIXES)
    longer = max(len(form), len(other))
    least = _ALIKE_LONG if longer >= _SHORT_NAME else _ALIKE
    if Levenshtein.normalized_similarity(form, other) < least:
        return False
    if {own[:1], yours[:1]} == {"k", "g"} and {form[:1], other[:1]} == {"q", "g"}:
        own, yours = own[1:], yours[1:]  # Qaddafi, Gaddafi
    steps = Levenshtein.editops(own, yours)
    return all(_is_slight(one.tag, one.src_pos, one.dest_pos, own, yours) for one in steps)


def _is_slight(kind: str, at: int, to: int, own: str, other: str) -> bool:
    """Return whether a step from one spelling to the other leaves the name the same."""
    if kind == "replace":
        last = at == len(own) - 1 and to == len(other) - 1
        return own[at] + other[to] in _NEAR_VOWELS or (last and _are_endings(own[at], other[to]))
    text, place = (own, at) if kind == "delete" else (other, to)
    letter = text[place]
    if place == len(text) - 1:
        return letter in _FORM_ENDINGS
    return letter in _VOWELS and place > 0


def _are_endings(one: str, other: str) -> bool:
    return {one, other} <= _FORM_ENDINGS | _VOWELS and {one, other} != _GENDER


def other_accents(name: str, other: str) -> bool:
    """Return whether two names have different accents on different letters: Müller, Möller."""
    own, yours = (unicodedata.normalize("NFC", one.casefold()) for one in (name, other))
    if own.isascii() or yours.isascii() or len(own) != len(yours):
        return False
    pairs = [(one, two) for one, two in zip(own, yours, strict=True) if one != two]
    plain = (unicodedata.normalize("NFD", "".join(pair))[0::2] for pair in pairs)
    return any(
        not one.isascii() and not two.isascii() and base[0] != base[-1]
        for (one, two), base in zip(pairs, plain, strict=True)
    )


def other_kanji(name: str, other: str) -> bool:
    """Return whether each of two names has a kanji that the other lacks: 渡辺, 渡部.

    >>> other_kanji("渡辺", "渡部"), other_kanji("渡邊", "渡辺"), other_kanji("一郎", "いち郎")
    (True, False, False)
    """
    own, yours = (
        set(_KANJI.findall(one.translate(kanji_variants()).translate(_CONFUSED)))
        for one in (name, other)
    )
    return bool(own - yours and yours - own)


@lru_cache(maxsize=50_000)
def katakana_forms(name: str) -> frozenset[str]:
    """Return a name in katakana without what its spellings differ in; nothing if it has others.

    >>> bool(katakana_forms("ヴェネツィア") & katakana_forms("ベネチア"))
    True
    >>> bool(katakana_forms("コンピューター") & katakana_forms("コンピュータ"))
    True
    """
    plain = unicodedata.normalize("NFKC", name)
    if not _KATAKANA.fullmatch(plain):
        return frozenset()
    spelled = [_replaced(plain, *_VU), _replaced(plain, *_WA)]
    spelled += [_replaced(one, *_OLD) for one in spelled]
    return frozenset(_NO_SOUND.sub("", one.translate(_SMALL)) for one in spelled) - {""}


def _replaced(text: str, written: tuple[str, ...], usual: tuple[str, ...]) -> str:
    for one, other in zip(written, usual, strict=True):
        text = text.replace(one, other)
    return text


def is_heard_alike(name: str, other: str) -> bool:
    """Return whether two names in katakana are spellings of one, with the same consonants or near.

    >>> is_heard_alike("イグナシオ", "イグナチオ"), is_heard_alike("アンナ", "ハンナ")
    (True, False)
    """
    if katakana_forms(name) & katakana_forms(other):
        return True
    if Levenshtein.normalized_similarity(name, other) < _ALIKE:
        return False
    own, yours = _skeleton(name), _skeleton(other)
    return all(
        _is_near(
            one.tag, own[one.src_pos : one.src_pos + 1], yours[one.dest_pos : one.dest_pos + 1]
        )
        for one in Levenshtein.editops(own, yours)
    )


def _is_near(kind: str, one: str, other: str) -> bool:
    return one + other in _NEAR_SOUNDS if kind == "replace" else "r" in {one, other}


def _skeleton(name: str) -> str:
    kana = _replaced(unicodedata.normalize("NFKC", name), *_VU).translate(_SMALL)
    return _DOUBLED.sub(r"\1", "".join(_CONSONANTS.get(one, "") for one in kana))


@lru_cache(maxsize=50_000)
def consonants(name: str) -> str:
    """Return the consonants of a name in katakana or Latin letters; empty for fewer than two.

    >>> consonants("スミス") == consonants("Smith"), consonants("セレステ") == consonants("Celeste")
    (True, True)
    """
    plain = unicodedata.normalize("NFKC", name)
    if _KATAKANA.fullmatch(plain):
        letters = _skeleton(plain)
    elif _LATIN.fullmatch(plain.lower()):
        letters = _DOUBLED.sub(r"\1", plain.lower())
        for pattern, sound in _HEARD:
            letters = re.sub(pattern, sound, letters)
    else:
        return ""
    letters = _DOUBLED.sub(r"\1", letters)
    return letters if len(letters) >= _FEWEST_CONSONANTS else ""
