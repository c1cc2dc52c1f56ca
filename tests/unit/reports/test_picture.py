"""Drawings as files, with and without the optional package that draws PNG."""

import sys
from types import ModuleType

import pytest

from tenbin.core.errors import MissingExtra, ResourceError, UsageError
from tenbin.reports import picture as module
from tenbin.reports.picture import check_picture, picture

SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text>é</text></svg>'


@pytest.fixture
def drawer(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A stand-in for the package that draws PNG: it writes texts, as with a font."""
    stand_in = ModuleType("resvg_py")
    stand_in.svg_to_bytes = lambda svg_string, zoom: f"{zoom} {svg_string}".encode()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "resvg_py", stand_in)
    monkeypatch.setattr(module, "find_spec", lambda _: object())
    return stand_in


def test_svg_needs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    check_picture("a.SVG")
    assert picture("a.svg", SVG) == SVG.encode()


def test_png_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"tenbin\[plots\].*\.svg needs nothing"):
        check_picture("a.png")


@pytest.mark.usefixtures("drawer")
def test_png_is_drawn_from_the_same_drawing() -> None:
    check_picture("a.png")
    assert picture("a.png", SVG) == f"2.0 {SVG}".encode()


def test_a_machine_without_fonts_is_told(drawer: ModuleType) -> None:
    drawer.svg_to_bytes = lambda svg_string, zoom: b"no text"  # type: ignore[attr-defined]  # noqa: ARG005
    with pytest.raises(ResourceError, match="no font"):
        picture("a.png", SVG)


@pytest.mark.parametrize("name", ["a.pdf", "svg", ""])
def test_other_forms_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=r"\.svg or \.png"):
        check_picture(name)


def test_a_real_png_shows_the_text() -> None:
    pytest.importorskip("resvg_py")
    drawing = SVG.replace("<text>", f'<text y="20" font-family="{module.FONTS}">')
    found = picture("a.png", drawing.replace("<svg ", '<svg width="40" height="30" '))
    assert found.startswith(b"\x89PNG")
