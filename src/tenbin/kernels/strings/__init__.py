"""Kernels over the bytes of strings."""
