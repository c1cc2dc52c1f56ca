"""CSV, TSV, JSON lines, Parquet and spreadsheets give the same texts; what is wrong has a place."""

import json
import re
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.formats.texts.conftest import (
    COLUMNS,
    DOCUMENTS,
    FIRST,
    REFERENCE,
    SECOND,
    SOURCE,
)

from tenbin.api.files import open_tables, read_texts, reading_options
from tenbin.core.errors import InputError, MalformedLine, TenbinError, UsageError

Write = Callable[[str, str | bytes], str]


def written_by_pandas(folder: Path, name: str) -> str:
    pandas = pytest.importorskip("pandas", reason="the extra 'tables' is not installed")
    frame = pandas.DataFrame(COLUMNS)
    path = folder / name
    if name.endswith(".xlsx"):
        pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
        frame.to_excel(path, index=False)
    elif name.endswith(".parquet"):
        frame.to_parquet(path)
    elif name.endswith(".jsonl"):
        frame.to_json(path, orient="records", lines=True, force_ascii=False)
    else:
        marks = {"semicolon.csv": ";", "a.tsv": "\t", "all.tsv": "\t"}
        quoting = 1 if name == "all.tsv" else 0
        frame.to_csv(path, index=False, sep=marks.get(name, ","), quoting=quoting)
    return str(path)


@pytest.mark.parametrize(
    "name",
    ["a.csv", "a.csv.gz", "semicolon.csv", "a.tsv", "all.tsv", "a.jsonl", "a.xlsx", "a.parquet"],
)
def test_what_pandas_writes_is_read_as_it_was(tmp_path: Path, name: str) -> None:
    found = read_texts(written_by_pandas(tmp_path, name))
    assert found.source == SOURCE
    assert found.references == tuple((text,) for text in REFERENCE)
    assert found.hypotheses == {"mt_first": FIRST, "mt_second": SECOND}
    assert found.documents == DOCUMENTS


@pytest.mark.parametrize("codec", ["cp932", "euc_jp", "utf-16", "gb18030", "utf-8-sig"])
def test_other_encodings_are_read_by_name(write: Write, codec: str) -> None:
    path = write("a.csv", "src,ref,mt\n猫が座る,the cat,cat\n".encode(codec))
    found = read_texts(path, encoding=codec)
    assert found.source == ("猫が座る",)


def test_an_encoding_is_named_in_the_message(write: Write) -> None:
    path = write("a.csv", "src,ref,mt\n猫が座っている。,the cat,cat\n".encode("cp932"))
    with pytest.raises(
        MalformedLine, match=r'line 2.*looks like CP932 .Shift_JIS.; read it with `encoding="'
    ):
        read_texts(path)


def test_an_encoding_that_is_not_there(write: Write) -> None:
    for name in ("klingon", "hex", "a\0b"):
        with pytest.raises(UsageError, match="there is no such encoding"):
            read_texts(write("a.csv", "src,mt\na,b\n"), encoding=name)


def test_columns_by_choice(write: Write) -> None:
    path = write("a.csv", 'en,ja,"x, y",z\na,b,c,d\n')
    found = read_texts(path, columns={"source": "en", "reference": "ja", "system": ["x, y", "z"]})
    assert (found.source, found.references) == (("a",), (("b",),))
    assert found.hypotheses == {"x, y": ("c",), "z": ("d",)}


def test_columns_by_name(write: Write) -> None:
    header = "Segment ID,Source_Text,refA,refB,hyp1,MT:new,File Name\n"
    found = read_texts(write("a.csv", f"{header}1,s,r,q,h,m,f\n"))
    assert found.source == ("s",)
    assert found.references == (("r", "q"),)
    assert found.hypotheses == {"hyp1": ("h",), "MT:new": ("m",)}
    assert found.documents == ("f",)


@pytest.mark.parametrize(
    "column",
    [
        *("Reference status", "Ref comment", "ref_id", "reference url", "reference_checked"),
        *("mt_score", "MT time", "MT comment", "output tokens"),
    ],
)
def test_what_is_said_about_a_text_is_no_text(write: Write, column: str) -> None:
    found = read_texts(write("a.csv", f"source,reference,mt,{column}\na,b,c,approved\n"))
    assert (found.references, found.hypotheses) == ((("b",),), {"mt": ("c",)})


@pytest.mark.parametrize(
    "column", ["refA", "ref_B", "reference 2", "ref-10", "ref: DeepL", "Reference_human"]
)
def test_several_references_by_name(write: Write, column: str) -> None:
    found = read_texts(write("a.csv", f"{column},ref,mt\na,b,c\n"))
    assert found.references == (("a", "b"),)


