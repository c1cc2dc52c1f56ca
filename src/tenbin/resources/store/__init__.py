"""The store of resources: where data are, how to obtain them, which data they are."""

from tenbin.resources.store.store import ResourceStore, default_store

__all__ = ["ResourceStore", "default_store"]
