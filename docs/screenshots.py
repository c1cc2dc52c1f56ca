"""Photographs the report for the README and the documentation: python -m docs.screenshots.

Everything shown comes from the bundled example and from the tests' own data. With a folder the
pictures go there, and every view is taken at both widths and in both schemes, to be looked at.
"""

import argparse
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PIL import Image

from tests.browser.chromium import HOW_TO_INSTALL, find_chromium, started_chromium
from tests.browser.probes import settled
from tests.browser.reports import MAKERS
from tests.browser.watched import DESK, PHONE, Size, Watched

FOLDER = Path(__file__).resolve().parent / "images" / "report"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture.

    Attributes:
        name: Of its file, without ending.
        report: Which of tests/browser/reports.py is shown.
        address: The part after `#`.
        from_top: How far the page is scrolled, in pixels.
        height: Where it is cut off, in pixels; the width is 1440.
        dark: Whether it shows dark colors.
    """

    name: str
    report: str
    address: str
    from_top: int = 0
    height: int = 900
    dark: bool = False


PICTURES = (
    Picture("systems", "example", "view=systems"),
    Picture("systems-dark", "compare", "view=systems", dark=True),
    Picture("segments", "example", "view=segments"),
    Picture("why", "example", "view=why&seg=17&metric=meteor"),
    Picture("analyses", "example", "view=analyses"),
    Picture("meta", "meta", "view=meta"),
    Picture("tune", "tune", "view=tune"),
)


def main() -> None:
    """Take the pictures of the documentation, or all of them into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="take every view, for a look")
    folder: Path | None = parser.parse_args().folder
    program = find_chromium()
    if program is None:
        raise SystemExit(HOW_TO_INSTALL)
    with TemporaryDirectory() as work, started_chromium(program) as browser:
        windows = Watched(browser)
        reports = {name: Path(work) / f"{name}.html" for name in {one.report for one in PICTURES}}
        for name, path in reports.items():
            MAKERS[name](path)
        for picture in PICTURES:
            path = reports[picture.report]
            if folder is None:
                _take(windows, path, picture, FOLDER / f"{picture.name}.png")
            else:
                _take_all(windows, path, picture, folder)
        windows.close()
    if windows.problems:
        raise SystemExit("\n".join(windows.problems))


def _take(windows: Watched, path: Path, picture: Picture, file: Path) -> None:
    """Take the picture that the documentation shows."""
    page = windows.open(
        path,
        f"#{picture.address}",
        size=Size(DESK.width, picture.height),
        scheme="dark" if picture.dark else "light",
    )
    page.evaluate(f"() => scrollTo(0, {picture.from_top})")
    settled(page)
    _write(page.screenshot(), file)


def _take_all(windows: Watched, path: Path, picture: Picture, folder: Path) -> None:
    """Take the whole view on a desk and on a phone, in both schemes."""
    for size in (DESK, PHONE):
        for scheme in SCHEMES:
            page = windows.open(path, f"#{picture.address}", size=size, scheme=scheme)
            settled(page)
            name = f"{picture.name}-{size.width}-{scheme}.png"
            _write(page.screenshot(full_page=True), folder / name)
            page.close()


def _write(picture: bytes, file: Path) -> None:
    """Write a picture of few colors: text and plain areas need no more, and a page loads faster."""
    file.parent.mkdir(parents=True, exist_ok=True)
    few = Image.open(BytesIO(picture)).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    few.save(file, optimize=True)
    print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")  # noqa: T201 - a script


if __name__ == "__main__":
    main()
