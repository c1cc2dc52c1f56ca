"""Training of word vectors: words that are predicted from the words around them."""
