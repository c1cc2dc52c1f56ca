"""What may be chosen about the penalty: what it is for, how names are told, how readings compare.

Apart from what does the work, which takes a tenth of a second to load: most runs choose no penalty.
"""

from enum import StrEnum

from tenbin.annotation.languages import parse_language
from tenbin.core.errors import UsageError

# Enough for a wrong name to score below a paraphrase in nearly all minimal pairs.
STRENGTH = 0.5
# Scripts with capitals.
_CASED = frozenset({"Latn", "Cyrl", "Grek", "Armn"})
# jieba's dictionary has few traditional characters.
_TAGGED_CHINESE = ("zh", "Hans")


class Penalty(StrEnum):
    """What is penalized."""

    NONE = "none"
    NAMES = "names"
    NUMBERS = "numbers"
    BOTH = "names+numbers"

    @property
    def names(self) -> bool:
        """Whether wrong names are penalized."""
        return self in {Penalty.NAMES, Penalty.BOTH}

    @property
    def numbers(self) -> bool:
        """Whether wrong numbers are penalized."""
        return self in {Penalty.NUMBERS, Penalty.BOTH}


class NameSource(StrEnum):
    """How names are recognized.

    RARE: by the idf of a dictionary, as in the paper. PROPN: by part of speech, with Sudachi
    (Japanese) or jieba (Chinese in simplified characters). NER: the entities of GiNZA (Japanese
    only, installed separately). CAPITALS: by capital letters, in scripts that have them. GLOSSARY:
    those alone that a glossary lists, in any language. AUTO: PROPN or CAPITALS, depending on the
    language; GLOSSARY in others, if there is one.
    """

    AUTO = "auto"
    RARE = "rare"
    PROPN = "propn"
    NER = "ner"
    CAPITALS = "capitals"
    GLOSSARY = "glossary"


class Coefficient(StrEnum):
    """How readings are compared.

    DIRECTION: for precision all names of the hypothesis, concatenated, with the tokens they are
    linked to; for recall those of the reference. SHARED: all names of the hypothesis with all names
    of the reference, one coefficient for both. TOKEN: each name with the token it is linked to.
    """

    DIRECTION = "direction"
    SHARED = "shared"
    TOKEN = "token"  # noqa: S105 - a word, no password


def settled_source(source: NameSource, language: str) -> NameSource:
    """Return the source that ``auto`` stands for in a language; check any other.

    Raises:
        UsageError: The source does not support the language.
    """
    parsed = parse_language(language)
    cased = parsed.script_code in _CASED
    tagged = parsed.code == "ja" or (parsed.code, parsed.script_code) == _TAGGED_CHINESE
    if source is NameSource.GLOSSARY:
        return source
    if source is NameSource.AUTO:
        if tagged or cased:
            return NameSource.PROPN if tagged else NameSource.CAPITALS
        raise UsageError(
            f"names in {language!r} cannot be recognized by capitals or part of speech. List them "
            "(`glossary=FILE`), or give a dictionary and take rare tokens for names (names=rare), "
            "or leave names out (penalty=numbers)."
        )
    advice = "names=capitals" if cased else "names=propn" if tagged else "names=rare"
    if source is NameSource.PROPN and not tagged:
        raise UsageError(
            "names=propn is for Japanese, and for Chinese in simplified characters; for "
            f"{language!r} choose {advice}."
        )
    if source is NameSource.NER and parsed.code != "ja":
        raise UsageError(f"names=ner is for Japanese; for {language!r} choose {advice}.")
    if source is NameSource.CAPITALS and not cased:
        raise UsageError(f"names=capitals: {language!r} has no capitals; choose {advice}.")
    return source
