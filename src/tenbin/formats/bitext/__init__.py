"""Readers of parallel text, word alignments and paraphrase lists."""
