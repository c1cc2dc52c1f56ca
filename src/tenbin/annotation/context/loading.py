"""Context models by what they are for: trained on the texts of a run, or opened from a folder."""

import logging
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path

from tenbin.annotation.context.cache import default_model_cache, model_key
from tenbin.annotation.context.context_model import ContextFacts, ContextModel
from tenbin.annotation.context.model_folder import CONFIG, WEIGHTS, WORDS, read_facts, read_model
from tenbin.annotation.context.pairs import ContextPairs
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.context.training import ContextTraining, no_report
from tenbin.core.caching import is_caching
from tenbin.core.counting import counted
from tenbin.formats.files import user_path
from tenbin.resources.store.fingerprints import State, state_of

# A model takes some 15 MB; a run uses one or two.
_MOST_IN_MEMORY = 4
# Fewer pairs are trained before anybody wonders.
_NOTED_PAIRS = 200
# Each with whether it was read from the cache on disk, which a run may be told not to use.
_recent: "OrderedDict[str, tuple[ContextModel, bool]]" = OrderedDict()

_log = logging.getLogger(__name__)


def trained_model(pairs: ContextPairs, recipe: ContextRecipe) -> ContextModel:
    """Return the model of some pairs: of this run, from the cache on disk, or trained now."""
    key = model_key(pairs, recipe)
    known = _recent.get(key)
    if known is None or (known[1] and not is_caching()):
        known = _recent[key] = _found_or_trained(key, pairs, recipe)
    _recent.move_to_end(key)
    while len(_recent) > _MOST_IN_MEMORY:
        _recent.popitem(last=False)
    return known[0]


def _found_or_trained(
    key: str, pairs: ContextPairs, recipe: ContextRecipe
) -> tuple[ContextModel, bool]:
    if not is_caching():
        return _trained(pairs, recipe), False
    cache = default_model_cache()
    model = cache.find(key)
    if model is not None:
        return model, True
    model = _trained(pairs, recipe)
    cache.store(key, model)
    return model, False


def _trained(pairs: ContextPairs, recipe: ContextRecipe) -> ContextModel:
    if len(pairs) >= _NOTED_PAIRS:
        _log.warning(
            "note: a context model is trained on %s of reference and source, which takes minutes; "
            "'tenbin build context' shows the progress and stores the model.",
            counted(len(pairs), "pair"),
        )
    training = ContextTraining(pairs, recipe)
    training.run(no_report)
    return ContextModel.of_training(training, pairs, recipe)


def model_folder(name: str) -> Path:
    """Return the folder of a model.

    Raises:
        UnreadableFile: There is none.
    """
    folder = user_path(name).absolute()
    read_facts(folder)
    return folder


def opened_facts(folder: Path) -> tuple[ContextFacts, dict[str, str]]:
    """Return what a model was made from, read once as long as its file is unchanged."""
    return _facts(folder, state_of(folder / CONFIG))


def opened_model(folder: Path) -> ContextModel:
    """Return a model, read once as long as its files are unchanged."""
    return _model(folder, *(state_of(folder / name) for name in (WEIGHTS, WORDS, CONFIG)))


@lru_cache(maxsize=16)
def _facts(folder: Path, _state: State | None) -> tuple[ContextFacts, dict[str, str]]:
    return read_facts(folder)


@lru_cache(maxsize=4)
def _model(folder: Path, *_states: State | None) -> ContextModel:
    return read_model(folder)[0]
