"""The report of one run: results, texts and what was found about them, as one value.

`tenbin.evaluation.analyses` and `tenbin.api.page` put it together, `tenbin.reports.page` writes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.explanation import Explanation
from tenbin.core.glossary import Term, TermStatus
from tenbin.core.scores import Comparison, ScoreTable
from tenbin.core.text import TestSet


class ReportKind(StrEnum):
    """The command whose result a report shows."""

    SCORE = "score"
    COMPARE = "compare"
    META = "meta"
    TUNE = "tune"


class FlagKind(StrEnum):
    """What is wrong in a translation."""

    NUMBER = "number"
    NAME = "name"


class TextRole(StrEnum):
    """What a text is in a test set."""

    SOURCE = "source"
    REFERENCE = "reference"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLabel:
    """What a column of texts is called.

    Attributes:
        role: What its texts are.
        name: The name of the system or of the reference.
        language: BCP 47 tag; empty where it is not known.
        right_to_left: Whether its language is written from right to left.
    """

    role: TextRole
    name: str
    language: str
    right_to_left: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A wrong number or name in one translation.

    Attributes:
        system: Position of the system.
        segment: Position of the segment.
        kind: Number or name.
        found: What the translation has; None where something is missing.
        expected: What the reference has; None where something is too much.
    """

    system: int
    segment: int
    kind: FlagKind
    found: str | None
    expected: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TermMark:
    """A term of the glossary in the source of a segment, and what became of it in each system.

    Attributes:
        segment: Position of the segment.
        term: The entry of the glossary.
        source: Where it stands in the source, a half-open range of characters.
        statuses: Whether each system rendered it as asked.
        translations: Where each system has the form that is asked for, or a forbidden one.
    """

    segment: int
    term: Term
    source: tuple[int, int]
    statuses: tuple[TermStatus, ...]
    translations: tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SegmentFacts:
    """What is known about the segments of a test set, apart from scores.

    Attributes:
        lengths: Words of the first reference, or of the source where there is none.
        frequencies: Mean Zipf frequency of these words; None where it is not known.
        has_number: Whether that text has a number; None where that is not known.
        has_name: Whether it has a name; None where that is not known.
        flags: Wrong numbers and names of the systems.
        terms: Terms of the glossary; None where there is none.
    """

    lengths: IntArray
    frequencies: FloatArray | None = None
    has_number: tuple[bool, ...] | None = None
    has_name: tuple[bool, ...] | None = None
    flags: tuple[Flag, ...] = ()
    terms: tuple[TermMark, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedNgram:
    """An n-gram of references that one system renders more often than another.

    Attributes:
        ngram: Its words as text.
        a: In how many segments the first system has it, of those whose reference has it.
        b: The same of the second system.
        reference: In how many segments the reference has it.
        segments: Positions of segments where the first system has it and the second has not.
    """

    ngram: str
    a: int
    b: int
    reference: int
    segments: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramContrast:
    """What system ``a`` renders of the references and ``b`` does not, most telling first."""

    a: int
    b: int
    rows: tuple[RenderedNgram, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HumanColumn:
    """Human scores of the systems by one kind of judgment; NaN is missing, higher is better.

    Attributes:
        kind: Kind of judgment: ``mqm``, ``da-z``.
        scores: By system.
        segments: By system and segment, where they are known.
    """

    kind: str
    scores: FloatArray
    segments: FloatArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedSegment:
    """The explanation of one translation by one metric, with the positions of all three."""

    system: int
    segment: int
    metric: int
    explanation: Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceLicence:
    """Data or a program behind the scores, and under which terms.

    Attributes:
        resource: Its name.
        version: Its version.
        licence: SPDX expression where there is one; empty where it is not known.
        source: Where it comes from.
    """

    resource: str
    version: str
    licence: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFacts:
    """What a reader should know about a metric of the report."""

    summary: str
    explainable: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Report:
    """Everything that a page shows.

    Attributes:
        kind: The command.
        title: What the page is called; empty for a name made of what was scored.
        created: When, in UTC: ``2026-11-16T12:00:00Z``.
        command: The command as typed; empty where it was made by a program.
        notes: What a reader of the results should know.
        language: Target language; empty where there are several.
        scores: Scores of systems; None for meta-evaluation and tuning.
        comparison: Tests of significance, where systems were compared.
        metrics: What is known of each metric of the scores, in their order.
        texts: The texts, where they were given.
        labels: Of the columns of texts: source, references, systems.
        facts: What is known about segments.
        human: Human scores.
        explanations: Of some segments.
        explain_command: How to explain others; see the page for what is put in.
        ngrams: N-grams by pair of systems.
        licences: Of resources.
        meta: A meta-evaluation as plain data.
        tune: A tuning as plain data.
    """

    kind: ReportKind
    title: str = ""
    created: str = ""
    command: str = ""
    notes: tuple[str, ...] = ()
    language: str = ""
    scores: ScoreTable | None = None
    comparison: Comparison | None = None
    metrics: tuple[MetricFacts, ...] = ()
    texts: TestSet | None = None
    labels: tuple[TextLabel, ...] = ()
    facts: SegmentFacts | None = None
    human: tuple[HumanColumn, ...] = ()
    explanations: tuple[ExplainedSegment, ...] = ()
    explain_command: str | None = None
    ngrams: tuple[NgramContrast, ...] = ()
    licences: tuple[ResourceLicence, ...] = ()
    meta: Mapping[str, Any] | None = None
    tune: Mapping[str, Any] | None = None
