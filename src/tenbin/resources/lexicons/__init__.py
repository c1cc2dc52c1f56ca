"""Synonym lexicons: WordNet, DBnary, thesauri, Sudachi and the user's own files."""
