"""The store of resources: where they are, how to obtain them, and their hashes."""

from tenbin.resources.store.store import ResourceStore, default_store

__all__ = ["ResourceStore", "default_store"]
