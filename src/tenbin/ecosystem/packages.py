"""Packages of others: imported when they are needed, and named when they are missing."""

from importlib import import_module
from typing import Any

from tenbin.core.errors import MissingExtra

EXTRA = "ecosystem"


def load_package(name: str, what: str, *, extra: str = EXTRA) -> Any:  # noqa: ANN401 - any module
    """Return a module of another package.

    Args:
        name: The module, such as ``"evaluate"``.
        what: What needs it, for the message.
        extra: The extra that brings it.

    Raises:
        MissingExtra: The package is not installed.

    >>> load_package("tenbin_nowhere", "the example")
    Traceback (most recent call last):
        ...
    tenbin.core.errors.MissingExtra: the example needs an optional part that is not installed: \
pip install 'tenbin[ecosystem]'.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        # A package that is there and lacks one of its own is another fault.
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        raise MissingExtra(what, extra) from error


def joined_class(own: type, base: type, name: str, module: str) -> type:
    """Return a class of another package with methods of ours, which pickle finds by its name.

    Args:
        own: Our methods.
        base: The class of the other package.
        name: What the class is called.
        module: The module that gives it out by that name.
    """
    parts = {"__module__": module, "__qualname__": name, "__doc__": own.__doc__}
    return type(name, (own, base), parts)
