"""The pre-processing that the published EED program applies, with what it does to odd input.

Scores of EED in the literature were computed on text treated this way (Stanchev, Wang and Ney,
2019), so every step is kept, also where the result is not what its authors meant:

- punctuation gets a blank before it but none behind it, so ``3.5`` becomes ``3 .5`` and ``e.g.``
  becomes ``e .g .``; the rules that would join them again wait for blanks on both sides;
- a title and whatever one character follows it after a blank lose both for a full stop, so
  ``Mr Smith`` becomes ``Mr.mith``.
"""

import re
import unicodedata

_BEFORE_PUNCTUATION = re.compile(r"(?=[.!?,])")
_WHITE_SPACE = re.compile(r"\s+")
# The digits belong to the match: of two marks around a single digit only the first is joined.
_SPACED_NUMBER = re.compile(r"(?P<left>\d) (?P<mark>[.,]) (?P<right>\d)")
_TITLES = ("Dr", "Jr", "Prof", "Rev", "Gen", "Mr", "Mt", "Mrs", "Ms")
_AFTER_TITLE = re.compile(rf"(?P<title>{'|'.join(_TITLES)}) .")
_ABBREVIATIONS = ("e.g.", "i.e.", "U.S.")  # joined one after the other, in this order


def english(text: str) -> str:
    """Return a segment as EED compares it, by the rules for languages with spaces.

    >>> english("Mr Smith paid 3.5 euros, e.g. today.")
    'Mr.mith paid 3 .5 euros , e .g . today .'
    >>> english("It costs 1 , 000 . 5 in the U. S. now")
    'It costs 1,000.5 in the U.S. now'
    """
    text = _BEFORE_PUNCTUATION.sub(" ", text.rstrip())
    text = _WHITE_SPACE.sub(" ", text)
    text = _SPACED_NUMBER.sub(r"\g<left>\g<mark>\g<right>", text)
    text = _AFTER_TITLE.sub(r"\g<title>.", text)
    for abbreviation in _ABBREVIATIONS:
        spaced = " ".join(abbreviation)
        text = text.replace(spaced, abbreviation)
    return text


def japanese(text: str) -> str:
    """Return a segment as EED compares it, by the rules for Japanese: Unicode's form NFKC.

    >>> japanese("ｶﾅ　１２")
    'カナ 12'
    """
    return unicodedata.normalize("NFKC", text.rstrip())
