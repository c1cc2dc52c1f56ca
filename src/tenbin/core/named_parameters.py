"""Parameters that messages name, in the words of whoever reads them.

Below the command line and the local page a message names parameters of the library, in backticks:
``language="ja"``.
"""

import re
from collections.abc import Mapping

_PARAMETER = re.compile(r"`([\w()]+)(?:=\"?([^`\"]*)\"?)?`")


def renamed_parameters(text: str, words: Mapping[str, str], with_value: str) -> str:
    """Return a message with other words in the place of parameters; unknown ones stay.

    Args:
        text: The message.
        words: What stands for each parameter.
        with_value: How word and value are put together: ``"{word} {value}"``.

    >>> renamed_parameters('for example `language="ja"`', {"language": "-l"}, "{word} {value}")
    'for example -l ja'
    """

    def renamed(found: re.Match[str]) -> str:
        name, value = found.groups()
        if name not in words:
            return found.group()
        word = words[name]
        return word if value is None else with_value.format(word=word, value=value)

    return _PARAMETER.sub(renamed, text)
