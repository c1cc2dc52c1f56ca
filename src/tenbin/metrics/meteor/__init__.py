"""METEOR (Denkowski and Lavie 2014) and its extensions by DBnary and word vectors."""
