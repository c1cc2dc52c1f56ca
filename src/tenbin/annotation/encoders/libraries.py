"""Imports torch and transformers when a model is run, and silences their output."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from tenbin.annotation.encoders.settings import require_extra


def torch_module() -> Any:  # noqa: ANN401 - an optional extra without types of its own
    """Return torch."""
    return _imported("torch")


def transformers_module() -> Any:  # noqa: ANN401 - an optional extra without types of its own
    """Return transformers."""
    return _imported("transformers")


@cache
def library_versions() -> tuple[tuple[str, str], ...]:
    """Return the libraries that run models, with their versions; to read them takes long."""
    return tuple((name, version(name)) for name in ("torch", "transformers"))


def _imported(name: str) -> Any:  # noqa: ANN401
    require_extra("a model (model=...)")
    with warnings.catch_warnings():
        # They warn about deprecations in each other.
        warnings.simplefilter("ignore")
        return import_module(name)


@contextmanager
def quietly() -> Iterator[None]:
    """Silence the progress bars of transformers and its warnings of unused weights."""
    transformers_module()
    logger = import_module("transformers.utils.logging")
    level, bars = logger.get_verbosity(), logger.is_progress_bar_enabled()
    logger.set_verbosity_error()
    logger.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.set_verbosity(level)
        if bars:
            logger.enable_progress_bar()
