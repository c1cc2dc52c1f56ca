"""The default word vectors of each language."""

from functools import lru_cache
from importlib import import_module

from tenbin.core.errors import UsageError
from tenbin.core.resource import ResourceKind
from tenbin.resources.store.manifest import Entry, ProviderType, bundled_manifest


@lru_cache(maxsize=256)
def default_vectors(language: str) -> str:
    """Return the name of the resource with the word vectors of a language.

    A bundled table is preferred to one that has to be installed. Language and script must agree,
    the region need not: the Chinese table is in simplified characters and would cover only the few
    words of a traditional text that are written the same.

    >>> default_vectors("en-GB"), default_vectors("zh-CN")
    ('glove-en-small', 'vectors-zh')

    Raises:
        UsageError: There is none for the language, or none in its script.
    """
    tables = _tables()
    fitting = _fitting(language)
    if fitting:
        return min(fitting, key=_is_fetched).name
    wanted = _language_and_script(language)
    related = [one for one in tables if _language_and_script(one.language)[0] == wanted[0]]
    covered = ", ".join(sorted({one.language for one in tables}))
    instead = "".join(
        f", or name {one.name} if {one.language} will do (vectors={one.name})" for one in related
    )
    raise UsageError(
        f"Tenbin has no default word vectors for the language {language!r} (there are some for "
        f"{covered}). Give your own file (vectors=FILE), or train one on text with "
        f"'tenbin build vectors'{instead}."
    )


def has_default_vectors(language: str) -> bool:
    """Return whether Tenbin has word vectors of a language, be they installed or not.

    >>> has_default_vectors("en"), has_default_vectors("de")
    (True, False)
    """
    return bool(_fitting(language))


def _tables() -> list[Entry]:
    return [one for one in bundled_manifest().values() if one.kind is ResourceKind.VECTORS]


def _fitting(language: str) -> list[Entry]:
    """Return the tables of a language in its script."""
    wanted = _language_and_script(language)
    return [one for one in _tables() if _language_and_script(one.language) == wanted]


def _language_and_script(tag: str) -> tuple[str, str]:
    langcodes = import_module("langcodes")  # takes 40 ms to import
    whole = langcodes.Language.get(tag).prefer_macrolanguage().maximize()
    return whole.language or "und", whole.script or ""


def _is_fetched(entry: Entry) -> bool:
    return all(provider.type is not ProviderType.BUNDLED for provider in entry.providers)
