"""Documents of plain texts."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.api.files import open_files, open_tables
from tenbin.core.errors import InputError, LengthMismatch, MalformedLine, UsageError
from tenbin.formats.documents import read_document_ids

_IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=10
).filter(lambda text: text.strip() == text and not text.startswith("\ufeff"))


@given(st.lists(_IDS, min_size=1, max_size=20))
def test_every_line_is_a_document(tmp_path_factory: pytest.TempPathFactory, ids: list[str]) -> None:
    path = tmp_path_factory.mktemp("documents") / "ids"
    path.write_text("".join(f" {one}\t\n" for one in ids), encoding="utf-8")
    found = read_document_ids(str(path))
    assert list(found.ids) == ids
    runs = 1 + sum(one != other for one, other in pairwise(ids))
    assert bool(found.notes) == (runs > len(set(ids)))


def test_a_document_that_comes_back_is_the_same_one(tmp_path: Path) -> None:
    path = tmp_path / "ids"
    path.write_text("a\nb\na\na\nb\n", encoding="utf-8")
    (note,) = read_document_ids(str(path)).notes
    assert "2 documents come back" in note
    assert "'a' on line 3" in note


def test_a_line_without_document(tmp_path: Path) -> None:
    path = tmp_path / "ids"
    path.write_text("a\n\nb\n", encoding="utf-8")
    with pytest.raises(MalformedLine, match=r"line 2: there is no document"):
        read_document_ids(str(path))


def test_unequal_counts_name_both(tmp_path: Path) -> None:
    for name, text in (("sys", "1\n2\n3\n"), ("ids", "a\nb\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(LengthMismatch, match=r"sys: 3, .*ids: 2"):
        open_files([str(tmp_path / "sys")], documents=str(tmp_path / "ids"))


def test_documents_reach_the_test_set(tmp_path: Path) -> None:
    for name, text in (("sys", "1\n2\n3\n"), ("ids", "a\nb\na\n"), ("t.tsv", "mt\n1\n2\n3\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    documents = str(tmp_path / "ids")
    opened = open_files([str(tmp_path / "sys")], documents=documents)
    assert opened.documents == ("a", "b", "a")
    assert any("comes back" in note for note in opened.notes)
    assert open_tables([str(tmp_path / "t.tsv")], documents=documents).documents == opened.documents


def test_tables_that_name_documents_already(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("mt\tdoc\n1\ta\n2\tb\n", encoding="utf-8")
    (tmp_path / "ids").write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(UsageError, match="name their documents already"):
        open_tables([str(tmp_path / "t.tsv")], documents=str(tmp_path / "ids"))
    with pytest.raises(UsageError, match="one text only"):
        open_files(["-"], documents="-")
    with pytest.raises(InputError, match="no such file"):
        open_files([str(tmp_path / "t.tsv")], documents=str(tmp_path / "none"))
