"""Tables of many rows in place of plain text: what reading them takes."""

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpus import Corpus
from benchmarks.tables import Row, Section
from benchmarks.timing import run_command

SECTION = Section(
    "Tables as input",
    "One process, start included: references and outputs are opened, which reads and checks them "
    "once, and then read once as a metric does. Plain text, and the same texts in CSV, JSON lines "
    "or a spreadsheet. Each line ends in a number of its own.",
    "compiled kernels, on disk; no scores",
)

_SIZES = {"lines": 1_000_000, "csv": 1_000_000, "jsonl": 1_000_000, "xlsx": 100_000}
_COLUMNS = ("ref", "mt")
_READING = """
import sys
from tenbin.api.files import open_files, open_tables

paths = sys.argv[1:]
texts = open_tables(paths) if len(paths) == 1 else open_files(paths[1:], paths[:1])
assert sum(chunk.segment_count for chunk in texts.chunks(10_000)) == texts.segment_count
"""


def run_table_files(corpus: Corpus) -> list[Row]:
    """Return a row per format."""
    rows: list[Row] = []
    for form, size in _SIZES.items():
        with TemporaryDirectory() as name:
            paths = _written(Path(name), form, _pairs(corpus, size))
            found = run_command([sys.executable, "-c", _READING, *map(str, paths)])
        rows.append(
            {
                "format": form,
                "segment pairs": size,
                "wall, s": found.wall,
                "processor, s": found.cpu,
                "pairs per processor second": size / found.cpu,
                "peak memory, MB": round(found.peak / 1e6),
            }
        )
    return rows


def _pairs(corpus: Corpus, size: int) -> Iterator[tuple[str, str]]:
    distinct = len(corpus.reference) * len(corpus.systems)
    own, others = corpus.pairs(distinct)
    for line in range(size):
        yield f"{others[line % distinct]} [{line}]", f"{own[line % distinct]} [{line}]"


def _written(folder: Path, form: str, pairs: Iterator[tuple[str, str]]) -> Sequence[Path]:
    """Write texts in a format; return the files."""
    path = folder / f"texts.{form}"
    if form == "lines":
        reference, system = folder / "ref.txt", folder / "mt.txt"
        with (
            reference.open("w", encoding="utf-8") as first,
            system.open("w", encoding="utf-8") as other,
        ):
            for left, right in pairs:
                first.write(f"{left}\n")
                other.write(f"{right}\n")
        return [reference, system]
    if form == "xlsx":
        book = import_module("openpyxl").Workbook(write_only=True)
        sheet = book.create_sheet()
        for row in (_COLUMNS, *pairs):
            sheet.append(row)
        book.save(path)
        return [path]
    with path.open("w", encoding="utf-8", newline="") as stream:
        if form == "csv":
            writer = csv.writer(stream)
            writer.writerow(_COLUMNS)
            writer.writerows(pairs)
        else:
            for pair in pairs:
                named = dict(zip(_COLUMNS, pair, strict=True))
                stream.write(json.dumps(named, ensure_ascii=False) + "\n")
    return [path]
