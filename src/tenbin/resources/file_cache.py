"""A cache of what was computed from files, valid as long as the files are unchanged."""

from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import Generic, ParamSpec, TypeVar

from tenbin.resources.store.fingerprints import State, state_of

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
FileState = State | None


def file_state(name: str) -> FileState:
    """Return what tells one content of a file from another; None if there is no such file."""
    try:
        return state_of(Path(name).expanduser())
    except RuntimeError:  # '~nobody'
        return None


class FileCache(Generic[Parameters, Result]):
    """A cached function of keyword arguments; see `cached_by_file`."""

    def __init__(self, function: Callable[Parameters, Result], files: tuple[str, ...]) -> None:
        self._function = function
        self._files = files
        self._cache: dict[frozenset[tuple[str, object]], tuple[tuple[FileState, ...], Result]] = {}
        update_wrapper(self, function)

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Return the cached result, unless a file has changed since."""
        if args:
            raise TypeError(f"{self._function.__name__}() takes keyword arguments only")
        given = (kwargs.get(name) for name in self._files)
        # Before the call: a file that changes meanwhile is read again next time.
        states = tuple(file_state(name) if isinstance(name, str) else None for name in given)
        key = frozenset(kwargs.items())
        cached = self._cache.get(key)
        if cached is not None and cached[0] == states:
            return cached[1]
        result = self._function(*args, **kwargs)
        # Replaces the result for the previous content of the file.
        self._cache[key] = states, result
        return result

    def cache_clear(self) -> None:
        """Clear the cache, under the name that `functools.cache` uses."""
        self._cache.clear()


def cached_by_file(
    *files: str,
) -> Callable[[Callable[Parameters, Result]], FileCache[Parameters, Result]]:
    """Cache the results of a function like `functools.cache`, until one of its files changes.

    Args:
        files: The parameters that may be paths. A value that is not a file counts as unchanged.
    """

    def decorate(function: Callable[Parameters, Result]) -> FileCache[Parameters, Result]:
        return FileCache(function, files)

    return decorate
