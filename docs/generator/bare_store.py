"""Keeps what is installed on a machine out of the examples."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from tenbin.metrics.meteor.knowledge import load_knowledge
from tenbin.resources.store.lookup import CACHE_VARIABLE
from tenbin.resources.store.store import default_store


@contextmanager
def bare_store() -> Iterator[None]:
    """Run examples with an empty cache folder, so that they print the same everywhere."""
    before = os.environ.get(CACHE_VARIABLE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[CACHE_VARIABLE] = folder
        _forget()
        try:
            yield
        finally:
            if before is None:
                del os.environ[CACHE_VARIABLE]
            else:
                os.environ[CACHE_VARIABLE] = before
            _forget()


def _forget() -> None:
    # Both remember what they found in the folder of before.
    default_store.cache_clear()
    load_knowledge.cache_clear()
