"""Metrics over vectors that stand for words in their context."""
