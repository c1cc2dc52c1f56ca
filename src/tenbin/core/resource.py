"""The identity of read-only linguistic data, as signatures show it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

# Enough to identify a file in print; the whole hash is in the identity.
_PRINTED_DIGITS = 16


class ResourceKind(StrEnum):
    """What a resource holds."""

    LEXICON = "lexicon"
    PARAPHRASES = "paraphrases"
    FUNCTION_WORDS = "function-words"
    VECTORS = "vectors"
    FREQUENCIES = "frequencies"
    ENCODER = "encoder"
    ADAPTER = "adapter"
    COMBINATION = "combination"
    GLOSSARY = "glossary"


@dataclass(frozen=True, slots=True)
class ResourceIdentity:
    """The identity of a resource.

    Attributes:
        name: Name in the manifest; of a user's own file, the file name.
        kind: What it holds; None for a file of unknown kind.
        version: Version of the data, not of the package that has them; ``local`` for a file.
        language: BCP 47 tag; ``und`` if not known or not of one language.
        licence: SPDX expression of the data where there is one; ``unknown`` for a file.
        fingerprint: sha256 of the stored file, in hexadecimal.
    """

    name: str
    kind: ResourceKind | None
    version: str
    language: str
    licence: str
    fingerprint: str

    @property
    def signature_entry(self) -> tuple[str, str]:
        """The name and the beginning of the fingerprint, for `Signature.resources`."""
        return self.name, self.fingerprint[:_PRINTED_DIGITS]


class Resource(Protocol):
    """Anything that looks up data and has an identity."""

    @property
    def identity(self) -> ResourceIdentity:
        """The identity of the data."""
        ...
