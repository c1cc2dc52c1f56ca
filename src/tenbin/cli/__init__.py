"""Parses options, calls one function, renders, maps errors to exit codes."""
