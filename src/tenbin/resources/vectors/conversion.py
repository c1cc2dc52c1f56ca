"""Brings word vectors of any format into the form of a table."""

from dataclasses import replace
from pathlib import Path

from tenbin.formats.vectors.detection import files_of, open_vectors
from tenbin.resources.store.conversion_progress import conversion_progress
from tenbin.resources.vectors.precision import Precision
from tenbin.resources.vectors.spacy_keys import with_words
from tenbin.resources.vectors.table import FILE_NAME
from tenbin.resources.vectors.writing import write_vector_stream

# Up to this size a conversion takes a second or two.
_QUICK_BYTES = 64 * 2**20


def prepare_vectors(source: Path, folder: Path) -> None:
    """Make a table in 32 bits if it takes up to 256 MiB then, else in 16."""
    convert_vectors(source, folder / FILE_NAME)


def prepare_float32(source: Path, folder: Path) -> None:
    """Make a table in 32 bits."""
    convert_vectors(source, folder / FILE_NAME, Precision.FLOAT32)


def prepare_float16(source: Path, folder: Path) -> None:
    """Make a table in 16 bits."""
    convert_vectors(source, folder / FILE_NAME, Precision.FLOAT16)


def prepare_int8(source: Path, folder: Path) -> None:
    """Make a table in 8 bits and one scale per row."""
    convert_vectors(source, folder / FILE_NAME, Precision.INT8)


def convert_vectors(source: Path, target: Path, precision: Precision | None = None) -> None:
    """Write the table of a file or folder of word vectors.

    Args:
        source: Word vectors in any format of `tenbin.formats.vectors.detection`.
        target: The file to write; what an error leaves there is no table.
        precision: How to keep the numbers; default: by size.

    Raises:
        InputError: The source cannot be read; the message has file, place and what was expected.
        OSError: The disk is full or cannot be written.
    """
    size = sum(path.stat().st_size for path in files_of(source))
    with conversion_progress(f"reading {source.name}", wanted=size > _QUICK_BYTES) as report:
        stream = open_vectors(source)
        if stream.keyed is not None:
            stream = replace(stream, keyed=with_words(stream.keyed))
        write_vector_stream(target, stream, source=str(source), precision=precision, report=report)
