"""Word vectors: one memory-mapped table, whatever file they came in."""

from tenbin.resources.vectors.word_vectors import WordVectors, load_vectors

__all__ = ["WordVectors", "load_vectors"]
