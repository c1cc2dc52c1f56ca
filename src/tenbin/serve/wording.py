"""Parameters in messages, in the words of the page.

Below `cli` a message names parameters of the library, in backticks: ``language="ja"``. Whoever
filled in the page reads what it is called there.
"""

from tenbin.core.named_parameters import renamed_parameters

_FIELDS = {
    "language": "the target language",
    "references": "a reference",
    "systems": "a system",
    "source": "a source text",
    "metrics": "the metrics",
    "test_set": "'tenbin score --set'",
    "columns": "--columns of 'tenbin score'",
    "most_bytes": "--most-bytes of 'tenbin serve'",
    "most_minutes": "--most-minutes of 'tenbin serve'",
}


def in_fields(text: str) -> str:
    """Return a message with fields of the page in the place of parameters.

    >>> in_fields('Give the language of the text, for example `language="ja"`.')
    'Give the language of the text, for example ja as the target language.'
    >>> in_fields("there are none. Give some (`references`).")
    'there are none. Give some (a reference).'
    """
    return renamed_parameters(text, _FIELDS, "{value} as {word}")
