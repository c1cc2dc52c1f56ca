"""MyThes thesauri, as LibreOffice and Debian distribute them (``th_*.dat``).

The first line names the encoding. Then, for each word, a line ``word|number of meanings`` and one
line ``label|term|term...`` per meaning. Files are called th_xx_YY_v2.dat, but not all of them; the
``.idx`` file beside them is an index that is not needed.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.compression import opened_bytes
from tenbin.formats.numerals import whole_number

_BOM = b"\xef\xbb\xbf"
# How OpenOffice spells some encodings; Python knows all others by their usual names.
_SPELLINGS = {"microsoft-cp1251": "cp1251", "tis620-2533": "tis_620", "iscii-devanagari": ""}
# Codecs of Python whose lines do not end in the byte LF, or which are not encodings of text.
_NOT_OF_LINES = ("utf-16", "utf-32", "utf-7", "idna", "punycode", "undefined", "escape")


@dataclass(frozen=True, slots=True)
class Meaning:
    """One meaning of a word.

    Attributes:
        word: The head word, as written in the file.
        label: Part of speech or kind of relation, in brackets, ``-`` or nothing.
        terms: The words of that meaning, with remarks in brackets.
    """

    word: str
    label: str
    terms: tuple[str, ...]


def read_mythes(path: Path) -> Iterator[Meaning]:
    """Yield all meanings in the order of the file.

    Raises:
        MalformedLine: An unknown encoding, bytes outside it, a line that breaks the format, or a
            truncated file.
        UnreadableFile: The file cannot be read, or is empty.
    """
    name = str(path)
    with opened_bytes(path) as stream:
        lines = enumerate(stream, start=1)
        first = next(lines, (1, b""))[1]
        if not first.strip():
            advice = "A thesaurus begins with the name of its encoding."
            raise UnreadableFile(name, "the file is empty", advice)
        encoding = _encoding(first, name)
        decoded = ((number, _text(raw, encoding, name, number)) for number, raw in lines)
        for number, line in decoded:
            if line:
                word, count = _head(line, name, number)
                yield from _meanings(word, count, decoded, name, number)


def _encoding(first: bytes, name: str) -> str:
    label = first.removeprefix(_BOM).strip().decode("latin-1")
    problem = f"{label[:40]!r} is not the name of an encoding"
    advice = "A MyThes thesaurus begins with one, such as UTF-8 or ISO8859-1."
    try:
        found = codecs.lookup(_SPELLINGS.get(label.lower(), label)).name
        b"a".decode(found)  # fails for codecs from bytes to bytes
    except (LookupError, ValueError) as error:
        raise MalformedLine(name, 1, problem, advice) from error
    if any(part in found.replace("_", "-") for part in _NOT_OF_LINES):
        raise MalformedLine(name, 1, problem, advice)
    return found


def _text(raw: bytes, encoding: str, name: str, number: int) -> str:
    try:
        return raw.rstrip(b"\r\n").decode(encoding)
    except UnicodeDecodeError as error:
        problem = f"byte 0x{raw[error.start]:02x} is not {encoding}, the encoding named in line 1"
        raise MalformedLine(name, number, problem, "Correct the encoding in line 1.") from error


def _head(line: str, name: str, number: int) -> tuple[str, int]:
    word, bar, count = line.rpartition("|")
    meanings = whole_number(count.strip())
    if bar and meanings is not None:
        return word, meanings
    if not bar and line.strip().isdecimal():
        problem = "a bare number was found where a word was expected"
        advice = "Is this the index (.idx)? Give the .dat file."
    else:
        problem = f"'word|number of meanings' was expected, found {line[:40]!r}"
        advice = "Is the number of meanings of the previous word correct?"
    raise MalformedLine(name, number, problem, advice)


def _meanings(
    word: str, count: int, lines: Iterator[tuple[int, str]], name: str, number: int
) -> Iterator[Meaning]:
    for done in range(count):
        number, line = next(lines, (number, ""))
        label, bar, terms = line.partition("|")
        if not bar:
            problem = f"{word!r} has {count} meanings, found {done} before {line[:40]!r}"
            raise MalformedLine(
                name, number, problem, "The file seems truncated: download it again."
            )
        yield Meaning(word, label, tuple(terms.split("|")))
