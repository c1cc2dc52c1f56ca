"""Scoring of tables larger than memory, row by row."""
