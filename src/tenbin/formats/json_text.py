"""JSON from files that others wrote: whatever is wrong with it is one kind of error."""

import json
import re
from typing import Any

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: str | bytes) -> Any:  # noqa: ANN401 - whatever JSON holds
    r"""Return the value of a JSON text.

    Raises:
        ValueError: It is not JSON or not UTF-8, nested too deeply for Python's parser, has a number
            of thousands of digits, or half of a surrogate pair, which no file can hold.

    >>> parse_json('{"a": [1]}')
    {'a': [1]}
    """
    # Python would also take UTF-16, and halves of surrogate pairs in bytes.
    decoded = text.decode("utf-8") if isinstance(text, bytes) else text
    try:
        found = json.loads(decoded)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if "\\u" in decoded and _SURROGATE.search(decoded):
        # Only an escape can stand for half of a pair; encoding refuses it.
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    return found
