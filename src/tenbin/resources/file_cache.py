"""Remembers what was made of files, as long as the files stay as they are."""

from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import Generic, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
FileState = tuple[int, int, int] | None


def file_state(name: str) -> FileState:
    """Return size, time of change and number of a file; None where there is none of that name.

    The number is that of another file when a whole file takes the name of an older one, even if
    both have the same size and were written within one tick of the clock.
    """
    try:
        found = Path(name).expanduser().stat()
    except (OSError, ValueError, RuntimeError):  # a NUL in the name; '~nobody'
        return None
    return found.st_size, found.st_mtime_ns, found.st_ino


class FileCache(Generic[Parameters, Result]):
    """A function with keyword arguments, remembered; see `cached_by_file`."""

    def __init__(self, function: Callable[Parameters, Result], files: tuple[str, ...]) -> None:
        self._function = function
        self._files = files
        self._known: dict[frozenset[tuple[str, object]], tuple[tuple[FileState, ...], Result]] = {}
        update_wrapper(self, function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Return the result of before, unless a file has changed since."""
        if args:
            raise TypeError(f"{self._function.__name__}() takes keyword arguments only")
        given = (kwargs.get(name) for name in self._files)
        # Before the call: a file that changes meanwhile is read again next time.
        states = tuple(file_state(name) if isinstance(name, str) else None for name in given)
        key = frozenset(kwargs.items())
        known = self._known.get(key)
        if known is not None and known[0] == states:
            return known[1]
        result = self._function(*args, **kwargs)
        # What was made of the file of before is let go.
        self._known[key] = states, result
        return result

    def cache_clear(self) -> None:
        """Forget all results, as `functools.cache` names it."""
        self._known.clear()


def cached_by_file(
    *files: str,
) -> Callable[[Callable[Parameters, Result]], FileCache[Parameters, Result]]:
    """Remember the results of a function as `functools.cache` does, with a look at its files.

    Args:
        files: The parameters that may name files. A name that is no file counts as unchanged.
    """

    def remembered(function: Callable[Parameters, Result]) -> FileCache[Parameters, Result]:
        return FileCache(function, files)

    return remembered
