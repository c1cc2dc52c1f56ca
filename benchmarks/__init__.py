"""Measures Tenbin beside its peers; see README.md. Nothing here is part of the package."""
