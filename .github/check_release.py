"""Says whether a tag can be released: ``python .github/check_release.py v1.2.3 [--notes FILE]``.

The tag must be the version in ``src/tenbin/version.py`` and in ``CITATION.cff``, and the changelog
must have a section for it with the heading Scores. ``--notes`` writes that section to a file.
"""

# ruff: noqa: INP001 - a program, not part of a package

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """Return what stands in the way of a release, as sentences."""
    version = _found(r'^__version__ = "(.+)"$', root / "src" / "tenbin" / "version.py")
    cited = _found(r"^version: (\S+)$", root / "CITATION.cff")
    found = []
    if tag != f"v{version}":
        found.append(f"The tag is {tag}, but src/tenbin/version.py says {version}.")
    if cited != version:
        found.append(f"CITATION.cff says {cited}, but src/tenbin/version.py says {version}.")
    notes = section(version, root)
    if not notes:
        found.append(f"CHANGELOG.md has no section [{version}].")
    elif "\n### Scores\n" not in notes:
        found.append(f"The section [{version}] of CHANGELOG.md does not say which scores moved.")
    return found


def section(version: str, root: Path = ROOT) -> str:
    """Return what the changelog says of a version, below its heading; nothing if it has none."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[{re.escape(version)}\].*?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return f"\n{found[1].strip()}\n" if found else ""


def _found(pattern: str, path: Path) -> str:
    found = re.search(pattern, path.read_text(encoding="utf-8"), re.M)
    return found[1].strip("\"'") if found else "nothing"


def main(words: list[str] | None = None) -> int:
    """Print what is wrong; return 1 if there is anything."""
    parser = argparse.ArgumentParser(description="Say whether a tag can be released.")
    parser.add_argument("tag")
    parser.add_argument("--notes", type=Path)
    options = parser.parse_args(words)
    found = problems(options.tag)
    if not found and options.notes:
        options.notes.write_text(section(options.tag.removeprefix("v")), encoding="utf-8")
    for problem in found:
        sys.stderr.write(f"{problem}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
