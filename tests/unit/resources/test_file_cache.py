"""What was read from a file is read again when the file has changed, and only then."""

import os
from pathlib import Path
from typing import Any

import pytest

from tenbin.metrics.meteor import knowledge
from tenbin.resources.file_cache import cached_by_file, file_state

NAMES = ("function_words", "lexicon", "paraphrases", "vectors")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "words.txt"
    file.write_text("the\n", encoding="utf-8")
    return file


def replace(path: Path, content: str) -> None:
    """Put a file of the same size and time in the place of another, as programs write files."""
    state = path.stat()
    beside = path.with_suffix(".new")
    beside.write_text(content, encoding="utf-8")
    os.utime(beside, ns=(state.st_atime_ns, state.st_mtime_ns))
    beside.replace(path)


def test_a_file_is_read_once(path: Path) -> None:
    read: list[str] = []

    @cached_by_file("file")
    def content(*, file: str | None, language: str) -> str:
        read.append(f"{file} {language}")
        return "" if file is None else Path(file).read_text(encoding="utf-8")

    assert content(file=str(path), language="en") is content(language="en", file=str(path))
    assert content(file=str(path), language="de") == "the\n"
    assert content(file=None, language="en") == content(file=None, language="en") == ""
    assert len(read) == 3
    content.cache_clear()
    assert content(file=str(path), language="en") == "the\n"
    assert len(read) == 4
    assert content.__name__ == "content"  # type: ignore[attr-defined]


@pytest.mark.parametrize("change", ["size", "time", "place"])
def test_a_changed_file_is_read_again(path: Path, change: str) -> None:
    @cached_by_file("file")
    def content(*, file: str) -> str:
        return Path(file).read_text(encoding="utf-8")

    assert content(file=str(path)) == "the\n"
    if change == "size":
        path.write_text("a\nthe\n", encoding="utf-8")
    elif change == "time":
        path.write_text("and\n", encoding="utf-8")
        os.utime(path, ns=(0, path.stat().st_mtime_ns + 10_000_000))
    else:
        replace(path, "and\n")
    assert content(file=str(path)) == path.read_text(encoding="utf-8") != "the\n"


def test_a_failure_is_not_remembered(path: Path) -> None:
    @cached_by_file("file")
    def content(*, file: str) -> str:
        return Path(file).read_text(encoding="utf-8")

    path.unlink()
    with pytest.raises(FileNotFoundError):
        content(file=str(path))
    path.write_text("a\n", encoding="utf-8")
    assert content(file=str(path)) == "a\n"


def test_names_of_resources_are_no_files() -> None:
    assert file_state("wordnet") is None
    assert file_state("nul\0") is None
    assert file_state("~no-such-user/x") is None


def test_positions_are_refused(path: Path) -> None:
    @cached_by_file("file")
    def content(file: str) -> str:
        return file

    with pytest.raises(TypeError, match=r"content\(\) takes keyword arguments only"):
        content(str(path))


def test_function_words_of_a_changed_file(path: Path) -> None:
    plain = getattr(knowledge.load_knowledge, "__wrapped__", knowledge.load_knowledge)
    load = cached_by_file(*NAMES)(plain)
    options: dict[str, Any] = {
        "language": "sw",
        "tokenizer": "13a",
        "function_words": str(path),
        "lexicon": "none",
        "lemmas": False,
        "paraphrases": "none",
        "vectors": None,
        "vector_lemmas": False,
    }
    first = load(**options)
    assert load(**options) is first
    assert first.function_words.words == {"the"}
    replace(path, "and\n")
    second = load(**options)
    assert second.function_words.words == {"and"}
    assert first.identities() != second.identities()
