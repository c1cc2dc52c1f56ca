"""Parameters in messages, in the words of the page.

Below `cli` a message names parameters of the library, in backticks: ``language="ja"``. Whoever
filled in the page reads what it is called there.
"""

import re

from tenbin.core.named_parameters import renamed_parameters

_FIELDS = {
    "language": "the target language",
    "references": "a reference",
    "systems": "a system",
    "source": "a source text",
    "metrics": "the metrics",
    "test_set": "'tenbin score --set'",
    "columns": "--columns of 'tenbin score'",
    "encoding": "--encoding of 'tenbin score'",
    "sheet": "--sheet of 'tenbin score'",
    "most_bytes": "--most-bytes of 'tenbin serve'",
    "most_minutes": "--most-minutes of 'tenbin serve'",
}
# A file is not read in another encoding here; whoever has a table saves it anew, in its program.
_OTHER_ENCODING = re.compile(
    r'read it with `encoding="([\w.-]+)"`, or convert it( and look at the result)?: iconv [^\n]*'
)
_SAVE = r"save it as UTF-8\2, or use the command line: tenbin score --encoding \1."


def in_fields(text: str) -> str:
    """Return a message with fields of the page in the place of parameters.

    >>> in_fields('Give the language of the text, for example `language="ja"`.')
    'Give the language of the text, for example ja as the target language.'
    >>> in_fields("there are none. Give some (`references`).")
    'there are none. Give some (a reference).'
    >>> in_fields('read it with `encoding="CP932"`, or convert it: iconv -f CP932 -t UTF-8 x > y')
    'save it as UTF-8, or use the command line: tenbin score --encoding CP932.'
    """
    text = _OTHER_ENCODING.sub(_SAVE, text)
    return renamed_parameters(text, _FIELDS, "{value} as {word}")
