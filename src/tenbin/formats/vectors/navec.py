"""navec, the Russian word vectors of the Natasha project: product-quantized, in a tar file.

meta.json   {"id": ..., "protocol": 1}
vocab.bin   gzip: uint32 words; a uint32 count of each; the words, separated by line feeds
pq.bin      uint32 words, dimensions, parts, centroids; a byte per word and part: its centroid; the
            centroids, float32 of shape (parts, centroids, dimensions / parts)

A vector is the concatenation of the centroids of its parts.
"""

import gzip
import tarfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.formats.compression import DAMAGE_ERRORS
from tenbin.formats.damage import ARCHIVE_ERRORS
from tenbin.formats.json_text import parse_json
from tenbin.formats.vectors.stream import (
    Float32Array,
    Progress,
    VectorChunk,
    VectorStream,
    check_finite,
)

_META, _VOCABULARY, _QUANTIZED = "meta.json", "vocab.bin", "pq.bin"
_PROTOCOL = 1
_NUMBER = np.dtype("<u4")
_HEADER_NUMBERS = 4
_ROWS_AT_ONCE = 8192
_ADVICE = f"Expected a tar file of navec with {_META}, {_VOCABULARY} and {_QUANTIZED}."


def read_navec(path: Path) -> VectorStream:
    """Read word vectors of navec.

    Raises:
        UnreadableFile: The file is damaged, or was not written by navec.
    """
    try:
        with tarfile.open(path) as archive:
            parts = {name: _member(archive, name) for name in (_META, _VOCABULARY, _QUANTIZED)}
        _check_protocol(parse_json(parts[_META])["protocol"])
        words = _words(gzip.decompress(parts[_VOCABULARY]))
        places, codes = _quantized(parts[_QUANTIZED])
    except (TypeError, *ARCHIVE_ERRORS, *DAMAGE_ERRORS) as error:
        problem = f"this cannot be read as navec ({str(error)[:200]})"
        raise UnreadableFile(str(path), problem, _ADVICE) from error
    if len(words) != len(places):
        problem = f"found {counted(len(words), 'word')} and {counted(len(places), 'vector')}"
        raise UnreadableFile(str(path), problem, _ADVICE)
    progress = Progress(len(words))
    return VectorStream(
        dimensions=codes.shape[0] * codes.shape[2],
        chunks=_chunks(path, words, places, codes, progress),
        count=len(words),
        done=progress.done,
    )


def _check_protocol(protocol: object) -> None:
    if protocol != _PROTOCOL:
        raise ValueError(f"protocol {protocol}, expected {_PROTOCOL}")


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    stream = archive.extractfile(name)
    if stream is None:
        raise ValueError(f"{name} is not a file")
    return stream.read()


def _words(content: bytes) -> list[str]:
    count = int.from_bytes(content[:4], "little")
    words = content[4 + 4 * count :].decode("utf-8").split("\n")
    if len(words) != count:
        raise ValueError(f"{counted(len(words), 'word')}, expected {count:,}")
    return words


def _quantized(content: bytes) -> tuple[npt.NDArray[np.uint8], Float32Array]:
    count, dimensions, parts, centroids = np.frombuffer(content, _NUMBER, _HEADER_NUMBERS).tolist()
    first = _HEADER_NUMBERS * _NUMBER.itemsize
    places = np.frombuffer(content, np.uint8, count * parts, first).reshape(count, parts)
    codes = np.frombuffer(content, "<f4", offset=first + count * parts)
    shaped: Float32Array = codes.reshape(parts, centroids, -1).astype(np.float32, copy=False)
    if parts * shaped.shape[2] != dimensions or (count and places.max() >= centroids):
        raise ValueError(
            f"{counted(dimensions, 'dimension')} in {counted(parts, 'part')} of {shaped.shape[2]}"
        )
    return places, shaped


def _chunks(
    path: Path,
    words: list[str],
    places: npt.NDArray[np.uint8],
    codes: Float32Array,
    progress: Progress,
) -> Iterator[VectorChunk]:
    parts = np.arange(codes.shape[0])
    for first in range(0, len(words), _ROWS_AT_ONCE):
        chosen = words[first : first + _ROWS_AT_ONCE]
        vectors = codes[parts, places[first : first + _ROWS_AT_ONCE]].reshape(len(chosen), -1)
        check_finite(str(path), (chosen, vectors), first)
        progress.add(len(chosen))
        yield chosen, vectors
