"""Plain text: distinct sentences of files, and translations of some, as subwords."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.prose.distinct import distinct
from benchmarks.students.arrays import Arrays
from benchmarks.students.round_trips import FEWEST_ROUTES, TRIPS
from benchmarks.students.segments import SENTENCE
from tenbin.annotation.joint.pairs import PairTokenizer
from tenbin.formats.lines import TextFile

_AT_ONCE = 50_000


def plain_arrays(paths: Sequence[Path], tokenizer: PairTokenizer) -> Arrays:
    """Return the sentences of files, and how many are of each.

    Args:
        paths: Text files, a sentence per line; may be compressed.
        tokenizer: The tokenizer of the student.

    Raises:
        SystemExit: A file has no sentence that no other had before.
    """
    known: set[str] = set()
    parts, counts = [], []
    for path in paths:
        own = list(distinct(TextFile(str(path)).lines(), known))
        if not own:
            raise SystemExit(
                f"{path}: there is no sentence that no other file has. Give plain text."
            )
        parts += split_texts(own, tokenizer, SENTENCE)
        counts.append(len(own))
    return {**flat_arrays(parts), "counts": np.array(counts)}


def trip_arrays(paths: Sequence[Path], tokenizer: PairTokenizer) -> Arrays:
    """Return sentences of files, each followed by its translations.

    Args:
        paths: A sentence per line, with its translations after tabs, equally many in all lines.
        tokenizer: The tokenizer of the student.

    Raises:
        SystemExit: Lines have too few translations, or not equally many.
    """
    rows = [line.split("\t") for path in paths for line in TextFile(str(path)).lines()]
    counts = {len(row) for row in rows}
    if len(counts) != 1 or min(counts) <= FEWEST_ROUTES:
        raise SystemExit(
            f"{', '.join(map(str, paths))}: each line needs a sentence and {FEWEST_ROUTES} or more "
            f"translations of it, equally many in all lines; found {sorted(counts)} columns"
        )
    texts = [text for row in rows for text in row]
    arrays = {**flat_arrays(split_texts(texts, tokenizer, SENTENCE)), "routes": counts.pop() - 1}
    return {f"{TRIPS}{name}": np.asarray(one) for name, one in arrays.items()}


def split_texts(
    texts: Sequence[str], tokenizer: PairTokenizer, most: int
) -> list[npt.NDArray[np.uint16]]:
    """Return the subwords of texts.

    Args:
        texts: The texts.
        tokenizer: Splits them.
        most: Most subwords of a text; the rest is cut off.
    """
    found = []
    for start in range(0, len(texts), _AT_ONCE):
        some = tokenizer.tokenizer.plain_ids(texts[start : start + _AT_ONCE], most)
        found += [one.astype(np.uint16) for one in some]  # a vocabulary has fewer than 65,536
    return found


def flat_arrays(ids: Sequence[npt.NDArray[np.uint16]]) -> Arrays:
    """Return texts one after the other, and their lengths."""
    return {
        "flat": np.concatenate(ids),
        "lengths": np.array([len(one) for one in ids], dtype=np.uint8),
    }
