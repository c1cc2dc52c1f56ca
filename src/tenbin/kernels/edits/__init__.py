"""Edit distances, shifts and common subsequences."""
