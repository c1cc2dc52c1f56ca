"""Parameters in messages, in the words of the page.

Below `cli` a message names parameters of the library, in backticks: ``language="ja"``. Whoever
filled in the page reads what it is called there.
"""

import re

_FIELDS = {
    "language": "the target language",
    "references": "a reference",
    "systems": "a system",
    "source": "a source text",
    "metrics": "the metrics",
    "test_set": "'tenbin score --set'",
    "most_bytes": "--most-bytes of 'tenbin serve'",
    "most_minutes": "--most-minutes of 'tenbin serve'",
}
_PARAMETER = re.compile(r"`([\w()]+)(?:=\"?([^`\"]*)\"?)?`")


def in_fields(text: str) -> str:
    """Return a message with fields of the page in the place of parameters.

    >>> in_fields('Give the language of the text, for example `language="ja"`.')
    'Give the language of the text, for example ja as the target language.'
    >>> in_fields("there are none. Give some (`references`).")
    'there are none. Give some (a reference).'
    """

    def field(found: re.Match[str]) -> str:
        name, value = found.groups()
        if name not in _FIELDS:
            return found.group()
        return _FIELDS[name] if value is None else f"{value} as {_FIELDS[name]}"

    return _PARAMETER.sub(field, text)
