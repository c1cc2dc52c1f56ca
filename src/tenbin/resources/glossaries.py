"""Glossaries that a user names."""

from dataclasses import dataclass

from tenbin.core.glossary import Glossary
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.glossaries.reading import read_glossary
from tenbin.resources.file_cache import cached_by_file


@dataclass(frozen=True, slots=True, eq=False)
class LoadedGlossary:
    """A glossary, and which it is."""

    identity: ResourceIdentity
    glossary: Glossary


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
    found = read_glossary(name, target=target, source=source)
    identity = ResourceIdentity(
        name=found.name,
        kind=ResourceKind.GLOSSARY,
        version="local",
        language=found.target_language or "und",
        licence="unknown",
        fingerprint=found.fingerprint,
    )
    return LoadedGlossary(identity, found)
