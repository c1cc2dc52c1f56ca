"""The manifest: the list of resources with their hashes and providers.

The list is data: ``bundled/manifest.toml``, whose header explains every field.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from tenbin.core.errors import UnreadableFile
from tenbin.core.resource import ResourceKind


class ProviderType(StrEnum):
    """Where a resource comes from; the first three are used in place."""

    BUNDLED = "bundled"
    PACKAGE = "package"
    FILE = "file"
    WHEEL = "wheel"
    WHEELS = "wheels"
    NPM = "npm"
    DEB = "deb"
    URL = "url"


LOCAL = frozenset({ProviderType.BUNDLED, ProviderType.PACKAGE, ProviderType.FILE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One source of a resource; which fields it has depends on its type.

    Attributes:
        type: Kind of source.
        distribution: Name of the package.
        distributions: Names of the packages over which an archive is spread.
        pieces: Path of the piece inside each of them; one after the other they are the archive.
        version: Version of the package; for ``deb`` empty means whatever the system offers.
        member: Path of the one file inside the archive, distribution or folder of bundled data.
        members: Paths of several files inside the archive, stored as one tar of them.
        url: An https address.
        path: Where another package manager puts the file.
        archive_size: Bytes that have to be fetched.
        sdist: Whether the package is a source archive.
        extra: The extra of Tenbin that installs the distribution.
    """

    type: ProviderType
    distribution: str = ""
    distributions: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    version: str = ""
    member: str = ""
    members: tuple[str, ...] = ()
    url: str = ""
    path: str = ""
    archive_size: int = 0
    sdist: bool = False
    extra: str = ""

    def __str__(self) -> str:
        separator = {ProviderType.DEB: "=", ProviderType.NPM: "@"}.get(self.type, "==")
        version = f"{separator}{self.version}" if self.version else ""
        package = " ".join(name + version for name in self.packages)
        return f"{self.type} {package or self.url or self.path or self.member}"

    @property
    def packages(self) -> tuple[str, ...]:
        """The names of its packages; none where it is no package."""
        return self.distributions or ((self.distribution,) if self.distribution else ())

    @property
    def file_name(self) -> str:
        """The name of the file itself."""
        if self.members:
            name = next(iter(self.packages), urlsplit(self.url).path)
            return f"{PurePosixPath(name).name}.tar"
        return PurePosixPath(self.member or urlsplit(self.url).path or self.path).name


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One resource of the manifest.

    Attributes:
        name: Its unique name.
        kind: What it holds.
        version: Version of the data.
        language: BCP 47 tag; ``mul`` for several.
        licence: Licence of the data.
        description: One line for a listing.
        sha256: Hash of the stored file. Empty only for data of an installed package of any version:
            then the file that is there is hashed.
        size: Bytes of the stored file.
        prepare: Form that the file is converted into after it was fetched, or empty.
        providers: Its sources, in the order in which they are tried.
        languages: The languages of one for several, where it says which; others do not suit it.
    """

    name: str
    kind: ResourceKind
    version: str
    language: str
    licence: str
    description: str
    sha256: str = ""
    size: int = 0
    prepare: str = ""
    providers: tuple[Provider, ...] = ()
    languages: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """The name under which the file is stored."""
        return self.providers[0].file_name


Manifest = Mapping[str, Entry]

_TEXT = re.compile(r"[^\n\r\t]+")
_PATTERNS = {
    "name": re.compile(r"[a-z0-9][a-z0-9.+-]*"),
    "sha256": re.compile(r"[0-9a-f]{64}"),
    "prepare": re.compile(r"[a-z0-9][a-z0-9-]*"),
    # Passed to other programs as command-line arguments: nothing that could be an option.
    "distribution": re.compile(r"(@[a-z0-9][\w.-]*/)?[A-Za-z0-9][\w.+-]*"),
    "version": re.compile(r"[A-Za-z0-9][\w.:+~!-]*"),
    "extra": re.compile(r"[a-z][a-z-]*"),
    "url": re.compile(r"https://[^\s@]+"),
}
_INSIDE = {"member", "members"}
_SHAPES = {
    ProviderType.BUNDLED: ({"member"}, set[str]()),
    ProviderType.PACKAGE: ({"distribution", "member"}, {"extra"}),
    ProviderType.FILE: ({"path"}, set[str]()),
    ProviderType.WHEEL: ({"distribution", "version"}, {"archive_size", "sdist"} | _INSIDE),
    ProviderType.WHEELS: ({"distributions", "version", "pieces"}, {"archive_size"} | _INSIDE),
    ProviderType.NPM: ({"distribution", "version"}, {"archive_size"} | _INSIDE),
    ProviderType.DEB: ({"distribution"}, {"version", "archive_size"} | _INSIDE),
    ProviderType.URL: ({"url"}, {"archive_size"} | _INSIDE),
}
_TYPES: dict[str, type] = {"size": int, "archive_size": int, "sdist": bool} | dict.fromkeys(
    ("members", "distributions", "pieces", "languages"), list
)
_EACH = {
    "distributions": "distribution",
    "pieces": "member",
    "members": "member",
    "languages": "language",
}
_SEVERAL = "mul"
_REQUIRED = {"kind", "version", "language", "licence", "description", "providers"}


def is_inner_path(path: str) -> bool:
    """Return whether a path stays below its starting folder, on any system.

    >>> is_inner_path("./usr/share/a.txt"), is_inner_path("a/../../b"), is_inner_path("/etc/a")
    (True, False, False)
    """
    parts = PurePosixPath(path).parts
    return bool(parts) and not (
        path.startswith("/") or ".." in parts or "\\" in path or ":" in path or "\0" in path
    )


@cache
def bundled_manifest() -> Manifest:
    """Return the manifest that comes with the package."""
    source = files("tenbin.resources").joinpath("bundled", "manifest.toml")
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        advice = "Tenbin itself is damaged: reinstall the package tenbin with pip."
        raise UnreadableFile(str(source), f"cannot be read ({error})", advice) from error
    return parse_manifest(text, "manifest.toml")


def parse_manifest(text: str, source: str) -> Manifest:
    """Return the entries of a manifest by name.

    Raises:
        UnreadableFile: The text is not a manifest; the message names entry and field.
    """
    try:
        tables = tomllib.loads(text)
        entries = {name: _entry(name, table) for name, table in sorted(tables.items())}
    except (ValueError, RecursionError) as error:
        advice = "See the header of Tenbin's own manifest.toml for the fields."
        raise UnreadableFile(source, f"not a manifest of resources ({error})", advice) from error
    return MappingProxyType(entries)


def _entry(name: str, table: Any) -> Entry:  # noqa: ANN401 - whatever TOML holds
    _check_value("name", name, f"[{name}]")
    if not isinstance(table, dict):
        raise ValueError(f"{name} is not a table")  # noqa: TRY004 - one error for all faults
    where = f"[{name}]"
    _check_keys(table, _REQUIRED, {"sha256", "size", "prepare", "languages"}, where)
    for key, value in table.items():
        if key not in {"kind", "providers"}:
            _check_value(key, value, where)
    listed = table["providers"]
    if not isinstance(listed, list) or not listed:
        raise ValueError(f"{where} needs a list of providers")
    providers = tuple(
        _provider(one, f"{where} provider {number}") for number, one in enumerate(listed, start=1)
    )
    known = {"kind": ResourceKind(table["kind"]), "languages": tuple(table.get("languages", ()))}
    entry = Entry(**{**table, **known, "name": name, "providers": providers})
    if entry.languages and entry.language != _SEVERAL:
        raise ValueError(f"{where} has languages: its language must be {_SEVERAL!r}")
    pinned = bool(entry.sha256) and entry.size > 0
    if not pinned and any(one.type is not ProviderType.PACKAGE for one in providers):
        raise ValueError(f"{where} needs sha256 and size: only 'package' may come in any version")
    return entry


def _provider(table: Any, where: str) -> Provider:  # noqa: ANN401 - whatever TOML holds
    if not isinstance(table, dict):
        raise ValueError(f"{where} is not a table")  # noqa: TRY004 - one error for all faults
    kind = ProviderType(table.get("type", "without a type"))
    required, optional = _SHAPES[kind]
    _check_keys(table, {"type", *required}, optional, where)
    for key, value in table.items():
        if key != "type":
            _check_value(key, value, where)
    inside = _INSIDE & table.keys()
    if len(inside) > 1 or not (inside or kind in {ProviderType.FILE, ProviderType.URL}):
        raise ValueError(f"{where} needs either member or members")
    lists = {key: tuple(value) for key, value in table.items() if isinstance(value, list)}
    provider = Provider(**{**table, **lists, "type": kind})
    if len(provider.distributions) != len(provider.pieces):
        raise ValueError(f"{where} needs one of the pieces for each of the distributions")
    if kind is ProviderType.URL and inside and not provider.archive_size:
        raise ValueError(f"{where} needs archive_size, the upper limit of the download")
    return provider


def _check_keys(table: dict[str, Any], required: set[str], optional: set[str], where: str) -> None:
    missing = sorted(required - table.keys())
    strange = sorted(table.keys() - required - optional)
    if missing or strange:
        parts = [f"lacks {', '.join(missing)}"] if missing else []
        parts += [f"has fields that it cannot have: {', '.join(strange)}"] if strange else []
        raise ValueError(f"{where} {' and '.join(parts)}")


def _check_value(key: str, value: object, where: str) -> None:
    wanted = _TYPES.get(key, str)
    if type(value) is not wanted:
        raise ValueError(f"{where}: {key} = {value!r} must be of type {wanted.__name__}")
    if isinstance(value, list):
        for one in value:
            _check_value(_EACH[key], one, where)
        if key == "members":
            _check_members(value, where)
    elif isinstance(value, str):
        good = _PATTERNS.get(key, _TEXT).fullmatch(value) is not None
        if key == "member":
            good = is_inner_path(value)
        if not good:
            raise ValueError(f"{where}: {key} = {value!r} is not valid")
    elif isinstance(value, int) and value < 0:
        raise ValueError(f"{where}: {key} = {value!r} is negative")


def _check_members(members: Sequence[object], where: str) -> None:
    # They are stored under their own names, without the folders they come from.
    names = {PurePosixPath(str(member)).name for member in members}
    if not 1 < len(names) == len(members):
        raise ValueError(f"{where}: members must be two or more files of different names")
