"""A representation and an aggregation of our own, each in a metric."""
