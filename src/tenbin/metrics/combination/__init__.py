"""A metric that is a regression over the scores of other metrics."""
