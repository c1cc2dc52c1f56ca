"""Decides which pieces of two segments mean the same, and says why."""
