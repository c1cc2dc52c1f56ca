"""What ``tenbin build`` can build, one module each."""
