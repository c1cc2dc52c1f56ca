"""Word vectors: one memory-mapped table for every source format."""

from tenbin.resources.vectors.word_vectors import WordVectors, load_vectors

__all__ = ["WordVectors", "load_vectors"]
