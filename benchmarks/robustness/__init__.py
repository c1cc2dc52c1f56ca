"""Whether a metric puts damaged translations below the ones that they were made of."""
