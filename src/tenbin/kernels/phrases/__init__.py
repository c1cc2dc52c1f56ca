"""Phrases: extraction, indexing, matching."""
