"""Tables with a row for each segment and system give the same texts as those with a column each."""

import re
from collections.abc import Callable, Sequence

import pytest

from tenbin.api.files import open_files, read_texts
from tenbin.core.errors import InputError, MalformedLine, UsageError

Write = Callable[[str, str | bytes], str]
ROWS = [
    (number, document, f"source {number}", f"reference {number}", system, f"{system} {number}")
    for number, document in enumerate("aabb", start=1)
    for system in ("x", "y", "z")
]


def table(
    rows: Sequence[tuple[object, ...]], header: str = "id,doc,src,ref,system,output", *left_out: int
) -> str:
    kept = [at for at in range(len(rows[0])) if at not in left_out]
    names = header.split(",")
    lines = [",".join(names[at] for at in kept)]
    lines += [",".join(str(row[at]) for at in kept) for row in rows]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("left_out", [(), (0,), (1,), (0, 1), (0, 2), (0, 1, 2, 3), (2, 3)])
@pytest.mark.parametrize("order", ["by segment", "by system"])
def test_rows_become_systems(write: Write, left_out: tuple[int, ...], order: str) -> None:
    rows = sorted(ROWS, key=lambda row: row[4]) if order == "by system" else ROWS
    found = read_texts(write("a.csv", table(rows, "id,doc,src,ref,system,output", *left_out)))
    assert found.hypotheses == {s: tuple(f"{s} {n}" for n in (1, 2, 3, 4)) for s in "xyz"}
    if 2 not in left_out:
        assert found.source == tuple(f"source {n}" for n in (1, 2, 3, 4))
    if 3 not in left_out:
        assert found.references == tuple((f"reference {n}",) for n in (1, 2, 3, 4))
    if 1 not in left_out:
        assert found.documents == ("a", "a", "b", "b")


@pytest.mark.parametrize("left_out", [(), (0,), (2, 3)])
def test_any_order_of_rows(write: Write, left_out: tuple[int, ...]) -> None:
    rows = [ROWS[(5 * place + 3) % len(ROWS)] for place in range(len(ROWS))]
    found = read_texts(write("a.csv", table(rows, "id,doc,src,ref,system,output", *left_out)))
    numbers = [text.split()[1] for text in found.hypotheses["x"]]
    assert sorted(numbers) == ["1", "2", "3", "4"]
    for system in "xyz":
        assert found.hypotheses[system] == tuple(f"{system} {n}" for n in numbers)
    if 2 not in left_out:
        assert found.source == tuple(f"source {n}" for n in numbers)


def test_the_same_text_twice_is_two_segments(write: Write) -> None:
    text = "src,system,output\na,x,1\na,x,2\na,y,3\na,y,4\n"
    found = read_texts(write("a.csv", text))
    assert (found.source, found.hypotheses) == (("a", "a"), {"x": ("1", "2"), "y": ("3", "4")})


def test_the_same_identifier_in_two_documents_is_two_segments(write: Write) -> None:
    rows = "d1,1,x,a\nd2,1,x,b\nd1,1,y,c\nd2,1,y,d\n"
    found = read_texts(write("a.csv", f"doc,id,system,mt\n{rows}"))
    assert found.hypotheses == {"x": ("a", "b"), "y": ("c", "d")}


def test_names_by_choice_and_outputs_in_the_target(write: Write) -> None:
    text = "id,source,target,who\n1,a,b,x\n1,a,c,y\n"
    found = read_texts(write("a.csv", text), columns={"name": "who"})
    assert found.hypotheses == {"x": ("b",), "y": ("c",)}


def test_a_column_that_is_called_system_may_still_hold_texts(write: Write) -> None:
    found = read_texts(write("a.csv", "source,target,system\na,b,c\n"))
    assert (found.references, found.hypotheses) == ((("b",),), {"system": ("c",)})


def test_systems_of_a_long_table_after_one_option(write: Write) -> None:
    path = write("a.csv", table(ROWS))
    opened = open_files([path], [path], path)
    assert opened.systems == ("a.csv:x", "a.csv:y", "a.csv:z")
    texts = next(opened.chunks(4))
    assert texts.references == tuple((f"reference {n}",) for n in (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,system,mt\n1,x,a\n1,y,b\n2,x,c\n", "a.csv, line 4: this segment has no row of the "),
        ("id,system,mt\n1,x,a\n1,x,b\n", "a.csv, line 3: a second row of the system 'x' for "),
        ("id,src,system,mt\n1,s,x,a\n1,t,y,b\n", "line 3: segment '1' has another source"),
        ("id,system,mt\n1,x,a\n1,,b\n", "line 3: the column 'system' names no system"),
        ("src,system,mt\na,x,1\na,x,2\na,y,3\n", "line 3: this segment has no row of the system"),
        ("system,mt\nx,1\nx,2\ny,3\n", "line 3: this segment has no row of the system 'y'"),
        ("system,mt\nx,1\nx,\0\n", "line 3"),
    ],
)
def test_what_is_wrong_has_a_place(write: Write, text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        read_texts(write("a.csv", text))


def test_texts_are_no_names(write: Write) -> None:
    rows = "".join(f"text {n},text {n}\n" for n in range(1_100))
    with pytest.raises(UsageError, match="does not look like names of systems"):
        read_texts(write("a.csv", f"system,mt\n{rows}"))


def test_several_columns_of_outputs_and_one_of_names(write: Write) -> None:
    with pytest.raises(UsageError, match="one column holds all their texts"):
        read_texts(write("a.csv", "who,mt1,mt2\nx,a,b\n"), columns={"name": "who"})


def test_a_character_that_no_file_can_hold_has_a_place(write: Write) -> None:
    path = write("a.jsonl", '{"system": "x", "mt": "a"}\n{"system": "x", "mt": "\\u0000"}\n')
    with pytest.raises(MalformedLine, match="line 2: column 'mt': there is a NUL"):
        read_texts(path)
