"""Chooses among candidate translations: minimum Bayes risk, reranking, the oracle of a list."""
