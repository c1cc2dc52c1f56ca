"""Results for other programs: JSON, and tab-separated rows."""

import json
import re
from collections.abc import Iterable, Sequence
from math import isfinite, isnan
from typing import Any

from tenbin.core.arrays import FloatArray

Row = tuple[str | int | float | None, ...]


def json_text(payload: dict[str, Any]) -> str:
    """Return plain data as JSON text, one line per field, numbers at full precision."""
    return json.dumps(payload, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def tsv_text(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Return rows as tab-separated text; undefined values are empty, numbers at full precision."""
    lines = ["\t".join(columns)]
    lines += ["\t".join(_field(value) for value in row) for row in rows]
    return "\n".join(lines) + "\n"


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
