"""Training and use of the context models of WE_WPI-Attention on real text.

    python -m benchmarks.context_models --set ../shared/data/wmt22 --pair de-en --pairs 2000

A few steps of the training are timed after one that warms up, and the time of all epochs follows
from their number; then texts are turned into vectors with the weights that there are. Processor
time of one core is printed beside wall time, which on a busy machine says little.
"""

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from tenbin.annotation.context.context_model import ContextModel, ContextVector
from tenbin.annotation.context.network import one_thread, use_one_thread
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.context.training import HALVES, ContextTraining
from tenbin.building.context.texts import texts_of_set

_STEPS = 12
_TEXTS = 1_000


def main() -> None:
    """Measure, and print the figures."""
    options = _parse()
    whole = texts_of_set(options.set, options.pair).pairs()
    pairs = replace(
        whole, references=whole.references[: options.pairs], sources=whole.sources[: options.pairs]
    )
    recipe = ContextRecipe()
    training = ContextTraining(pairs, recipe)
    batches = training._batches(0)  # noqa: SLF001 - single steps are timed
    with one_thread(), ThreadPoolExecutor(HALVES, initializer=use_one_thread) as pool:
        training._step(batches[0], pool)  # noqa: SLF001
        wall, own = time.perf_counter(), time.process_time()
        for batch in batches[1 : options.steps + 1]:
            training._step(batch, pool)  # noqa: SLF001
    count = len(batches[1 : options.steps + 1])
    wall, own = (time.perf_counter() - wall) / count, (time.process_time() - own) / count
    steps = len(batches) * recipe.epochs
    _say("pairs", len(pairs))
    _say("words of a pair", sum(map(len, pairs.references + pairs.sources)) / len(pairs))
    _say("steps of all epochs", steps)
    _say("wall time of a step, ms", 1e3 * wall)
    _say("processor time of a step, ms", 1e3 * own)
    _say("all epochs, wall time, s", steps * wall)
    _say("all epochs, processor time by two cores, s", steps * own / HALVES)
    model = ContextModel.of_training(training, pairs, recipe)
    texts = [model.text_words.ids(words) for words in pairs.references[:_TEXTS]]
    sources = [model.source_words.ids(words) for words in pairs.sources[:_TEXTS]]
    wall, own = time.perf_counter(), time.process_time()
    model.vectors(texts, sources, ContextVector.ATTENTION)
    _say(
        "texts turned into vectors, wall time, a second", len(texts) / (time.perf_counter() - wall)
    )
    own = time.process_time() - own
    _say("texts turned into vectors, processor time, a second", len(texts) / own)
    _say("peak memory, MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _say(what: str, number: float) -> None:
    sys.stdout.write(f"{what:52} {number:10,.1f}\n")


def _parse(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", required=True, help="a test set in the mt-metrics-eval layout")
    parser.add_argument("--pair", required=True, help="a language pair")
    parser.add_argument("--pairs", type=int, default=2_000, help="how many pairs of it")
    parser.add_argument("--steps", type=int, default=_STEPS, help="steps that are timed")
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
