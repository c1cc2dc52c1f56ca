"""Readers and writers of files: bytes on disk to core values and back, without computation."""
