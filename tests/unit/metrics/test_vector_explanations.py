"""Explanations of metrics over word vectors: links, flows and the way to the score."""

from pathlib import Path

import pytest

import tenbin
from tenbin.core.alignment import MatchKind
from tenbin.core.explanation import Explanation, Explanations
from tenbin.reports.render import render

TOY = str(Path(__file__).resolve().parents[2] / "data" / "toy-vectors" / "toy.vec")
HYPOTHESES = ["a kitten sits mat", "the dog sat", "", "zzz xxx cat"]
REFERENCES = ["the cat sat zzz mat", "the the dog", "a cat", "zzz cat"]
METRICS = [
    "onehot",
    "yisi0",
    *(
        f"{name}(vectors={TOY!r}{more})"
        for name, more in [
            ("sv", ""),
            ("sv", ", oov='identity'"),
            ("was", ""),
            ("was-paper", ""),
            ("was", ", threshold=0.5, rejected='survivors'"),
            ("mas", ""),
            ("mas", ", threshold=0.9, rejected='survivors'"),
            ("has", ""),
            ("has", ", threshold=0.9, order='zero_first', rejected='survivors'"),
            ("wmd", ""),
            ("wmd", ", form='negative'"),
            ("we_wpi", ""),
            ("we_wpi", ", normalized=False, alignment='hard'"),
            ("yisi1", ""),
            ("mee", ""),
            ("mee", ", compat=True"),
        ]
    ),
]


def explained(metric: str) -> Explanations:
    numbers = list(range(1, len(HYPOTHESES) + 1))
    return tenbin.explain(HYPOTHESES, REFERENCES, language="en", metric=metric, segments=numbers)


@pytest.mark.parametrize("metric", METRICS)
def test_the_last_step_is_the_score(metric: str) -> None:
    found = explained(metric)
    segments = tenbin.load_metric(metric, language="en").score(HYPOTHESES, REFERENCES).segments
    for explanation, score in zip(found, segments, strict=True):
        assert explanation.score == score
        assert explanation.steps[-1].label == "score"
        assert explanation.steps[-1].value == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_drawings_and_data(metric: str) -> None:
    found = explained(metric)
    text = render(Explanations(tuple(found)), "text", width=60)
    assert max(map(len, text.partition("\n\n  ")[0].splitlines())) <= 60
    assert "From matches to score" in text
    assert f'"score": {found[0].score!r}' in render(Explanations(tuple(found)), "json")


def one(metric: str, **parameters: object) -> Explanation:
    listed = "".join(f", {name}={value!r}" for name, value in parameters.items())
    spec = f"{metric}(vectors={TOY!r}{listed})"
    return tenbin.explain(["a kitten sits"], ["the cat sat"], language="en", metric=spec)[0]


def links(explanation: Explanation) -> dict[tuple[str, str], float]:
    alignment = explanation.alignment
    return {
        (
            alignment.hypothesis[match.hypothesis.start],
            alignment.reference[match.reference.start],
        ): match.similarity
        for match in alignment.matches
    }


def test_whole_alignment_links_every_word_with_every_word() -> None:
    found = links(one("was", threshold=0.0))
    assert len(found) == 7, "two pairs have a cosine of 0"
    assert found["a", "the"] == pytest.approx(0.928)
    assert set(links(one("was", threshold=0.78))) == {
        ("a", "the"),
        ("a", "sat"),
        ("kitten", "cat"),
        ("sits", "sat"),
    }


def test_maximum_alignment_says_for_whom_a_link_is_the_best() -> None:
    by_word = {match.evidence for match in one("mas").alignment.matches}
    assert by_word == {
        "cosine 0.928, best for both",
        "cosine 0.800, best for both",
        "cosine 0.960, best for both",
    }


def test_hungarian_alignment_is_one_to_one() -> None:
    explanation = one("has")
    assert explanation.alignment.exclusive
    assert list(links(explanation)) == [("a", "the"), ("kitten", "cat"), ("sits", "sat")]
    assert len(explanation.alignment.chunks) == 1
    assert {match.kind for match in explanation.alignment.matches} == {MatchKind.VECTOR}


@pytest.mark.parametrize("metric", ["wmd", "we_wpi"])
def test_flow_moves_all_weight_and_costs_what_the_score_says(metric: str) -> None:
    explanation = one(metric)
    moved = [(match.mass or 0.0, match.cost or 0.0) for match in explanation.alignment.matches]
    work = sum(mass * cost for mass, cost in moved)
    assert sum(mass for mass, _ in moved) == pytest.approx(1)
    expected = 1 / (1 + work) if metric == "wmd" else 1 - work
    assert explanation.score == pytest.approx(expected)
    assert "moves 0.3333 at a cost of" in explanation.alignment.matches[0].evidence
    assert '"mass": 0.33' in render(explanation, "json")


def test_spelling_is_not_called_a_vector() -> None:
    (found,) = tenbin.explain(["mats"], ["mat"], language="en", metric="yisi0")
    (match,) = found.alignment.matches
    assert (match.kind, match.evidence) == (MatchKind.SPELLING, "common substring 0.857")


def test_mee_names_the_round_of_a_link() -> None:
    spec = f"mee(vectors={TOY!r})"
    (found,) = tenbin.explain(["the kitten mat"], ["the cat sat mat"], language="en", metric=spec)
    assert [match.evidence for match in found.alignment.matches] == [
        "the",
        "root, cosine 0.800",
        "mat",
    ]
    assert [step.value for step in found.steps[:3]] == pytest.approx([0.512821, 0.769231, 0.769231])


def test_the_table_of_a_whole_alignment() -> None:
    drawn = render(one("was", threshold=0.0), "text", width=80)
    assert drawn.splitlines()[6:10] == [
        "translation reference →",
        "              the  cat  sat",
        "a             .93    ·    ·",
        "kitten          ·  .80    ·",
    ]
    assert "V  sits ~ sat: cosine 0.960" in drawn
    assert "the similarity of two words" in drawn


def test_a_wide_table_goes_on_below() -> None:
    drawn = render(one("was", threshold=0.0), "text", width=24)
    table = drawn.partition("reference →")[2].partition("Why")[0].splitlines()
    headings = [line.split() for line in table if "cat" in line or "sat" in line]
    assert headings == [["the", "cat"], ["sat"]]


def test_only_the_strongest_of_many_links_are_listed() -> None:
    texts = ["a kitten sits the cat sat dog mat"]
    spec = f"was-paper(vectors={TOY!r})"
    (found,) = tenbin.explain(texts, ["kitten dog cat mat the a"], language="en", metric=spec)
    drawn = render(found, "text", width=100)
    assert drawn.count("cosine") - drawn.count("cosine of") == 11, "ten links and one heading"
    assert "more links, all in the JSON form" in drawn


def test_a_free_flow_is_drawn_as_the_same_word() -> None:
    spec = f"wmd(vectors={TOY!r})"
    (found,) = tenbin.explain(["the cat"], ["the cat"], language="en", metric=spec)
    drawn = render(found, "text", width=80)
    assert "E  the same word: the cat" in drawn
    assert "the weight that moves from word to word" in " ".join(drawn.split())
