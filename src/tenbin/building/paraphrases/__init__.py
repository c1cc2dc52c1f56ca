"""Paraphrases out of word-aligned bitext: alignment, extraction, pivoting, the table."""
