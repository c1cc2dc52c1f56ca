"""Numbers, units, dates and times: where they stand, and whether two texts have the same."""
