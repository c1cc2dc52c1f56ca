"""Texts with one segment per line: what is read, what is noted, what is refused."""

import bz2
import errno
import gzip
import io
import lzma
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.formats.lines import FileReport, TextFile

BOM = b"\xef\xbb\xbf"
PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
}


@pytest.fixture
def written(tmp_path: Path) -> Callable[[bytes], TextFile]:
    def write(content: bytes) -> TextFile:
        path = tmp_path / "text.txt"
        path.write_bytes(content)
        return TextFile(str(path))

    return write


def fault(report: FileReport) -> str:
    assert len(report.faults) == 1
    return str(report.faults[0])


@pytest.mark.parametrize(
    ("content", "segments"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\nc", ["a", "b", "c"]),
        (BOM + b"a\nb\n", ["a", "b"]),
        (BOM + b"a\r\n" + BOM + b"b\r\n", ["a", "\ufeffb"]),
        (b"a\nb\n\n", ["a", "b", ""]),
        (b"\n", [""]),
        (b"\n\na\n", ["", "", "a"]),
        (b"a\rb\n", ["a\rb"]),
        (b"a\r\r\n", ["a\r"]),
        (
            "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\n".encode(),
            ["a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg"],
        ),
        (b" a \t\n", [" a \t"]),
        ("日本語\n한국어".encode(), ["日本語", "한국어"]),
    ],
    ids=repr,
)
def test_only_lf_and_cr_lf_end_a_segment(
    written: Callable[[bytes], TextFile], content: bytes, segments: list[str]
) -> None:
    file = written(content)
    report = file.scan()
    assert list(file.lines()) == segments
    assert report.faults == []
    assert report.lines == len(segments)


def test_a_file_is_read_again_and_again(written: Callable[[bytes], TextFile]) -> None:
    file = written(b"a\nb\n")
    first = file.lines()
    assert next(first) == "a"
    assert list(file.lines()) == list(file.lines()) == ["a", "b"]
    assert next(first) == "b"


def test_the_report_counts_what_was_read_otherwise(written: Callable[[bytes], TextFile]) -> None:
    report = written(BOM + b"a\r\n\r\n \t\nx\ry\nz\r").scan()
    assert (report.lines, report.empty, report.crlf, report.lone_cr, report.bom) == (
        5,
        [2, 3],
        2,
        2,
        True,
    )
    notes = "\n".join(report.notes())
    assert "byte order mark" in notes
    assert "2 lines end in CR LF; read as LF" in notes
    assert "2 lines hold a lone CR" in notes


def test_a_plain_file_has_nothing_to_note(written: Callable[[bytes], TextFile]) -> None:
    assert written(b"a\nb\n").scan().notes() == []


@pytest.mark.parametrize("content", [b"", BOM], ids=["nothing", "a mark alone"])
def test_an_empty_file_is_refused(written: Callable[[bytes], TextFile], content: bytes) -> None:
    assert "the file is empty" in fault(written(content).scan())


@pytest.mark.parametrize(
    ("content", "line", "byte"),
    [
        (b"good\nb\xe9te\n", 2, "byte 2 of the line (0xe9)"),
        (b"a\xff", 1, "byte 2 of the line (0xff)"),
        (BOM + b"\x80\n", 1, "byte 4 of the line (0x80)"),
        ("日本".encode()[:-1] + b"\n", 1, "byte 4 of the line (0xe6)"),
        (b"\xed\xa0\x80\n", 1, "byte 1 of the line (0xed)"),  # a surrogate
        (b"\xc0\xaf\n", 1, "byte 1 of the line (0xc0)"),  # a slash, overlong
    ],
)
def test_invalid_utf8_is_refused_with_file_line_and_byte(
    written: Callable[[bytes], TextFile], content: bytes, line: int, byte: str
) -> None:
    file = written(content)
    message = fault(file.scan())
    assert message.startswith(f"{file.path}, line {line}: {byte} is not valid UTF-8")
    with pytest.raises(MalformedLine, match=f"line {line}"):
        list(file.lines())


def test_nul_is_refused_with_its_place(written: Callable[[bytes], TextFile]) -> None:
    file = written(b"a\nbc\0d\n")
    assert f"{file.path}, line 2: NUL character at byte 3 of the line" in fault(file.scan())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "utf-32"])
def test_utf16_is_named(written: Callable[[bytes], TextFile], encoding: str) -> None:
    assert "iconv -f UTF-16" in fault(written("Haus\nbaut\n".encode(encoding)).scan())


def test_as_many_faults_as_asked_for_are_collected(written: Callable[[bytes], TextFile]) -> None:
    file = written(b"\xff\nok\n\0\n\xfe\n")
    assert len(file.scan().faults) == 1
    assert [str(f).split(":")[0][-6:] for f in file.scan(most_faults=9).faults] == [
        "line 1",
        "line 3",
        "line 4",
    ]


