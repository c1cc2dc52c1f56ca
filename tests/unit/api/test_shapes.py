"""Texts in memory: every shape that is taken, and every refusal with its way out."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tenbin.api.shapes import build_test_set
from tenbin.core.errors import LengthMismatch, ShapeError, TenbinError, UsageError

TEXTS = ("the cat", "a dog")
NESTED = (("a", "b", "c"), ("d", "e", "f"))
RAGGED = (("a",), ("d", "e"))

Container = Callable[[Iterable[Any]], Any]
CONTAINERS: dict[str, Container] = {
    "list": list,
    "tuple": tuple,
    "numpy": lambda texts: np.array(list(texts)),
    "numpy object": lambda texts: np.array(list(texts), dtype=object),
    "pandas": lambda texts: pd.Series(list(texts)),
    "pandas with an index": lambda texts: pd.Series(list(texts), index=[7, 3]),
    "polars": lambda texts: pl.Series(list(texts)),
    "generator": lambda texts: (text for text in texts),
    "dict values": lambda texts: dict(enumerate(texts)).values(),
}


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_columns_of_many_kinds(container: Container) -> None:
    built = build_test_set(
        container(TEXTS),
        container(TEXTS),
        source=container(TEXTS),
        documents=container(TEXTS),
    )
    assert built.hypotheses == {"hypotheses": TEXTS}
    assert built.references == tuple((text,) for text in TEXTS)
    assert built.source == built.documents == TEXTS


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_systems_by_name(container: Container) -> None:
    built = build_test_set({"A": container(TEXTS), 2: container(TEXTS)}, list(TEXTS))
    assert built.hypotheses == {"A": TEXTS, "2": TEXTS}


@pytest.mark.parametrize(
    ("references", "expected"),
    [
        (NESTED, NESTED),
        ([list(texts) for texts in NESTED], NESTED),
        (np.array(NESTED), NESTED),
        (pd.Series([list(texts) for texts in NESTED]), NESTED),
        (pl.Series([list(texts) for texts in NESTED]), NESTED),
        (pd.DataFrame(NESTED).to_numpy().tolist(), NESTED),
        (((text for text in texts) for texts in NESTED), NESTED),
        (RAGGED, RAGGED),
        (pl.Series([list(texts) for texts in RAGGED]), RAGGED),
        ([["a", None, None], ["d", None, "e"]], RAGGED),
        (np.array([["a", None, None], ["d", None, "e"]], dtype=object), RAGGED),
    ],
    ids=lambda value: type(value).__name__,
)
def test_references_by_segment(references: Any, expected: tuple[tuple[str, ...], ...]) -> None:
    assert build_test_set(TEXTS, references).references == expected


@pytest.mark.parametrize(
    "streams",
    [
        [["a", "d"], ["b", "e"], ["c", "f"]],
        [np.array(["a", "d"]), pd.Series(["b", "e"]), pl.Series(["c", "f"])],
        [(text for text in stream) for stream in zip(*NESTED, strict=True)],
        np.array(NESTED).T,
    ],
    ids=["lists", "columns", "generators", "array"],
)
def test_references_by_stream(streams: Any) -> None:
    built = build_test_set(TEXTS, streams, reference_axis="stream")
    assert built.references == NESTED


def test_absent_references_in_streams() -> None:
    streams = [["a", "d"], [None, "e"], [None, None]]
    assert build_test_set(TEXTS, streams, reference_axis="stream").references == RAGGED


def test_square_references_need_a_word() -> None:
    square = [["a", "b"], ["c", "d"]]
    with pytest.raises(ShapeError, match=r'axis="segment" if .* or reference_axis="stream" if'):
        build_test_set(TEXTS, square)
    by_segment = build_test_set(TEXTS, square, reference_axis="segment")
    by_stream = build_test_set(TEXTS, square, reference_axis="stream")
    assert by_segment.references == (("a", "b"), ("c", "d"))
    assert by_stream.references == (("a", "c"), ("b", "d"))


def test_a_hole_does_not_make_a_square_clear() -> None:
    with pytest.raises(ShapeError, match="two ways"):
        build_test_set(TEXTS, [["a", None], ["c", "d"]])


def test_one_segment_is_never_ambiguous() -> None:
    assert build_test_set(["x"], [["a"]]).references == (("a",),)
    assert build_test_set(["x"], [["a", "b"]]).references == (("a", "b"),)


@pytest.mark.parametrize(
    "streams",
    [
        [["a", "b", "c"], ["d", "e", "f"]],
        [["a", "b", "c"], ["d", None, "f"]],
        [["a", "b", "c"]],
        np.array([["a", "b", "c"], ["d", "e", "f"]]),
    ],
    ids=["lists", "with a hole", "one stream", "array"],
)
def test_transposed_references_are_refused_with_the_fix(streams: Any) -> None:
    with pytest.raises(ShapeError) as caught:
        build_test_set(["x", "y", "z"], streams)
    listed = f"{len(streams)} list{'s' if len(streams) > 1 else ''} of 3 texts"
    for fact in ("looks transposed", listed, "list(zip(*references))"):
        assert fact in str(caught.value)
    assert 'reference_axis="stream"' in str(caught.value)


FRAMES = (pd.DataFrame({"x": TEXTS, "y": TEXTS}), pl.DataFrame({"x": TEXTS, "y": TEXTS}))


@pytest.mark.parametrize(
    ("hypotheses", "references", "fact"),
    [
        ("the cat", TEXTS, "hypotheses is a single text; expected a list"),
        (TEXTS, "the cat", "references is a single text; expected a list"),
        (np.str_("the cat"), TEXTS, "hypotheses is a single text"),
        (b"the cat", TEXTS, "hypotheses is a single bytes object"),
        ({"A": "the cat"}, TEXTS, "hypotheses['A'] is a single text"),
        (TEXTS, [b"a", b"b"], "references[0] is a single bytes object"),
        (5, TEXTS, "hypotheses is of type int (5), expected a list of texts"),
        (None, TEXTS, "hypotheses is missing (None), expected a list"),
        (np.array("the cat"), TEXTS, "hypotheses is of type ndarray"),
        (set(TEXTS), TEXTS, "hypotheses is a set, which has no order"),
        (frozenset(TEXTS), TEXTS, "hypotheses is a set, which has no order"),
        (TEXTS, {"refA": TEXTS}, "references is a mapping"),
        (FRAMES[0], TEXTS, "hypotheses is a whole DataFrame; give one column"),
        (TEXTS, FRAMES[0], "frame.values.tolist() in pandas"),
        (TEXTS, FRAMES[1], "references is a whole DataFrame"),
        (["a", None], TEXTS, "hypotheses: segment 2 is missing (None)"),
        (pd.Series(["a", None]), TEXTS, "hypotheses: segment 2 is "),
        (pl.Series(["a", None]), TEXTS, "put '' where a system gave no translation"),
        (["a", 3], TEXTS, "hypotheses: segment 2 is of type int (3)"),
        (TEXTS, ["a", None], "references: segment 2 is missing (None)"),
        (TEXTS, ["a", float("nan")], "references: segment 2 is of type float (nan)"),
        (TEXTS, ["a", ["b"]], "references mixes single texts and lists"),
        (TEXTS, [["a"], ["b", 3]], "references of segment 2: reference 2 is of type int (3)"),
        (TEXTS, [["a"], []], "segment 2 has no reference"),
        (TEXTS, [["a", "b", "c"], [None, None, None]], "segment 2 has no reference"),
        ({}, TEXTS, "hypotheses is empty: give at least one system"),
        ([], [], "there are no segments to score"),
    ],
)
def test_other_shapes_are_refused(hypotheses: Any, references: Any, fact: str) -> None:
    with pytest.raises(ShapeError) as caught:
        build_test_set(hypotheses, references)
    assert fact in str(caught.value)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("references", "options", "counts"),
    [
        (["a"], {}, {"hypotheses": 2, "references": 1}),
        ([["a", "b", "c"]], {}, {"hypotheses": 2, "references": 1}),
        ([["a"]], {"reference_axis": "segment"}, {"hypotheses": 2, "references": 1}),
        (
            [["a", "b"], ["c"]],
            {"reference_axis": "stream"},
            {"hypotheses": 2, "references[0]": 2, "references[1]": 1},
        ),
        (TEXTS, {"source": ["a"]}, {"references": 2, "hypotheses": 2, "source": 1}),
        (TEXTS, {"documents": ["a"]}, {"references": 2, "hypotheses": 2, "documents": 1}),
    ],
)
def test_unequal_lengths_are_refused_with_all_counts(
    references: Any, options: dict[str, Any], counts: dict[str, int]
) -> None:
    with pytest.raises(LengthMismatch) as caught:
        build_test_set(TEXTS, references, **options)
    assert caught.value.counts == counts


@pytest.mark.parametrize("references", [TEXTS, NESTED])
def test_an_unknown_axis_is_a_usage_error(references: Any) -> None:
    with pytest.raises(UsageError, match="choose one of") as caught:
        build_test_set(TEXTS, references, reference_axis="columns")
    assert isinstance(caught.value, TenbinError)
