"""Word vectors of one's own, and the ones that come with Tenbin."""
