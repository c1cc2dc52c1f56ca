"""Counting and matching n-grams, compiled."""
