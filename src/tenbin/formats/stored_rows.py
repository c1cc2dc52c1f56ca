"""Rows in a temporary file, which are read back in any order in bounded memory."""

import json
import tempfile
from array import array
from collections.abc import Iterable, Iterator
from typing import Any


class StoredRows:
    """Rows of texts and numbers, one after the other; the file is removed with this object."""

    def __init__(self, rows: Iterable[list[Any]]) -> None:
        """Store rows.

        Args:
            rows: Lists of what JSON can hold.
        """
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this object
        self._starts = array("Q")
        position = 0
        for row in rows:
            self._starts.append(position)
            # Without escapes a half of a surrogate pair could not be stored.
            position += self._file.write(json.dumps(row).encode("ascii") + b"\n")

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._starts)

    def read(self, places: Iterable[int]) -> Iterator[list[Any]]:
        """Yield rows by their places, counted from 0."""
        for place in places:
            self._file.seek(self._starts[place])
            row: list[Any] = json.loads(self._file.readline())
            yield row

    def __del__(self) -> None:
        # Absent if the file could not be created.
        if file := getattr(self, "_file", None):
            file.close()
