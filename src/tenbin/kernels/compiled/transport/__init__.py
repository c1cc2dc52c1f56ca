"""Optimal transport between weighted words, compiled."""
