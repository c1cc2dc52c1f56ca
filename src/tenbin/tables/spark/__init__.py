"""The same on a Spark cluster, with the same numbers."""
