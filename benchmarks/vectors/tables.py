"""Tables of word vectors: how long conversion, opening and looking up take, and how much memory."""

import json
import os
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.tables import Row, Section
from benchmarks.timing import run_command
from tenbin.core.resource import ResourceKind
from tenbin.resources.store.lookup import State
from tenbin.resources.store.store import default_store
from tenbin.resources.vectors.conversion import find_vectors
from tenbin.resources.vectors.table import FILE_NAME, open_vector_table

CONVERSION = Section(
    "Conversion of a text file",
    "A file in fastText's text format, written for the purpose: words of a number, vectors of 300 "
    "random numbers with four decimals. Each command in a fresh process, start included; gensim "
    "as `KeyedVectors.load_word2vec_format`, which keeps the vectors in memory and writes nothing.",
    "nothing",
)
OPENING = Section(
    "Opening tables and looking words up",
    "Wall time in fresh processes, files in the cache of the system, nothing but the module "
    "loaded before; medians of five. Opening is `load_vectors(name, language)`, which finds the "
    "resource and checks that it is unchanged; then 50,000 words are looked up at once.",
    "the files, in the memory of the system; the hash of each table, by its size and time",
)

_SMALL_ROWS, _LARGE_ROWS = 100_000, 1_700_000
_DIMENSIONS = 300
_DISTINCT_VECTORS = 500  # to write gigabytes in seconds; converting takes no notice
_LOOKED_UP = 50_000
_REPEATS = 5
_MEGABYTE = 1_000_000
_CONVERT = """
import sys
from pathlib import Path
from tenbin.resources.vectors.conversion import convert_vectors
convert_vectors(Path(sys.argv[1]), Path(sys.argv[2]))
"""
_LOAD = """
import sys
from gensim.models import KeyedVectors
KeyedVectors.load_word2vec_format(sys.argv[1])
"""
_OPEN = """
import json, sys, time
from tenbin.resources.vectors.word_vectors import load_vectors
with open(sys.argv[3], encoding="utf-8") as lines:
    words = lines.read().split("\\n")
start = time.perf_counter()
vectors = load_vectors(sys.argv[1], sys.argv[2])
opened = time.perf_counter()
found = vectors.look_up(words)
print(json.dumps([opened - start, time.perf_counter() - opened, int(found.present.sum())]))
"""


def run_conversion(folder: Path, *, large: bool) -> list[Row]:
    """Convert a small file and perhaps a large one; the last table stays in the folder."""
    sizes = (_SMALL_ROWS, _LARGE_ROWS) if large else (_SMALL_ROWS,)
    return [row for size in sizes for row in _conversion_rows(folder, size)]


def _conversion_rows(folder: Path, rows: int) -> list[Row]:
    source, table = folder / "vectors.vec", folder / FILE_NAME
    _write_text(source, rows)
    table.unlink(missing_ok=True)
    commands = {"Tenbin": [sys.executable, "-c", _CONVERT, str(source), str(table)]}
    if rows <= _SMALL_ROWS:
        commands["gensim"] = [sys.executable, "-c", _LOAD, str(source)]
    found: list[Row] = []
    for name, command in commands.items():
        row: dict[str, str | float | None] = {
            "program": name,
            "rows": rows,
            "text, MB": source.stat().st_size / _MEGABYTE,
            "processor, s": None,
            "peak memory, MB": None,
            "target, MB": "< 1,000" if name == "Tenbin" else None,
            "result": None,
        }
        try:
            taken = run_command(command)
        except RuntimeError:
            found.append(row | {"result": "not installed"})
            continue
        row |= {"processor, s": taken.cpu, "peak memory, MB": taken.peak / _MEGABYTE}
        if name == "Tenbin":
            made = open_vector_table(table)
            size = table.stat().st_size / _MEGABYTE
            row["result"] = f"{made.precision} table, {size:,.0f} MB"
        found.append(row)
    source.unlink()
    return found


def _write_text(path: Path, rows: int) -> None:
    numbers = np.random.default_rng(1).normal(size=(_DISTINCT_VECTORS, _DIMENSIONS))
    vectors = [" ".join(f"{number:.4f}" for number in vector) for vector in numbers]
    with path.open("w", encoding="utf-8") as lines:
        lines.write(f"{rows} {_DIMENSIONS}\n")
        lines.writelines(
            f"word{number} {vector}\n" for number, vector in enumerate(islice(cycle(vectors), rows))
        )


def run_opening(folder: Path, words: tuple[str, ...]) -> list[Row]:
    """Open the table that was converted, and every table that is bundled or installed.

    Args:
        folder: Where `run_conversion` left its table.
        words: Words to look up in a table that does not keep its own.
    """
    store = default_store()
    tables = [
        (entry.name, entry.language)
        for entry in store.entries()
        if entry.kind is ResourceKind.VECTORS
        and store.state(entry.name)[0] in {State.BUNDLED, State.INSTALLED}
    ]
    rows = [_opening_row(name, language, folder, words) for name, language in tables]
    converted = folder / FILE_NAME
    if converted.is_file():
        rows.append(_opening_row(str(converted), "en", folder, words))
    return rows


def _opening_row(name: str, language: str, folder: Path, words: tuple[str, ...]) -> Row:
    path = find_vectors(name, language, default_store()).table
    table = open_vector_table(path)
    wanted = _some_words(table.words() or words)
    listed = folder / "words.txt"
    listed.write_text("\n".join(wanted), encoding="utf-8")
    runs = [_opened(name, language, listed) for _ in range(_REPEATS)]
    return {
        "table": "converted above" if name == str(folder / FILE_NAME) else name,
        "words": int(table.keys.size),
        "dimensions": table.dimensions,
        "numbers": str(table.precision),
        "MB": path.stat().st_size / _MEGABYTE,
        "opening, ms": 1000 * median(run[0] for run in runs),
        "target, ms": "< 50",
        "50,000 words, ms": 1000 * median(run[1] for run in runs),
        "found": int(runs[0][2]),
    }


def _some_words(words: list[str] | tuple[str, ...]) -> list[str]:
    """Return 50,000 words in random order; they come again where there are fewer."""
    order = np.random.default_rng(1).permutation(len(words))
    return [words[place] for place in islice(cycle(order.tolist()), _LOOKED_UP)]


def _opened(name: str, language: str, words: Path) -> list[float]:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _OPEN, name, language, str(words)],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    found: list[float] = json.loads(done.stdout)
    return found
