"""METEOR's synsets files: well formed, cut off, in the wrong encoding, packed."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lexicons.synsets import read_synsets


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "toy.synsets"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_words_and_their_sets(tmp_path: Path) -> None:
    path = written(tmp_path, "auto\n12 3 12\nvoiture\n00003\n")
    assert read_synsets(path) == {"auto": (3, 12), "voiture": (3,)}


def test_a_repeated_word_replaces_the_earlier(tmp_path: Path) -> None:
    assert read_synsets(written(tmp_path, "a\n1 2\nb\n2\na\n3\n")) == {"a": (3,), "b": (2,)}


def test_packed_and_with_mark_and_windows_line_ends(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress("\ufeffété\r\n1 2\r\n".encode(), mtime=0))
    assert read_synsets(path) == {"été": (1, 2)}


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (b"a\n1\nb\n", 3, "ends after the word 'b'"),
        (b"a\nb\n1\n", 2, "numbers of sets were expected, found 'b'"),
        (b"a\n1\n\n2\n", 3, "the line is empty"),
        (b"a\n\n", 2, "numbers from 0"),
        (b"a\n-1\n", 2, "numbers from 0"),
        (b"a\n3000000000\n", 2, "numbers from 0"),
        ("été\n1\n".encode("latin-1"), 1, "not valid UTF-8"),
    ],
)
def test_malformed(tmp_path: Path, text: bytes, line: int, problem: str) -> None:
    with pytest.raises(MalformedLine, match=problem) as caught:
        read_synsets(written(tmp_path, text))
    assert caught.value.line == line


def test_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="empty"):
        read_synsets(written(tmp_path, ""))
    with pytest.raises(UnreadableFile, match="no such file"):
        read_synsets(tmp_path / "absent.synsets")
    with pytest.raises(UnreadableFile, match="damaged or truncated"):
        read_synsets(written(tmp_path, gzip.compress(b"a\n1\n" * 1000, mtime=0)[:-20]))


@given(
    sets=st.dictionaries(
        st.text(st.characters(categories=["L"]), min_size=1),
        st.sets(st.integers(0, 2**31 - 1), min_size=1),
    ).filter(bool)
)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, sets: dict[str, set[int]]) -> None:
    lines = [f"{word}\n{' '.join(map(str, numbers))}\n" for word, numbers in sets.items()]
    path = written(tmp_path_factory.mktemp("synsets"), "".join(lines))
    assert read_synsets(path) == {word: tuple(sorted(some)) for word, some in sets.items()}


def test_files_of_meteor_e(oracle_data: Path) -> None:
    folder = oracle_data / "meteor-e"
    names = ("wordnet-en", "dbnary-en", "dbnary-fr")
    counts = {name: len(read_synsets(folder / f"{name}.synsets")) for name in names}
    assert counts == {"wordnet-en": 574, "dbnary-en": 473, "dbnary-fr": 114}


def test_whole_files_of_dbnary(shared: Path) -> None:
    folder = shared / "lexicons" / "dbnary"
    counts = {code: len(read_synsets(folder / f"{code}.synsets")) for code in ("en", "fr")}
    assert counts == {"en": 40_755, "fr": 37_747}
