"""Photographs the report for the README and the documentation: python -m docs.screenshots.

Everything shown comes from the bundled example and from the tests' own data. With a folder the
pictures go there, and every view is taken at both widths and in both schemes, to be looked at.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.browser.chromium import HOW_TO_INSTALL, find_chromium, started_chromium
from tests.browser.reports import MAKERS
from tests.browser.watched import DESK, PHONE, Size, Watched

FOLDER = Path(__file__).resolve().parent / "images" / "report"


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture.

    Attributes:
        name: Of its file, without ending.
        report: Which of tests/browser/reports.py is shown.
        address: The part after `#`.
        height: Where it is cut off, in pixels; the width is 1440.
        dark: Whether it shows dark colors.
    """

    name: str
    report: str
    address: str
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
    folder = parser.parse_args().folder
    program = find_chromium()
    if program is None:
        raise SystemExit(HOW_TO_INSTALL)
    with TemporaryDirectory() as work, started_chromium(program) as browser:
        windows = Watched(browser)
        reports: dict[str, Path] = {}
        for picture in PICTURES:
            if picture.report not in reports:
                reports[picture.report] = Path(work) / f"{picture.report}.html"
                MAKERS[picture.report](reports[picture.report])
            path = reports[picture.report]
            if folder is None:
                size = Size(DESK.width, picture.height)
                _take(windows, path, picture, size, FOLDER / f"{picture.name}.png")
                continue
            for size in (DESK, PHONE):
                for scheme in ("light", "dark"):
                    name = f"{picture.name}-{size.width}-{scheme}.png"
                    _take(windows, path, picture, size, folder / name, scheme, whole=True)
        windows.close()
        if windows.problems:
            raise SystemExit("\n".join(windows.problems))
