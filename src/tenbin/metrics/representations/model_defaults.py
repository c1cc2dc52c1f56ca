"""Which model a language gets when nobody names one, and which layer of a model is taken."""

from math import ceil

from tenbin.annotation.encoders.loading import language_is_read, layer_count
from tenbin.annotation.languages import parse_language
from tenbin.core.errors import UsageError
from tenbin.core.resource import ResourceKind
from tenbin.resources.store.manifest import bundled_manifest

# Measured on WMT14 to WMT16, and with every year left out: docs/howto/contextual-metrics.md.
_BEST_LAYERS = {"minilm-en": 4, "mpnet-en": 7}
# Zhang et al. (2020), appendix B: layer 17 of 24 and 9 of 12 agree best with people.
USUAL_SHARE = 0.7
"""How far up the layer lies that is taken of a model nothing is known of."""


# The one that needs no torch; measured in docs/formulas/sentence.md.
_TEXT_MODEL = "use-multilingual"


def default_text_model(language: str) -> str:
    """Return the name of the model that gives whole texts of a language a vector.

    >>> default_text_model("pt-BR")
    'use-multilingual'

    Raises:
        UsageError: Tenbin knows none.
    """
    if language_is_read(_TEXT_MODEL, language):
        return _TEXT_MODEL
    read = ", ".join(bundled_manifest()[_TEXT_MODEL].languages)
    raise UsageError(
        f"Tenbin knows no sentence encoder for the language {language!r} ({_TEXT_MODEL} reads "
        f"{read}). Give the folder of one (model=FOLDER)."
    )


def default_model(language: str) -> str:
    """Return the name of the model of a language.

    >>> default_model("en-GB")
    'minilm-en'

    Raises:
        UsageError: Tenbin knows none.
    """
    code = parse_language(language).code
    models = [one for one in bundled_manifest().values() if one.kind is ResourceKind.ENCODER]
    for entry in models:
        if parse_language(entry.language).code == code:
            return entry.name
    covered = ", ".join(sorted({entry.language for entry in models if not entry.languages}))
    several = f'take that of several languages (model="{_TEXT_MODEL}"), or give'
    give = several if language_is_read(_TEXT_MODEL, language) else "Give"
    raise UsageError(
        f"Tenbin knows no model for the language {language!r} alone (there is one for {covered}). "
        f"{give[0].upper()}{give[1:]} the folder of one (model=FOLDER), or word vectors in its "
        "place (model=\"static:VECTORS\"; 'tenbin resources list' lists those that there are)."
    )


def default_layer(model: str, language: str) -> int:
    """Return the layer of a model that is taken if nobody says: 7 tenths of the way up."""
    if model in _BEST_LAYERS:
        return _BEST_LAYERS[model]
    return ceil(USUAL_SHARE * last_layer(model, language))


def last_layer(model: str, language: str) -> int:
    """Return how many layers a model has."""
    return layer_count(model, language)
