"""Files of difference curves: one JSON object with the curves of several metrics."""

import json
from collections.abc import Mapping
from math import isfinite, nan
from pathlib import Path
from typing import Any

from tenbin.core.difference_curve import BandPoint, CurveTable, DifferenceCurve, TargetGroup
from tenbin.core.errors import UnreadableFile
from tenbin.formats.files import regular_file, user_path
from tenbin.formats.json_text import parse_json
from tenbin.formats.output import write_text
from tenbin.version import __version__

FORMAT = "tenbin-curves-1"
_ADVICE = "Expected a file of curves as 'tenbin meta' writes it. Fit them again."
_DIGITS = 6
_BAND_FIELDS = 3


def read_curves(path: str) -> CurveTable:
    """Read curves that `write_curves` wrote.

    Raises:
        UnreadableFile: There is no such file, or it is not one of curves.
    """
    file = regular_file(user_path(path))
    return parse_curves(file.read_bytes(), str(path))


def parse_curves(content: bytes | str, path: str) -> CurveTable:
    """Return the curves of the content of a file.

    Args:
        content: The file.
        path: What messages call it.

    Raises:
        UnreadableFile: It is not a file of curves.
    """
    try:
        found = _checked(parse_json(content))
        return CurveTable(
            curves=tuple(_curve(one) for one in found["curves"]),
            resamples=int(found["resamples"]),
            seed=int(found["seed"]),
            source=str(found["source"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        problem = f"not a file of difference curves ({_described(error)})"
        raise UnreadableFile(path, problem, _ADVICE) from error


def write_curves(path: str, table: CurveTable) -> None:
    """Write curves for `read_curves`; those that could not be fitted are left out.

    Raises:
        OutputError: The file cannot be written.
    """
    write_text(str(Path(path)), curves_text(table))


def curves_text(table: CurveTable) -> str:
    """Return the content of a file of curves, one curve per line."""
    header = {
        "format": FORMAT,
        "tenbin": __version__,
        "source": table.source,
        "resamples": table.resamples,
        "seed": table.seed,
    }
    lines = [
        json.dumps(_fields(curve), ensure_ascii=False)
        for curve in table.curves
        if isfinite(curve.slope)
    ]
    start = json.dumps(header, ensure_ascii=False)[:-1]
    return f'{start}, "curves": [\n' + ",\n".join(lines) + "\n]}\n"


def _fields(curve: DifferenceCurve) -> dict[str, Any]:
    return {
        "metric": curve.metric,
        "target": str(curve.target),
        "slope": _rounded(curve.slope),
        "ceiling": _rounded(curve.ceiling),
        "pairs": curve.pairs,
        "agreement": _rounded(curve.agreement),
        "largest": _rounded(curve.largest),
        "places": list(curve.places),
        "settings": list(curve.settings),
        "data": curve.data,
        "band": [
            [_rounded(point.difference), round(point.low, 4), round(point.high, 4)]
            for point in curve.band
        ],
    }


def _checked(found: Any) -> Mapping[str, Any]:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(found, Mapping) or found.get("format") != FORMAT:
        raise ValueError(f'it has no field "format": "{FORMAT}"')
    return found


def _curve(fields: Mapping[str, Any]) -> DifferenceCurve:
    band = tuple(BandPoint(*_numbers(point, _BAND_FIELDS)) for point in fields["band"])
    places = [point.difference for point in band]
    if places != sorted(set(places)):
        raise ValueError("the differences of a band do not rise")
    slope, ceiling = _numbers([fields["slope"], fields["ceiling"]], 2)
    if slope < 0 or not 0.5 <= ceiling <= 1:  # noqa: PLR2004 - a chance that can only grow
        raise ValueError(f"slope {slope} and ceiling {ceiling} are no curve that rises")
    return DifferenceCurve(
        metric=str(fields["metric"]),
        target=TargetGroup(fields["target"]),
        slope=slope,
        ceiling=ceiling,
        band=band,
        pairs=int(fields["pairs"]),
        places=tuple(map(str, fields["places"])),
        agreement=float(fields["agreement"]),
        largest=float(fields.get("largest", nan)),
        settings=tuple(map(str, fields["settings"])),
        data=str(fields["data"]),
    )


def _numbers(values: Any, count: int) -> list[float]:  # noqa: ANN401 - whatever JSON holds
    found = [float(value) for value in values]
    if len(found) != count or not all(isfinite(value) for value in found):
        raise ValueError(f"expected {count} numbers, found {values!r}")
    return found


def _described(error: Exception) -> str:
    return f"no field {error}" if isinstance(error, KeyError) else str(error)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
