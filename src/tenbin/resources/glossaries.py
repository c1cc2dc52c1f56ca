"""Glossaries that a user names."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from tenbin.core.errors import UsageError
from tenbin.core.glossary import Glossary
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.files import regular_file, user_path
from tenbin.formats.glossaries.reading import read_glossary
from tenbin.resources.file_cache import cached_by_file


@dataclass(frozen=True, slots=True, eq=False)
class LoadedGlossary:
    """A glossary, and which it is."""

    identity: ResourceIdentity
    glossary: Glossary


_BUNDLED = "bundled:"
_EXAMPLE = "bundled:example"


def glossary_file(name: str) -> Path:
    """Return the file of a glossary: a path, or ``bundled:example`` for that of the example set.

    Raises:
        UsageError: There is no bundled glossary of that name.
        UnreadableFile: There is no such file.
    """
    if not name.startswith(_BUNDLED):
        return regular_file(user_path(name))
    if name != _EXAMPLE:
        raise UsageError(
            f"there is no bundled glossary {name.removeprefix(_BUNDLED)!r}; there is {_EXAMPLE}."
        )
    folder = files("tenbin.resources").joinpath("bundled", "example", "glossaries")
    return Path(str(folder / "ja-en.csv"))


@cached_by_file("name")
def load_glossary(*, name: str, target: str = "", source: str = "") -> LoadedGlossary:
    """Return the glossary of a file, read once.

    Args:
        name: The file.
        target: The target language, for a file that has several.
        source: The source language, for a file that has several.

    Raises:
        InputError: It cannot be read, or is no glossary.
    """
    found = read_glossary(str(glossary_file(name)), target=target, source=source)
    identity = ResourceIdentity(
        name=found.name,
        kind=ResourceKind.GLOSSARY,
        version="local",
        language=found.target_language or "und",
        licence="unknown",
        fingerprint=found.fingerprint,
    )
    return LoadedGlossary(identity, found)
