"""Valid files as parts, and ways to put them together."""

import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Parts = Mapping[str, bytes]
Pack = Callable[[Parts], bytes]


def joined(parts: Parts) -> bytes:
    """Return the parts one after the other."""
    return b"".join(parts.values())


@dataclass(frozen=True, slots=True)
class ValidFile:
    """A file.

    Attributes:
        name: Its name, which some readers go by.
        parts: What it consists of.
        pack: Puts the parts together.
        beside: Further files of the same folder, undamaged.
    """

    name: str
    parts: Parts
    pack: Pack = joined
    beside: Parts = field(default_factory=dict)

    @property
    def content(self) -> bytes:
        """The whole file."""
        return self.pack(self.parts)


def text_file(name: str, text: str) -> ValidFile:
    """Return a file of text."""
    return ValidFile(name, {"": text.encode()})


def packed_zip(parts: Parts) -> bytes:
    """Return the parts as a zip archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()
