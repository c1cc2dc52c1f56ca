"""The closed choices of ParaEval."""

from enum import StrEnum

NONE = "none"
"""No table: clipped single words alone."""

REQUIRED = "required"
"""Value of the table until the user names one."""


class ParaEvalMeasure(StrEnum):
    """What is divided by what: matched words by those of the hypothesis, of the reference, both."""

    PRECISION = "precision"
    RECALL = "recall"
    F = "f"


class Merge(StrEnum):
    """Whether sets that share a phrase are joined, and so on until none do."""

    NONE = "none"
    COMPONENTS = "components"


class RecallReference(StrEnum):
    """Which references recall is measured on: the one with the highest recall, or all."""

    MAX = "max"
    MEAN = "mean"
