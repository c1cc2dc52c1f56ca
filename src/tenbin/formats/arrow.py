"""pyarrow, imported where a table is read or written and not before."""

from importlib import import_module
from typing import Any

from tenbin.core.errors import MissingExtra


def arrow(name: str = "", *, extra: str = "tables") -> Any:  # noqa: ANN401 - pyarrow ships no types
    """Return pyarrow or one of its modules.

    Args:
        name: The module; nothing: the package itself.
        extra: What to install where it is missing.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        return import_module(f"pyarrow.{name}" if name else "pyarrow")
    except ImportError as error:
        raise MissingExtra("reading and writing Parquet", extra) from error
