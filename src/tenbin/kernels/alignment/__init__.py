"""Matching of words with words, one to one."""
