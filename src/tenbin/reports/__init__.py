"""Turns result values into characters; computes nothing, reads no file."""
