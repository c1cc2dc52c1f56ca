"""Combinations of metrics: bundled ones by name, and files of the user's own."""

from dataclasses import dataclass

from tenbin.core.combination import CombinationModel
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.combination_file import read_combination
from tenbin.resources.file_cache import cached_by_file
from tenbin.resources.store.store import default_store


@dataclass(frozen=True, slots=True, eq=False)
class LoadedCombination:
    """A combination, and which it is."""

    identity: ResourceIdentity
    model: CombinationModel


@cached_by_file("name")
def load_combination(*, name: str) -> LoadedCombination:
    """Return a combination by the name of a resource or the path of a file.

    Raises:
        UnreadableFile: The file is no combination, or was changed.
        UnknownResource: No resource and no file has that name.
    """
    store = default_store()
    identity = store.identity(name, kind=ResourceKind.COMBINATION)
    return LoadedCombination(identity, read_combination(store.path(name)))
