"""Names: where they stand in a text, and whether two texts have the same."""
