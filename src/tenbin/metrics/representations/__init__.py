"""Who gives each token of a text a vector and a weight."""
