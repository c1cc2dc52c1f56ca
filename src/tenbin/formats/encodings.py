"""Which encoding a text has that is not UTF-8, judged by what its bytes would spell.

Several encodings can decode almost any bytes. Each that can is judged by the share of its letters
that are usual in the texts it is used for, and the best one wins if that share is high.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

_ESCAPES = (b"\x1b$B", b"\x1b$@")  # begin a passage of kanji in ISO-2022-JP
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_LEAST = 0.6
# A cut through a file may leave half a character at its end.
_LONGEST_CHARACTER = 4
_ASCII_END = "\x80"
_CHINESE_MARKS = "\u201c\u201d\u2018\u2019\u2014\u2026"
_WESTERN_MARKS = "\u2018\u2019\u201c\u201d\u2013\u2014\u2026«»€°"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An encoding, and how well a text reads that was decoded with it.

    Attributes:
        name: Its name for ``iconv``.
        codec: Its name for Python.
        usual: How usual each letter is that is not ASCII, from 0 to 1, given the text and a place.
    """

    name: str
    codec: str
    usual: Callable[[str, int], float]


def guessed_encoding(content: bytes) -> str | None:
    """Return the name that ``iconv`` has for the likely encoding of a text; None if unclear.

    >>> guessed_encoding("日本語の文書です。".encode("cp932"))
    'CP932'
    >>> guessed_encoding("déjà vu".encode("latin-1"))
    'CP1252'

    Args:
        content: The start of a file that is not UTF-8; the more the better.
    """
    if content.startswith(_UTF16_BOMS) or _has_many_zeros(content):
        return "UTF-16"
    if is_escaped_japanese(content):
        return "ISO-2022-JP"
    shares = {
        candidate.name: _share(candidate, text)
        for candidate in _CANDIDATES
        if (text := _decoded(content, candidate.codec)) is not None
    }
    best = max(shares, key=shares.__getitem__, default=None)
    return best if best is not None and shares[best] >= _LEAST else None


def is_mostly_utf8(content: bytes) -> bool:
    """Return whether most of what is not ASCII is valid UTF-8, so that only a few bytes are wrong.

    >>> is_mostly_utf8("été, où".encode() + bytes([0xE9]))
    True
    >>> is_mostly_utf8("été, où".encode("latin-1"))
    False
    """
    text = content.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(letter >= _ASCII_END for letter in text) - wrong
    return right > wrong


def is_escaped_japanese(content: bytes) -> bool:
    """Return whether bytes are ISO-2022-JP, which is valid UTF-8 and unreadable as such."""
    escaped = any(escape in content for escape in _ESCAPES)
    return escaped and _decoded(content, "iso2022_jp") is not None


def is_single_byte(name: str) -> bool:
    """Return whether an encoding is one of the many that no text can be told apart by for sure."""
    return name in {"CP1251", "CP1252", "KOI8-R"}


def usual_name(name: str) -> str:
    """Return an encoding's name with the one that people know it by.

    >>> usual_name("CP932"), usual_name("EUC-JP")
    ('CP932 (Shift_JIS)', 'EUC-JP')
    """
    return f"{name} (Shift_JIS)" if name == "CP932" else name


def _has_many_zeros(content: bytes) -> bool:
    # ASCII in UTF-16 has one in every second place; a stray NUL is something else.
    return content.count(0) * 4 > len(content)


def _decoded(content: bytes, codec: str) -> str | None:
    for cut in range(_LONGEST_CHARACTER):
        try:
            return content[: len(content) - cut].decode(codec)
        except UnicodeDecodeError as error:
            if error.start < len(content) - _LONGEST_CHARACTER:
                return None
    return None


def _share(candidate: _Candidate, text: str) -> float:
    found = list(_foreign(text))
    if not found:
        return 0.0
    return sum(candidate.usual(text, place) for place in found) / len(found)


def _foreign(text: str) -> Iterator[int]:
    return (place for place, letter in enumerate(text) if letter >= _ASCII_END)


def _row(letter: str, codec: str) -> int:
    """Return the first byte of a letter of two bytes, which says how common it is; else 0."""
    try:
        code = letter.encode(codec)
    except UnicodeEncodeError:
        return 0
    return code[0] if len(code) > 1 else 0


def _is_asian_mark(letter: str) -> bool:
    return "\u3000" <= letter <= "\u303f" or "\uff01" <= letter <= "\uff5e" or letter == "ー"


def _japanese(text: str, place: int) -> float:
    letter = text[place]
    if "\u3041" <= letter <= "\u30ff" or _is_asian_mark(letter):
        return 1.0
    # The kanji of the first level are those of modern texts.
    return 0.9 if 0xB0 <= _row(letter, "euc_jp") <= 0xCF else 0.0  # noqa: PLR2004


def _simplified(text: str, place: int) -> float:
    letter = text[place]
    if _is_asian_mark(letter) or letter in _CHINESE_MARKS:
        return 1.0
    return 0.95 if 0xB0 <= _row(letter, "gb2312") <= 0xD7 else 0.0  # noqa: PLR2004


def _traditional(text: str, place: int) -> float:
    letter = text[place]
    if _is_asian_mark(letter):
        return 1.0
    return 0.95 if 0xA4 <= _row(letter, "big5") <= 0xC6 else 0.0  # noqa: PLR2004


def _korean(text: str, place: int) -> float:
    letter = text[place]
    return 1.0 if "가" <= letter <= "힣" or _is_asian_mark(letter) else 0.0


def _cyrillic(text: str, place: int) -> float:
    letter, before = text[place], text[max(place - 1, 0) : place]
    if not ("\u0410" <= letter <= "\u044f" or letter in "Ёё«»№—"):
        return 0.0
    if _has_ascii_neighbor(text, place):
        return 0.0
    # The other Cyrillic encodings swap small and capital letters.
    return 0.0 if letter.isupper() and before.islower() else 1.0


def _western(text: str, place: int) -> float:
    letter = text[place]
    if letter in _WESTERN_MARKS:
        return 0.8
    if not (letter.isalpha() and letter <= "ÿ"):
        return 0.0
    if _has_ascii_neighbor(text, place):
        return 1.0
    # A word of one letter, as the French 'à'.
    return 0.7 if all(one < _ASCII_END for one in _around(text, place)) else 0.0


def _has_ascii_neighbor(text: str, place: int) -> bool:
    return any(one < _ASCII_END and one.isalpha() for one in _around(text, place))


def _around(text: str, place: int) -> str:
    return text[max(place - 1, 0) : place] + text[place + 1 : place + 2]


_CANDIDATES = (
    _Candidate("CP932", "cp932", _japanese),
    _Candidate("EUC-JP", "euc_jp", _japanese),
    _Candidate("GB18030", "gb18030", _simplified),
    _Candidate("BIG5", "cp950", _traditional),
    _Candidate("CP949", "cp949", _korean),
    _Candidate("CP1251", "cp1251", _cyrillic),
    _Candidate("KOI8-R", "koi8_r", _cyrillic),
    _Candidate("CP1252", "cp1252", _western),
)
