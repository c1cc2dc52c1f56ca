"""Blocks of similarities, and what is read off them."""
