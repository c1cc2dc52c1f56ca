"""Which encoding a text has that is not UTF-8, judged by what its bytes would spell.

Several encodings can decode almost any bytes. Each that can is judged by the share of its letters
that are usual in the texts it is used for, and the best one wins if that share is high. Encodings
of one byte are judged by the alphabets of the languages that were written in them
(``alphabets.tsv``): a text is in one language, so its letters must be those of one of them.
"""

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from tenbin.core.errors import UsageError, shortened

_ESCAPES = (b"\x1b$B", b"\x1b$@")  # begin a passage of kanji in ISO-2022-JP
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_LEAST = 0.6
# A cut through a file may leave half a character at its end.
_LONGEST_CHARACTER = 4
_ASCII_END = "\x80"
_SURELY = 4  # characters that are valid UTF-8, and not by chance
_CHINESE_MARKS = "\u201c\u201d\u2018\u2019\u2014\u2026"
_MARKS = "\u2018\u2019\u201a\u201c\u201d\u201e\u2013\u2014\u2026«»\u2039\u203a€°§№\xa0\xad"
# How usual a letter is: what everybody writes, what is rarer, and what is possible.
_USUAL, _RARER, _POSSIBLE = 1.0, 0.9, 0.5


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An encoding, and how well a text reads that was decoded with it.

    Attributes:
        name: Its name for ``iconv``.
        codec: Its name for Python.
        usual: How usual its letters are that are not ASCII, on the whole, from 0 to 1.
    """

    name: str
    codec: str
    usual: Callable[[str], float]


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
        candidate.name: candidate.usual(text)
        for candidate in _candidates()
        if (text := _decoded(content, candidate.codec)) is not None
    }
    best = max(shares, key=shares.__getitem__, default=None)
    return best if best is not None and shares[best] >= _LEAST else None


def checked_encoding(name: str) -> str:
    """Return the name of an encoding that Python can read texts in.

    Raises:
        UsageError: There is none of that name, or it is not one of texts.

    >>> checked_encoding("Shift_JIS")
    'Shift_JIS'
    """
    try:
        b"a".decode(name, "ignore")  # refuses codecs that turn bytes into bytes, such as hex
    except (LookupError, ValueError) as error:
        raise UsageError(
            f"`encoding={shortened(name)}`: there is no such encoding. Known are, among others, "
            "UTF-8, UTF-16, CP932 (Shift_JIS), EUC-JP, GB18030, BIG5, CP949, CP1250 to CP1258 and "
            "KOI8-R."
        ) from error
    return name


def is_utf8(name: str) -> bool:
    """Return whether a name stands for UTF-8, with or without a byte order mark."""
    return codecs.lookup(name).name in {"utf-8", "utf-8-sig", "ascii"}


def decoded_text(content: bytes, encoding: str) -> str:
    r"""Return what bytes spell, in letters as Unicode has them.

    Vietnamese has two marks on a letter, which CP1258 writes one after the other.

    >>> decoded_text(b"a\xf2", "cp1258")
    'ạ'

    Raises:
        UnicodeError: They spell nothing in that encoding.
    """
    text = content.decode(encoding)
    return normalize("NFC", text) if codecs.lookup(encoding).name == "cp1258" else text


def has_wide_line_ends(name: str) -> bool:
    """Return whether a line end takes more than one byte in an encoding."""
    return codecs.lookup(name).name.startswith(("utf-16", "utf-32"))


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


def is_surely_utf8(content: bytes) -> bool:
    """Return whether bytes, cut off anywhere, are UTF-8 and can hardly be anything else.

    Two characters may be so by chance: the Chinese word for Unicom in GB18030 is famous for it.

    >>> is_surely_utf8("Grüße aus Köln, été".encode()), is_surely_utf8(b"plain")
    (True, False)
    >>> is_surely_utf8("\u8054\u901a".encode("gb18030"))
    False
    """
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(content)
    except UnicodeDecodeError:
        return False
    return sum(letter >= _ASCII_END for letter in text) >= _SURELY


def is_escaped_japanese(content: bytes) -> bool:
    """Return whether bytes are ISO-2022-JP, which is valid UTF-8 and unreadable as such."""
    escaped = any(escape in content for escape in _ESCAPES)
    return escaped and _decoded(content, "iso2022_jp") is not None


def is_single_byte(name: str) -> bool:
    """Return whether an encoding is one of the many that no text can be told apart by for sure."""
    return name in {encoding for encoding, _ in _alphabets()}


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


def _mean(usual: Callable[[str], float]) -> Callable[[str], float]:
    """Return the mean over the letters of a text, from how usual a single letter is."""
    known = cache(usual)

    def share(text: str) -> float:
        found = [letter for letter in text if letter >= _ASCII_END]
        return sum(map(known, found)) / len(found) if found else 0.0

    return share


def _row(letter: str, codec: str) -> int:
    """Return the first byte of a letter of two bytes, which says how common it is; else 0."""
    try:
        code = letter.encode(codec)
    except UnicodeEncodeError:
        return 0
    return code[0] if len(code) > 1 else 0


def _is_asian_mark(letter: str) -> bool:
    return "\u3000" <= letter <= "\u303f" or "\uff01" <= letter <= "\uff5e" or letter == "ー"


def _japanese(letter: str) -> float:
    if "\u3041" <= letter <= "\u30ff" or _is_asian_mark(letter):
        return _USUAL
    if "\uff61" <= letter <= "\uff9f":  # half-width katakana, which many bytes spell by chance
        return _POSSIBLE
    # The kanji of the first level are those of modern texts.
    return _RARER if 0xB0 <= _row(letter, "euc_jp") <= 0xCF else 0.0  # noqa: PLR2004


def _simplified(letter: str) -> float:
    if _is_asian_mark(letter) or letter in _CHINESE_MARKS:
        return _USUAL
    return 0.95 if 0xB0 <= _row(letter, "gb2312") <= 0xD7 else 0.0  # noqa: PLR2004


def _traditional(letter: str) -> float:
    if _is_asian_mark(letter):
        return _USUAL
    return 0.95 if 0xA4 <= _row(letter, "big5") <= 0xC6 else 0.0  # noqa: PLR2004


def _korean(letter: str) -> float:
    if "가" <= letter <= "힣":
        # The syllables of KS X 1001 are those of modern texts; CP949 added the others.
        return _USUAL if 0xB0 <= _row(letter, "euc_kr") <= 0xC8 else 0.1  # noqa: PLR2004
    return _RARER if _is_asian_mark(letter) else 0.0


def _by_alphabets(encoding: str) -> Callable[[str], float]:
    """Return the share of the letters that are of one alphabet, the one that fits best."""
    alphabets = [weights for name, weights in _alphabets() if name == encoding]
    latin = not any("а" in weights or weights.keys() & set("αיان") for weights in alphabets)

    def share(text: str) -> float:
        places = list(_foreign(text))
        if not places:
            return 0.0
        fitting = [_Fit(text, place, latin=latin) for place in places]
        return max(sum(one.weight(known) for one in fitting) for known in alphabets) / len(places)

    return share


class _Fit:
    """How a letter stands between its neighbors."""

    __slots__ = ("_factor", "_letter")

    def __init__(self, text: str, place: int, *, latin: bool) -> None:
        letter = text[place]
        around = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
        has_ascii = any(one < _ASCII_END and one.isalpha() for one in around)
        self._letter = letter
        self._factor = 1.0
        if not letter.isalpha():
            return
        if not latin:
            # The other Cyrillic encodings swap small and capital letters.
            before = text[max(place - 1, 0) : place]
            self._factor = 0.0 if has_ascii else 0.3 if letter.isupper() and before.islower() else 1
        elif not has_ascii:
            # A word of one letter, as the French 'à', or two in a row, as in Czech.
            self._factor = 0.7 if all(one < _ASCII_END for one in around) else 0.6

    def weight(self, known: dict[str, float]) -> float:
        """Return how usual the letter is where an alphabet has these letters."""
        if self._letter in _MARKS:
            return 0.8
        return self._factor * known.get(self._letter, 0.0)


def _foreign(text: str) -> Iterator[int]:
    return (place for place, letter in enumerate(text) if letter >= _ASCII_END)


@cache
def _alphabets() -> tuple[tuple[str, dict[str, float]], ...]:
    """Return the encoding of each alphabet, and how usual its letters are."""
    table = (files("tenbin.formats") / "alphabets.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in table.splitlines() if line[:1] not in {"", "#"}]
    found = []
    for encoding, _, order, letters in rows:
        if order == "flat":
            weights = dict.fromkeys(letters, _USUAL)
        else:
            # Alphabets of the same bytes differ in which of their letters are frequent; a text of
            # capitals alone is rare.
            weights = {}
            for rank, letter in enumerate(letters):
                weights[letter] = _USUAL - 0.4 * rank / len(letters)
                if letter.upper() != letter:
                    weights[letter.upper()] = 0.9 * weights[letter]
        found.append((encoding, weights))
    return tuple(found)


@cache
def _candidates() -> tuple[_Candidate, ...]:
    """Return all encodings; of those that fit alike the first one is taken."""
    single = dict.fromkeys(encoding for encoding, _ in _alphabets())
    return (
        _Candidate("CP932", "cp932", _mean(_japanese)),
        _Candidate("EUC-JP", "euc_jp", _mean(_japanese)),
        _Candidate("GB18030", "gb18030", _mean(_simplified)),
        _Candidate("BIG5", "cp950", _mean(_traditional)),
        _Candidate("CP949", "cp949", _mean(_korean)),
        *(_Candidate(name, name, _by_alphabets(name)) for name in single),
    )
