"""Metrics over word vectors beside gensim, POT, numpy and scipy: python -m benchmarks.vectors."""
