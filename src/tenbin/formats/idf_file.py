"""Document frequencies: a header of one JSON line, then one count and one token per line.

    {"format": "tenbin-idf-2", "documents": 229, "tokens": 2, "tokenizer": …, "sha256": "…"}
    229<TAB>の
    3<TAB>齊藤

Plain text, so that a token can be looked up with ``grep``; compressed files are read as well. The
hash covers the other fields of the header and all lines after it: a file that was truncated or
edited is refused. (In the older tenbin-idf-1 it covers the lines only.) Tabs, line ends and
backslashes in a token are written with Python's escapes.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.json_text import parse_json
from tenbin.formats.lines import TextFile
from tenbin.formats.numerals import whole_number
from tenbin.formats.output import whole_file

FORMAT = "tenbin-idf-2"
_OLDER = "tenbin-idf-1"
_ADVICE = "Build the file again with 'tenbin build idf'."
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_ESCAPED = str.maketrans(_ESCAPES)
_PLAIN = {written: character for character, written in _ESCAPES.items()}
_ESCAPE = re.compile(r"\\[\\tnr]")
_SHA256 = "sha256"
_NEEDED = ("documents", "tokens", _SHA256)
# Whole numbers up to here are exact in the arithmetic of idf.
_MOST = 2**53


@dataclass(frozen=True, slots=True, eq=False)
class IdfFile:
    """The content of a file of document frequencies.

    Attributes:
        documents: Number of documents that were counted.
        counts: Number of documents with each token, at least 1.
        facts: The other fields of the header: ``tokenizer``, ``language``, ``document``,
            ``lowercase``, ``versions``, ``corpus``.
        sha256: Hash of the whole text, header and lines, which identifies the dictionary.
    """

    documents: int
    counts: Mapping[str, int]
    facts: Mapping[str, Any]
    sha256: str


def write_idf_file(
    path: str, documents: int, counts: Iterable[tuple[str, int]], facts: Mapping[str, Any]
) -> str:
    """Write a dictionary atomically; return its sha256.

    Args:
        path: The file.
        documents: Number of documents.
        counts: Tokens with their document frequencies, in the order of the file.
        facts: Further fields of the header.

    Raises:
        OutputError: The file cannot be written.
    """
    lines = [f"{count}\t{token.translate(_ESCAPED)}\n" for token, count in counts]
    body = "".join(lines).encode("utf-8")
    header = {"format": FORMAT, "documents": documents, "tokens": len(lines), **facts}
    header[_SHA256] = hashlib.sha256(_fields(header) + body).hexdigest()
    first = json.dumps(header, ensure_ascii=False).encode("utf-8") + b"\n"
    with whole_file(path) as temporary, temporary.open("wb") as stream:
        stream.write(first)
        stream.write(body)
    return hashlib.sha256(first + body).hexdigest()


def read_idf_file(path: Path) -> IdfFile:
    """Read a dictionary.

    Raises:
        UnreadableFile: The file cannot be read, or does not match its header.
        MalformedLine: A line is not a count and a token.
    """
    name = str(path)
    lines = TextFile(name).lines()
    first = next(lines, "")
    header = _header(name, first)
    whole = hashlib.sha256(f"{first}\n".encode())
    body = hashlib.sha256(b"" if header["format"] == _OLDER else _fields(header))
    counts: dict[str, int] = {}
    for token, count, line in _entries(name, lines, header["documents"]):
        raw = f"{line}\n".encode()
        body.update(raw)
        whole.update(raw)
        counts[token] = count
    if len(counts) != header["tokens"] or body.hexdigest() != header["sha256"]:
        problem = f"{counted(len(counts), 'token')}, not the {header['tokens']:,} of its header"
        _refuse(name, f"it was truncated or changed: {problem}")
    facts = {key: value for key, value in header.items() if key not in {"format", *_NEEDED}}
    return IdfFile(header["documents"], counts, facts, whole.hexdigest())


def _header(name: str, line: str) -> dict[str, Any]:
    try:
        header = parse_json(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") not in (FORMAT, _OLDER):
        _refuse(name, f"this is not a file of document frequencies (no {FORMAT!r} in its header)")
    counts = [header.get(key) for key in ("documents", "tokens")]
    right = all(type(count) is int and 0 <= count <= _MOST for count in counts)
    if not right or not header["documents"] or not all(key in header for key in _NEEDED):
        _refuse(name, "its header lacks the number of documents or of tokens")
    return header


def _fields(header: Mapping[str, Any]) -> bytes:
    """Return the fields of a header that its hash covers."""
    covered = {key: value for key, value in header.items() if key != _SHA256}
    return json.dumps(covered, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _entries(name: str, lines: Iterator[str], documents: int) -> Iterator[tuple[str, int, str]]:
    for number, line in enumerate(lines, start=2):
        written, tab, token = line.partition("\t")
        count = whole_number(written, documents)
        if not tab or not token or not count:
            problem = f"expected a count from 1 to {documents}, a tab and a token"
            raise MalformedLine(name, number, problem, _ADVICE)
        yield _unescaped(token), count, line


def _unescaped(token: str) -> str:
    return _ESCAPE.sub(lambda found: _PLAIN[found[0]], token) if "\\" in token else token


def _refuse(name: str, problem: str) -> NoReturn:
    raise UnreadableFile(name, problem, _ADVICE)
