"""Universal parts of speech, and those of other tagsets in their place.

The seventeen tags of Universal Dependencies (de Marneffe et al. 2021; universaldependencies.org).
"""

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from importlib.resources import files


class UniversalTag(StrEnum):
    """A part of speech."""

    ADJ = "ADJ"
    ADP = "ADP"
    ADV = "ADV"
    AUX = "AUX"
    CCONJ = "CCONJ"
    DET = "DET"
    INTJ = "INTJ"
    NOUN = "NOUN"
    NUM = "NUM"
    PART = "PART"
    PRON = "PRON"
    PROPN = "PROPN"
    PUNCT = "PUNCT"
    SCONJ = "SCONJ"
    SYM = "SYM"
    VERB = "VERB"
    X = "X"


@cache
def universal_tags(tagset: str) -> Callable[[str], UniversalTag]:
    """Return the function from the tags of another tagset to universal ones.

    >>> universal_tags("hanta-de")("VV(FIN)")
    <UniversalTag.VERB: 'VERB'>
    >>> universal_tags("hanta-de")("XY")
    <UniversalTag.X: 'X'>
    """
    table = files("tenbin.resources").joinpath("bundled", "universal-tags.tsv")
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    starts = {start: UniversalTag(tag) for name, start, tag in rows if name == tagset}
    # The longest first: it says the most.
    ordered = sorted(starts, key=len, reverse=True)

    @cache
    def universal(tag: str) -> UniversalTag:
        found = next((start for start in ordered if tag.startswith(start)), None)
        return UniversalTag.X if found is None else starts[found]

    return universal
