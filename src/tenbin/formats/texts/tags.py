r"""Inline tags and placeholders: kept in a text, hidden, or counted and compared.

Tags are elements of XLIFF, TMX and subtitles, and what looks like one in the characters of a text:
``<b>``, ``{0}``, ``{name}``, ``${name}``, ``%s``, ``%1$d``, ``{\\an8}``.
"""

import re
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from tenbin.formats.texts.xml_units import Element


class Tags(StrEnum):
    """What happens to inline tags and placeholders."""

    KEEP = "keep"
    HIDE = "hide"
    COMPARE = "compare"


# Elements around translatable text; all others stand for code.
_AROUND = {"g", "mrk", "pc", "hi", "source", "target", "seg", "sm", "em"}
_TAG = re.compile(
    r"</?[A-Za-z][^<>]*>"
    r"|\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{\\[^{}]*\}|\{[\w.]*(?:![rsa])?(?::[^{}]*)?\}"
    r"|(?<![\d%])%(?:\d+\$|\(\w+\))?[-+0#]*\d*(?:\.\d+)?[sdifuxXcgeEp@]"
)
_BREAK = re.compile(r"<(?:br|lb)\b|ctype=\"lb\"", re.I)
_GAPS = re.compile(r" {2,}")


def element_text(element: Element, tags: Tags | None) -> str:
    """Return the text of an element; its tags are hidden unless they are asked for."""
    written = tags in {Tags.KEEP, Tags.COMPARE}
    return "".join(_parts(element, written=written))


def found_tags(text: str) -> list[str]:
    """Return the tags and placeholders of a text, in order.

    >>> found_tags("Press <b>{key}</b> for %s, 100 % sure")
    ['<b>', '{key}', '</b>', '%s']
    """
    return _TAG.findall(text)


def without_tags(text: str) -> str:
    """Return a text without its tags and placeholders; a line break becomes a blank.

    >>> without_tags("Press <b>{key}</b> to start.<br/>Now.")
    'Press to start. Now.'
    """
    hidden = _TAG.sub(lambda found: " " if _BREAK.search(found[0]) else "", text)
    return text if hidden == text else _GAPS.sub(" ", hidden).strip()


def tag_differences(original: str, translation: str) -> tuple[Counter[str], Counter[str]]:
    """Return the tags that a translation lacks, and those that it has and should not.

    >>> tag_differences("<b>{0}</b>", "{0} {1}")
    (Counter({'<b>': 1, '</b>': 1}), Counter({'{1}': 1}))
    """
    expected, found = Counter(found_tags(original)), Counter(found_tags(translation))
    return expected - found, found - expected


def _parts(element: Element, *, written: bool) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif not written:
            if child.name in _AROUND:
                yield from _parts(child, written=False)
            elif child.attributes.get("ctype") == "lb":
                yield " "
        elif child.name in {"mrk", "sm", "em"}:  # annotations, not tags
            yield from _parts(child, written=True)
        elif child.name in _AROUND:
            yield f"<{child.name}{_number(child)}>"
            yield from _parts(child, written=True)
            yield f"</{child.name}>"
        else:
            yield f"<{child.name}{_number(child)}/>"


def _number(element: Element) -> str:
    found = next(
        (element.attributes[key] for key in ("id", "i", "x") if key in element.attributes), ""
    )
    kind = ' ctype="lb"' if element.attributes.get("ctype") == "lb" else ""
    shown = re.sub(r'[<>"]', "", found)
    return f' id="{shown}"{kind}' if shown else kind
