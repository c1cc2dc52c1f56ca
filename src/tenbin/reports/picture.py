"""Drawings as files: SVG as it is, PNG by a program that reads SVG."""

from importlib import import_module
from importlib.util import find_spec

from tenbin.core.errors import MissingExtra, ResourceError, UsageError

_DRAWER = "resvg_py"
_EXTRA = "plots"
_SVG, _PNG = ".svg", ".png"
# By name: what draws PNG takes 'sans-serif' for Arial, which many machines have not.
FONTS = (
    "Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, Noto Sans, Ubuntu, Segoe UI, "
    "sans-serif"
)
_ZOOM = 2.0  # dots per unit of the drawing: sharp on the screens of today and in print


def check_picture(path: str) -> None:
    """Raise if a picture of that name cannot be drawn, before hours of scoring.

    Raises:
        UsageError: The name ends neither in .svg nor in .png.
        MissingExtra: What draws PNG is not installed.
    """
    if not path.lower().endswith((_SVG, _PNG)):
        raise UsageError(f"{path}: give the name of a file that ends in .svg or .png.")
    if path.lower().endswith(_PNG) and find_spec(_DRAWER) is None:
        raise MissingExtra("a PNG picture", _EXTRA, "A file that ends in .svg needs nothing.")


def picture(path: str, svg: str) -> bytes:
    """Return what a file of that name holds: an SVG drawing as it is, or as PNG.

    Raises:
        ResourceError: There is no font on this machine, so that a PNG would have no text.
    """
    if not path.lower().endswith(_PNG):
        return svg.encode()
    check_picture(path)
    if _drawn(_probe("M")) == _drawn(_probe("")):
        raise ResourceError(
            f"{path}: there is no font on this machine to write text with. Install one, such as "
            "DejaVu Sans, or name a file that ends in .svg."
        )
    return _drawn(svg)


def _drawn(svg: str) -> bytes:
    drawn: bytes = import_module(_DRAWER).svg_to_bytes(svg_string=svg, zoom=_ZOOM)
    return bytes(drawn)


def _probe(text: str) -> str:
    size = 'width="20" height="20"'
    inside = f'<text y="16" font-family="{FONTS}">{text}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{inside}</svg>'
