"""The text preparation of METEOR 1.5: normalization and tokenization."""
