"""Texts of test sets translated and back: more translations of segments that have a year.

The year of a pair is that of its reference, so that a student without the year reads neither.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.prose.apertium import write_versions
from benchmarks.prose.round_trips import round_trips
from benchmarks.students.arrays import IntArray
from tenbin.building.metric.data import MetricData
from tenbin.building.metric.distillation import compared_texts
from tenbin.building.metric.judged_texts import TextPool
from tenbin.building.metric.sets import SetTexts
from tenbin.formats.lines import TextFile

Versions = Mapping[str, Sequence[str]]
"""What became of texts."""

_OF_REFERENCE, _OF_TRANSLATION = 4, 3
_SEED = 20_261_119


def write_set_trips(read: MetricData, output: Path) -> int:
    """Write all references of test sets and a translation of each, with their round trips.

    Args:
        read: The test sets.
        output: A text per line, and its round trips after tabs.

    Returns:
        The number of lines.

    Raises:
        SystemExit: Apertium fails, or is not there.
    """
    pairs = distinct_pairs(read.texts)
    texts = read.pool.listed()
    chosen = {*pairs[0].tolist(), *drawn_translations(pairs).values()}
    sentences = [texts[one] for one in sorted(chosen) if is_one_line(texts[one])]
    return write_versions([("test sets", round_trips(sentences))], output)


def is_one_line(text: str) -> bool:
    """Return whether a text can stand between tabs in a line, and is not empty."""
    return bool(text) and len(text.splitlines()) == 1 and "\t" not in text


def distinct_pairs(texts: Iterable[SetTexts], peers: int = 0) -> IntArray:
    """Return references and translations, and translations of two systems, each pair once.

    Args:
        texts: The texts of sets.
        peers: Other translations that each is compared with.

    Returns:
        Numbers of texts, (2, pairs).
    """
    parts = [part for one in texts for part in compared_texts(one, peers)]
    return np.unique(np.concatenate(parts, axis=1), axis=1)


def drawn_translations(pairs: IntArray) -> dict[int, int]:
    """Return a translation of each reference.

    Args:
        pairs: References and translations.
    """
    order = np.random.default_rng(_SEED).permutation(pairs.shape[1])
    return dict(pairs[:, order].T.tolist())


def read_versions(path: Path) -> Versions:
    """Return the round trips of each text of a file that was written."""
    rows = (line.split("\t") for line in TextFile(str(path)).lines())
    return {row[0]: row[1:] for row in rows}


def trip_pairs(pairs: IntArray, pool: TextPool, versions: Versions) -> IntArray:
    """Return references beside round trips of them, and beside those of a translation.

    Args:
        pairs: References and translations of a year.
        pool: Their texts; gets the round trips.
        versions: What became of texts.

    Returns:
        Numbers of texts, (2, pairs); a reference stands beside no text twice.
    """
    texts = pool.listed()
    rng = np.random.default_rng(_SEED)
    # `write_set_trips` wrote one translation of each reference; others may be those of another one.
    translated = {
        reference: translation
        for reference, translation in pairs.T.tolist()
        if texts[translation] in versions and translation != reference
    }
    found: set[tuple[int, int]] = set()
    for reference in np.unique(pairs[0]).tolist():
        own = (reference, _OF_REFERENCE), (translated.get(reference), _OF_TRANSLATION)
        for text, most in own:
            every = () if text is None else versions.get(texts[text], ())
            some = rng.permutation(len(every))[:most].tolist()
            numbers = pool.numbers(every[one] for one in some).tolist()
            found.update((reference, number) for number in numbers)
    known = set(map(tuple, pairs.T.tolist()))
    rows = sorted(one for one in found if one not in known and one[0] != one[1])
    return np.array(rows, dtype=np.int64).reshape(-1, 2).T
