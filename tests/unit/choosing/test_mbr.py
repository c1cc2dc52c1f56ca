"""Minimum Bayes risk: what is compared with what, how often, and what is chosen."""

from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbin
from tenbin.choosing import requests
from tenbin.core.candidates import CandidateLists
from tenbin.core.errors import InputError, LengthMismatch, ShapeError, UsageError
from tenbin.metrics.chrf import ChrF

WORDS = st.lists(st.sampled_from(["a", "cat", "sat", "on", "the", "mat", "dog"]), max_size=6)
TEXTS = WORDS.map(" ".join)
LISTS = st.lists(TEXTS, min_size=1, max_size=5)
METRICS = st.sampled_from(["chrf", "bleu", "ter"])


def one(candidates: list[str], **options: Any) -> Any:
    return tenbin.mbr([candidates], language="en", **{"metric": "chrf"} | options)


@given(
    candidates=LISTS,
    metric=METRICS,
    random=st.randoms(use_true_random=False),
    with_self=st.booleans(),
    aggregate=st.booleans(),
)
def test_the_order_of_candidates_decides_ties_alone(
    candidates: list[str], metric: str, random: Any, *, with_self: bool, aggregate: bool
) -> None:
    options = {"metric": metric, "with_self": with_self}
    options |= {"aggregate": aggregate and metric != "ter"}
    found = one(candidates, **options)
    other = list(candidates)
    random.shuffle(other)
    again = one(other, **options)
    scores = dict(zip(candidates, found.scores[0], strict=True))
    for text, score in zip(other, again.scores[0], strict=True):
        np.testing.assert_equal(score, scores[text])
    best = found.scores[0][found.chosen[0]]
    np.testing.assert_equal(again.scores[0][again.chosen[0]], best)


@given(LISTS, METRICS)
def test_the_first_of_the_best_is_chosen(candidates: list[str], metric: str) -> None:
    found = one(candidates, metric=metric)
    (scores,), (chosen,) = found.scores, found.chosen
    if np.isnan(scores).all():
        assert chosen == 0
        return
    best = np.nanmax(scores) if found.higher_is_better else np.nanmin(scores)
    assert chosen == np.flatnonzero(scores == best)[0]


@given(LISTS, st.lists(TEXTS, min_size=1, max_size=4))
def test_scores_are_means_over_the_pool(candidates: list[str], pool: list[str]) -> None:
    found = tenbin.mbr([candidates], metric="chrf", language="en", pool=[pool])
    for text, score in zip(candidates, found.scores[0], strict=True):
        alone = [
            tenbin.score([text], [other], metrics=["chrf"], language="en")["hypotheses", "chrf"]
            for other in pool
        ]
        assert score == pytest.approx(np.mean(alone), rel=1e-12, abs=1e-12)


def test_a_repeated_candidate_counts_as_often() -> None:
    scores = one(["a cat", "a cat", "a dog"]).scores[0]
    assert scores[0] == scores[1]
    assert scores[0] == pytest.approx((100 + one(["a cat", "a dog"]).scores[0][0]) / 2)


def test_one_candidate_has_no_score() -> None:
    found = one(["a cat"])
    assert found.texts == ("a cat",)
    assert np.isnan(found.scores[0]).all()
    assert "with one candidate" in found.notes[0]
    assert one(["a cat"], with_self=True).scores[0].tolist() == [100.0]
    assert np.isnan(one(["a cat"], aggregate=True).scores[0]).all()


@given(TEXTS, st.integers(1, 4), st.sampled_from(["chrf", "chrf++", "bleu", "sentbleu"]))
def test_the_mean_of_equal_references_is_exact(text: str, count: int, metric: str) -> None:
    candidates = ["the cat sat", "a dog sat on the mat"]
    for pool in ([text] * count, [text]):
        pairwise, aggregated = (
            tenbin.mbr([candidates], metric=metric, language="en", pool=[pool], aggregate=mean)
            for mean in (False, True)
        )
        np.testing.assert_allclose(aggregated.scores[0], pairwise.scores[0], rtol=1e-12, atol=0)


def test_a_mean_does_not_depend_on_the_order_of_candidates() -> None:
    candidates = ["a", "on a a", "a a a"]
    scores = [
        dict(zip(some, one(some, with_self=True, aggregate=True).scores[0], strict=True))
        for some in map(list, permutations(candidates))
    ]
    assert all(other == scores[0] for other in scores)


