"""Measures of agreement between metric scores and human judgment; reads scores, never metrics."""
