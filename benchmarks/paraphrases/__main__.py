"""Paraphrase tables beside NLTK, by size, and in use: python -m benchmarks.paraphrases."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import tenbin
from benchmarks.line_plot import render_lines
from benchmarks.machine import describe_machine
from benchmarks.paraphrases.texts import Linked, aligned, of_size
from benchmarks.report import render_results, write_results
from benchmarks.tables import Row, Section
from benchmarks.timing import cpu_seconds, environment, run_command
from tenbin.building.paraphrases.bitext import read_packed
from tenbin.building.paraphrases.extraction import Extraction, write_phrase_pairs
from tenbin.building.paraphrases.table import PACKED, LinkedText
from tenbin.kernels.phrases.consistent import consistent_phrases

EXTRACTION = Section(
    "Extraction beside NLTK",
    "Microseconds of processor time per segment, phrases of up to seven words. Kernel: spans "
    "alone, where NLTK makes texts too. Stage: what `tenbin build paraphrases` does, from word "
    "links to a file of counted phrase pairs; NLTK counts and writes nothing.",
    "compiled kernels; no part of the result",
)
SIZES = Section(
    "Time by size",
    "From word links to the table in one process: phrases, pivot in DuckDB, words and file. "
    "Segments are drawn evenly from all of the text.",
    "compiled kernels; no part of the result",
)
SCORING = Section(
    "Scoring",
    "Segments per second of processor time, one core, tokenizing included; 10,000 pairs of WMT21 "
    "German-English, after another 9,000 or so.",
    "compiled kernels and the tokens of the 9,000 before; no scores",
)
_REPOSITORY = Path(__file__).resolve().parents[2]
_SHARED = _REPOSITORY.parent / "shared"
_NLTK_SEGMENTS = 1_000
_STAGE_SEGMENTS = 100_000
_SCORED = 10_000
_LONGEST = 7
_PARTS = ("extraction", "sizes", "scoring")


def main() -> None:
    """Measure, print and, if asked, store."""
    options = _parse()
    machine = describe_machine(("nltk", "duckdb", "pyarrow"))
    links = []
    if {"extraction", "sizes"} & set(options.only):
        links = aligned(options.bitexts, options.pivots, options.work)
    tasks: dict[str, tuple[Section, Callable[[], list[Row]]]] = {
        "extraction": (EXTRACTION, lambda: [_beside_nltk(one) for one in links]),
        "sizes": (SIZES, lambda: _by_size(links, options)),
        "scoring": (SCORING, lambda: [_scored(options.data, path) for path in options.tables]),
    }
    results: dict[Section, list[Row]] = {}
    with environment(TENBIN_KERNELS="compiled"):
        for part in options.only:
            section, run = tasks[part]
            print(f"{section.title} ...", file=sys.stderr, flush=True)
            results[section] = run()
    texts = f"English with {', '.join(options.pivots)}, {options.bitexts.name}"
    print(render_results(machine, texts, results))
    if options.write_docs:
        stored = _REPOSITORY / "benchmarks" / "results" / "paraphrases.json"
        write_results(stored, machine, texts, results)
        if SIZES in results:
            picture = _REPOSITORY / "docs" / "measurements" / "paraphrases.svg"
            picture.write_text(_picture(results[SIZES]), encoding="utf-8")


def _beside_nltk(one: LinkedText) -> Row:
    from nltk.translate.phrase_based import phrase_extraction  # noqa: PLC0415 - a peer

    linked = of_size(one, _STAGE_SEGMENTS)
    lengths = linked.bitext.pivot.lengths, linked.bitext.target.lengths
    with TemporaryDirectory() as name:
        path, extraction = Path(name) / "phrases", Extraction(longest=_LONGEST)
        write_phrase_pairs(path, linked.bitext, linked.links, one.pivot, extraction)  # compiles
        stage = cpu_seconds(
            lambda: write_phrase_pairs(path, linked.bitext, linked.links, one.pivot, extraction)
        )
    kernel = cpu_seconds(lambda: consistent_phrases(linked.links, lengths, _LONGEST))
    tasks = _for_nltk(linked)
    peer = cpu_seconds(
        lambda: [phrase_extraction(*task, max_phrase_length=_LONGEST) for task in tasks]
    )
    ours, theirs = 1e6 / _STAGE_SEGMENTS, 1e6 * peer / len(tasks)
    return {
        "pivot": one.pivot,
        "words": float(np.mean(lengths[1])),
        "NLTK": theirs,
        "kernel": kernel * ours,
        "stage": stage * ours,
        "NLTK / kernel": theirs / (kernel * ours),
        "NLTK / stage": theirs / (stage * ours),
    }


def _for_nltk(linked: Linked) -> list[tuple[str, str, list[tuple[int, int]]]]:
    """Return some segments as NLTK takes them: two texts, and links of target and pivot."""
    chosen = np.random.default_rng(1).choice(_STAGE_SEGMENTS, _NLTK_SEGMENTS, replace=False)
    tasks = []
    for number in chosen.tolist():
        texts = []
        for side in (linked.bitext.target, linked.bitext.pivot):
            bounds = slice(side.offsets[number], side.offsets[number + 1])
            texts.append(" ".join(side.words[word] for word in side.values[bounds].tolist()))
        bounds = slice(linked.links[2][number], linked.links[2][number + 1])
        pairs = zip(linked.links[1][bounds].tolist(), linked.links[0][bounds].tolist(), strict=True)
        tasks.append((texts[0], texts[1], list(pairs)))
    return tasks


def _by_size(links: list[LinkedText], options: argparse.Namespace) -> list[Row]:
    there = [read_packed(one.text / PACKED).lines.size for one in links]
    rows: list[Row] = []
    for size in options.sizes:
        shares = [round(size * own / sum(there)) for own in there]
        rows.append(_of_size(links, shares, options))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return rows


def _of_size(links: list[LinkedText], shares: list[int], options: argparse.Namespace) -> Row:
    with TemporaryDirectory(dir=options.work) as name:
        request, answer = Path(name) / "request.json", Path(name) / "answer.json"
        payload = {
            "texts": [(one.pivot, str(one.text), str(one.links)) for one in links],
            "segments": shares,
            "folder": name,
            "memory": options.memory,
            "threads": 2,
        }
        request.write_text(json.dumps(payload), encoding="utf-8")
        program = [sys.executable, "-m", "benchmarks.paraphrases.sizes", str(request), str(answer)]
        took = run_command(program, TENBIN_KERNELS="compiled")
        found = json.loads(answer.read_text(encoding="utf-8"))
    return {
        "segments": sum(shares),
        "phrase pairs": found["phrase_pairs"],
        "phrases, CPU s": found["phrases_cpu"],
        "pivot, CPU s": found["pivot_cpu"],
        "table, CPU s": found["table_cpu"],
        "all, CPU s": found["phrases_cpu"] + found["pivot_cpu"] + found["table_cpu"],
        "wall s": found["phrases_wall"] + found["pivot_wall"] + found["table_wall"],
        "peak GB": took.peak / 1e9,
        "files MB": found["phrases_mb"],
        "spilled MB": found["spilled_mb"],
        "sets": found["sets"],
    }


def _picture(rows: list[Row]) -> str:
    names = {"all, CPU s": "all", "phrases, CPU s": "phrases", "pivot, CPU s": "pivot"}
    lines = {
        name: [(float(row["segments"] or 0), float(row[column] or 0)) for row in rows]
        for column, name in names.items()
    }
    return render_lines("From word links to a table", "segments", "CPU seconds", lines)


def _scored(data: Path, table: Path) -> Row:
    folder = data / "wmt21"
    systems = sorted((folder / "system-outputs" / "de-en").glob("*.txt"))
    reference = (folder / "references" / "de-en.refA.txt").read_text(encoding="utf-8").splitlines()
    hypotheses = [
        line for path in systems for line in path.read_text(encoding="utf-8").splitlines()
    ]
    references = reference * len(systems)
    row: dict[str, str | float] = {"table": table.name}
    for name, parameters in {
        "precision": "",
        "precision, min_length 3": ", min_length=3",
        "f": ', measure="f"',
    }.items():
        metric = tenbin.load_metric(f'paraeval(table="{table}"{parameters})', language="en")
        # Opens the table, and loads the kernels.
        metric.score(hypotheses[_SCORED:], references[_SCORED:])
        start = time.process_time()
        metric.score(hypotheses[:_SCORED], references[:_SCORED])
        row[name] = _SCORED / (time.process_time() - start)
    return row


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paraphrases", description=__doc__)
    parser.add_argument("--bitexts", type=Path, default=_SHARED / "corpora" / "bitext")
    parser.add_argument("--data", type=Path, default=_SHARED / "data", help="folder of test sets")
    parser.add_argument("--pivots", nargs="+", default=["de", "fr", "ru", "ja"])
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for aligned texts, used again if there"
    )
    parser.add_argument(
        "--sizes", nargs="+", type=int, default=[62_500, 125_000, 250_000, 500_000, 1_000_000]
    )
    parser.add_argument("--memory", default="4GB", help="of DuckDB")
    parser.add_argument("--tables", nargs="+", type=Path, default=[], help="tables to score with")
    parser.add_argument("--only", nargs="+", choices=_PARTS, default=list(_PARTS))
    parser.add_argument("--write-docs", action="store_true", help="store results and picture")
    return parser.parse_args()


if __name__ == "__main__":
    main()
