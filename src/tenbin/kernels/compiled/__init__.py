"""Compiled twins; importing any module here imports numba."""
