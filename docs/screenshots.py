#!/usr/bin/env python
"""Photographs the report for the README and the documentation: python docs/screenshots.py.

Everything shown comes from the bundled example and from the tests' own data. With a folder the
pictures go there, and every view is taken at both widths and in both schemes, to be looked at.
"""

import argparse
import os
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a script is given its own folder only

from docs.generator.bare_store import bare_store  # noqa: E402
from tests.browser.chromium import HOW_TO_INSTALL, find_chromium, started_chromium  # noqa: E402
from tests.browser.probes import settled  # noqa: E402
from tests.browser.watched import DESK, PHONE, Size, Watched  # noqa: E402

from tenbin.cli.main import main as tenbin  # noqa: E402

FOLDER = ROOT / "docs" / "images" / "report"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture.

    Attributes:
        name: Of its file, without ending.
        report: Which report is shown: a key of `COMMANDS`.
        address: The part after `#`.
        from_top: What is brought to the top, by its selector; empty: nothing.
        height: Where it is cut off, in pixels; the width is 1440.
        dark: Whether it shows dark colors.
    """

    name: str
    report: str
    address: str
    from_top: str = ""
    height: int = 900
    dark: bool = False


# As a reader would type them; what is not bundled plays no part.
COMMANDS = {
    "score": (
        *("score", "--set", "bundled:example", "--pair", "ja-en", "-r", "refA", "refB"),
        *("-m", "bleu", "chrf++", "ter", "meteor", "has", "we_wpi"),
        *('bertscore(model="static:glove-en-small")', "--ci", "--by", "segments"),
    ),
    "compare": (
        *("compare", "--set", "bundled:example", "--pair", "ja-en", "-m", "chrf++", "meteor"),
        *("--by", "segments"),
    ),
    "meta": (
        *("meta", "--set", "tests/data/judged", "--pair", "de-en", "-m", "bleu", "chrf", "yisi0"),
        "--ci",
    ),
    "tune": (
        *("tune", "-m", "chrf", "--parameter", "beta=1:3:0.5", "--measure", "kendall"),
        *("--set", "tests/data/judged", "--pair", "de-en"),
    ),
}
PICTURES = (
    Picture("systems", "score", "view=systems"),
    Picture("systems-dark", "compare", "view=systems", dark=True),
    Picture("segments", "score", "view=segments&sort=worst&metric=meteor&diff=reference"),
    Picture("one-segment", "score", "seg=17"),
    Picture("why", "score", "view=why&metric=meteor&seg=3"),
    Picture("ribbons", "score", "view=why&metric=we_wpi&seg=3", from_top=".explained", height=560),
    Picture(
        "heat-map",
        "score",
        "view=why&metric=bertscore%28model%3D%22static%3Aglove-en-small%22%29&seg=3",
        from_top=".explained",
        height=640,
    ),
    Picture("analyses", "score", "view=analyses&metric=meteor"),
    Picture("meta", "meta", "view=meta", from_top="main"),
    Picture("tune", "tune", "view=tune", from_top="main", height=760),
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
        reports = _reports(Path(work))
        for picture in PICTURES:
            path = reports[picture.report]
            if folder is None:
                _take(windows, path, picture, FOLDER / f"{picture.name}.png")
            else:
                _take_all(windows, path, picture, folder)
        windows.close()
    if windows.problems:
        raise SystemExit("\n".join(windows.problems))


def _reports(folder: Path) -> dict[str, Path]:
    """Write the reports, under names that may stand in a picture."""
    (folder / "tests").symlink_to(ROOT / "tests")
    os.chdir(folder)
    with bare_store():
        for name, words in COMMANDS.items():
            if tenbin([*words, "--quiet", "--report", f"{name}.html"]):
                raise SystemExit(f"'tenbin {' '.join(words)}' failed")
    os.chdir(ROOT)
    return {name: folder / f"{name}.html" for name in COMMANDS}


def _take(windows: Watched, path: Path, picture: Picture, file: Path) -> None:
    """Take the picture that the documentation shows."""
    page = windows.open(
        path,
        f"#{picture.address}",
        size=Size(DESK.width, picture.height),
        scheme="dark" if picture.dark else "light",
    )
    if picture.from_top:
        page.locator(picture.from_top).first.evaluate("(one) => one.scrollIntoView()")
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
