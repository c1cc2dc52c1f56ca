"""Read-only linguistic data, identified by name, version, hash and license."""
