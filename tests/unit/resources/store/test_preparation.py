"""Forms that are made from a file once, at install or when first needed, and their progress."""

import gzip
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.core.errors import FingerprintMismatch, MalformedLine
from tenbin.resources.store.preparation import (
    PREPARATIONS,
    conversion_progress,
    conversions_reported_to,
)
from tenbin.resources.store.store import ResourceStore

Store = Callable[..., ResourceStore]
Maker = Callable[..., Path]
Client = Callable[..., None]
Visible = Callable[[], list[str]]

UPPER = """\
from pathlib import Path
from tenbin.core.errors import MalformedLine

def upper(source: Path, out: Path) -> None:
    text = source.read_text()
    if "broken" in text:
        raise MalformedLine(source.name, 1, "this is broken", "Mend it.")
    assert not list(out.iterdir())
    (out / "words.txt").write_text(text.upper())
    (out / "parts").mkdir()
    (out / "parts" / "name").write_text(source.name)
"""
VECTORS = b"".join(b"word%d 1 0.5 %d\n" % (number, number) for number in range(500))


@pytest.fixture(autouse=True)
def _upper_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register a form that writes a text in capitals."""
    module = f"upper_{hashlib.sha256(str(tmp_path).encode()).hexdigest()[:8]}"
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / f"{module}.py").write_text(UPPER)
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    monkeypatch.setitem(PREPARATIONS, "upper-1", f"{module}:upper")


@pytest.fixture
def installed(store: Store, fake_client: Client, make_zip: Maker) -> ResourceStore:
    fake_client("pip", make_zip())
    opened = store(prepare="upper-1")
    opened.install("words")
    return opened


def test_install_prepares(installed: ResourceStore, content: bytes, visible: Visible) -> None:
    folder = installed.prepared("words")
    sha256 = hashlib.sha256(content).hexdigest()
    assert folder == installed.cache / "prepared" / f"upper-1@{sha256[:32]}"
    assert (folder / "words.txt").read_bytes() == content.upper()
    assert (folder / "parts" / "name").read_text() == "words.dat"
    assert len(visible()) == 4
    assert installed.path("words").read_bytes() == content
    assert installed.identity("words").fingerprint == sha256
    assert installed.verify("words")


def test_what_is_prepared_is_not_made_again(installed: ResourceStore) -> None:
    before = (installed.prepared("words") / "words.txt").stat().st_mtime_ns
    installed.install("words")
    assert (installed.prepared("words") / "words.txt").stat().st_mtime_ns == before


def test_a_file_that_cannot_be_prepared_is_not_installed(
    store: Store, fake_client: Client, make_zip: Maker, visible: Visible
) -> None:
    broken = b"broken text"
    fake_client("pip", make_zip(**{"data/words.dat": broken}))
    opened = store(prepare="upper-1", data=broken)
    with pytest.raises(MalformedLine, match="this is broken"):
        opened.install("words")
    assert visible() == []
    assert list((opened.cache / ".staging").iterdir()) == []


@pytest.mark.parametrize(
    "damage", ["cut", "flipped", "gone", "folder", "record", "no record", "empty record"]
)
def test_a_damaged_folder_is_made_again(
    installed: ResourceStore, content: bytes, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder = installed.prepared("words")
    words, record = folder / "words.txt", folder / "prepared.json"
    if damage == "cut":
        words.write_bytes(b"HOU")
    elif damage == "flipped":
        before = words.stat()
        words.write_bytes(b"x" + content.upper()[1:])
        os.utime(words, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif damage == "gone":
        words.unlink()
    elif damage == "folder":
        words.unlink()
        words.mkdir()
    elif damage == "no record":
        record.unlink()
    else:
        record.write_text("[" if damage == "record" else "{}")
    assert installed.prepared("words") == folder
    assert (folder / "words.txt").read_bytes() == content.upper()
    assert "was damaged and is made again" in caplog.text


def test_a_change_of_the_same_size_is_found_and_repaired(
    installed: ResourceStore, content: bytes
) -> None:
    made = installed.prepared("words") / "words.txt"
    made.write_bytes(content)
    with pytest.raises(FingerprintMismatch, match=r"words\.txt"):
        installed.verify("words")
    installed.install("words")
    assert made.read_bytes() == content.upper()
    assert installed.verify("words")


def test_remove_takes_the_form_too(installed: ResourceStore, visible: Visible) -> None:
    assert installed.remove("words")
    assert visible() == []


def test_a_file_at_hand_is_prepared_in_the_cache(
    store: Store, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "words.dat").write_bytes(content)
    opened = store(f'type = "file"\npath = "{tmp_path}/words.dat"', prepare="upper-1")
    assert opened.install("words") == tmp_path / "words.dat"
    assert (opened.prepared("words") / "words.txt").read_bytes() == content.upper()


def test_a_file_of_the_user_is_prepared_when_first_needed(store: Store, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("one")
    opened = store()
    first = opened.prepared(mine, "upper-1")
    assert (first / "words.txt").read_text() == "ONE"
    mine.write_text("two!")
    second = opened.prepared(str(mine), "upper-1")
    assert (second / "words.txt").read_text() == "TWO!"
    assert first != second


def test_a_new_form_of_an_installed_file_needs_no_fetching(
    installed: ResourceStore, store: Store, fake_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PREPARATIONS, "upper-2", PREPARATIONS["upper-1"])
    fake_client("pip", code=1)
    newer = store(prepare="upper-2", offline=True)
    assert newer.install("words") == installed.path("words")
    assert newer.prepared("words").name.startswith("upper-2@")


def test_a_form_that_does_not_exist(installed: ResourceStore, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    for name in ("words", tmp_path / "mine"):
        with pytest.raises(ValueError, match="'lower' is not a known form"):
            installed.prepared(name, "lower")


def test_a_fault_of_the_content_is_not_taken_for_one_of_the_disk(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "modules" / "unpacking_form.py").write_text(
        "import gzip\ndef prepare(source, out):\n    gzip.open(source).read()\n"
    )
    monkeypatch.setitem(PREPARATIONS, "unpacked-1", "unpacking_form:prepare")
    (tmp_path / "mine.gz").write_text("not gzip")
    with pytest.raises(gzip.BadGzipFile):
        store().prepared(tmp_path / "mine.gz", "unpacked-1")


def test_the_one_who_asked_for_it_gets_the_reports() -> None:
    seen: list[float] = []
    with conversions_reported_to(seen.append), conversion_progress("x", wanted=False) as report:
        assert report is not None
        report(0.5)
    assert seen == [0.5]
    with conversions_reported_to(None), conversion_progress("x", wanted=True) as report:
        assert report is None


def test_afterwards_it_is_as_before() -> None:
    with conversions_reported_to(print):
        pass
    with conversion_progress("x", wanted=False) as report:
        assert report is None


def test_an_install_counts_the_bytes_again_that_it_converts(
    store: Callable[..., ResourceStore],
    provider: dict[str, str],
    fake_client: Callable[..., None],
    make_zip: Callable[..., Path],
) -> None:
    wheel = make_zip(**{"data/words.dat": VECTORS})
    fake_client("pip", wheel)
    seen: list[int] = []
    opened = store(provider["wheel"], data=VECTORS, kind="vectors", prepare="vectors-float16-1")
    opened.install("words", advance=seen.append)
    assert sum(seen) == wheel.stat().st_size + 2 * len(VECTORS)
