"""Searches the settings of the preset `tenbin`: python -m benchmarks.preset_search."""
