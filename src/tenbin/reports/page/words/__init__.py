"""The words of the page, one file for each language of readers."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from tenbin.core.errors import UsageError

DEFAULT_LANGUAGE = "en"
_ENDING = ".json"


@cache
def page_languages() -> tuple[str, ...]:
    """Return the languages that a page can be written in."""
    found = [one.name for one in files("tenbin.reports.page").joinpath("words").iterdir()]
    return tuple(sorted(name.removesuffix(_ENDING) for name in found if name.endswith(_ENDING)))


@cache
def load_words(language: str) -> dict[str, Any]:
    """Return the words of the page, nested by view.

    Raises:
        UsageError: The page is not translated into the language.
    """
    if language not in page_languages():
        raise UsageError(
            f"the report page is not written in {language!r}; choose `page_language` among "
            f"{', '.join(page_languages())}."
        )
    text = files("tenbin.reports.page").joinpath("words", f"{language}{_ENDING}").read_text("utf-8")
    words: dict[str, Any] = json.loads(text)
    return words