def test_columns_that_are_not_read_are_told(write: Write) -> None:
    header = "source,reference,mt,DeepL,Google Translate,status,by"
    found = open_tables([write("a.csv", f"{header}\na,b,c,d,e,f,g\n")])
    assert found.systems == ("mt",)
    (note,) = found.notes
    assert "a.csv: not read: 'DeepL', 'Google Translate', 'status' and 1 more." in note
    assert open_tables([write("b.csv", "source,reference,mt\na,b,c\n")]).notes == ()


@pytest.mark.parametrize(
    "header",
    [
        "Quelle,Referenz,Maschinelle Übersetzung",
        "Ausgangstext,Referenz,MÜ",
        "fuente,referencia,traducción automática",
        "texte source,référence,traduction automatique",
        "Исходный текст,Эталон,Машинный перевод",
        "원문,참조,기계 번역",
    ],
)
def test_columns_in_other_languages(write: Write, header: str) -> None:
    found = read_texts(write("a.csv", f"{header}\na,b,c\n"))
    assert (found.source, found.references) == (("a",), (("b",),))
    assert list(found.hypotheses.values()) == [("c",)]


def test_columns_with_japanese_names_and_roles_in_brackets(write: Write) -> None:
    header = "番号,ファイル名,原文,確定訳,機械翻訳\uff1aA,機械翻訳2\n"
    found = read_texts(write("a.csv", f"{header}1,f,s,r,a,b\n"))
    assert (found.source, found.references, found.documents) == (("s",), (("r",),), ("f",))
    assert found.systems == ("機械翻訳\uff1aA", "機械翻訳2")
    found = read_texts(write("b.csv", "English (source),日本語（参照訳）,MT: x\ns,r,a\n"))
    assert (found.source, found.references, found.systems) == (("s",), (("r",),), ("MT: x",))


