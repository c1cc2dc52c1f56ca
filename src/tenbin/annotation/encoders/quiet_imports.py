"""Loads torch and transformers when a model is run, and keeps them from talking meanwhile."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from tenbin.annotation.encoders.settings import require_extra


def torch_module() -> Any:  # noqa: ANN401 - an optional extra without types of its own
    """Return torch."""
    return _imported("torch")


def transformers_module() -> Any:  # noqa: ANN401 - an optional extra without types of its own
    """Return transformers."""
    return _imported("transformers")


def _imported(name: str) -> Any:  # noqa: ANN401
    require_extra("a model (model=...)")
    with warnings.catch_warnings():
        # What they find deprecated in each other is not our user's business.
        warnings.simplefilter("ignore")
        return import_module(name)


@contextmanager
def quietly() -> Iterator[None]:
    """Keep transformers from drawing progress bars and from warning of weights it does not use."""
    transformers_module()
    said = import_module("transformers.utils.logging")
    level, bars = said.get_verbosity(), said.is_progress_bar_enabled()
    said.set_verbosity_error()
    said.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        said.set_verbosity(level)
        if bars:
            said.enable_progress_bar()
