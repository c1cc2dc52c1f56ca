"""Grids fitted to a page."""

from tenbin.reports.grid import Align, Cell, Grid, display_width
from tenbin.reports.plain_text import column_widths, fitted, render_text


def numbers(names: list[str], columns: int, text: str = "12.34 [10.00, 15.00]") -> Grid:
    return Grid(
        headings=("System", *(f"M{number}" for number in range(columns))),
        alignments=(Align.LEFT, *[Align.RIGHT] * columns),
        rows=tuple((Cell(name), *[Cell(text)] * columns) for name in names),
    )


def prose(text: str, label: str = "label") -> Grid:
    return Grid(
        headings=("", "What"),
        alignments=(Align.LEFT, Align.LEFT),
        rows=((Cell(label), Cell(text)), (Cell("other"), Cell("short"))),
    )


def widest(text: str) -> int:
    return max(display_width(line) for line in text.splitlines())


def test_without_a_page_nothing_changes() -> None:
    grid = numbers(["a" * 200], 9)
    assert fitted(grid, None) == [grid]
    assert fitted(grid, 10_000) == [grid]


def test_columns_move_to_further_parts() -> None:
    parts = fitted(numbers(["one", "two"], 5), 60)
    assert [part.headings for part in parts] == [
        ("System", "M0", "M1"),
        ("System", "M2", "M3"),
        ("System", "M4"),
    ]
    assert all(len(part.rows) == 2 for part in parts)
    assert widest(render_text(numbers(["one", "two"], 5), 60)) <= 60


def test_a_page_too_narrow_for_anything_still_shows_everything() -> None:
    parts = fitted(numbers(["one"], 3), 10)
    assert [part.headings for part in parts] == [
        ("System", "M0"),
        ("System", "M1"),
        ("System", "M2"),
    ]


def test_long_labels_give_up_their_middle() -> None:
    names = ["a-very-long-name-of-a-system-" * 3 + end for end in ("one", "two")]
    parts = fitted(numbers(names, 2), 80)
    shown = [row[0].text for row in parts[0].rows]
    assert all("…" in name for name in shown)
    assert shown[0].endswith("one")
    assert widest(render_text(numbers(names, 2), 80)) <= 80


def test_labels_that_would_look_alike_stay_long() -> None:
    names = ["x" * 50 + middle + "y" * 50 for middle in "ab"]
    parts = fitted(numbers(names, 2), 80)
    assert [row[0].text for row in parts[0].rows] == names


def test_prose_is_wrapped_under_itself() -> None:
    grid = prose("word " * 40)
    (part,) = fitted(grid, 50)
    assert len(part.rows) > 4
    assert part.rows[1][0] == Cell("")
    assert sum(column_widths(part)) + 2 <= 50
    assert " ".join(row[1].text for row in part.rows[:-1]).split() == ["word"] * 40


def test_prose_leaves_room_beside_a_long_path() -> None:
    text = render_text(prose("what is wrong with it " * 4, "/a/path/" * 20 + "end.txt"), 80)
    assert widest(text) <= 80
    assert "end.txt" in text


def test_a_triangle_leaves_out_empty_rows() -> None:
    grid = Grid(
        headings=("", "vs 2", "vs 3"),
        alignments=(Align.LEFT, Align.RIGHT, Align.RIGHT),
        rows=(
            (Cell("first"), Cell("0.100"), Cell("0.200")),
            (Cell("second"), Cell(""), Cell("0.300")),
        ),
    )
    first, second = fitted(grid, 14)
    assert [row[0].text for row in first.rows] == ["first"]
    assert [row[0].text for row in second.rows] == ["first", "second"]