def test_a_mean_leaves_the_candidate_out() -> None:
    candidates = ["the cat sat", "a dog sat", "the mat"]
    found = one(candidates, aggregate=True)
    for place, score in enumerate(found.scores[0]):
        others = [text for number, text in enumerate(candidates) if number != place]
        alone = one([candidates[place]], pool=[others], aggregate=True)
        assert score == pytest.approx(alone.scores[0][0], rel=1e-12)


def test_every_distinct_pair_is_scored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs: list[tuple[str, str]] = []
    plain = ChrF.statistics

    def counting(self: ChrF, batch: Any) -> Any:
        left, right = batch.pairs()
        pairs.extend((batch.strings[a], batch.strings[b]) for a, b in zip(left, right, strict=True))
        return plain(self, batch)

    monkeypatch.setattr(ChrF, "statistics", counting)
    tenbin.mbr([["a", "b", "a"], ["b", "a"]], metric="chrf", language="en")
    assert Counter(pairs) == dict.fromkeys([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")], 1)


def test_chunks_and_workers_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = [[f"the cat {place}", "the cat sat", f"dog {place}"] for place in range(7)]
    whole = tenbin.mbr(lists, metric="chrf", language="en")
    monkeypatch.setattr(requests, "_PAIRS_AT_ONCE", 10)
    parts = tenbin.mbr(lists, metric="chrf", language="en")
    assert [own.tolist() for own in parts.scores] == [own.tolist() for own in whole.scores]


@pytest.mark.parametrize(("cache", "word"), [(True, "cat"), (False, "mat")])
def test_a_model_encodes_each_candidate_once(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, *, cache: bool
) -> None:
    pytest.importorskip("torch", reason="the extra 'neural' is not installed")
    from tenbin.annotation.encoders.context_encoder import ContextEncoder  # noqa: PLC0415

    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))
    encoded: list[int] = []
    plain = ContextEncoder._made

    def counting(self: ContextEncoder, texts: Any) -> Any:
        encoded.append(len(texts))
        return plain(self, texts)

    monkeypatch.setattr(ContextEncoder, "_made", counting)
    lists = [
        [f"a {word}", f"the {word} sat", f"a {word} dog"],
        [f"the {word} dog", f"a {word} dog", f"the {word}"],
    ]
    metric = f'bertscore(model="{tiny_model}", layer=2)'
    found = tenbin.mbr(lists, metric=metric, language="en", cache=cache)
    assert sum(encoded) == len({text for some in lists for text in some}) == 5
    expected = tenbin.score([f"a {word}"] * 2, lists[0][1:], metrics=[metric], language="en")
    assert found.scores[0][0] == pytest.approx(expected["hypotheses", expected.results[0].metric])


def test_a_source_of_other_segments_is_refused() -> None:
    with pytest.raises(LengthMismatch, match="candidates: 2, source: 1"):
        tenbin.mbr([["a", "b"], ["a", "b"]], metric="chrf", language="en", source=["x"])


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ([], "no segments"),
        ([["a"], []], "segment 2 has no candidates"),
        (["a cat"], "candidates\\[0\\]"),
        ([["a", None]], "candidate 2 is missing"),
        ("text", "a list of texts for each segment"),
    ],
)
def test_other_shapes_are_refused(candidates: Any, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        tenbin.mbr(candidates, metric="chrf", language="en")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "nist"}, "weights of nist come from"),
        ({"metric": "ter", "aggregate": True}, "no aggregated reference"),
        ({"pool": [["a"]], "with_self": True}, "with_self"),
        ({"metric": "sentence-source", "source": ["x"]}, "reads no reference"),
        ({"metric": "sentence-source"}, "source text"),
    ],
)
def test_what_cannot_be_compared_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        one(["a", "b"], **options)


def test_a_pool_of_other_segments_is_refused() -> None:
    with pytest.raises(LengthMismatch, match="pool: 2"):
        one(["a", "b"], pool=[["a"], ["b"]])


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "_MOST_PAIRS", 8)
    with pytest.raises(InputError, match="segment 1 has 9 pairs"):
        one(["a", "b", "c"])


def test_a_long_candidate_is_named_by_its_place() -> None:
    lists = CandidateLists(texts=(("a", "b " * 30_000),), file="nbest.txt")
    with pytest.raises(InputError, match=r"nbest\.txt, line 2"):
        tenbin.mbr(lists, metric="ter", language="en")
