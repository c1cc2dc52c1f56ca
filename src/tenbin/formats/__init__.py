"""Turns bytes on disk into core values or back; computes nothing."""
