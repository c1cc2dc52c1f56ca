"""Names in the form in which they are compared: readings, spellings and initials."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from tenbin.penalty.names.lists import common_names, kanji_variants, place_groups
from tenbin.resources.lexicons.sudachi import LONGEST_WORD, bounded_parts, load_sudachi
from tenbin.resources.lexicons.wordnet import load_wordnet

# Katakana ァ to ヶ lie 0x60 above hiragana; the prolonged sound mark ー has no hiragana.
_FIRST, _LAST, _DISTANCE = 0x30A1, 0x30F6, 0x60
_HIRAGANA = {code: code - _DISTANCE for code in range(_FIRST, _LAST + 1)}
_CONTINUATION = "##"  # prefix of a subword inside a word
_LONGEST_NAME = 100
_WORD = re.compile(r"\w+")
# The plural of an abbreviation: MPs.
_PLURAL_CODE = re.compile("[A-Z]{2,}s")
# B.B.C. and BBC.
_INITIAL = re.compile(r"\b(\w)\.(?=\w\b)")
# Of places in Chinese: 北京 and 北京市; in Japanese: 鹿児島 and 鹿児島県.
_DIVISIONS = ("市", "省", "县")
_JAPANESE_DIVISIONS = "都府県市区町村郡州"
_SHORTEST_DIVISION = 3
# Letters whose mark is no accent to Unicode.
_STROKES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "\u0131": "i"})
_STROKES |= str.maketrans({"æ": "ae", "œ": "oe", "þ": "th"})
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


def hiragana(text: str) -> str:
    """Return a text with katakana as hiragana; the prolonged sound mark and the rest stay.

    >>> hiragana("ハンターABC")
    'はんたーABC'
    """
    return text.translate(_HIRAGANA)


def readable(text: str) -> str:
    """Return a text of the same length that Sudachi can look up.

    Sudachi lists few names with older forms of kanji, and it rejects lone surrogates.
    """
    return text.translate(kanji_variants()).encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=200_000)
def kana_reading(word: str) -> str:
    """Return the reading of a word by the Sudachi dictionary; unknown words stay as written.

    Digits and Latin letters stay too: their reading depends on what is counted. The prefix of a
    subword (``##``) is dropped.

    >>> kana_reading("齊藤"), kana_reading("尾崎"), kana_reading("ABC3")
    ('さいとう', 'おざき', 'ABC3')

    Raises:
        MissingExtra: sudachipy or sudachidict_core is not installed.
    """
    text = readable(word.removeprefix(_CONTINUATION))
    if not text or len(text) > LONGEST_WORD:
        return hiragana(text)
    return "".join(map(kana_of, load_sudachi().analyze(text)))


@lru_cache(maxsize=200_000)
def name_form(name: str, language: str) -> str:
    """Return a name in the form in which it is compared.

    Japanese: its reading in hiragana, long vowels as hiragana writes them. Chinese: as written, a
    place without the word for its kind (市). Other languages: without case and accents, which
    transcriptions leave out. Nothing is transliterated.

    >>> name_form("齊藤", "ja") == name_form("さいとう", "ja") == name_form("サイトー", "ja")
    True
    >>> name_form("MÜLLER", "de"), name_form("B.B.C.", "en")
    ('muller', 'bbc.')
    >>> name_form("北京市", "zh")
    '北京'
    """
    plain = unicodedata.normalize("NFKC", name.removeprefix(_CONTINUATION))
    if language == "ja":
        return _without_long_vowels(kana_reading(plain)).casefold()
    if language == "zh":
        divided = len(plain) >= _SHORTEST_DIVISION and plain.endswith(_DIVISIONS)
        return plain.removesuffix(plain[-1]).casefold() if divided else plain.casefold()
    if _PLURAL_CODE.fullmatch(plain):
        plain = plain.removesuffix("s")
    folded = plain.casefold().translate(_STROKES)
    letters = unicodedata.normalize("NFD", _INITIAL.sub(r"\1", folded))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _without_long_vowels(reading: str) -> str:
    plain: list[str] = []
    for kana in reading.replace("・", "").replace(" ", ""):
        long = kana == _LONG and plain
        plain.append(_VOWELS.get(plain[-1][-1:], "") if long else kana)
    return "".join(plain)


class ReadText(NamedTuple):
    """The reading of a Japanese text, and which morphemes it comes from.

    Attributes:
        form: The text in the form of names.
        origins: For each character of the form its morpheme.
        morphemes: The morphemes as written.
    """

    form: str
    origins: tuple[int, ...]
    morphemes: tuple[str, ...]

    def written(self, reading: str, most: int) -> Iterator[str]:
        """Yield how the text writes a reading, at the first places that have it."""
        at = self.form.find(reading)
        for _ in range(most):
            if at < 0:
                return
            first, last = self.origins[at], self.origins[at + len(reading) - 1]
            yield "".join(self.morphemes[first : last + 1])
            at = self.form.find(reading, at + 1)


@lru_cache(maxsize=20_000)
def read_text(text: str) -> ReadText:
    """Return the reading of a Japanese text, with its morphemes.

    >>> list(read_text("渡部が来た").written("わたなべ", 5))
    ['渡部']
    """
    plain = readable(unicodedata.normalize("NFKC", text))
    form: list[str] = []
    origins: list[int] = []
    morphemes: list[str] = []
    for part in bounded_parts(plain):
        for morpheme in load_sudachi().analyze(part):
            surface = morpheme.surface()
            # The long vowel of a morpheme may begin in the one before.
            read = _without_long_vowels("".join(form[-1:]) + kana_of(morpheme)).casefold()
            read = read[len(form[-1]) :] if form else read
            form += read
            origins += [len(morphemes)] * len(read)
            morphemes.append(surface)
    return ReadText("".join(form), tuple(origins), tuple(morphemes))


def kana_of(morpheme: Any) -> str:  # noqa: ANN401 - SudachiPy has no types
    """Return the reading of a morpheme in hiragana; digits and Latin letters stay."""
    surface = morpheme.surface()
    unread = surface.isascii() or any(character.isdecimal() for character in surface)
    return hiragana(surface if unread else morpheme.reading_form() or surface)


@lru_cache(maxsize=50_000)
def text_form(text: str, language: str) -> str:
    """Return a whole text in the form of names, words separated by spaces if it has words.

    >>> text_form("Smith’s dog, Rex.", "en")
    ' smith s dog rex '
    """
    if language == "zh":
        return unicodedata.normalize("NFKC", text).casefold()
    if language == "ja":
        return read_text(text).form
    form = name_form(text, language)
    return f" {' '.join(_WORD.findall(form))} "


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
    """Return whether a Japanese text has a place name without the word for its kind.

    >>> stands_undivided("長野県", "長野に行く"), stands_undivided("長野県", "長野市に行く")
    (True, False)
    """
    if len(name) < _SHORTEST_DIVISION or name[-1] not in _JAPANESE_DIVISIONS:
        return False
    return re.search(f"{re.escape(name[:-1])}(?![{_JAPANESE_DIVISIONS}])", text) is not None


@lru_cache(maxsize=50_000)
def known_things(name: str, language: str) -> frozenset[object]:
    """Return the things a name is known to stand for; an empty set if unknown.

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
