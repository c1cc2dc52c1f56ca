"""The difference curves that come with Tenbin, fitted on WMT system pairs."""

from functools import cache
from importlib.resources import files

from tenbin.core.difference_curve import CurveTable
from tenbin.formats.difference_curves import parse_curves

_NAME = "difference-curves.json"


@cache
def bundled_curves() -> CurveTable:
    """Return the curves of all metrics that were scored on enough WMT system pairs.

    >>> bundled_curves().source
    'WMT'
    """
    file = files("tenbin.resources").joinpath("bundled", _NAME)
    return parse_curves(file.read_bytes(), _NAME)
