"""How Japanese words are read, in hiragana, so that two spellings of a name can be compared."""

from functools import lru_cache

from tenbin.penalty.names.common import kanji_variants
from tenbin.resources.lexicons.sudachi import load_sudachi

# Katakana ァ to ヶ lie 0x60 above hiragana; the prolonged sound mark ー has no hiragana.
_FIRST, _LAST, _DISTANCE = 0x30A1, 0x30F6, 0x60
_HIRAGANA = {code: code - _DISTANCE for code in range(_FIRST, _LAST + 1)}
_PIECE_MARK = "##"
_MOST_CHARACTERS = 10_000


def hiragana(text: str) -> str:
    """Return a text with its katakana as hiragana; all else stays, the prolonged sound mark too.

    >>> hiragana("ハンターABC")
    'はんたーABC'
    """
    return text.translate(_HIRAGANA)


def readable(text: str) -> str:
    """Return a text of the same length that Sudachi can look up.

    It lists few names in older forms of kanji, and refuses lone surrogates.
    """
    return text.translate(kanji_variants()).encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=200_000)
def kana_reading(word: str) -> str:
    """Return how a word is read, by the Sudachi dictionary; what it does not know as it is written.

    Digits and Latin letters are kept: their reading depends on what is counted. The mark of a word
    piece (``##``) is not read.

    >>> kana_reading("齊藤"), kana_reading("尾崎"), kana_reading("ABC3")
    ('さいとう', 'おざき', 'ABC3')

    Raises:
        MissingExtra: sudachipy or sudachidict_core is not installed.
    """
    text = readable(word.removeprefix(_PIECE_MARK))
    if not text or len(text) > _MOST_CHARACTERS:
        return hiragana(text)
    readings = []
    for morpheme in load_sudachi().analyze(text):
        surface = morpheme.surface()
        kept = surface.isascii() or any(character.isdecimal() for character in surface)
        readings.append(surface if kept else morpheme.reading_form() or surface)
    return hiragana("".join(readings))
