"""Counting and matching n-grams."""
