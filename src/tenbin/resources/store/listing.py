"""What a store knows about its resources, as values that can be printed."""

from dataclasses import dataclass
from pathlib import Path

from tenbin.resources.store.lookup import State
from tenbin.resources.store.manifest import Entry


@dataclass(frozen=True, slots=True)
class ListedResource:
    """A resource, whether it is there, and where."""

    entry: Entry
    state: State
    path: Path | None


@dataclass(frozen=True, slots=True)
class ResourceListing:
    """All resources.

    Attributes:
        cache: The folder of installed resources.
        resources: One after the other.
    """

    cache: Path
    resources: tuple[ListedResource, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """Resources whose hashes were computed anew.

    Attributes:
        states: ``ok`` or ``changed`` by name.
        faults: One message per resource that has changed.
    """

    states: tuple[tuple[str, str], ...]
    faults: tuple[str, ...]
