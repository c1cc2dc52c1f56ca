"""Installs that are killed, run at once, or find no room."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenbin.core.errors import OutputError
from tenbin.resources.store.staging import StagingArea
from tenbin.resources.store.store import ResourceStore

Store = Callable[..., ResourceStore]
Maker = Callable[..., Path]
Client = Callable[..., None]
Calls = Callable[[], list[str]]
Visible = Callable[[], list[str]]

INSTALL = """\
import sys
from pathlib import Path
from tenbin.resources.store.manifest import parse_manifest
from tenbin.resources.store.preparation import PREPARATIONS
from tenbin.resources.store.store import ResourceStore
PREPARATIONS["slow-1"] = "slow_form:prepare"
manifest = parse_manifest(Path(sys.argv[2]).read_text(), "manifest.toml")
print(ResourceStore(Path(sys.argv[1]), manifest=manifest).install("words"))
"""
SLOW = """\
import os, threading
from pathlib import Path
def prepare(source, out):
    (out / "half").write_bytes(b"half")
    Path({started!r}).write_text(str(os.getpid()))
    threading.Event().wait()
"""


def wait_for(path: Path, process: subprocess.Popen[str]) -> int:
    """Return the number in a file that a process, or one that it started, writes."""
    while not path.exists() or not path.read_text():
        assert process.poll() is None, f"it ended, and {path} did not appear"
        time.sleep(0.01)
    return int(path.read_text())


@pytest.fixture
def start(
    tmp_path: Path, manifest_source: Callable[..., str], provider: dict[str, str]
) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a starter of installs in processes of their own."""
    running: list[subprocess.Popen[str]] = []

    def run(**fields: str) -> subprocess.Popen[str]:
        listed = tmp_path / "manifest.toml"
        listed.write_text(manifest_source(provider["wheel"], **fields))
        path = os.pathsep.join([str(tmp_path / "modules"), *filter(None, sys.path)])
        process = subprocess.Popen(
            [sys.executable, "-c", INSTALL, str(tmp_path / "cache"), str(listed)],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def slow_form(tmp_path: Path) -> Path:
    """Write the form 'slow-1', which never ends, and return the file that says it has begun."""
    (tmp_path / "modules").mkdir()
    started = tmp_path / "begun"
    text = SLOW.format(started=str(started))
    (tmp_path / "modules" / "slow_form.py").write_text(text)
    return started


def leftovers(root: Path) -> list[str]:
    staging = root / "cache" / ".staging"
    return sorted(path.name for path in staging.iterdir()) if staging.exists() else []


def test_killed_while_fetching(
    start: Callable[..., subprocess.Popen[str]],
    store: Store,
    programs: Path,
    fake_client: Client,
    make_zip: Maker,
    tmp_path: Path,
    visible: Visible,
    content: bytes,
) -> None:
    fake_client("pip", make_zip(), until=tmp_path / "never")
    process = start()
    orphan = wait_for(programs / "started", process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    # The package manager is alive and may write into the folder of the killed install.
    assert visible() == []
    assert len(leftovers(tmp_path)) == 1
    fake_client("pip", make_zip())
    assert store().install("words").read_bytes() == content
    os.kill(orphan, signal.SIGKILL)
    assert leftovers(tmp_path) == []
    assert len(visible()) == 1


def test_killed_while_preparing(
    start: Callable[..., subprocess.Popen[str]],
    store: Store,
    slow_form: Path,
    fake_client: Client,
    make_zip: Maker,
    tmp_path: Path,
    visible: Visible,
) -> None:
    fake_client("pip", make_zip())
    process = start(prepare="slow-1")
    wait_for(slow_form, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert visible() == []
    assert len(leftovers(tmp_path)) == 2
    # Whatever is installed next clears up after everybody.
    other = store(name="other")
    other.install("other")
    assert leftovers(tmp_path) == []


def test_interrupted_while_fetching(
    start: Callable[..., subprocess.Popen[str]],
    programs: Path,
    fake_client: Client,
    make_zip: Maker,
    tmp_path: Path,
    visible: Visible,
) -> None:
    fake_client("pip", make_zip(), until=tmp_path / "never")
    process = start()
    child = wait_for(programs / "started", process)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert "KeyboardInterrupt" in told
    assert visible() == []
    assert leftovers(tmp_path) == []
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_two_at_once_fetch_once(
    start: Callable[..., subprocess.Popen[str]],
    programs: Path,
    fake_client: Client,
    make_zip: Maker,
    calls: Calls,
    visible: Visible,
    tmp_path: Path,
) -> None:
    fake_client("pip", make_zip(), until=tmp_path / "go on")
    first = start()
    wait_for(programs / "started", first)
    second = start()
    assert second.stderr is not None
    assert "waiting for another process that is installing words" in second.stderr.readline()
    (tmp_path / "go on").touch()
    (path, _), (other_path, _) = first.communicate(), second.communicate()
    assert (first.returncode, second.returncode) == (0, 0)
    assert path == other_path
    assert len(calls()) == 1
    assert len(visible()) == 1
    assert leftovers(tmp_path) == []


def test_two_resources_at_once_do_not_wait(
    start: Callable[..., subprocess.Popen[str]],
    store: Store,
    programs: Path,
    fake_client: Client,
    make_zip: Maker,
    tmp_path: Path,
) -> None:
    fake_client("pip", make_zip(), until=tmp_path / "never")
    process = start()
    child = wait_for(programs / "started", process)
    fake_client("pip", make_zip())
    store(name="other").install("other")
    assert process.poll() is None
    # And the work of the other one was left alone.
    assert len(leftovers(tmp_path)) == 1
    process.kill()
    process.wait()
    os.kill(child, signal.SIGKILL)


def test_many_threads_install_once(
    store: Store, fake_client: Client, make_zip: Maker, calls: Calls
) -> None:
    fake_client("pip", make_zip())
    found: list[Path] = []
    threads = [
        threading.Thread(target=lambda: found.append(store().install("words"))) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 5
    assert len(set(found)) == 1
    assert len(calls()) == 1


@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_a_full_disk_at_the_end(
    store: Store,
    fake_client: Client,
    make_zip: Maker,
    visible: Visible,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
) -> None:
    fake_client("pip", make_zip())

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        if call == "fsync":
            patch.setattr(os, "fsync", full)
        else:
            patch.setattr(Path, "rename", full)
        with pytest.raises(OutputError, match=r"No space left on device.*nothing was changed"):
            store().install("words")
    assert visible() == []
    assert leftovers(tmp_path) == []
    assert store().install("words").is_file()


@pytest.mark.skipif(os.name != "posix", reason="limits of file sizes are those of POSIX")
def test_a_full_disk_in_the_middle(
    store: Store,
    fake_client: Client,
    make_zip: Maker,
    visible: Visible,
    tmp_path: Path,
) -> None:
    import resource  # noqa: PLC0415 - not on Windows

    big = bytes(3_000_000)
    fake_client("pip", make_zip(**{"data/words.dat": big}))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, before[1]))
    try:
        with pytest.raises(
            OutputError, match=r"File too large.*cache folder with TENBIN_RESOURCES"
        ):
            store(data=big).install("words")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert visible() == []
    assert leftovers(tmp_path) == []


def test_a_cache_that_cannot_be_made(
    store: Store, fake_client: Client, make_zip: Maker, tmp_path: Path
) -> None:
    fake_client("pip", make_zip())
    (tmp_path / "cache").write_bytes(b"a file")
    with pytest.raises(OutputError, match="could not be installed"):
        store().install("words")


def test_a_lock_is_for_one_key(tmp_path: Path) -> None:
    area = StagingArea(tmp_path)
    with area.locked("a"), area.locked("b"), area.folder("a") as folder:
        (folder / "work").write_bytes(b"")
        area.sweep()
        assert (folder / "work").exists()
    assert not folder.exists()


def test_publishing_replaces_in_one_step(tmp_path: Path) -> None:
    area = StagingArea(tmp_path)
    target = tmp_path / "thing"
    for text in ("old", "new"):
        with area.locked("thing"), area.folder("thing") as folder:
            (folder / "ready").mkdir()
            (folder / "ready" / "file").write_text(text)
            area.publish(folder / "ready", target, "thing")
        assert (target / "file").read_text() == text
    assert list((tmp_path / ".staging").iterdir()) == []
    with area.locked("thing"):
        assert area.withdraw(target, "thing") is True
        assert area.withdraw(target, "thing") is False


def test_things_in_the_staging_folder_that_are_not_ours(tmp_path: Path) -> None:
    area = StagingArea(tmp_path)
    with area.locked("a"), area.folder("a"):
        (tmp_path / ".staging" / "odd").mkdir()
    area.sweep()
    assert list((tmp_path / ".staging").iterdir()) == []
