"""Turns segments into statistics and statistics into a score; one file a metric."""