@pytest.mark.parametrize("kind", PACK)
def test_packed_files_are_read_whatever_they_are_called(
    written: Callable[[bytes], TextFile], kind: str
) -> None:
    file = written(PACK[kind](b"eins\r\nzwei\n"))
    assert list(file.lines()) == ["eins", "zwei"]
    assert file.scan().crlf == 1


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_archives_are_refused(
    written: Callable[[bytes], TextFile], kind: str, damage: str
) -> None:
    whole = PACK[kind](os.urandom(20_000).hex().encode())
    middle = len(whole) // 2
    broken = (
        whole[:middle] if damage == "cut" else whole[:middle] + b"?" * 40 + whole[middle + 40 :]
    )
    file = written(broken)
    assert (
        fault(file.scan())
        == f"{file.path}: the compressed file is damaged or truncated. Copy it again."
    )


def test_an_empty_archive_is_an_empty_file(written: Callable[[bytes], TextFile]) -> None:
    for pack in PACK.values():
        assert "the file is empty" in fault(written(pack(b"")).scan())


@pytest.mark.parametrize(
    ("start", "name"),
    [(b"\x28\xb5\x2f\xfd", "zstd"), (b"PK\x03\x04", "zip"), (b"7z\xbc\xaf", "7z")],
)
def test_other_archives_are_named(
    written: Callable[[bytes], TextFile], start: bytes, name: str
) -> None:
    assert f"this is a {name} archive. Decompress it first" in fault(written(start + b"...").scan())


def test_text_that_begins_like_an_archive_is_text(written: Callable[[bytes], TextFile]) -> None:
    assert list(written(b"BZh is not bzip2\n").lines()) == ["BZh is not bzip2"]


def test_missing_files_and_directories(tmp_path: Path) -> None:
    assert "there is no such file" in fault(TextFile(str(tmp_path / "none")).scan())
    assert "this is a directory, not a file" in fault(TextFile(str(tmp_path)).scan())
    (tmp_path / "a").mkdir()
    assert "this is a directory" in fault(TextFile(str(tmp_path / "a" / "..") + "/.").scan())
    assert "the name of a file is empty" in fault(TextFile("").scan())


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "no permission to read the file"),
        (errno.EIO, "cannot be read (Input/output error)"),
        (errno.ENAMETOOLONG, "cannot be read (File name too long)"),
    ],
)
def test_what_the_system_refuses_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    # As root the bits of a file do not bind, so the answer of the system is played.
    path = tmp_path / "secret.txt"
    path.write_text("x\n")

    def refused(*_: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(UnreadableFile) as caught:
        list(TextFile(str(path)).lines())
    assert str(caught.value).startswith(f"{path}: {words}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("x\n")
    path.chmod(0)
    assert "no permission" in fault(TextFile(str(path)).scan())


@pytest.mark.parametrize("kind", ["plain", *PACK])
def test_standard_input_is_read_once_and_kept(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    content = b"a\nb\n" if kind == "plain" else PACK[kind](b"a\nb\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    file = TextFile("-")
    half_read = file.lines()
    assert next(half_read) == "a"
    assert file.scan().lines == 2
    assert list(file.lines()) == ["a", "b"]
    assert next(half_read) == "b"
    assert file.name == "<standard input>"


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert fault(TextFile("-").scan()).startswith("<standard input>: it is closed")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_loses_nothing(tmp_path: Path) -> None:
    # What a shell passes for <(zcat ref.gz): looking at its first bytes must not eat them.
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"first\nsecond\n",))
    writer.start()
    file = TextFile(str(path))
    assert file.scan().lines == 2
    assert list(file.lines()) == ["first", "second"]
    writer.join()


def test_a_name_that_is_not_utf8_can_be_printed(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")
    assert TextFile(path).name.endswith("/\ufffd.txt")


PIECES = (b"a", b" ", "日".encode(), b"\n", b"\n", b"\r\n", b"\r", b"\0", b"\x1b$B", b"\xff", BOM)


@given(st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join), st.integers(1, 9))
def test_lines_of_a_block_are_those_that_are_looked_at_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, size: int
) -> None:
    path = tmp_path_factory.mktemp("blocks") / "text.txt"
    path.write_bytes(content)
    file = TextFile(str(path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tenbin.formats.lines._LINES_BYTES", size)
        in_blocks, report = read(file), file.scan(most_faults=100)
        patch.setattr("tenbin.formats.lines.plain_lines", lambda _block: None)
        assert (in_blocks, report_of(report)) == (
            read(file),
            report_of(file.scan(most_faults=100)),
        )
        patch.setattr("tenbin.formats.lines._LINES_BYTES", 10_000)
        assert read(file) == in_blocks


def read(file: TextFile) -> tuple[list[str], str]:
    """Return the segments up to the first fault, and that."""
    found: list[str] = []
    try:
        found.extend(file.lines())
    except InputError as error:
        return found, str(error)
    return found, ""


def report_of(report: FileReport) -> tuple[object, ...]:
    faults = [str(one) for one in report.faults]
    return report.lines, report.empty, report.crlf, report.lone_cr, report.bom, faults


def test_a_line_without_an_end_does_not_fill_the_memory(
    written: Callable[[bytes], TextFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenbin.formats.lines._LINES_BYTES", 4)
    monkeypatch.setattr("tenbin.formats.lines._LINE_LIMIT", 100)
    file = written(b"a\nb\n" + b"c" * 1_000)
    assert read(file)[1] == fault(file.scan())
    assert fault(file.scan()).startswith(f"{file.name}, line 3: the line is longer than 100 bytes")
