"""Makes resources offline; may use heavy optional packages."""
