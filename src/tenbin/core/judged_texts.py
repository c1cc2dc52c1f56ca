"""Texts of systems together with what people think of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from tenbin.core.judgments import HumanScores
from tenbin.core.text import SegmentSource


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgedTexts:
    """The texts of a test set and human scores of its systems, segment by segment.

    Attributes:
        texts: Source, references and outputs.
        human: Human scores by kind, of the same systems and segments; higher is better.
    """

    texts: SegmentSource
    human: Mapping[str, HumanScores]