def test_an_open_document_is_named(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    path = tmp_path / "a.ods"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("mimetype", "content.xml"):
            archive.writestr(name, "application/vnd.oasis.opendocument.spreadsheet")
    with pytest.raises(InputError, match=r"OpenDocument file.* Save it as \.xlsx or \.csv\.$"):
        read_texts(str(path))


def test_a_target_is_the_system_or_beside_one_the_reference(write: Write) -> None:
    assert read_texts(write("a.csv", "src,target\na,b\n")).systems == ("target",)
    found = read_texts(write("b.csv", "src,target,mt\na,b,c\n"))
    assert (found.systems, found.references) == (("mt",), (("b",),))


@pytest.mark.parametrize(
    ("content", "columns", "message"),
    [
        ("src,ref,mt\na,b,c\n", {"source": "en"}, "no column 'en'; the columns there are: 'src', "),
        ("src,ref\na,b\n", {}, "no column holds the output of a system"),
        ("src,ref,GPT,Aya\na,b,c,d\n", {}, "Name one: `columns=system=GPT,system=Aya`.$"),
        ("src,ref,the new one\na,b,c\n", {}, "Name one: `columns='system=the new one'`.$"),
        ("Project\na\n", {}, "stand further down, remove the rows above them.$"),
        ("src,mt,mt\na,b,c\n", {}, "'mt' occurs twice"),
        ("src,source,mt\na,b,c\n", {}, "several columns may be the source"),
        ("system,hypothesis,mt,ref\na,b,c,d\n", {}, "may hold texts or the names of systems"),
        ("src,mt\na,b\n", {"colour": "mt"}, "expected ROLE=NAME"),
        ("src,mt\na,b\n", {"source": ["src", "mt"]}, "one column of the kind source"),
    ],
)
def test_columns_that_are_not_clear(
    write: Write, content: str, columns: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        read_texts(write("a.csv", content), columns=columns)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", "empty"),
        ("a.csv", "\n", "first line is"),
        ("a.csv", "src,mt\n", "no row with a text"),
        ("a.csv", "src,mt\na,b\nc\n", "line 3: found 1 field, expected 2"),
        ("a.csv", "src,mt\na,b,c\n", "line 2: found 3 fields"),
        ("a.csv", 'src,mt\na,"b\nc,d\n', "line 2: this is not CSV"),
        ("a.csv", "src,mt\na,b\0c\n", "line 2: NUL character"),
        ("a.tsv", "src\tmt\na\tb\nc\n", "line 3: found 1 field"),
        ("a.jsonl", "", "no object"),
        ("a.jsonl", "[1]\n", "line 1: this is not an object"),
        ("a.jsonl", '{"src": "a", "mt": "b"}\n{"src": "a"}\n', "line 2: the object lacks .*'mt'"),
        ("a.jsonl", '{"src": "a", "mt": "b"}\nx\n', "line 2: this is not JSON"),
        ("a.jsonl", '{"src": "a", "mt": "\\u0000"}\n', "line 1: column 'mt': there is a NUL"),
        ("a.jsonl", '{"src": "a", "mt": [["b"]]}\n', "line 1: the field 'mt' is nested"),
        ("a.parquet", "PAR1", "not a Parquet file"),
        ("a.xlsx", "text", "not a spreadsheet"),
        ("a.xlsx", b"PK\x03\x04 and no more", "not a spreadsheet"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 more", "Excel 97"),
    ],
)
def test_what_is_wrong_has_a_place(
    write: Write, name: str, content: str | bytes, message: str
) -> None:
    if name.endswith(".xlsx"):
        pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow", reason="the extra 'tables' is not installed")
    with pytest.raises(InputError, match=message) as caught:
        read_texts(write(name, content))
    assert name in str(caught.value)


def test_mixed_encodings_are_refused_with_the_line(write: Write) -> None:
    content = "src,mt\n猫が座っている,cat\n".encode() + "猫,cat\n".encode("cp932")
    with pytest.raises(MalformedLine, match=r"line 3.*The rest of the file is UTF-8"):
        read_texts(write("a.csv", content))


def test_line_ends_and_byte_order_marks_make_no_difference(write: Write) -> None:
    plain = read_texts(write("a.csv", "src,mt\na,b\nc,d\n"))
    odd = read_texts(write("b.csv", b"\xef\xbb\xbfsrc,mt\r\na,b\r\nc,d"))
    assert (plain.source, plain.hypotheses) == (odd.source, odd.hypotheses)


def test_quotes_in_a_table_with_tabs_are_text_unless_it_quotes(write: Write) -> None:
    plain = read_texts(write("a.tsv", 'src\tmt\n"Yes," she said\t"No."\n'))
    assert (plain.source, plain.hypotheses["mt"]) == (('"Yes," she said',), ('"No."',))
    quoted = read_texts(write("b.tsv", 'src\tmt\n"a\tb"\t"He said ""no""."\n'))
    assert (quoted.source, quoted.hypotheses["mt"]) == (("a\tb",), ('He said "no".',))


def test_the_content_counts_where_the_ending_says_nothing(write: Write) -> None:
    row = json.dumps({"src": "a", "mt": "b"})
    for content in (f"{row}\n", "src,mt\na,b\n", "src\tmt\na\tb\n", "src;mt\na;b\n"):
        assert read_texts(write("data", content)).hypotheses == {"mt": ("b",)}
    forced = read_texts(write("data.txt", "src\tmt\na\tb\n"), input_format="tsv")
    assert forced.source == ("a",)
    with pytest.raises(UsageError, match="expected one of"):
        read_texts(write("data.txt", "src\tmt\na\tb\n"), input_format="word")


def test_rows_without_text_are_left_out_and_noted(write: Write) -> None:
    found = read_texts(write("a.csv", "id,src,mt\n1,a,b\n2,,\n3,c,d\n"))
    assert found.source == ("a", "c")
    assert "left out 1 row without text" in " ".join(found.notes)


def test_many_rows_without_text_in_a_row(write: Write) -> None:
    empty = "".join(f"{number},,\n" for number in range(2_500))
    found = read_texts(write("a.csv", f"id,src,mt\n{empty}1,a,b\n"))
    assert found.source == ("a",)
    assert "left out 2,500 rows" in " ".join(found.notes)
    with pytest.raises(InputError, match="no row with a text"):
        read_texts(write("b.csv", "id,src,mt\n1,,\n"))


def test_texts_of_parquet_that_are_not_utf8(tmp_path: Path) -> None:
    path = Path(written_by_pandas(tmp_path, "a.parquet"))
    path.write_bytes(path.read_bytes().replace(b"A cat sits.", b"A\x84cat sits."))
    with pytest.raises(InputError, match=r"rows 1 to 4: a text is not valid UTF-8|damaged"):
        read_texts(str(path))


def test_fields_of_json_that_are_lists(write: Write) -> None:
    row = {"source": "s", "references": ["r", "q"], "systems": {"a": "x", "b": None}}
    path = write("a.jsonl", json.dumps(row) + "\n")
    found = read_texts(path, columns={"system": ["systems.a", "systems.b"]})
    assert found.references == (("r", "q"),)
    assert found.hypotheses == {"systems.a": ("x",), "systems.b": ("",)}


def test_several_files_are_documents(write: Write) -> None:
    paths = [write("a.csv", "src,mt\na,b\n"), write("b.csv", "src,mt\nc,d\ne,f\n")]
    found = open_tables(paths)
    assert found.documents == ("a.csv", "b.csv", "b.csv")
    other = write("c.csv", "src,hyp\nc,d\n")
    with pytest.raises(InputError, match="have different columns"):
        open_tables([paths[0], other])


def test_tags_are_kept_hidden_or_compared(write: Write) -> None:
    path = write("a.csv", "src,mt\n<b>a</b> {0} %s,<b>x {1} %s\n")
    assert read_texts(path).source == ("<b>a</b> {0} %s",)
    assert read_texts(path, tags="keep").source == ("<b>a</b> {0} %s",)
    assert read_texts(path, tags="hide").hypotheses == {"mt": ("x",)}
    compared = read_texts(path, tags="compare")
    assert compared.source == ("a",)
    assert "mt: 2 tags missing, 1 not expected" in " ".join(compared.notes)


# Spreadsheets.


@pytest.fixture
def workbook() -> Any:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    return openpyxl.Workbook()


def test_merged_hidden_and_formatted_cells(tmp_path: Path, workbook: Any) -> None:
    sheet = workbook.active
    for row in (["doc", "src", "mt"], ["d1", "a", 5], [None, "b", 2.5], ["d2", "c", True]):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    sheet.row_dimensions[3].hidden = True
    sheet["B9"].number_format = "0.00"  # a cell that was formatted, and is empty
    path = str(tmp_path / "a.xlsx")
    workbook.save(path)
    found = read_texts(path)
    assert found.source == ("a", "b", "c")
    assert found.hypotheses["mt"] == ("5", "2.5", "TRUE")
    assert found.documents == ("d1", "d1", "d2")


def test_zeros_and_the_names_of_errors_are_texts(tmp_path: Path, workbook: Any) -> None:
    rows = (["src", "mt"], ["one", "eins"], [0, 0], [False, False], ["#N/A", "#REF!"], ["", ""])
    for row in rows:
        workbook.active.append(row)
    for cell in workbook.active[5]:
        cell.data_type = "s"  # as it was typed, and not what a formula gave
    path = str(tmp_path / "a.xlsx")
    workbook.save(path)
    assert read_texts(path).hypotheses["mt"] == ("eins", "0", "FALSE", "#REF!")


def test_formulas_are_read_by_their_stored_value(tmp_path: Path, workbook: Any) -> None:
    sheet = workbook.active
    sheet.append(["src", "mt"])
    sheet.append(["a", '=CONCATENATE("b","c")'])
    path = tmp_path / "a.xlsx"
    workbook.save(path)
    with pytest.raises(InputError, match=r"cell B2: the value of the formula is not stored"):
        read_texts(str(path))
    # What Excel writes: the formula, and its value beside it.
    stored = tmp_path / "b.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(stored, "w") as new:
        for part in old.namelist():
            content = old.read(part).decode()
            content = re.sub(
                r'<c r="B2"[^>]*>(<f>.*?</f>)<v ?/?>(?:</v>)?</c>',
                r'<c r="B2" t="str">\1<v>bc</v></c>',
                content,
            )
            new.writestr(part, content)
    assert read_texts(str(stored)).hypotheses == {"mt": ("bc",)}


def test_sheets_by_name(tmp_path: Path, workbook: Any) -> None:
    workbook.active.append(["src", "mt"])
    workbook.active.append(["a", "b"])
    other = workbook.create_sheet("日本語")
    other.append(["src", "mt"])
    other.append(["c", "d"])
    path = str(tmp_path / "a.xlsx")
    workbook.save(path)
    assert read_texts(path).source == ("a",)
    assert read_texts(path, sheet="日本語").source == ("c",)
    with pytest.raises(UsageError, match=r"no sheet 'x'\. There are: 'Sheet', '日本語'"):
        read_texts(path, sheet="x")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["a", "b", "c"], "row 2: there is a cell beyond the columns"),
        (["a", "#REF!"], "row 2: a formula has the value #REF!"),
    ],
)
def test_cells_that_are_no_text(
    tmp_path: Path, workbook: Any, cells: list[str], message: str
) -> None:
    workbook.active.append(["src", "mt"])
    workbook.active.append(cells)
    path = str(tmp_path / "a.xlsx")
    workbook.save(path)
    with pytest.raises(InputError, match=message):
        read_texts(path)


