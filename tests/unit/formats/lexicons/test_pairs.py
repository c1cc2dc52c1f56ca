"""Plain lists of synonyms."""

from pathlib import Path

import pytest

from tenbin.core.errors import MalformedLine
from tenbin.formats.lexicons.pairs import read_synonym_pairs


def test_pairs(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("# mine\nauto\tvoiture\tbagnole\n\nété \tsaison\n", encoding="utf-8")
    assert list(read_synonym_pairs(path)) == [
        ("auto", "voiture"),
        ("auto", "bagnole"),
        ("été", "saison"),
    ]


@pytest.mark.parametrize("line", ["auto voiture", "auto\t", "\tauto", "a\t\tb"])
def test_malformed(tmp_path: Path, line: str) -> None:
    path = tmp_path / "list.tsv"
    path.write_text(f"a\tb\n{line}\n", encoding="utf-8")
    with pytest.raises(MalformedLine, match="a word, a tab and a synonym") as caught:
        list(read_synonym_pairs(path))
    assert caught.value.line == 2


def test_wrong_encoding(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_bytes("a\tété\n".encode("latin-1"))
    with pytest.raises(MalformedLine, match="UTF-8"):
        list(read_synonym_pairs(path))
