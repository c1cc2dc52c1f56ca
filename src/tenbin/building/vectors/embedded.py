"""Builds the bundled table of English word vectors from the full one.

    python -m tenbin.building.vectors.embedded TABLE OUTPUT

TABLE is the file of the resource ``vectors-en``, as ``tenbin resources path vectors-en`` prints it:
GloVe's vectors in GloVe's order, by frequency. The bundled table has the first of them, with a byte
per number, and without the words, which only a report about the table would print.
"""

import sys
from pathlib import Path

import numpy as np

from tenbin.formats.vectors.detection import open_vectors
from tenbin.resources.vectors.precision import Precision
from tenbin.resources.vectors.table import write_vector_table

# With their keys, rows and scales, and with the license beside them, these fit into 8 MB.
WORDS = 68_500


def build_embedded_vectors(source: Path, output: Path, *, count: int = WORDS) -> None:
    """Write the table of the first words of a file of word vectors.

    Args:
        source: Word vectors in any format that Tenbin reads, the most frequent word first.
        output: The table to write.
        count: How many words; all of them if there are fewer.
    """
    words: list[str] = []
    blocks = []
    for names, vectors in open_vectors(source).chunks:
        words.extend(names)
        blocks.append(vectors)
        if len(words) >= count:
            break
    write_vector_table(
        output,
        words[:count],
        np.concatenate(blocks)[:count],
        precision=Precision.INT8,
        keep_words=False,
    )


def main() -> None:
    """Build the table and write it."""
    source, output = map(Path, sys.argv[1:])
    build_embedded_vectors(source, output)


if __name__ == "__main__":
    main()
