"""A report with something in each of its parts."""

import numpy as np
import pytest

from tenbin.core.alignment import Alignment, Match, MatchKind, Span
from tenbin.core.difference_curve import BandPoint, DifferenceCurve, TargetGroup
from tenbin.core.explanation import Explanation, Step
from tenbin.core.report import (
    ExplainedSegment,
    Flag,
    FlagKind,
    HumanColumn,
    MetricFacts,
    NgramContrast,
    RenderedNgram,
    Report,
    ReportKind,
    ResourceLicence,
    SegmentFacts,
    TextLabel,
    TextRole,
)
from tenbin.core.scores import Comparison, MetricComparison, MetricScores, ScoreTable
from tenbin.core.signature import Signature
from tenbin.core.text import TestSet

SYSTEMS = ("one", "two")


def metric_scores(metric: str, *, decimals: int) -> MetricScores:
    return MetricScores(
        metric=metric,
        title=metric.upper(),
        signature=Signature(metric=metric, fields=(("lang", "en"),)),
        higher_is_better=metric != "ter",
        decimals=decimals,
        systems=SYSTEMS,
        scores=np.array([28.97, np.nan]),
        segments=np.array([[28.974, 30.1, np.nan], [1.0, 2.0, 3.0]]),
        intervals=np.array([[27.0, 30.0], [np.nan, np.nan]]),
    )


def difference_curve(metric: str) -> DifferenceCurve:
    return DifferenceCurve(
        metric=metric,
        target=TargetGroup.ANY,
        slope=1.0,
        ceiling=0.99,
        band=(BandPoint(0.0, 0.5, 0.5), BandPoint(3.0, 0.9, 0.98)),
        pairs=200,
        places=("wmt20 en-de",),
        agreement=0.8,
        largest=3.0,
    )


@pytest.fixture
def texts() -> TestSet:
    return TestSet(
        hypotheses={"one": ("a cat", "b", "c"), "two": ("the cat", "b b", "c 7")},
        references=(("a cat", "one cat"), ("b",), ("c 8",)),
        source=("eine Katze", "B", "C"),
        documents=("news\td1", "news\td1", "news\td2"),
    )


@pytest.fixture
def report(texts: TestSet) -> Report:
    table = ScoreTable(
        language="en",
        segment_count=3,
        systems=SYSTEMS,
        results=(metric_scores("bleu", decimals=2), metric_scores("ter", decimals=1)),
        notes=("a note",),
    )
    p_values = np.array([[np.nan, 0.04], [0.04, np.nan]])
    comparison = Comparison(
        scores=table,
        metrics=tuple(
            MetricComparison(
                scores=one,
                differences=np.array([[0.0, 1.5], [-1.5, 0.0]]),
                p_values=p_values,
                adjusted=p_values,
                ranks=np.array([1, 2]),
                curve=difference_curve(one.metric) if one.metric == "bleu" else None,
            )
            for one in table.results
        ),
        test="ar",
        rounds=100,
        seed=1,
        unit="segments",
        baseline=None,
        curve_source="WMT",
    )
    explanation = Explanation(
        alignment=Alignment(
            hypothesis=("a", "cat"),
            reference=("a", "cat"),
            matches=(
                Match(
                    hypothesis=Span(0, 1),
                    reference=Span(0, 1),
                    kind=MatchKind.EXACT,
                    similarity=1.0,
                    evidence="a",
                ),
                Match(
                    hypothesis=Span(1, 2),
                    reference=Span(1, 2),
                    kind=MatchKind.VECTOR,
                    similarity=0.123456,
                    evidence="cosine",
                    mass=0.5,
                    cost=0.25,
                ),
            ),
        ),
        steps=(Step("precision", "share", "1 / 2", 0.5), Step("score", "all", "", np.nan)),
        score=0.5,
        signature=Signature(metric="bleu"),
    )
    return Report(
        kind=ReportKind.COMPARE,
        created="2026-11-16T12:00:00Z",
        command="tenbin compare -r 'a b.txt'",
        notes=table.notes,
        language="en",
        scores=table,
        comparison=comparison,
        metrics=(
            MetricFacts(summary="n-grams", explainable=False),
            MetricFacts(summary="edits", explainable=True),
        ),
        texts=texts,
        labels=(
            TextLabel(role=TextRole.SOURCE, name="", language="he", right_to_left=True),
            TextLabel(role=TextRole.REFERENCE, name="refA", language="en"),
            TextLabel(role=TextRole.REFERENCE, name="refB", language="en"),
            TextLabel(role=TextRole.SYSTEM, name="one", language="en"),
            TextLabel(role=TextRole.SYSTEM, name="two", language="en"),
        ),
        facts=SegmentFacts(
            lengths=np.array([2, 1, 2]),
            frequencies=np.array([6.5, np.nan, 3.25]),
            has_number=(False, False, True),
            has_name=None,
            flags=(Flag(system=1, segment=2, kind=FlagKind.NUMBER, found="7", expected="8"),),
        ),
        human=(
            HumanColumn(
                kind="mqm",
                scores=np.array([-1.0, np.nan]),
                segments=np.array([[-1.0, np.nan, 0.0], [np.nan] * 3]),
            ),
        ),
        explanations=(ExplainedSegment(system=0, segment=0, metric=1, explanation=explanation),),
        explain_command="tenbin explain -n {segment}",
        ngrams=(
            NgramContrast(
                a=0,
                b=1,
                rows=(RenderedNgram(ngram="a cat", a=1, b=0, reference=1, segments=(0,)),),
            ),
        ),
        licences=(
            ResourceLicence(resource="wordnet", version="3.0", licence="WordNet", source="bundled"),
        ),
    )
