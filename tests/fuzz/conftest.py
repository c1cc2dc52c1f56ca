"""The modules beside the tests are programs and their parts, which have no doctests."""

from pathlib import Path

collect_ignore = [
    path.name
    for path in Path(__file__).parent.glob("*.py")
    if not path.name.startswith(("test_", "conftest"))
]
