"""Rows of matrices rounded for products of integers, compiled."""
