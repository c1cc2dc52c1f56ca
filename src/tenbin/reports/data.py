"""Results for other programs: JSON, and tab-separated rows."""

import json
import re
from collections.abc import Iterable, Sequence
from math import isfinite, isnan
from typing import Any

from tenbin.core.arrays import FloatArray

Row = tuple[str | int | float | None, ...]

SIGNATURE = "signature"
"""The column that says what the scores of a row mean."""


def json_text(payload: dict[str, Any]) -> str:
    """Return plain data as JSON text, one line per field, numbers at full precision."""
    return json.dumps(payload, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def tsv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Return rows as tab-separated text; undefined values are empty, numbers at full precision."""
    lines = ["\t".join(columns)]
    lines += ["\t".join(_field(value) for value in row) for row in rows]
    return "\n".join(lines) + "\n"


def without_signatures(
    columns: Sequence[str], rows: Iterable[Row]
) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a table without the column of signatures, which are long and the same in many rows."""
    if SIGNATURE not in columns:
        return columns, rows
    at = list(columns).index(SIGNATURE)
    return (*columns[:at], *columns[at + 1 :]), (row[:at] + row[at + 1 :] for row in rows)


def defined(value: float) -> float | None:
    """Return a number, or None where it is undefined, for JSON."""
    return float(value) if isfinite(value) else None


def all_defined(values: FloatArray) -> list[float | None]:
    """Return numbers, None where one is undefined, for JSON."""
    return [defined(value) for value in values]


def _field(value: str | float | None) -> str:
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    if isinstance(value, float):
        return repr(value)
    # A name may hold anything a file system allows; a tab in it would shift the columns.
    return re.sub(r"[\t\r\n]", " ", str(value))
