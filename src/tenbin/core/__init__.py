"""Values and promises shared by every room; no file, no clock, no randomness."""
