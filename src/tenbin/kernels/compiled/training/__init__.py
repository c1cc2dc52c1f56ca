"""Training of word vectors, compiled."""
