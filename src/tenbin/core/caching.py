"""One switch for the caches on disk: scores and encodings are both used, or neither is.

A run sets it once, where it begins. What lies between that place and a cache does not pass it on;
worker processes get it with their work.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_ENABLED: ContextVar[bool] = ContextVar("tenbin_caching", default=True)


@contextmanager
def caching(*, enabled: bool) -> Iterator[None]:
    """Inside the block, read and write caches on disk or not; an outer "no" stays a "no".

    >>> with caching(enabled=False), caching(enabled=True):
    ...     is_caching()
    False
    """
    token = _ENABLED.set(enabled and _ENABLED.get())
    try:
        yield
    finally:
        _ENABLED.reset(token)


def is_caching() -> bool:
    """Return whether caches on disk may be read and written."""
    return _ENABLED.get()


def with_same_caching(function: Callable[[_Item], _Result]) -> Callable[[_Item], _Result]:
    """Return a function that another process runs under the setting of this one."""
    return partial(_called, function, enabled=is_caching())


def _called(function: Callable[[_Item], _Result], item: _Item, *, enabled: bool) -> _Result:
    with caching(enabled=enabled):
        return function(item)
