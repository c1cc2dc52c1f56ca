"""Archives, manifests and package managers made for one test."""

import hashlib
import io
import os
import stat
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.resources.store.lookup import CACHE_VARIABLE, OFFLINE_VARIABLE
from tenbin.resources.store.manifest import Manifest, parse_manifest
from tenbin.resources.store.store import ResourceStore

CONTENT = b"UTF-8\nhouse|1\n-|home|building\n" * 1000
MEMBER = "data/words.dat"

_CLIENT = """\
#!{python}
import os, shutil, sys, time
from pathlib import Path
here = Path({folder!r})
with open(here / "calls.log", "a") as log:
    log.write(" ".join([{name!r}, *sys.argv[1:]]) + "\\n")
(here / "started").write_text(str(os.getpid()))
# As long as a test wants, but not longer than the tests run.
while {until!r} and not os.path.exists({until!r}):
    os.kill({tests}, 0)
    time.sleep(0.01)
print({says!r})
if {source!r}:
    shutil.copy({source!r}, os.getcwd())
sys.exit({code})
"""


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the settings of whoever runs the tests out of them."""
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.delenv(OFFLINE_VARIABLE, raising=False)


@pytest.fixture
def content() -> bytes:
    return CONTENT


@pytest.fixture
def make_zip(tmp_path: Path) -> Callable[..., Path]:
    def make(name: str = "words-1.0-py3-none-any.whl", **members: bytes) -> Path:
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in (members or {MEMBER: CONTENT}).items():
                archive.writestr(member, data)
        return path

    return make


@pytest.fixture
def make_tar(tmp_path: Path) -> Callable[..., Path]:
    """Return a maker of tar archives; members may be bytes or ready-made headers."""

    def make(
        name: str = "words-1.0.tgz",
        *,
        members: dict[str, bytes | tarfile.TarInfo] | None = None,
        packing: str = "gz",
    ) -> Path:
        path = tmp_path / name
        path.write_bytes(tar_bytes(members or {f"package/{MEMBER}": CONTENT}, packing))
        return path

    return make


def tar_bytes(members: dict[str, bytes | tarfile.TarInfo], packing: str) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=f"w:{packing}") as archive:  # type: ignore[call-overload]
        for member, data in members.items():
            if isinstance(data, tarfile.TarInfo):
                archive.addfile(data)
                continue
            info = tarfile.TarInfo(member)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


@pytest.fixture
def make_deb(tmp_path: Path) -> Callable[..., Path]:
    """Return a maker of Debian packages: an ar file with a tar inside."""

    def make(
        name: str = "words_1.0_all.deb", *, data: bytes | None = None, inner: str = "data.tar.xz"
    ) -> Path:
        files = {f"./usr/share/{MEMBER}": CONTENT}
        parts = {
            "debian-binary": b"2.0\n",
            # An odd length, after which ar fills up with one byte.
            "control.tar.gz": b"x" * 101,
            inner: data if data is not None else tar_bytes({**files}, "xz"),
        }
        with (tmp_path / name).open("wb") as stream:
            stream.write(b"!<arch>\n")
            for part, body in parts.items():
                stream.write(
                    f"{part:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(body):<10}`\n".encode()
                )
                stream.write(body + b"\n" * (len(body) % 2))
        return tmp_path / name

    return make


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for: no real package manager is ever called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def fake_client(programs: Path) -> Callable[..., None]:
    """Return a maker of package managers that copy a file and write down how they were called."""

    def make(
        name: str,
        source: Path | None = None,
        *,
        code: int = 0,
        says: str = "",
        until: Path | None = None,
    ) -> None:
        script = _CLIENT.format(
            python=sys.executable,
            folder=str(programs),
            name=name,
            until="" if until is None else str(until),
            says=says,
            source="" if source is None else str(source),
            code=code,
            tests=os.getpid(),
        )
        program = programs / name
        program.write_text(script, encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    return make


@pytest.fixture
def calls(programs: Path) -> Callable[[], list[str]]:
    """Return a reader of the calls that the fake package managers got."""

    def read() -> list[str]:
        log = programs / "calls.log"
        return log.read_text().splitlines() if log.exists() else []

    return read


def manifest_text(
    *providers: str, data: bytes = CONTENT, name: str = "words", **fields: str
) -> str:
    lines = {
        "kind": "lexicon",
        "version": "1.0",
        "language": "en",
        "licence": "CC0-1.0",
        "description": "words for a test",
        "sha256": hashlib.sha256(data).hexdigest(),
        **fields,
    }
    head = "".join(f'{key} = "{value}"\n' for key, value in lines.items() if value)
    size = f"size = {len(data)}\n" if lines["sha256"] else ""
    body = "".join(f"[[{name}.providers]]\n{one}\n" for one in providers)
    return f"[{name}]\n{head}{size}{body}"


@pytest.fixture
def manifest() -> Callable[..., Manifest]:
    def make(*providers: str, **fields: str) -> Manifest:
        return parse_manifest(manifest_text(*providers, **fields), "manifest.toml")  # type: ignore[arg-type]

    return make


@pytest.fixture
def manifest_source() -> Callable[..., str]:
    return manifest_text


WHEEL = f'type = "wheel"\ndistribution = "words"\nversion = "1.0"\nmember = "{MEMBER}"'
NPM = f'type = "npm"\ndistribution = "@team/words"\nversion = "1.0"\nmember = "package/{MEMBER}"'
DEB = f'type = "deb"\ndistribution = "words"\nmember = "usr/share/{MEMBER}"'


@pytest.fixture
def provider() -> dict[str, str]:
    """Providers as the manifest writes them, by type."""
    return {"wheel": WHEEL, "npm": NPM, "deb": DEB, "sdist": f"{WHEEL}\nsdist = true"}


@pytest.fixture
def store(tmp_path: Path, manifest: Callable[..., Manifest]) -> Callable[..., ResourceStore]:
    """Return an opener of stores with one resource, 'words', from the providers given."""

    def make(*providers: str, offline: bool = False, **fields: str) -> ResourceStore:
        listed = manifest(*(providers or (WHEEL,)), **fields)
        return ResourceStore(tmp_path / "cache", offline=offline, manifest=listed)

    return make


@pytest.fixture
def visible(tmp_path: Path) -> Callable[[], list[str]]:
    """Return a lister of everything in the cache that is not hidden."""

    def read() -> list[str]:
        root = tmp_path / "cache"
        found = [
            Path(place, name).relative_to(root).as_posix()
            for place, _, names in os.walk(root)
            for name in names
        ]
        return sorted(name for name in found if not name.startswith("."))

    return read
