"""METEOR's explanations agree with its statistics, and every match says why."""

from pathlib import Path

import numpy as np
import pytest

from tenbin.core.alignment import Alignment, Match, MatchKind
from tenbin.core.batch import Batch
from tenbin.core.explanation import Explanation
from tenbin.core.metric import ExplainableMetric
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.explanation import explain
from tenbin.metrics.registry import load
from tenbin.resources.function_words import FunctionWordSource, load_function_words

PAIRS = [
    ("the cats were running fast", "a cat runs quickly in the street"),
    ("In both cases, the postoperative course was good.", "in both the cases the course were good"),
    ("the the the the", "the cat is on the mat"),
    ("", "something"),
    ("nothing in common", "zebras galore"),
    ("all the same words", "all the same words"),
    ("he gave his brother an automobile", "his brother got a car from him"),
]
PLAIN = 'meteor(paraphrases="none")'


def batch_of(metric: ExplainableMetric, pairs: list[tuple[str, str]]) -> Batch:
    test_set = TestSet(
        hypotheses={"system": tuple(left for left, _ in pairs)},
        references=tuple((right,) for _, right in pairs),
    )
    return build_batch(test_set, sorted(metric.needs.annotations))


def bound(spec: str, language: str = "en") -> ExplainableMetric:
    metric = load(spec).bind(language)
    assert isinstance(metric, ExplainableMetric)
    return metric


def counted(alignment: Alignment, stages: list[str], *, characters: bool) -> list[float]:
    """Return METEOR's statistics, counted in the alignment with pencil and paper."""
    function = load_function_words(FunctionWordSource("meteor-1.5"), "en").words

    def size(tokens: tuple[str, ...]) -> int:
        return sum(len(token) if characters else 1 for token in tokens)

    def halves(tokens: tuple[str, ...]) -> list[int]:
        functional = size(tuple(token for token in tokens if token in function))
        return [size(tokens) - functional, functional]

    sides = (alignment.hypothesis, alignment.reference)
    row: list[float] = [size(tokens) for tokens in sides]
    row += [halves(tokens)[1] for tokens in sides]
    for stage in stages:
        own = [matched(alignment, m)[0] for m in alignment.matches if m.kind == stage]
        other = [matched(alignment, m)[1] for m in alignment.matches if m.kind == stage]
        row += [*halves(tuple(sum(own, start=()))), *halves(tuple(sum(other, start=())))]
    words = [
        sum(len(match.hypothesis) for match in alignment.matches),
        sum(len(match.reference) for match in alignment.matches),
    ]
    chunks = len(alignment.chunks)
    if chunks == 1 and words == [len(tokens) for tokens in sides]:
        chunks = 0
    return [*row, chunks, *words]


