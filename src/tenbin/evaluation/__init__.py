"""Runs many metrics on many systems and compares systems."""
