"""Glossaries in files of any kind: what kind a file is, and its entries."""

import hashlib
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path, PurePath

from tenbin.core.errors import UnreadableFile
from tenbin.core.glossary import Glossary, Term
from tenbin.formats.files import regular_file, user_path
from tenbin.formats.glossaries.entries import merged_terms
from tenbin.formats.glossaries.languages import LanguagePair
from tenbin.formats.glossaries.table import Rows, TermRows
from tenbin.formats.glossaries.tbx import TbxTerms
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.delimited import delimited_rows
from tenbin.formats.texts.spreadsheet import read_spreadsheet

_ENDINGS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".tbx": "tbx", ".xml": "tbx"}
_ENDINGS |= {".xlsx": "xlsx", ".names": "names"}
_PACKED = (".gz", ".xz", ".bz2")
_MOST_BYTES = 256 * 2**20
_BLOCK_BYTES = 2**20
_START_BYTES = 4096
_SAMPLE_LINES = 50


class GlossaryFormat(StrEnum):
    """What kind of file a glossary is."""

    CSV = "csv"
    TSV = "tsv"
    TBX = "tbx"
    XLSX = "xlsx"
    NAMES = "names"


def read_glossary(path: str, *, target: str = "", source: str = "") -> Glossary:
    """Read a glossary.

    The ending says what it is (.csv, .tsv, .tbx, .xlsx); of another file the content does: TBX
    begins with a ``<``, rows of a table have tabs, and all else is a list of names, one per line.

    Args:
        path: The file; .gz, .xz and .bz2 are unpacked.
        target: The target language, for a file that has several.
        source: The source language, for a file that has several.

    Raises:
        InputError: The file cannot be read, or is no glossary; the message names the line.
    """
    found = regular_file(user_path(path))
    file = TextFile(str(found))
    kind = format_of(file)
    fingerprint = _fingerprint(file.name, _blocks(file, kind))
    wanted = LanguagePair(target, source)
    entries: TbxTerms | TermRows | None = None
    if kind is GlossaryFormat.TBX:
        entries = TbxTerms(file, wanted)
    elif kind is GlossaryFormat.XLSX:
        entries = TermRows(file.name, _sheet_rows(str(found)), wanted)
    elif kind is not GlossaryFormat.NAMES:
        tabs = kind is GlossaryFormat.TSV
        entries = TermRows(file.name, delimited_rows(file, tabs=tabs), wanted)
    listed = _names(file) if entries is None else entries.terms()
    terms, notes = merged_terms(file.name, listed)
    return Glossary(
        name=PurePath(file.path).name,
        fingerprint=fingerprint,
        terms=terms,
        source_language="" if entries is None else entries.source_language,
        target_language="" if entries is None else entries.target_language,
        notes=notes,
    )


def format_of(file: TextFile) -> GlossaryFormat:
    """Return what kind of glossary a file is, by its ending or else by its content."""
    name = PurePath(file.path).name.casefold()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    ending = _ENDINGS.get(PurePath(name).suffix)
    if ending is not None:
        return GlossaryFormat(ending)
    start = file.start(_START_BYTES)
    if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        return GlossaryFormat.TBX
    lines = [line for line, _ in zip(file.lines(), range(_SAMPLE_LINES), strict=False)]
    has_tabs = any("\t" in line.strip() for line in lines)
    return GlossaryFormat.TSV if has_tabs else GlossaryFormat.NAMES


def _names(file: TextFile) -> Iterator[Term]:
    for number, line in enumerate(file.lines(), start=1):
        if name := " ".join(line.split()):
            yield Term(source="", targets=(name,), is_name=True, line=number)


def _sheet_rows(path: str) -> Rows:
    table = read_spreadsheet(path)
    yield 1, list(table.columns)
    for number, (_, cells) in enumerate(table.rows, start=2):
        yield number, [str(cell) for cell in cells]


def _blocks(file: TextFile, kind: GlossaryFormat) -> Iterator[bytes]:
    """Yield the content, unpacked; a spreadsheet as it is."""
    if kind is not GlossaryFormat.XLSX:
        yield from file.blocks(_BLOCK_BYTES)
        return
    with Path(file.path).open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            yield block


def _fingerprint(name: str, blocks: Iterator[bytes]) -> str:
    """Return the sha256 of the content.

    Raises:
        UnreadableFile: It is larger than a glossary can be.
    """
    digest, size = hashlib.sha256(), 0
    for block in blocks:
        size += len(block)
        if size > _MOST_BYTES:
            problem = f"the glossary is larger than {_MOST_BYTES // 2**20:,} MiB"
            raise UnreadableFile(name, problem, "Give a smaller one.")
        digest.update(block)
    return digest.hexdigest()
