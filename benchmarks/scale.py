"""Tables through ``tenbin score --input``: one process, several, and a Spark cluster on this host.

python -m benchmarks.scale                          local engines, and Spark where it is installed
python -m benchmarks.scale --rows 1000000 --metrics chrf --skip spark
"""

import argparse
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.corpus import Corpus, load_corpus
from benchmarks.machine import describe_machine
from benchmarks.process_tree import watched
from benchmarks.report import render_results
from benchmarks.tables import Row, Section
from tenbin.formats.parquet import arrow

_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
_GROUP_ROWS = 50_000
_CLUSTER = "local-cluster[2,1,1024]"
_SECTION = Section(
    "Tables",
    "`tenbin score --input`, start included, files in and out included. Rows are those of all "
    "systems, repeated; each text ends in a number of its own, so that none occurs twice. Times "
    "and memory are those of all processes together; shared pages count once for each.",
    "compiled kernels, on disk; neither scores nor encodings",
)

ENGINES: dict[str, list[str]] = {
    "1 process": [],
    "2 processes": ["--jobs", "2"],
    "spark": ["--engine", "spark", "--master", _CLUSTER],
}


def main() -> None:
    """Score one table by every engine and print what it took."""
    options = _parse()
    corpus = load_corpus(options.data)
    with TemporaryDirectory() as name:
        table = Path(name) / "pairs.parquet"
        _write(corpus, options.rows, table)
        rows = [
            _measured(engine, words, table, corpus.language, options)
            for engine, words in ENGINES.items()
            if engine not in options.skip and _is_possible(engine)
        ]
    print(render_results(describe_machine(("pyarrow", "pyspark")), corpus.description, _of(rows)))


def _of(rows: list[Row]) -> dict[Section, list[Row]]:
    return {_SECTION: rows}


def _is_possible(engine: str) -> bool:
    possible = engine != "spark" or (find_spec("pyspark") is not None and which("java") is not None)
    if not possible:
        print("spark: left out, as pyspark or Java is missing", file=sys.stderr)
    return possible


def _measured(
    engine: str, words: list[str], table: Path, language: str, options: argparse.Namespace
) -> Row:
    print(f"{engine} ...", file=sys.stderr, flush=True)
    output = table.with_name(f"scores-{engine.replace(' ', '-')}.parquet")
    command = [sys.executable, "-m", "tenbin", "score", "--input", str(table), "-o", str(output)]
    command += ["-l", language, "-q", "--no-cache", "-m", *options.metrics, *words]
    found = watched(command)
    return {
        "engine": _CLUSTER if engine == "spark" else engine,
        "metrics": " ".join(options.metrics),
        "rows": options.rows,
        "wall, s": found.wall,
        "processor, s": found.cpu,
        "rows per second": options.rows / found.wall,
        "rows per processor second": options.rows / found.cpu,
        "peak memory, MB": round(found.peak / 1e6),
    }


def _write(corpus: Corpus, size: int, path: Path) -> None:
    pa, parquet = arrow(), arrow("parquet")
    schema = pa.schema([(name, pa.string()) for name in ("hypothesis", "reference")])
    with parquet.ParquetWriter(path, schema) as writer:
        for batch in _batches(corpus, size):
            writer.write_table(pa.table(batch, schema=schema))


def _batches(corpus: Corpus, size: int) -> Iterator[dict[str, Any]]:
    distinct = len(corpus.reference) * len(corpus.systems)
    own, others = corpus.pairs(distinct)
    for start in range(0, size, _GROUP_ROWS):
        numbers = range(start, min(size, start + _GROUP_ROWS))
        yield {
            "hypothesis": [f"{own[number % distinct]} [{number}]" for number in numbers],
            "reference": [f"{others[number % distinct]} [{number}]" for number in numbers],
        }


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the table")
    parser.add_argument("--metrics", nargs="+", default=["bleu", "chrf", "meteor"], metavar="SPEC")
    parser.add_argument("--skip", nargs="+", default=[], choices=list(ENGINES), metavar="ENGINE")
    parser.add_argument("--data", type=Path, default=_DATA, metavar="DIR")
    return parser.parse_args()


if __name__ == "__main__":
    main()
