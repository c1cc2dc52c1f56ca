"""Optimal transport between weighted words."""
