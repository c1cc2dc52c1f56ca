"""How EED prepares a text before it compares characters, quirks included.

Written from a description of what the authors' program does to a line. Where that is silent (blanks
at either end, which abbreviations are joined and in which order) it follows the behaviour of a
public copy of the program, which is under the authors' non-commercial licence; no code is taken
from it (decision 0010). Two habits look like slips and are kept, because published EED scores
contain them: a decimal point gets a blank that is never taken back (``3.5`` becomes ``3 .5``), and
a title that is not followed by a dot loses the next letter (``Mr Smith`` becomes ``Mr.mith``).
"""

import re
import unicodedata

_MARK = re.compile(r"([.!?,])")
_BLANKS = re.compile(r"\s+")
_SPLIT_NUMBER = re.compile(r"(\d) ([.,]) (\d)")
# The last dot stands for any character: that is the second quirk.
_SPLIT_TITLE = re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) .")
_SPLIT_ABBREVIATIONS = ("e . g .", "i . e .", "U . S .")


def english(text: str) -> str:
    """Return a segment as EED compares it, by the rules for English and all spaced scripts.

    >>> english("Mr. Smith paid 1 , 000 euros.")
    'Mr. Smith paid 1,000 euros .'
    >>> english("Mr Smith, 3.5")
    'Mr.mith , 3 .5'
    """
    prepared = _BLANKS.sub(" ", _MARK.sub(r" \1", text.rstrip()))
    prepared = _SPLIT_NUMBER.sub(r"\1\2\3", prepared)
    prepared = _SPLIT_TITLE.sub(r"\1.", prepared)
    for split in _SPLIT_ABBREVIATIONS:
        prepared = prepared.replace(split, split.replace(" ", ""))
    return prepared


def japanese(text: str) -> str:
    """Return a segment as EED compares it, by the rules for Japanese: Unicode's form NFKC.

    >>> japanese("ﾃﾝﾋﾞﾝ")
    'テンビン'
    """
    return unicodedata.normalize("NFKC", text.rstrip())
