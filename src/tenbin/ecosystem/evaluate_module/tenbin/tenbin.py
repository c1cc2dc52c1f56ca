# ruff: noqa: INP001 - evaluate asks for a folder with a script, not for a package
"""What ``evaluate.load`` runs when it is given this folder."""

from tenbin.ecosystem.evaluate import TranslationModule

__all__ = ["TranslationModule"]
