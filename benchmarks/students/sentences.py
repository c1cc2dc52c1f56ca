"""Plain text for the first stage: distinct sentences of files, as subwords."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.prose.distinct import distinct
from benchmarks.students.arrays import Arrays
from benchmarks.students.plain_text import SENTENCE
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
