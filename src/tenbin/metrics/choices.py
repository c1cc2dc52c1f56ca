"""The closed choices of metrics over similarities."""

from enum import StrEnum

REQUIRED = "required"
"""Value of a parameter that names data and has no default: the user must name some."""


class OutOfVocabulary(StrEnum):
    """What a word without a vector is compared by.

    IDENTITY: it is like an equal word, and unlike any other. DROP: it is taken out of the segment.
    ZERO: it is unlike any word, be it equal. SUBWORD: its vector is composed from its subwords,
    where the table can (fastText); what cannot be composed is compared by identity.
    """

    IDENTITY = "identity"
    DROP = "drop"
    ZERO = "zero"
    SUBWORD = "subword"


class VectorLength(StrEnum):
    """The length of a word vector that is averaged: 1, or the one that it has in its file."""

    UNIT = "unit"
    RAW = "raw"


class Rejected(StrEnum):
    """What becomes of alignments below the threshold: they count 0, or are left out of the mean."""

    ZERO = "zero"
    SURVIVORS = "survivors"


class RejectionOrder(StrEnum):
    """Whether weak links are rejected after words are matched one to one, or before."""

    MATCH_THEN_REJECT = "match_then_reject"
    ZERO_FIRST = "zero_first"


class DistanceForm(StrEnum):
    """How a distance becomes a score: 1 / (1 + distance), or minus the distance."""

    INVERSE = "inverse"
    NEGATIVE = "negative"


class PositionPenalty(StrEnum):
    """How a difference p of relative positions lowers a similarity: by 1 - p, or by e^-p."""

    LINEAR = "linear"
    EXP = "exp"


class FlowAlignment(StrEnum):
    """Whether a word may move to any word, or at a profit to the most similar one only."""

    SOFT = "soft"
    HARD = "hard"


class TermFrequency(StrEnum):
    """Where the occurrences of a word are counted."""

    SENTENCE = "sentence"
    COLLECTION = "collection"


class WeightSource(StrEnum):
    """Where the frequencies of words are counted (YiSi-2).

    SOURCES: in the sources. SYSTEM: as published, those of hypotheses in the hypotheses of their
    system. NONE: nowhere, all words weigh the same.
    """

    SOURCES = "sources"
    SYSTEM = "system"
    NONE = "none"


class MoverScoreVariant(StrEnum):
    """Which of the two published programs is followed."""

    V1 = "v1"
    V2 = "v2"


class BertScoreMeasure(StrEnum):
    """Which of the three numbers is the score: precision, recall, or their harmonic mean."""

    PRECISION = "p"
    RECALL = "r"
    F_SCORE = "f"
