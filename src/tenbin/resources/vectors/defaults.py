"""Which word vectors a language gets when nobody names any."""

from functools import lru_cache
from importlib import import_module

from tenbin.core.errors import UsageError
from tenbin.core.resource import ResourceKind
from tenbin.resources.store.manifest import Entry, ProviderType, bundled_manifest


@lru_cache(maxsize=256)
def default_vectors(language: str) -> str:
    """Return the name of the resource with the word vectors of a language.

    A bundled table comes before one that has to be installed. Language and script must agree, the
    region need not: the Chinese table is in simplified characters, and of a text in traditional
    ones it would know the few words that are written the same.

    >>> default_vectors("en-GB"), default_vectors("zh-CN")
    ('glove-en-small', 'vectors-zh')

    Raises:
        UsageError: There is none for the language, or none in its script.
    """
    tables = [one for one in bundled_manifest().values() if one.kind is ResourceKind.VECTORS]
    wanted = _language_and_script(language)
    fitting = [one for one in tables if _language_and_script(one.language) == wanted]
    if fitting:
        return min(fitting, key=_is_fetched).name
    related = [one for one in tables if _language_and_script(one.language)[0] == wanted[0]]
    covered = ", ".join(sorted({one.language for one in tables}))
    instead = "".join(
        f", or name {one.name} if {one.language} will do (vectors={one.name})" for one in related
    )
    raise UsageError(
        f"no word vectors come with Tenbin for the language {language!r} (there are some for "
        f"{covered}). Give a file of your own (vectors=FILE), or make one from text with "
        f"'tenbin build vectors CORPUS -l {language}'{instead}."
    )


def _language_and_script(tag: str) -> tuple[str, str]:
    langcodes = import_module("langcodes")  # 40 ms that 'tenbin --help' need not pay
    whole = langcodes.Language.get(tag).prefer_macrolanguage().maximize()
    return whole.language or "und", whole.script or ""


def _is_fetched(entry: Entry) -> bool:
    return all(provider.type is not ProviderType.BUNDLED for provider in entry.providers)
