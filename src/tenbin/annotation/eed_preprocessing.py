"""The text normalization of EED: one ordered list of rewrite rules for English, NFKC for Japanese.

Written from the shared description of the pre-processing and from its test vectors, without the
authors' program (decision 0010). Two rules look like slips of that program. They are part of every
published EED score, so they stay: a decimal point gets a space that no later rule removes (``3.5``
becomes ``3 .5``), and a title without a dot loses the next letter (``Mr Smith`` -> ``Mr.mith``).
"""

import re
import unicodedata
from typing import NamedTuple


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    replacement: str


# The order matters: the rules after the second one undo splits that the first one or the text made.
_ENGLISH_RULES = (
    _Rule(re.compile(r"[.!?,]"), r" \g<0>"),
    _Rule(re.compile(r"\s+"), " "),
    # "1 , 000 . 5" is a number again. "3 .5" is not: the rule asks for a space on both sides.
    _Rule(re.compile(r"(\d) ([.,]) (\d)"), r"\1\2\3"),
    # The last dot matches any character: this is what removes the S of "Mr Smith".
    _Rule(re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) ."), r"\1."),
    _Rule(re.compile(r"e \. g \."), "e.g."),
    _Rule(re.compile(r"i \. e \."), "i.e."),
    _Rule(re.compile(r"U \. S \."), "U.S."),
)


def english(text: str) -> str:
    """Return a segment normalized by the rules for English, used for all languages with spaces.

    White space at the end is dropped. A segment that starts with punctuation starts with a space.

    >>> english("Mr. Smith paid 1 , 000 euros.")
    'Mr. Smith paid 1,000 euros .'
    >>> english("Mr Smith, 3.5")
    'Mr.mith , 3 .5'
    """
    normalized = text.rstrip()
    for rule in _ENGLISH_RULES:
        normalized = rule.pattern.sub(rule.replacement, normalized)
    return normalized


def japanese(text: str) -> str:
    """Return a segment normalized by the rules for Japanese: Unicode NFKC.

    White space at the end is dropped.

    >>> japanese("ﾃﾝﾋﾞﾝ")
    'テンビン'
    """
    return unicodedata.normalize("NFKC", text.rstrip())
