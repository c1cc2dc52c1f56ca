"""Read-only linguistic data and the proof of which data it is."""
