"""Metrics that compare words by their vectors, and their kin that compare word by word."""
