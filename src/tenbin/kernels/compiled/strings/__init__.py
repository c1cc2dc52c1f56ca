"""Compiled twins of `tenbin.kernels.strings`."""
