"""Training of word vectors beside gensim: python -m benchmarks.training."""

import argparse
import gc
import lzma
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.machine import describe_machine
from benchmarks.report import render_results, write_page, write_results
from benchmarks.tables import Row, Section
from benchmarks.timing import environment
from tenbin.building.corpus import no_progress
from tenbin.building.vectors.learning import LEAST_RATE, learn_vectors
from tenbin.building.vectors.numbered_text import NumberedText
from tenbin.building.vectors.recipe import Method, VectorTraining

_REPOSITORY = Path(__file__).resolve().parents[1]
_CORPUS = _REPOSITORY.parent / "shared" / "corpora" / "bitext" / "en-de.tsv.xz"
_MARKER = "<!-- benchmarks: training -->"
_REPEATS = 3
_EPOCHS = 2
_SETTINGS = ((Method.CBOW, 50), (Method.CBOW, 300), (Method.SKIPGRAM, 100))
_TOKEN = re.compile(r"\w+|[^\w\s]")

SECTION = Section(
    "Training of word vectors",
    "Thousands of words per second of processor time, one thread each, taking turns, medians of "
    "three: from lists of tokens to vectors, counting of words included, two passes. Tenbin as the "
    "variant `mono`, gensim as `Word2Vec(...).build_vocab(tokens)` and `.train(tokens)`, with the "
    "same window of 5, 5 negative samples, subsampling at 0.001 and learning rates.",
    "compiled kernels; no words and no vectors",
)

Tokens = list[list[str]]


def run_training(tokens: Tokens, folder: Path) -> list[Row]:
    """Return a row for each method and dimension."""
    return [_row(tokens, folder, method, dimensions) for method, dimensions in _SETTINGS]


def _row(tokens: Tokens, folder: Path, method: Method, dimensions: int) -> Row:
    training = VectorTraining(method=method, dimensions=dimensions, epochs=_EPOCHS)
    row: dict[str, str | float | None] = {
        "method": str(method),
        "dimensions": dimensions,
        "peer": "gensim Word2Vec",
        "Tenbin, 1,000 words/s": None,
        "peer, 1,000 words/s": None,
        "ratio": None,
        "target": ">= 1" if method is Method.CBOW else "",
    }
    try:
        models = import_module("gensim.models")
    except ImportError:
        return row | {"peer": "gensim: not installed"}
    words = _EPOCHS * sum(map(len, tokens))
    tasks: dict[str, Callable[[], object]] = {
        "own": lambda: _ours(tokens, folder, training),
        "peer": lambda: _theirs(models, tokens, training),
    }
    times: dict[str, list[float]] = {name: [] for name in tasks}
    tasks["own"]()  # so that the kernel is loaded
    for _ in range(_REPEATS):
        for name, task in tasks.items():
            gc.collect()
            start = time.process_time()
            task()
            times[name].append(time.process_time() - start)
    own, peer = (words / median(found) for found in times.values())
    speeds = {"Tenbin, 1,000 words/s": own / 1000, "peer, 1,000 words/s": peer / 1000}
    return row | speeds | {"ratio": own / peer}


def _ours(tokens: Tokens, folder: Path, training: VectorTraining) -> object:
    with NumberedText(folder) as text:
        for segment in tokens:
            text.add(segment)
        vocabulary = text.vocabulary(training.min_count)
        return learn_vectors([text], [vocabulary], training, no_progress)


def _theirs(models: object, tokens: Tokens, training: VectorTraining) -> object:
    rate = training.first_rate
    model = models.Word2Vec(  # type: ignore[attr-defined]
        vector_size=training.dimensions,
        window=training.window,
        min_count=training.min_count,
        negative=training.negative,
        sample=training.sample,
        alpha=rate,
        min_alpha=rate * LEAST_RATE,
        sg=int(training.method is Method.SKIPGRAM),
        seed=training.seed,
        workers=1,
    )
    model.build_vocab(tokens)
    model.train(tokens, total_examples=model.corpus_count, epochs=training.epochs)
    return model


def _read(path: Path, lines: int) -> Tokens:
    """Return tokens of the first column; lines from all over the file."""
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        every = islice(stream, 0, None, 4)
        return [_TOKEN.findall(line.partition("\t")[0].lower()) for line in islice(every, lines)]


def main() -> None:
    """Measure, print and, if asked, store."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=_CORPUS, help="bitext, English first (.xz)")
    parser.add_argument("--lines", type=int, default=60_000, help="how many lines of it")
    parser.add_argument(
        "--write-docs",
        action="store_true",
        help="put the results into docs/performance.md and benchmarks/results/training.json",
    )
    options = parser.parse_args()
    machine = describe_machine(("gensim",))
    tokens = _read(options.corpus, options.lines)
    about = f"{options.corpus.name}, English, {len(tokens):,} segments of the corpus"
    described = f"{about}, {sum(map(len, tokens)):,} tokens, lower-cased"
    with TemporaryDirectory() as name, environment(TENBIN_KERNELS="compiled"):
        print(f"{SECTION.title} ...", file=sys.stderr, flush=True)
        results = {SECTION: run_training(tokens, Path(name))}
    report = render_results(machine, described, results)
    print(report)
    if options.write_docs:
        stored = _REPOSITORY / "benchmarks" / "results" / "training.json"
        write_results(stored, machine, described, results)
        write_page(_REPOSITORY / "docs" / "performance.md", report, _MARKER)


if __name__ == "__main__":
    main()
