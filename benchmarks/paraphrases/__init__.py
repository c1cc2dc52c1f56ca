"""Paraphrase tables beside NLTK, by size, and in use: python -m benchmarks.paraphrases."""
