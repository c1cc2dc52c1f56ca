"""The HTML of the page: a frame that its script fills, and the words in every language."""

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from tenbin.reports.page.words import load_words, page_languages
from tenbin.version import __version__

SCRIPT = "serve.js"
STYLE = "serve.css"
# Languages that the page lists by name; any other can be typed as a tag.
LANGUAGES = (
    *("ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he"),
    *("hi", "hr", "hu", "id", "is", "it", "ja", "ko", "lt", "lv", "ms", "nl", "no", "pl", "pt"),
    *(
        "ro",
        "ru",
        "sk",
        "sl",
        "sr",
        "sv",
        "sw",
        "ta",
        "th",
        "tr",
        "uk",
        "ur",
        "vi",
        "zh",
        "zh-Hant",
    ),
)


def page_html(settings: dict[str, Any]) -> str:
    """Return the document of the page.

    Args:
        settings: What its script must know of the server.
    """
    data = {"words": page_words(), "languages": list(LANGUAGES), **settings}
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tenbin</title>
<link rel="stylesheet" href="{STYLE}">
<link rel="icon" href="data:,">
</head>
<body>
<div id="page" data-version="{escape(__version__)}"></div>
<noscript>This page needs JavaScript. Without it: tenbin score --help</noscript>
<script type="application/json" id="settings">{_in_script(data)}</script>
<script src="{SCRIPT}"></script>
</body>
</html>
"""


@cache
def page_words() -> dict[str, Any]:
    """Return the words of the page, by language."""
    return {language: load_words(language)["serve"] for language in page_languages()}


def bundled_file(name: str) -> bytes:
    """Return the script or the style of the page."""
    return (files("tenbin.serve") / "bundled" / name).read_bytes()


def _in_script(data: dict[str, Any]) -> str:
    """Return JSON that no browser takes for the end of the element that it stands in."""
    text = json.dumps(data, ensure_ascii=False)
    for mark in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text
