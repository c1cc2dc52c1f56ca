"""Fetches archives with the user's own pip, npm or apt; nothing inside an archive is executed.

Those programs know the user's mirrors, proxies, certificates and passwords, which Tenbin does not
want to know. What each may do was checked for exactly these calls:

- ``pip download --no-deps --only-binary :all:`` reads the metadata of a wheel and runs nothing.
  Without ``--only-binary`` pip would call the build system of a source archive to learn its name
  and dependencies, that is, execute it. Source archives are therefore never given to pip: it is
  asked where they are (it lists what it may not take) and the file is fetched from there.
- ``npm pack NAME@VERSION`` copies the archive of the registry; ``--ignore-scripts`` besides. Its
  cache lies in the folder: npm writes the archive itself only when all of it has arrived, so that
  the cache shows how far it is, and no second copy of it stays behind.
- ``apt-get download NAME`` fetches a Debian package without installing it; no root needed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from tenbin.core.errors import ProviderFailed
from tenbin.resources.store.archives import Advance
from tenbin.resources.store.downloads import download

_POLL_SECONDS = 0.1
_PATIENCE_SECONDS = 0.5
_LINES_SHOWN = 3
_PIP = ["--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check"]


def fetch_wheel(name: str, version: str, folder: Path, advance: Advance | None = None) -> Path:
    """Return a wheel that pip put into the folder."""
    command = [*_pip(), "download", *_PIP, "--ignore-requires-python", "--progress-bar", "off"]
    _run([*command, "--dest", ".", f"{name}=={version}"], folder, advance)
    return _only_file(folder, "*.whl")


def fetch_sdist(
    name: str, version: str, folder: Path, *, size: int, advance: Advance | None = None
) -> Path:
    """Return a source archive from where pip says it is, without pip ever opening it."""
    # It finds no wheel, says so and fails; what it prints on the way is what is wanted.
    command = [*_pip(), "download", *_PIP, "-vv", "--dest", "."]
    printed = _run([*command, f"{name}=={version}"], folder, None, failure_expected=True)
    url = _sdist_url(printed, name, version)
    target = folder / Path(urlsplit(url).path).name
    if url.startswith("file:"):
        shutil.copyfile(url2pathname(urlsplit(url).path), target)
    else:
        download(url, target, limit=size, advance=advance)
    return target


def fetch_npm(name: str, version: str, folder: Path, advance: Advance | None = None) -> Path:
    """Return the archive of a package in npm's registry."""
    command = [
        _program("npm"),
        "pack",
        "--ignore-scripts",
        "--no-update-notifier",
        "--loglevel=error",
    ]
    _run([*command, "--cache", "npm-cache", f"{name}@{version}"], folder, advance)
    return _only_file(folder, "*.tgz")


def fetch_deb(name: str, version: str, folder: Path, advance: Advance | None = None) -> Path:
    """Return a Debian package; without a version, the one that this system would install."""
    wanted = f"{name}={version}" if version else name
    _run([_program("apt-get"), "--quiet", "download", wanted], folder, advance)
    return _only_file(folder, "*.deb")


def _pip() -> list[str]:
    for name in ("pip", "pip3"):
        found = shutil.which(name)
        if found is not None:
            return [found]
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    raise ProviderFailed("the program pip is not installed")


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise ProviderFailed(f"the program {name} is not installed")
    return found


def _run(
    command: list[str], folder: Path, advance: Advance | None, *, failure_expected: bool = False
) -> str:
    """Run a program inside a folder and return all that it printed."""
    with (
        tempfile.TemporaryFile() as output,
        _started(command, folder, output.fileno()) as process,
    ):
        seen = 0
        ended = False
        while not ended:
            with suppress(subprocess.TimeoutExpired):
                ended = process.wait(_POLL_SECONDS) is not None
            size = _largest_in(folder) if advance is not None else 0
            if advance is not None and size > seen:
                advance(size - seen)
                seen = size
        output.seek(0)
        printed = output.read().decode("utf-8", "replace")
    if process.returncode and not failure_expected:
        lines = [line.strip() for line in printed.splitlines() if line.strip()]
        said = " | ".join(lines[-_LINES_SHOWN:]) or "nothing"
        name = Path(command[0]).name
        raise ProviderFailed(f"{name} ended with code {process.returncode} and said: {said}")
    return printed


@contextmanager
def _started(command: list[str], folder: Path, output: int) -> Iterator[subprocess.Popen[bytes]]:
    # Its temporary files lie in the folder too, so that they go when the folder goes.
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    process = subprocess.Popen(  # noqa: S603 - a fixed command; names are checked by the manifest
        command,
        cwd=folder,
        env={**os.environ, **temporary, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(_PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _largest_in(folder: Path) -> int:
    # The archive, wherever the program keeps it; there may be two copies of it for a moment.
    largest = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # moved or removed meanwhile
                largest = max(largest, Path(place, name).stat().st_size)
    return largest


def _only_file(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1 or found[0].is_symlink() or not found[0].is_file():
        raise ProviderFailed(f"expected one file {pattern} from the program, got {len(found)}")
    return found[0]


def _sdist_url(printed: str, name: str, version: str) -> str:
    file_name = re.compile(
        rf"(?:https|file)://[^\s#]*/([^/\s#]+)-{re.escape(version)}\.(?:tar\.gz|tgz|zip)(?=[#\s])"
    )
    for found in file_name.finditer(printed):
        if _normal(found[1]) == _normal(name):
            return found[0]
    raise ProviderFailed(f"pip finds no source archive of {name} {version}")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
