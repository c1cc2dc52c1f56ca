"""Finds values of a column that cannot be scored, with Arrow's own loops."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tenbin.formats.arrow import arrow
from tenbin.tables.columns import ColumnKind

_NO_TEXT = "Drop such rows, or put '' where a text is empty."


def first_fault(column: Any, name: str, kind: ColumnKind) -> tuple[int, str] | None:  # noqa: ANN401
    """Return the first row with a bad value and what is wrong with it."""
    found = _first(column.is_null())
    if found is not None:
        return found, f"the column {name!r} has no value (null), expected a text. {_NO_TEXT}"
    if kind is ColumnKind.TEXT:
        return _bad_text(column, name)
    counts = lengths(column)
    found = _first(_equal(counts, 0))
    if found is not None:
        advice = "Give every row at least one reference, or drop it."
        return found, f"the list in the column {name!r} is empty. {advice}"
    texts = column.flatten()
    within = _first(texts.is_null())
    bad = (
        _bad_text(texts, name)
        if within is None
        else (within, f"a text in the column {name!r} is missing (null). {_NO_TEXT}")
    )
    if bad is None:
        return None
    ends = np.cumsum(np.asarray(counts.to_numpy(zero_copy_only=False), dtype=np.int64))
    return int(np.searchsorted(ends, bad[0], side="right")), bad[1]


def _bad_text(texts: Any, name: str) -> tuple[int, str] | None:  # noqa: ANN401
    plain = _decoded(texts)
    try:
        plain.validate(full=True)
    except arrow().ArrowInvalid:
        raw = plain.cast("large_binary").to_pylist()
        number = next(number for number, value in enumerate(raw) if not _is_utf8(value))
        advice = "Convert the text before it is put into a table."
        return number, f"the text in the column {name!r} is not valid UTF-8. {advice}"
    found = _first(arrow("compute").match_substring(plain, "\0"))
    if found is None:
        return None
    return found, f"the text in the column {name!r} has a NUL character. Remove it."


def _decoded(texts: Any) -> Any:  # noqa: ANN401
    pa = arrow()
    plain = texts.dictionary_decode() if pa.types.is_dictionary(texts.type) else texts
    return plain if pa.types.is_string(plain.type) else plain.cast(pa.large_string())


def _is_utf8(value: bytes) -> bool:
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_empty(texts: Any) -> npt.NDArray[np.bool_]:  # noqa: ANN401
    """Return for each text whether there is nothing in it but spaces."""
    trimmed = arrow("compute").utf8_trim_whitespace(_decoded(texts))
    empty = _equal(arrow("compute").binary_length(trimmed), 0)
    return np.asarray(empty.to_numpy(zero_copy_only=False), dtype=np.bool_)


def lengths(lists: Any) -> Any:  # noqa: ANN401
    """Return how many values each list has, as an array of pyarrow."""
    return arrow("compute").list_value_length(lists)


def _equal(numbers: Any, value: int) -> Any:  # noqa: ANN401
    return arrow("compute").equal(numbers, value)


def _first(truths: Any) -> int | None:  # noqa: ANN401
    """Return the number of the first value that is true."""
    places = np.flatnonzero(truths.to_numpy(zero_copy_only=False))
    return int(places[0]) if len(places) else None
