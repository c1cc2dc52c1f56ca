"""Speed of minimum Bayes risk: python -m benchmarks.mbr [--segments N] [--candidates N].

Candidates are compared pair by pair by chrF, in one process, and a sample of them (some candidates
of segments from the whole text, as time depends on length) by a plain loop over sentence chrF of
sacrebleu; both are given per pair, and the loop also as what it would take for all pairs, which is
an extrapolation and printed as one. Aggregated references are timed on the same candidates. Times
are those of the processor; kernels are compiled before.
"""

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path

from sacrebleu.metrics import CHRF

import tenbin
from benchmarks.corpus import Corpus, load_corpus

_LEAST_RATIO = 20.0
_LOOPED = 14  # candidates of a segment in the plain loop: the outputs of systems
_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mbr", description=__doc__)
    parser.add_argument("--segments", type=int, default=500)
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--data", type=Path, default=_DATA, metavar="DIR")
    parser.add_argument("--loop", type=int, default=25, help="segments of the plain loop")
    options = parser.parse_args()
    corpus = load_corpus(options.data)
    lists = candidate_lists(corpus, options.segments, options.candidates)
    tenbin.mbr(lists[:20], metric="chrf", language="en")  # compiles, and loads what is needed
    pairs = sum(len(some) ** 2 for some in lists)
    print(corpus.description)
    print(f"{options.segments:,} segments, {options.candidates:,} candidates each, {pairs:,} pairs")
    own = _seconds(lambda: tenbin.mbr(lists, metric="chrf", language="en"))
    print(f"tenbin, pair by pair: {own:.1f} s, {1e6 * own / pairs:.2f} µs a pair")
    mean = _seconds(lambda: tenbin.mbr(lists, metric="chrf", language="en", aggregate=True))
    print(f"tenbin, aggregated:   {mean:.1f} s")
    every = max(1, len(lists) // options.loop)
    some = [one[:_LOOPED] for one in lists[::every]]
    looped = sum(len(one) ** 2 for one in some)
    plain = _seconds(lambda: _plain_loop(some)) / looped
    print(
        f"plain loop over sacrebleu: {1e6 * plain:.1f} µs a pair on {looped:,} pairs; all pairs "
        f"would take {plain * pairs:,.0f} s (extrapolated)"
    )
    ratio = plain * pairs / own
    verdict = "reached" if ratio >= _LEAST_RATIO else "not reached"
    print(f"ratio: {ratio:.0f} pair by pair, {plain * pairs / mean:.0f} aggregated; 20 {verdict}")


def candidate_lists(corpus: Corpus, segments: int, candidates: int) -> list[list[str]]:
    """Return outputs of systems, and variants of them: words dropped, exchanged and moved."""
    rng = random.Random(5)  # noqa: S311 - texts to be timed
    lists = []
    for own in list(zip(*corpus.systems.values(), strict=True))[:segments]:
        words = [word for text in own for word in text.split()] or ["empty"]
        more = [_variant(rng.choice(own), words, rng) for _ in range(candidates - len(own))]
        lists.append([*own, *more][:candidates])
    return lists


def _variant(text: str, others: list[str], rng: random.Random) -> str:
    words = [word for word in text.split() if rng.random() > 0.1]
    words = [rng.choice(others) if rng.random() < 0.2 else word for word in words]
    cut = rng.randrange(len(words) + 1)
    return " ".join([*words[cut:], *words[:cut]] if rng.random() < 0.2 else words)


def _plain_loop(lists: list[list[str]]) -> list[str]:
    metric = CHRF()
    chosen = []
    for some in lists:
        scores = [
            sum(metric.sentence_score(text, [other]).score for other in some) for text in some
        ]
        chosen.append(some[max(range(len(some)), key=scores.__getitem__)])
    return chosen


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    main()
