"""Readers of word-vector files: word2vec, GloVe, fastText, spaCy, navec, wink, numpy."""
