#!/usr/bin/env python
"""Writes the generated pages of the documentation and refreshes the outputs shown in the others.

python docs/generate.py                       write every page that changed
python docs/generate.py --check               change nothing; fail if a page is stale
python docs/generate.py --check README.md     look at some pages only
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a script is given its own folder only

from docs.generator.bare_store import bare_store  # noqa: E402
from docs.generator.chooser import with_chooser_tables  # noqa: E402
from docs.generator.cli_page import cli_page  # noqa: E402
from docs.generator.defaults_page import defaults_page  # noqa: E402
from docs.generator.language_table import with_language_table  # noqa: E402
from docs.generator.live_blocks import refreshed  # noqa: E402
from docs.generator.metric_pages import metric_pages  # noqa: E402

DOCS = ROOT / "docs"
GENERATED = DOCS / "reference"
HAND_WRITTEN_REFERENCE = {GENERATED / "api.md"}


def live_pages() -> list[Path]:
    """Return the hand-written pages, whose examples are run."""
    pages = [
        page
        for page in sorted(DOCS.rglob("*.md"))
        if not page.is_relative_to(GENERATED) or page in HAND_WRITTEN_REFERENCE
    ]
    return [ROOT / "README.md", *pages]


def generated_pages() -> dict[Path, str]:
    """Return the text of every page that nobody writes by hand."""
    pages = {GENERATED / "cli.md": cli_page()}
    pins = ROOT / "tests" / "oracles" / "data" / "defaults" / "pins.tsv"
    pages[GENERATED / "defaults.md"] = defaults_page(pins)
    for name, text in metric_pages(DOCS / "formulas").items():
        pages[GENERATED / "metrics" / name] = text
    return pages


def page_names() -> list[str]:
    """Return every page that is looked after, relative to the repository; fragments first."""
    # Metric pages include the fragments, so those are refreshed before.
    pages = sorted(live_pages(), key=lambda page: page.parent.name != "formulas")
    return [str(page.relative_to(ROOT)) for page in [*pages, *generated_pages()]]


def expected(page: Path) -> str:
    """Return what a page should say."""
    with bare_store():
        if page not in live_pages():
            return generated_pages()[page]
        try:
            text = refreshed(page.read_text(encoding="utf-8"))
            return with_chooser_tables(with_language_table(text))
        except Exception as error:
            error.add_note(f"in an example of {page.relative_to(ROOT)}")
            raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check pages; return 1 if a checked page is stale."""
    parser = argparse.ArgumentParser(description="Write or check the documentation.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if stale")
    parser.add_argument("pages", nargs="*", help="pages, relative to the repository (default: all)")
    options = parser.parse_args(arguments)
    stale = []
    for name in options.pages or page_names():
        page = ROOT / name
        text = expected(page)
        if page.is_file() and page.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not options.check:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, encoding="utf-8", newline="\n")
    verb = "stale, run python docs/generate.py" if options.check else "written"
    sys.stdout.writelines(f"{name}: {verb}\n" for name in stale)
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
