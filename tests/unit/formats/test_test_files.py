"""Test sets in files: names, lengths, empty and absent references, chunks."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.core.errors import InputError, LengthMismatch, UnreadableFile, UsageError
from tenbin.core.text import REFERENCES
from tenbin.formats.test_files import FileTestSet, open_test_set, system_names

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, *lines: str, end: str = "\n") -> str:
        path = tmp_path / name
        path.write_text("".join(line + end for line in lines), encoding="utf-8", newline="")
        return str(path)

    return written


@pytest.fixture
def small(write: Write) -> FileTestSet:
    return open_test_set(
        {"a": write("a", "1", "", "3"), "b": write("b", "4", "5", "6")},
        [write("r", "x", "y", "z"), write("q", "", "", "w")],
        write("s", "o", "p", "q"),
        documents=["d1", "d1", "d2"],
    )


def test_everything_is_known_before_scoring(small: FileTestSet) -> None:
    assert small.systems == ("a", "b")
    assert small.segment_count == 3
    assert small.reference_counts == (2,)
    assert small.has_source
    assert small.empty_counts == {"a": 1, REFERENCES: 2}


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_chunks_give_all_segments_in_order(small: FileTestSet, size: int) -> None:
    chunks = list(small.chunks(size))
    assert [chunk.segment_count for chunk in chunks][:-1] == [size] * (len(chunks) - 1)
    assert [text for chunk in chunks for text in chunk.hypotheses["a"]] == ["1", "", "3"]
    assert [refs for chunk in chunks for refs in chunk.references] == [
        ("x", ""),
        ("y", ""),
        ("z", "w"),
    ]
    assert [text for chunk in chunks for text in chunk.source or ()] == ["o", "p", "q"]
    assert [name for chunk in chunks for name in chunk.documents or ()] == ["d1", "d1", "d2"]


def test_empty_lines_can_mean_that_there_is_no_reference(write: Write) -> None:
    opened = open_test_set(
        {"a": write("a", "1", "2", "3")},
        [write("r", "x", "", " "), write("q", "w", "v", "")],
        empty_means_absent=True,
    )
    (chunk,) = opened.chunks(9)
    assert chunk.references == (("x", "w"), ("v",), ("",))
    assert opened.reference_counts == (1, 2)
    # The third segment has none at all, and is scored against an empty one.
    assert opened.empty_counts == {REFERENCES: 1}


def test_no_full_set_of_references(write: Write) -> None:
    opened = open_test_set(
        {"a": write("a", "1", "2")},
        [write("r", "x", ""), write("q", "", "v")],
        empty_means_absent=True,
    )
    assert opened.reference_counts == (1,)


def test_unequal_lengths_name_every_file_and_count(write: Write) -> None:
    short, long = write("short.txt", "1", "2"), write("long.txt", "1", "2", "")
    with pytest.raises(LengthMismatch) as caught:
        open_test_set({"a": short}, [long])
    message = str(caught.value)
    assert f"{long}: 3, {short}: 2" in message
    assert f"The last line of {long} is empty." in message


def test_unequal_lengths_explain_lone_returns(write: Write) -> None:
    old_mac = write("mac.txt", "1", "2", "3", end="\r")
    with pytest.raises(LengthMismatch, match="lone CR does not end a line"):
        open_test_set({"a": old_mac}, [write("r", "1", "2", "3")])


def test_documents_must_be_as_many_as_segments(write: Write) -> None:
    with pytest.raises(LengthMismatch, match="documents: 1"):
        open_test_set({"a": write("a", "1", "2")}, [write("r", "1", "2")], documents=["d"])


def test_all_bad_files_are_reported_at_once(write: Write, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        open_test_set({"a": write("a")}, [str(tmp_path / "none"), write("r", "\0")])
    assert [line.partition(": ")[0] for line in str(caught.value).splitlines()] == [
        str(tmp_path / "none"),
        f"{tmp_path / 'r'}, line 1",
        str(tmp_path / "a"),
    ]


def test_one_bad_file_keeps_its_own_error(write: Write) -> None:
    with pytest.raises(UnreadableFile, match="the file is empty"):
        open_test_set({"a": write("a")}, [write("r", "1")])


def test_standard_input_stands_for_one_text() -> None:
    with pytest.raises(UsageError, match="for one text only"):
        open_test_set({"a": "-"}, ["-"])


def test_an_empty_name_of_the_source_is_not_overlooked(write: Write) -> None:
    with pytest.raises(UnreadableFile, match="name of a file is empty"):
        open_test_set({"a": write("a", "1")}, [write("r", "1")], "")


def test_a_file_that_shrinks_while_it_is_read(write: Write) -> None:
    opened = open_test_set({"a": write("a", "1", "2", "3")}, [write("r", "1", "2", "3")])
    write("a", "1")
    with pytest.raises(UnreadableFile, match="became shorter while it was being read"):
        list(opened.chunks(2))


def test_the_same_file_may_be_system_and_reference(write: Write) -> None:
    path = write("r", "1", "2")
    (chunk,) = open_test_set({"a": path}, [path, path]).chunks(5)
    assert chunk.hypotheses["a"] == ("1", "2")
    assert chunk.references == (("1", "1"), ("2", "2"))


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["out/a.txt", "out/b.txt.gz"], ["a", "b"]),
        (["out/a.en", "out/b"], ["a.en", "b"]),
        (["x/out.txt", "y/out.txt"], ["x/out.txt", "y/out.txt"]),
        (["v1.2.txt", "-"], ["v1.2", "stdin"]),
        (["日本.txt.xz"], ["日本"]),
        ([os.fsdecode(b"\xe9.txt")], ["\ufffd"]),
    ],
)
def test_systems_are_named_after_their_files(paths: list[str], names: list[str]) -> None:
    assert list(system_names(paths)) == names
    assert list(system_names(paths).values()) == paths


def test_a_system_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the system a\.txt was given twice"):
        system_names(["a.txt", "a.txt"])
