"""How the similarities of tokens become a score, and its explanation."""
