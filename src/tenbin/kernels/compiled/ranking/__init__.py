"""Rank statistics, compiled."""
