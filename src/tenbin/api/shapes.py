"""Texts handed over in memory: which shapes are taken, and which are refused with a way out."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.errors import LengthMismatch, ShapeError
from tenbin.core.parameters import one_of
from tenbin.core.text import TestSet

DEFAULT_SYSTEM = "hypotheses"


class ReferenceAxis(StrEnum):
    """What the outer list of nested references runs over.

    SEGMENT: one list per segment, holding its one or more references (possibly ragged).
    STREAM: one list per reference text, holding all segments (sacrebleu's shape).
    """

    SEGMENT = "segment"
    STREAM = "stream"


def build_test_set(
    hypotheses: Any,  # noqa: ANN401 - columns of other libraries have no common type
    references: Any = None,  # noqa: ANN401
    *,
    source: Any = None,  # noqa: ANN401
    documents: Any = None,  # noqa: ANN401
    reference_axis: str | None = None,
) -> TestSet:
    """Return a test set from lists, tuples, numpy arrays, pandas or polars columns.

    Args:
        hypotheses: One text per segment, or a mapping from system names to such columns.
        references: One text per segment; or one list of texts per segment; None for no references.
        source: One source text per segment.
        documents: One document name per segment.
        reference_axis: ``segment`` or ``stream`` where nested references could be read either way.
    """
    if isinstance(hypotheses, Mapping):
        systems = {
            str(name): column(texts, f"hypotheses[{name!r}]") for name, texts in hypotheses.items()
        }
    else:
        systems = {DEFAULT_SYSTEM: column(hypotheses, "hypotheses")}
    if not systems:
        raise ShapeError("hypotheses is empty: give at least one system.")
    count = len(next(iter(systems.values())))
    axis = (
        None if reference_axis is None else one_of(ReferenceAxis, reference_axis, "reference_axis")
    )
    return TestSet(
        hypotheses=systems,
        references=() if references is None else _references(references, count, axis),
        source=None if source is None else column(source, "source"),
        documents=None if documents is None else column(documents, "documents"),
    )


def column(values: Any, name: str, *, unit: str = "segment") -> tuple[str, ...]:  # noqa: ANN401
    """Return a column of texts; refuse a single text and anything that is not text."""
    texts = _listed(values, name)
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise ShapeError(
                f"{name}: {unit} {number} is {_described(text)}, expected a text. Drop missing "
                "segments from all texts, or put '' where a system gave no translation."
            )
    return tuple(texts)


def _references(
    values: Any,  # noqa: ANN401
    count: int,
    axis: ReferenceAxis | None,
) -> tuple[tuple[str, ...], ...]:
    if isinstance(values, Mapping):
        raise ShapeError(
            "references is a mapping; give one text per segment, or one list of texts per segment."
        )
    outer = _listed(values, "references")
    single = [isinstance(value, str) or not isinstance(value, Iterable) for value in outer]
    if all(single):
        if len(outer) != count:
            raise LengthMismatch({"hypotheses": count, "references": len(outer)})
        return tuple((text,) for text in column(outer, "references"))
    if any(single):
        raise ShapeError(
            "references mixes single texts and lists of texts; give every segment a list: "
            '[["one reference"], ["two", "references"]].'
        )
    rows = [_listed(value, f"references[{number}]") for number, value in enumerate(outer)]
    if (axis or _axis(rows, count)) is ReferenceAxis.STREAM:
        rows = _transposed(rows, count)
    if len(rows) != count:
        raise LengthMismatch({"hypotheses": count, "references": len(rows)})
    # None is how a rectangular table says that a segment has fewer references than others.
    found = [[text for text in row if text is not None] for row in rows]
    if rows and not any(found):
        raise ShapeError(
            "references has a list for each segment, and no text in any of them. Give every "
            "segment at least one reference, or leave references out (None) for metrics that "
            "read none."
        )
    return tuple(
        column(row, f"references of segment {number}", unit="reference")
        for number, row in enumerate(found, start=1)
    )


def _axis(inner: Sequence[list[Any]], count: int) -> ReferenceAxis:
    as_segments = len(inner) == count
    as_streams = all(len(texts) == count for texts in inner)
    if as_segments and as_streams and count > 1:
        raise ShapeError(
            f"references is {counted(count, 'list')} of {counted(count, 'text')}, which can "
            "be read in two ways. Say "
            'reference_axis="segment" if each list holds the references of one segment, or '
            'reference_axis="stream" if each list is one reference text.'
        )
    if not as_segments and as_streams:
        raise ShapeError(
            f"references looks transposed: {counted(len(inner), 'list')} of "
            f"{counted(count, 'text')} for {count} hypotheses. Give one list per segment, "
            "list(zip(*references)), or say "
            'reference_axis="stream" to pass one list per reference text as sacrebleu does.'
        )
    return ReferenceAxis.SEGMENT


def _transposed(streams: Sequence[list[Any]], count: int) -> list[list[Any]]:
    lengths = {f"references[{number}]": len(row) for number, row in enumerate(streams)}
    if set(lengths.values()) != {count}:
        raise LengthMismatch({"hypotheses": count, **lengths})
    return [list(texts) for texts in zip(*streams, strict=True)]


def _listed(values: Any, name: str) -> list[Any]:  # noqa: ANN401
    if isinstance(values, str | bytes):
        raise ShapeError(
            f"{name} is a single {'text' if isinstance(values, str) else 'bytes object'}; "
            f"expected a list with one text per segment, for example [{name}]."
        )
    if isinstance(values, set | frozenset):
        raise ShapeError(f"{name} is a set, which has no order; give a list of texts.")
    if hasattr(values, "columns"):
        # Iterating over a data frame gives the names of its columns, not its texts.
        raise ShapeError(
            f"{name} is a whole {type(values).__name__}; give one column, or for several "
            "references per segment a list of lists, frame.values.tolist() in pandas."
        )
    if isinstance(values, Mapping) or not isinstance(values, Iterable) or _is_scalar(values):
        raise ShapeError(f"{name} is {_described(values)}, expected a list of texts.")
    return list(values)


def _is_scalar(values: object) -> bool:
    # A numpy array without dimensions says that it can be iterated over, and cannot.
    return getattr(values, "ndim", 1) == 0


def _described(value: object) -> str:
    return "missing (None)" if value is None else f"of type {type(value).__name__} ({value!r:.40})"
