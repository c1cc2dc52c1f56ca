"""What readers do for the tables that we write, and for others like them."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.api.files import open_tables, read_texts
from tenbin.reports.workbook import Sheet, SheetColumn, workbook

Write = Callable[[str, str | bytes], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written


def test_a_column_of_a_system_gives_its_name(write: Write) -> None:
    found = read_texts(write("a.csv", "source,system:new,system: old\na,b,c\n"))
    assert found.hypotheses == {"new": ("b",), "old": ("c",)}
    both = read_texts(write("b.csv", "source,system:mt,mt\na,b,c\n"))
    assert set(both.hypotheses) == {"system:mt", "mt"}


def test_an_id_goes_before_the_number_of_the_segment(write: Write) -> None:
    opened = open_tables([write("a.csv", "segment,id,ref,mt\n1,x,a,b\n2,y,c,d\n")])
    assert opened.ids == ("x", "y")
    assert open_tables([write("b.csv", "segment,ref,mt\n1,a,b\n")]).ids == ("1",)
    assert open_tables([write("c.csv", "ref,mt\na,b\n")]).ids is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('src,mt\na,"b\r\nc"\n', "b\r\nc"),  # rows end in LF, so CR LF belongs to the text
        ('src,mt\r\na,"b\r\nc"\r\n', "b\nc"),  # it was saved by a program that writes CR LF
        ('src,mt\r\na,"b\nc"\r\n', "b\nc"),
        ('src,mt\na,"b\rc"\n', "b\rc"),
    ],
)
def test_line_ends_inside_of_quotes(write: Write, content: str, text: str) -> None:
    assert read_texts(write("a.csv", content)).hypotheses["mt"] == (text,)


def test_a_field_may_be_long(write: Write) -> None:
    text = "x" * 500_000
    assert read_texts(write("a.csv", f'src,mt\na,"{text}"\n')).hypotheses["mt"] == (text,)


def test_escaped_characters_of_cells(write: Write) -> None:
    pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    columns = [SheetColumn(name="src"), SheetColumn(name="mt")]
    content = workbook([Sheet(name="A", columns=columns, rows=[["a", "MARK"]])])
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            # As spreadsheet programs store line ends of Windows and characters that XML has not.
            new.writestr(name, old.read(name).replace(b"MARK", b"b_x000D_\nc_x0007_ _x000d d_x"))
    found = read_texts(write("a.xlsx", packed.getvalue()))
    assert found.hypotheses["mt"] == ("b\r\nc\x07 _x000d d_x",)
