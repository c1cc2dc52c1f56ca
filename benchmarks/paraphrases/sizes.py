"""One table from so many segments, in a process of its own: phrases, pivot, table.

python -m benchmarks.paraphrases.sizes REQUEST.json ANSWER.json
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.paraphrases.texts import Linked, of_size
from tenbin.building.paraphrases.extraction import Extraction, phrase_texts, write_phrase_pairs
from tenbin.building.paraphrases.pivot import Engine, Pivoting, pivot
from tenbin.building.paraphrases.sets import sets_from_pivot, wanted_phrases
from tenbin.building.paraphrases.table import LinkedText
from tenbin.core.arrays import IntArray
from tenbin.resources.paraphrases import write_paraphrase_sets

_EXTRACTION = Extraction(drop_punctuation=True)
_PIVOTING = Pivoting(least_count=2, least_share=0.05)
_OFTEN = 0.1


def main() -> None:
    """Build a table and write down what it took."""
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    texts = [LinkedText(pivot, Path(text), Path(links)) for pivot, text, links in request["texts"]]
    sizes = request["segments"]
    answer: dict[str, float] = {}
    linked = [of_size(text, size) for text, size in zip(texts, sizes, strict=True)]
    with TemporaryDirectory(dir=request["folder"]) as name:
        folder = Path(name)
        with _timed(answer, "phrases"):
            sources = [_extracted(folder, one, answer) for one in linked]
        answer["phrases_mb"] = sum(path.stat().st_size for path in sources) / 1e6
        spill = folder / "spill"
        spill.mkdir()
        engine = Engine(memory=request["memory"], threads=request["threads"])
        with _timed(answer, "pivot"), _watched(spill / "duckdb", answer):
            places = pivot(sources, folder, _PIVOTING, engine, spill=spill)

        with _timed(answer, "table"):
            spelled = {
                language: _spelled(linked, language, wanted)
                for language, wanted in wanted_phrases(places).items()
            }
            table = sets_from_pivot(places, spelled)
            write_paraphrase_sets(str(folder / "table"), table, {})
        answer["sets"] = int(table.set_offsets.size - 1)
        answer["table_mb"] = (folder / "table").stat().st_size / 1e6
    Path(sys.argv[2]).write_text(json.dumps(answer), encoding="utf-8")


def _spelled(linked: list[Linked], language: str, wanted: IntArray) -> list[str]:
    sides = (
        one.bitext.pivot if language else one.bitext.target
        for one in linked
        if language in {"", one.pivot}
    )
    return phrase_texts(sides, wanted, longest=_EXTRACTION.longest, seed=0) or []


def _extracted(folder: Path, one: Linked, answer: dict[str, float]) -> Path:
    path = folder / f"{one.pivot}.parquet"
    found = write_phrase_pairs(path, one.bitext, one.links, one.pivot, _EXTRACTION)
    answer["phrase_pairs"] = answer.get("phrase_pairs", 0) + found
    return path


@contextmanager
def _timed(answer: dict[str, float], step: str) -> Iterator[None]:
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    answer[f"{step}_wall"] = time.perf_counter() - wall
    answer[f"{step}_cpu"] = time.process_time() - cpu


@contextmanager
def _watched(folder: Path, answer: dict[str, float]) -> Iterator[None]:
    """Note how much was spilled into a folder at most."""
    done = threading.Event()
    answer["spilled_mb"] = 0.0

    def watch() -> None:
        while not done.wait(_OFTEN):
            sizes = [path.stat().st_blocks * 512 for path in folder.glob("*") if path.exists()]
            answer["spilled_mb"] = max(answer["spilled_mb"], sum(sizes) / 1e6)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


if __name__ == "__main__":
    main()
