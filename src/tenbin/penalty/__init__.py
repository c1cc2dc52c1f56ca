"""The penalty for wrong names and numbers."""