def matched(alignment: Alignment, match: Match) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (
        alignment.hypothesis[match.hypothesis.start : match.hypothesis.stop],
        alignment.reference[match.reference.start : match.reference.stop],
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "phrases"
    path.write_text("0.5\ngave\ngot\n0.4\nhis brother\nhim\n0.3\ncourse was\ncourse were\n")
    return path


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text("3 2\nfast 1 0\nstreet 1 0.1\nnothing 0 1\n")
    return path


@pytest.mark.parametrize("characters", [False, True])
@pytest.mark.parametrize("form", ["none", "table", "vectors"])
def test_the_alignment_has_what_the_statistics_count(
    form: str,
    characters: bool,  # noqa: FBT001 - a parameter of the test
    table: Path,
    vectors: Path,
) -> None:
    more = {
        "none": 'paraphrases="none"',
        "table": f'paraphrases="{table}"',
        "vectors": f'paraphrases="none",vectors="{vectors}",similarity="cosine"',
    }[form]
    metric = bound(f"meteor({more},characters={characters})")
    batch = batch_of(metric, PAIRS)
    statistics = metric.statistics(batch)
    stages = list(metric.stages)  # type: ignore[attr-defined]
    for item in range(len(PAIRS)):
        explanation = metric.explain(batch, item)
        alignment = explanation.alignment
        assert metric.align(batch, item) == alignment
        assert counted(alignment, stages, characters=characters) == statistics[item].tolist()
        assert explanation.score == metric.segment_score(statistics)[item]
        assert_steps_lead_to_the_score(explanation)


def assert_steps_lead_to_the_score(explanation: Explanation) -> None:
    values = {step.label: step.value for step in explanation.steps}
    weights = values["translation weight"], values["reference weight"]
    shares = values["translation matched"], values["reference matched"]
    ratios = [
        share / weight if weight else 0 for share, weight in zip(shares, weights, strict=True)
    ]
    assert [values["precision"], values["recall"]] == pytest.approx(ratios)
    score = values["F-mean"] * (1 - values["penalty"])
    assert values["score"] == pytest.approx(score)
    assert explanation.steps[-1].value == explanation.score
    assert all(step.meaning for step in explanation.steps)


def test_the_hand_computed_example_of_the_specification() -> None:
    metric = bound(PLAIN)
    pair = (
        "in both cases , the postoperative course was good .",
        "in both the cases , postoperative course were good .",
    )
    explanation = metric.explain(batch_of(metric, [pair]), 0)
    values = {step.label: step.value for step in explanation.steps}
    assert (values["exact matches"], values["synonym matches"], values["chunks"]) == (9, 1, 4)
    assert values["precision"] == pytest.approx(0.99)
    assert values["penalty"] == pytest.approx(0.499532, abs=1e-6)
    assert values["score"] == pytest.approx(0.495463, abs=1e-6)
    formulas = {step.label: step.formula for step in explanation.steps}
    assert formulas["translation matched"] == "1 × (0.75 × 5 + 0.25 × 4) + 0.8 × (0.25 × 1)"


def test_every_kind_of_match_has_evidence(table: Path, vectors: Path) -> None:
    metric = bound(f'meteor(paraphrases="{table}",vectors="{vectors}",similarity="cosine")')
    pair = (
        "the cats drove an automobile fast because his brother left",
        "the cat drove a car street because him left",
    )
    found = {
        match.kind: match.evidence
        for match in metric.align(batch_of(metric, [pair]), 0).matches
        if match.kind is not MatchKind.EXACT
    }
    assert found[MatchKind.STEM] == "stem cat"
    synset = "WordNet synset 02958343: auto, automobile, car, machine, motorcar"
    assert found[MatchKind.SYNONYM] == synset
    assert found[MatchKind.PARAPHRASE] == "his brother = him in phrases"
    assert found[MatchKind.VECTOR] == f"cosine {1 / np.hypot(1, 0.1):.3f}"


def test_a_halved_similarity_is_shown_as_the_cosine_it_stands_for(vectors: Path) -> None:
    metric = bound(f'meteor(paraphrases="none",vectors="{vectors}")')
    (match,) = metric.align(batch_of(metric, [("fast", "street")]), 0).matches
    assert match.similarity == pytest.approx((1 + 1 / np.hypot(1, 0.1)) / 2)
    assert match.evidence == "cosine 0.995"


def test_the_best_reference_is_the_one_explained() -> None:
    test_set = TestSet(
        hypotheses={"a": ("the cat sat", "x"), "b": ("a dog ran", "x")},
        references=(("a dog ran off", "the cat sat down"), ("x",)),
    )
    first, second, third = (
        *explain(test_set, PLAIN, "en", [1]),
        *explain(test_set, PLAIN, "en", [2], ["b"]),
    )
    assert (first.system, first.reference, first.reference_count) == ("a", 2, 2)
    assert (second.system, second.reference) == ("b", 1)
    assert (third.system, third.segment, third.reference_count) == ("b", 2, 1)
    assert first.signature.get("nrefs") == "2"
