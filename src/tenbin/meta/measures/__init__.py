"""Measures of agreement between metric scores and human judgement; reads scores, never metrics."""
