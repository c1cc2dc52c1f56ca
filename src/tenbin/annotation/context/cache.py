"""A cache of context models on disk, by the words they were trained on and their settings.

A folder per model. The models that were used longest ago are removed when there are too many. A
model that is damaged is removed with a warning, and trained again.
"""

import hashlib
import json
import logging
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path

from tenbin.annotation.context.context_model import ContextModel
from tenbin.annotation.context.model_folder import read_model, write_model
from tenbin.annotation.context.pairs import ContextPairs
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.core.errors import UnreadableFile

FOLDER_VARIABLE = "TENBIN_CONTEXT_MODELS"
MOST_MODELS = 32
"""Models in the cache; one takes some 15 MB."""

# Incremented when the same pairs and settings would give another model.
_FORM = "1"

_log = logging.getLogger(__name__)


def model_key(pairs: ContextPairs, recipe: ContextRecipe) -> str:
    """Return a key of all that a trained model depends on."""
    described = [_FORM, _torch_version(), pairs.words_digest(), asdict(recipe)]
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()


@cache
def _torch_version() -> str:
    return version("torch")


class ModelCache:
    """A folder of models."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def find(self, key: str) -> ContextModel | None:
        """Return a cached model; None if there is none, or it is damaged."""
        place = self._root / key
        if not place.is_dir():
            return None
        try:
            model, _ = read_model(place)
        except UnreadableFile:
            if place.exists():  # not one that another process has just removed
                _log.warning(
                    "note: a context model of the cache was damaged; it is trained again (%s).",
                    place,
                )
                shutil.rmtree(place, ignore_errors=True)
            return None
        with suppress(OSError):
            os.utime(place)  # the age of a model is the time since its last use
        return model

    def store(self, key: str, model: ContextModel) -> None:
        """Write a model; on a full or read-only disk nothing is written, without an error."""
        with suppress(OSError):
            self._root.mkdir(parents=True, exist_ok=True)
            making = Path(tempfile.mkdtemp(prefix=".making-", dir=self._root))
            try:
                write_model(making, model, {})
                making.rename(self._root / key)
            finally:
                shutil.rmtree(making, ignore_errors=True)
            self._remove_oldest()

    def _remove_oldest(self) -> None:
        places = [path for path in self._root.iterdir() if not path.name.startswith(".")]
        places.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in places[MOST_MODELS:]:
            shutil.rmtree(path, ignore_errors=True)


def default_model_cache() -> ModelCache:
    """Return the user's cache of context models; ``TENBIN_CONTEXT_MODELS`` moves it."""
    named = os.environ.get(FOLDER_VARIABLE, "")
    folder = Path(named) if named else user_cache_path("tenbin") / "context"
    return ModelCache(folder.expanduser().absolute())