def with_part(path: Path, name: str, content: bytes) -> str:
    changed = path.with_name("changed.xlsx")
    with (
        zipfile.ZipFile(path) as old,
        zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.namelist():
            new.writestr(part, content if part == name else old.read(part))
    return str(changed)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<worksheet>" + b" " * 60 * 2**20, "unpacks to more than 200 times"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>', "declares entities"),
        ("<!DOCTYPE x []><worksheet/>".encode("utf-16"), "declares entities, or is not UTF-8"),
        (b"<worksheet", "not a spreadsheet, or it is damaged"),
    ],
)
def test_spreadsheets_that_were_made_to_harm(
    tmp_path: Path, workbook: Any, content: bytes, message: str
) -> None:
    workbook.active.append(["src", "mt"])
    path = tmp_path / "a.xlsx"
    workbook.save(path)
    with pytest.raises(InputError, match=message):
        read_texts(with_part(path, "xl/worksheets/sheet1.xml", content))


def test_options_that_do_not_fit(write: Write) -> None:
    path = write("a.csv", "src,mt\na,b\n")
    with pytest.raises(UsageError, match="not a spreadsheet"):
        read_texts(path, sheet="x")
    with pytest.raises(TenbinError, match="one segment per line"):
        open_tables([path], reading=reading_options(input_format="lines"))


