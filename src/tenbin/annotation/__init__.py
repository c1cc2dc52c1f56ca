"""Adds knowledge to one segment alone: language, script, tokens, characters."""
