"""Word vectors as metrics use them: of length 1, looked up by word."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tenbin.core.arrays import IdArray
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.word2vec import Float32Array, read_word2vec
from tenbin.resources.store import ResourceStore, default_store


@dataclass(frozen=True, slots=True, eq=False)
class Embeddings:
    """Vectors of length 1.

    Attributes:
        identity: Which data it is.
        places: Row of each word.
        vectors: Shape (words, dimensions).
    """

    identity: ResourceIdentity
    places: dict[str, int]
    vectors: Float32Array

    def rows(self, vocabulary: Sequence[str]) -> IdArray:
        """Return the row of each word of a vocabulary, -1 for unknown ones."""
        return np.array([self.places.get(word, -1) for word in vocabulary], dtype=np.int32)


def load_embeddings(name: str, language: str, store: ResourceStore | None = None) -> Embeddings:
    """Open word vectors: a resource of the manifest, or a file in a format of word2vec."""
    chosen = default_store() if store is None else store
    identity = chosen.identity(name, kind=ResourceKind.VECTORS, language=language)
    return _opened(identity, chosen.path(name))


@cache
def _opened(identity: ResourceIdentity, path: Path) -> Embeddings:
    table = read_word2vec(path)
    return Embeddings(identity, places_of(table.words), unit_length(table.vectors))


def places_of(words: Sequence[str]) -> dict[str, int]:
    """Return the row of each word; the first one counts if a word is there twice."""
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        places.setdefault(word, place)
    return places


def unit_length(vectors: Float32Array) -> Float32Array:
    """Return vectors divided by their length, in 32 bits as METEOR-E does; null stays null."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1, dtype=np.float32), dtype=np.float32)
    scaled: Float32Array = np.zeros_like(vectors)
    np.divide(vectors, lengths[:, None], out=scaled, where=lengths[:, None] > 0)
    return scaled
