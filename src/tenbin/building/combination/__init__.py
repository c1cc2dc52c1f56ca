"""Builds combinations: regressions over the scores of metrics, learned from human judgments."""
