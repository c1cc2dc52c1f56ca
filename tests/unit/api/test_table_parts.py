"""Tables taken apart into plain texts, which keep what the tables say of their segments."""

from collections.abc import Iterator
from io import BytesIO
from itertools import count
from pathlib import Path

import pytest

from tenbin.api.files import FileTestSet, open_files, open_tables, open_texts
from tenbin.api.table_parts import TextPart, table_parts, with_tables
from tenbin.core.errors import InputError, UnreadableFile

ROWS = [("a", "x", "One.", "Ein."), ("b", "x", "Two.", "Zwei."), ("c", "y", "Three.", "Drei.")]
TABLE = "id,document,reference,mt\n" + "".join(f"{','.join(row)}\n" for row in ROWS)

_numbers = count()


def taken_apart(
    folder: Path,
    content: str | bytes,
    name: str = "all.csv",
    role: str = "systems",
    most: int = 10_000,
) -> list[TextPart]:
    def places() -> Iterator[Path]:
        while True:
            yield folder / f"part-{next(_numbers)}"

    place = folder / f"given-{next(_numbers)}"
    place.write_bytes(content.encode() if isinstance(content, str) else content)
    return table_parts(str(place), name, role, places().__next__, most)


def opened(parts: list[TextPart]) -> FileTestSet:
    test_set = open_texts(
        {part.system: str(part.path) for part in parts if part.role == "systems"},
        [str(part.path) for part in parts if part.role == "references"],
    )
    return with_tables(test_set, [part.table for part in parts])


def test_identifiers_and_documents_are_kept(tmp_path: Path) -> None:
    found = opened(taken_apart(tmp_path, TABLE))
    (tmp_path / "all.csv").write_text(TABLE, encoding="utf-8")
    table = open_tables([str(tmp_path / "all.csv")])
    assert found.ids == table.ids == ("a", "b", "c")
    assert found.documents == table.documents == ("x", "x", "y")


def test_a_table_that_names_nothing_needs_no_file_for_it(tmp_path: Path) -> None:
    parts = taken_apart(tmp_path, "reference,mt\nOne.,Ein.\n")
    assert (parts[0].table.segments, parts[0].table.size) == ("", 0)
    found = opened(parts)
    assert (found.ids, found.documents) == (None, None)


def test_names_may_be_what_no_text_file_holds(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    names = ("\ud800", 'a"\u2028b', "猫")
    book = openpyxl.Workbook()
    book.active.append(["id", "document", "reference", "mt"])
    for name in names:
        book.active.append([name.replace("\ud800", "_xD800_"), "d", "a", "b"])
    file = BytesIO()
    book.save(file)
    assert opened(taken_apart(tmp_path, file.getvalue(), "all.xlsx")).ids == names


def test_tables_with_other_segments_are_refused_as_on_the_command_line(tmp_path: Path) -> None:
    other = TABLE.replace("b,x", "z,x")
    parts = [
        *taken_apart(tmp_path, TABLE, "ref.csv", "references"),
        *(one for one in taken_apart(tmp_path, other, "mt.csv") if one.role == "systems"),
    ]
    with pytest.raises(InputError) as caught:
        opened(parts)
    for name, content in (("ref.csv", TABLE), ("mt.csv", other)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as expected:
        open_files([str(tmp_path / "mt.csv")], [str(tmp_path / "ref.csv")])
    assert str(caught.value) == str(expected.value).replace(f"{tmp_path}/", "")
    assert "mt.csv, segment 2: this is 'z', and in ref.csv it is 'b'" in str(caught.value)


def test_names_without_end_are_refused(tmp_path: Path) -> None:
    content = "id,reference,mt\n" + "".join(f"{'n' * 200}{n},a,b\n" for n in range(10))
    problem = "names of its segments and documents have more than 1,000 bytes"
    with pytest.raises(UnreadableFile, match=problem):
        taken_apart(tmp_path, content, most=1_000)


def test_notes_stand_beside_the_first_text_of_its_role(tmp_path: Path) -> None:
    parts = taken_apart(tmp_path, TABLE.replace("mt\n", "mt,DeepL\n").replace(".\n", ".,x\n"))
    notes = {part.role: part.text.notes for part in parts}
    assert notes["references"] == ()
    assert any("all.csv: not read: 'DeepL'" in note for note in notes["systems"])
