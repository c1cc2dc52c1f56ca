"""Synonyms: WordNet, DBnary, thesauri, Sudachi, files of one's own."""
