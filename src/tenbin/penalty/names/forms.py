"""Names in the form in which they are compared: readings in Japanese, else plain characters."""

import re
import unicodedata
from functools import lru_cache

from tenbin.penalty.names.common import common_names, place_groups
from tenbin.penalty.names.readings import kana_reading, readable
from tenbin.resources.lexicons.sudachi import load_sudachi
from tenbin.resources.lexicons.wordnet import load_wordnet

_PIECE_MARK = "##"
_LONGEST_NAME = 100
_WORD = re.compile(r"\w+")
# MPs: a code, and more than one of them.
_PLURAL_CODE = re.compile("[A-Z]{2,}s")
# B.B.C. and BBC.
_INITIAL = re.compile(r"\b(\w)\.(?=\w\b)")
# Of places in Chinese: 北京 and 北京市; in Japanese: 鹿児島 and 鹿児島県.
_DIVISIONS = ("市", "省", "县")
_JAPANESE_DIVISIONS = "都府県市区町村郡州"
_SHORTEST_DIVISION = 3
# Sudachi's kind of proper noun.
_PLACE = "地名"
_LONG = "ー"
# The vowel that a prolonged sound mark stands for, by the last vowel before it.
_ROWS = {
    "あ": "あかさたなはまやらわがざだばぱぁゃ",
    "い": "いきしちにひみりぎじぢびぴぃえけせてねへめれげぜでべぺぇ",
    "う": "うくすつぬふむゆるぐずづぶぷぅゅゔおこそとのほもよろをごぞどぼぽぉょ",
}
_VOWELS = {kana: vowel for vowel, row in _ROWS.items() for kana in row}


@lru_cache(maxsize=200_000)
def name_form(name: str, language: str) -> str:
    """Return a name as it is compared with others.

    Japanese: its reading in hiragana, long vowels as hiragana writes them. Chinese: as it is
    written, a place without the word for its kind. Other languages: without case and accents, which
    transcriptions leave out. No transliteration between scripts.

    >>> name_form("齊藤", "ja") == name_form("さいとう", "ja") == name_form("サイトー", "ja")
    True
    >>> name_form("MÜLLER", "de"), name_form("B.B.C.", "en")
    ('muller', 'bbc.')
    >>> name_form("北京市", "zh")
    '北京'
    """
    plain = unicodedata.normalize("NFKC", name.removeprefix(_PIECE_MARK))
    if language == "ja":
        return _without_marks(kana_reading(plain)).casefold()
    if language == "zh":
        divided = len(plain) >= _SHORTEST_DIVISION and plain.endswith(_DIVISIONS)
        return plain.removesuffix(plain[-1]).casefold() if divided else plain.casefold()
    if _PLURAL_CODE.fullmatch(plain):
        plain = plain.removesuffix("s")
    letters = unicodedata.normalize("NFD", _INITIAL.sub(r"\1", plain.casefold()))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _without_marks(reading: str) -> str:
    plain = ""
    for kana in reading.replace("・", "").replace(" ", ""):
        plain += _VOWELS.get(plain[-1:], "") if kana == _LONG and plain else kana
    return plain


@lru_cache(maxsize=50_000)
def text_form(text: str, language: str) -> str:
    """Return a whole text in the form of names, its words apart by blanks where it has words.

    >>> text_form("Smith’s dog, Rex.", "en")
    ' smith s dog rex '
    """
    if language == "zh":
        return unicodedata.normalize("NFKC", text).casefold()
    form = name_form(text, language)
    return form if language == "ja" else f" {' '.join(_WORD.findall(form))} "


@lru_cache(maxsize=50_000)
def name_groups(name: str, language: str) -> frozenset[int]:
    """Return the groups of names for the same thing: 国連 and 国際連合, China and Chinese.

    Japanese: synonyms of the Sudachi dictionary. English: places and peoples. Others: none.
    """
    if language == "en":
        return place_groups().get(name_form(name, language), frozenset())
    if language != "ja" or len(name) > _LONGEST_NAME:
        return frozenset()
    morphemes = load_sudachi().analyze(readable(name))
    return frozenset(morphemes[0].synonym_group_ids()) if len(morphemes) == 1 else frozenset()


def stands_undivided(name: str, text: str) -> bool:
    """Return whether a Japanese text has the name of a place without the word for its kind.

    >>> stands_undivided("長野県", "長野に行く"), stands_undivided("長野県", "長野市に行く")
    (True, False)
    """
    if len(name) < _SHORTEST_DIVISION or name[-1] not in _JAPANESE_DIVISIONS:
        return False
    return re.search(f"{re.escape(name[:-1])}(?![{_JAPANESE_DIVISIONS}])", text) is not None


@lru_cache(maxsize=50_000)
def known_things(name: str, language: str) -> frozenset[object]:
    """Return what a name is known to stand for; nothing where it is not known.

    English: concepts of WordNet. Japanese: a place by its usual spelling in the Sudachi dictionary,
    and the groups of `name_groups`. Others: nothing.

    >>> bool(known_things("Peking", "en") & known_things("Beijing", "en"))
    True
    >>> known_things("Zambia", "en") & known_things("Gambia", "en")
    frozenset()
    """
    if language == "en":
        form = name_form(name, language)
        return frozenset(load_wordnet().concepts(form) if form in common_names() else ())
    if language != "ja" or len(name) > _LONGEST_NAME:
        return frozenset()
    morphemes = load_sudachi().analyze(readable(name))
    if len(morphemes) != 1 or morphemes[0].part_of_speech()[2] != _PLACE:
        return frozenset()
    return frozenset((morphemes[0].normalized_form(), *morphemes[0].synonym_group_ids()))
