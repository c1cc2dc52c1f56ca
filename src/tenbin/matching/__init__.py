"""Decides which words and phrases of two segments match, and why."""
