"""Phrases: extraction, indexing, matching, compiled."""