def test_lists_of_different_lengths_in_parquet_have_a_place(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="the extra 'tables' is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    lists = [["a", "b"], ["c"], None]
    parquet.write_table(pyarrow.table({"references": lists, "mt": ["x", "y", "z"]}), path)
    with pytest.raises(InputError, match=r"a\.parquet, row 2: 'references' has 1 value, and in"):
        read_texts(str(path))


def test_a_sheet_that_is_formatted_to_its_last_cell(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    book = openpyxl.Workbook()
    book.active.append(["ref", "mt"])
    book.active.append(["a", "b"])
    book.active["ALL30000"].font = openpyxl.styles.Font(bold=True)
    path = tmp_path / "a.xlsx"
    book.save(path)
    peaks = []
    tracemalloc.start()
    try:
        found = read_texts(str(path))
        peaks.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
    assert found.hypotheses == {"mt": ("b",)}
    assert any("left out 29,998 rows without text" in note for note in found.notes)
    assert peaks[0] < 50_000_000  # 30 million empty cells


@pytest.mark.parametrize("form", ["<f>A2</f>", '<f t="shared" si="0"/>', "<f>A2</f><v></v>"])
def test_a_formula_without_a_value_has_a_cell(tmp_path: Path, form: str) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    book = openpyxl.Workbook()
    for row in (["ref", "mt"], ["a", "b"], ["c", "=A2"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    path = tmp_path / "b.xlsx"
    with zipfile.ZipFile(tmp_path / "a.xlsx") as old, zipfile.ZipFile(path, "w") as new:
        for part in old.infolist():
            content = old.read(part).decode()
            new.writestr(part, content.replace("<f>A2</f><v></v>", form).replace("<v />", ""))
    with pytest.raises(InputError, match=r"b\.xlsx, sheet 'Sheet', cell B3: the value of the form"):
        read_texts(str(path))


def test_systems_in_an_object_are_found(write: Write) -> None:
    path = write("a.jsonl", '{"references": ["a", "b"], "systems": {"x": "c", "y": "d"}}\n')
    found = read_texts(path)
    assert (found.references, list(found.hypotheses.values())) == ((("a", "b"),), [("c",), ("d",)])


def test_a_shared_text_that_is_not_there(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    book = openpyxl.Workbook()
    book.active.append(["ref", "mt"])
    book.active.append(["a", "b"])
    book.save(tmp_path / "a.xlsx")
    path = tmp_path / "b.xlsx"
    with zipfile.ZipFile(tmp_path / "a.xlsx") as old, zipfile.ZipFile(path, "w") as new:
        for part in old.infolist():
            content = old.read(part).replace(b't="inlineStr"><is><t>mt</t></is>', b't="s"><v>9</v>')
            new.writestr(part, content)
    with pytest.raises(InputError, match=r"b\.xlsx: this is not a spreadsheet, or it is damaged"):
        read_texts(str(path))
