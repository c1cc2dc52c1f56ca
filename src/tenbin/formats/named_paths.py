"""Files with names of the user's own: ``NAME=PATH``.

A path that exists as it is written is a path, whatever is in it; else what stands before the first
``=`` is the name.
"""

from collections.abc import Sequence
from pathlib import Path

from tenbin.core.errors import InputError, UsageError, shortened
from tenbin.formats.files import exists, printable_path, user_path
from tenbin.formats.lines import STANDARD_INPUT

_LONGEST_NAME = 200


def split_name(item: str) -> tuple[str | None, str]:
    """Return the name that a user gave to a file, or None, and its path.

    >>> split_name("good=a/out.txt"), split_name("a/out.txt"), split_name("good=-")
    (('good', 'a/out.txt'), (None, 'a/out.txt'), ('good', '-'))

    Raises:
        UsageError: The name or the path is empty, or the name cannot be printed on one line.
    """
    name, equals, path = item.partition("=")
    if not equals or _is_there(item):
        return None, item
    if "/" in name and not _is_there(path):
        return None, item  # runs/lr=3/out.txt, which is missing
    shown = shortened(repr(printable_path(item)))
    if not name.strip():
        raise UsageError(f"{shown}: there is no name before the '='; write NAME=PATH.")
    if not path:
        raise UsageError(f"{shown}: there is no path after the '='; write NAME=PATH.")
    checked_name(name)
    return name, path


def split_names(items: Sequence[str]) -> list[tuple[str | None, str]]:
    """Return names and paths of several files; see `split_name`.

    Raises:
        UsageError: Two files have one name.
    """
    found = [split_name(item) for item in items]
    given = [name for name, _ in found if name is not None]
    for name in given:
        if given.count(name) > 1:
            raise UsageError(
                f"two files are called {name!r} (`systems`). Give each a name of its own."
            )
    return found


def checked_name(name: str) -> str:
    """Return a name that a table can print.

    Raises:
        UsageError: It is empty or very long, has characters that control a terminal or a file, or
            begins or ends with a space.
    """
    if not name.strip():
        raise UsageError("a name is empty.")
    if len(name) > _LONGEST_NAME:
        raise UsageError(
            f"the name {shortened(repr(name))} has more than {_LONGEST_NAME} characters."
        )
    if not name.isprintable() or name != name.strip():
        raise UsageError(
            f"the name {shortened(repr(name))} has characters that cannot be shown in a table: "
            "leave out control characters, and spaces at its ends."
        )
    return name


def _is_there(path: str) -> bool:
    if path == STANDARD_INPUT:
        return True
    return bool(path) and "\0" not in path and exists(_expanded(path))


def _expanded(path: str) -> Path:
    try:
        return user_path(path)
    except InputError:
        return Path(path)
