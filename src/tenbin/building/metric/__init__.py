"""Learned metrics trained on human judgments."""
