"""Sends the data that metrics read to the workers of a cluster, once each."""

import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from tenbin.core.errors import UsageError
from tenbin.core.metric import NAMES_DATA
from tenbin.core.spec import Spec, SpecValue
from tenbin.formats.files import exists, user_path
from tenbin.metrics.registry import load
from tenbin.resources.store.lookup import CACHE_VARIABLE, State, installed_folder
from tenbin.resources.store.preparation import check_received
from tenbin.resources.store.store import default_store
from tenbin.tables.job import TableJob

_STORE = "tenbin-resources"
# Prefix of word vectors that are used as an encoder.
_PREFIX = "static:"


@dataclass(frozen=True, slots=True)
class Shipment:
    """The data that were sent.

    Attributes:
        files: The name in Spark of each file or folder that a spec names, by its path.
        resources: The name in Spark of each installed resource and each of its prepared forms, by
            its path in the store.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    resources: Mapping[str, str] = field(default_factory=dict)

    def received(self, specs: Sequence[str]) -> list[str]:
        """Return the specs with the paths of this worker."""
        if not self.files and not self.resources:
            return list(specs)
        files = import_module("pyspark").SparkFiles
        if self.resources:
            store = Path(files.getRootDirectory()) / _STORE
            for place, name in self.resources.items():
                _link(store / place, Path(files.get(name)))
            os.environ[CACHE_VARIABLE] = str(store)
            default_store.cache_clear()
        here = {path: files.get(name) for path, name in self.files.items()}
        return [_moved(spec, here) for spec in specs]


def ship(
    context: Any,  # noqa: ANN401
    job: TableJob,
    folder: Path,
    *,
    installed: bool,
) -> Shipment:
    """Add the files that specs name, and optionally installed resources, to a SparkContext.

    Args:
        context: The SparkContext.
        job: The metrics.
        folder: For files that must be packed or renamed first; needed until the job has ended.
        installed: Whether resources of the store are sent too.
    """
    files: dict[str, str] = {}
    for path in _named_paths(job.specs):
        name = path.name
        if name in files.values():
            raise UsageError(f"two files are called {name!r}; on a cluster rename one of them.")
        if path.is_dir():
            # A folder named as the original, inside an archive that Spark unpacks under that name.
            packed = shutil.make_archive(str(folder / name), "zip", path)
            context.addArchive(f"{packed}#{name}")
        else:
            context.addFile(str(path))
        files[str(path)] = name
    return Shipment(files, _resources(context, job, folder) if installed else {})


def _resources(context: Any, job: TableJob, folder: Path) -> dict[str, str]:  # noqa: ANN401
    store = default_store()
    known = {entry.name: entry for entry in store.entries()}
    named = {name for metric in job.metrics for name, _ in metric.signature().resources}
    sent = {}
    for name in sorted(named & known.keys()):
        entry = known[name]
        state, path = store.state(name)
        if path is None or state is State.BUNDLED or not entry.sha256:
            continue
        place = installed_folder(entry, Path()) / entry.file_name
        # All files are in one folder on a worker, so their names must differ.
        own = folder / f"{name}-{entry.file_name}"
        own.symlink_to(path)
        context.addFile(own.as_uri())
        sent[str(place)] = own.name
        # Converting a large table again would take minutes on each machine.
        for made in store.made_forms(name):
            form = made.name.replace("@", "-")
            packed = shutil.make_archive(str(folder / form), "zip", made)
            context.addArchive(f"{packed}#{form}")
            sent[str(made.relative_to(store.cache))] = form
    return sent


def _named_paths(specs: Sequence[str]) -> list[Path]:
    known = {entry.name for entry in default_store().entries()}
    values = [
        value.removeprefix(_PREFIX)
        for spec in specs
        for name, value in Spec.parse(spec).parameters
        if isinstance(value, str) and name in _data_parameters(spec)
    ]
    paths = [user_path(value) for value in dict.fromkeys(values) if value and value not in known]
    return [path for path in paths if exists(path)]


def _data_parameters(spec: str) -> set[str]:
    """Return the parameters of a metric whose values may be files."""
    metric = load(spec)
    return {one.name for one in fields(metric) if one.metadata == NAMES_DATA}  # type: ignore[arg-type]


def _moved(spec: str, here: Mapping[str, str]) -> str:
    naming = _data_parameters(spec)

    def moved(name: str, value: SpecValue) -> SpecValue:
        if not isinstance(value, str) or name not in naming:
            return value
        plain = value.removeprefix(_PREFIX)
        place = here.get(str(user_path(plain))) if plain else None
        return value if place is None else value.replace(plain, place)

    parsed = Spec.parse(spec)
    parameters = tuple((name, moved(name, value)) for name, value in parsed.parameters)
    return str(replace(parsed, parameters=parameters))


def _link(place: Path, target: Path) -> None:
    if target.is_dir() and not place.exists():
        check_received(target)
    place.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):  # another worker on this machine was first
        place.symlink_to(target)
