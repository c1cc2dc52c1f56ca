"""Encoders: what turns a text into pieces, each with a vector that stands for it in its context."""
