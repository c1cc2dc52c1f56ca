"""Particles that are written together with the word before them."""

from functools import cache
from importlib.resources import files


@cache
def load_particles(language: str) -> frozenset[str]:
    """Return the particles of a language; none for a language that writes them apart.

    >>> "는" in load_particles("ko"), load_particles("en")
    (True, frozenset())
    """
    path = files("tenbin.resources").joinpath("bundled", f"particles-{language}.txt")
    if not language.isalpha() or not path.is_file():
        return frozenset()
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
