"""Encoders: texts as subwords, each with a vector."""
