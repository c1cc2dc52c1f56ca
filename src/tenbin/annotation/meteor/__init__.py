"""METEOR 1.5's own text preparation: normalisation, tokenisation, words."""
