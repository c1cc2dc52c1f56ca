"""The glossary of a run, which metrics take where theirs is ``auto``.

A run sets it once, where it begins. Metrics read it when they are bound to a language, and name the
file from then on, so that worker processes and signatures have it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

RUN = "run"
"""Value of a parameter that the run settles: its glossary, or its source language."""
NO_GLOSSARY = "none"
"""Value of ``glossary`` for none."""


@dataclass(frozen=True, slots=True)
class RunGlossary:
    """What a run says about terms.

    Attributes:
        file: The file of the glossary; empty for none.
        source_language: The source language, where the run names it; else empty.
    """

    file: str = ""
    source_language: str = ""


_NONE = RunGlossary()
_CURRENT: ContextVar[RunGlossary] = ContextVar("tenbin_glossary", default=_NONE)


@contextmanager
def using_glossary(file: str | None, source_language: str = "") -> Iterator[None]:
    """Inside the block, metrics take a glossary; without a file, that of an outer block.

    >>> with using_glossary("terms.csv"), using_glossary(None):
    ...     run_glossary().file
    'terms.csv'
    >>> with using_glossary("terms.csv"), using_glossary(NO_GLOSSARY):
    ...     run_glossary().file
    ''
    """
    outer = _CURRENT.get()
    named = "" if file == NO_GLOSSARY else file or outer.file
    chosen = RunGlossary(named, source_language or outer.source_language)
    token = _CURRENT.set(chosen)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def run_glossary() -> RunGlossary:
    """Return the glossary of the run."""
    return _CURRENT.get()


def settled_glossary(glossary: str) -> str:
    """Return the file that a parameter stands for: that of the run, or `NO_GLOSSARY`."""
    return glossary if glossary != RUN else run_glossary().file or NO_GLOSSARY
