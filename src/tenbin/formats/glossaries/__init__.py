"""Glossaries: tables, TBX, and plain lists of names."""
