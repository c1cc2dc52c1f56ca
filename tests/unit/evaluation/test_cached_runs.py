"""Scores that are kept are the scores; anything that may change them is scored anew."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.scores import ScoreSet
from tenbin.core.text import TestSet
from tenbin.evaluation import cached_runs as kept_runs
from tenbin.evaluation.cached_runs import evaluate_kept
from tenbin.evaluation.run import Options, evaluate
from tenbin.evaluation.score_cache import KeptScores, ScoreCache, score_key, texts_digest

_SPECS = ["chrf", "bleu", "nist"]
_TEXTS = TestSet(
    hypotheses={
        "one": ("the cat sat there", "a dog barked", ""),
        "two": ("a cat sits here", "the dogs bark", "who knows"),
    },
    references=(("the cat sat here",), ("a dog barked",), ("nobody knows",)),
)


@pytest.fixture
def cache(tmp_path: Path) -> ScoreCache:
    return ScoreCache(tmp_path / "scores")


@pytest.fixture
def scored_systems(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[str, ...], list[str]]]:
    """What was really computed: systems and metrics of each call."""
    calls: list[tuple[tuple[str, ...], list[str]]] = []

    def recorded(source: TestSet, specs: list[str], language: str, options: Options) -> ScoreSet:
        calls.append((source.systems, list(specs)))
        return evaluate(source, specs, language, options)

    monkeypatch.setattr(kept_runs, "evaluate", recorded)
    return calls


def _same(found: ScoreSet, expected: ScoreSet) -> bool:
    return all(
        np.array_equal(ours.scores, theirs.scores)
        and ours.segments is not None
        and theirs.segments is not None
        and np.array_equal(ours.segments, theirs.segments)
        and ours.signature == theirs.signature
        and ours.title == theirs.title
        for ours, theirs in zip(found.results, expected.results, strict=True)
    )


def test_first_and_second_run_equal_a_plain_run(
    cache: ScoreCache, scored_systems: list[tuple[tuple[str, ...], list[str]]]
) -> None:
    plain = evaluate(_TEXTS, _SPECS, "en", Options(segments=True))
    assert _same(evaluate_kept(_TEXTS, _SPECS, "en", Options(), cache), plain)
    assert _same(evaluate_kept(_TEXTS, _SPECS, "en", Options(), cache), plain)
    assert scored_systems == [(("one", "two"), _SPECS)]


def test_only_what_is_new_is_scored(
    cache: ScoreCache, scored_systems: list[tuple[tuple[str, ...], list[str]]]
) -> None:
    evaluate_kept(_TEXTS, ["chrf"], "en", Options(), cache)
    three = replace(
        _TEXTS, hypotheses={**_TEXTS.hypotheses, "three": ("cat", "dog", "nobody knows")}
    )
    found = evaluate_kept(three, ["chrf", "bleu"], "en", Options(), cache)
    assert _same(found, evaluate(three, ["chrf", "bleu"], "en", Options(segments=True)))
    assert scored_systems[1:] == [(("three",), ["chrf"]), (("one", "two", "three"), ["bleu"])]


@pytest.mark.parametrize(
    ("texts", "specs", "language"),
    [
        (replace(_TEXTS, references=(("x",), ("y",), ("z",))), ["chrf"], "en"),
        (
            replace(_TEXTS, references=tuple((*r, "more") for r in _TEXTS.references)),
            ["chrf"],
            "en",
        ),
        (_TEXTS, ["chrf(word_order=2)"], "en"),
        (_TEXTS, ["chrf"], "de"),
    ],
)
def test_other_references_parameters_or_language_are_scored_anew(
    cache: ScoreCache,
    scored_systems: list[tuple[tuple[str, ...], list[str]]],
    texts: TestSet,
    specs: list[str],
    language: str,
) -> None:
    evaluate_kept(_TEXTS, ["chrf"], "en", Options(), cache)
    evaluate_kept(texts, specs, language, Options(), cache)
    assert len(scored_systems) == 2


def test_a_damaged_file_counts_as_missing(cache: ScoreCache, tmp_path: Path) -> None:
    kept = KeptScores(0.5, np.array([0.25, np.nan]))
    key = score_key("chrf", b"texts")
    cache.keep(key, kept)
    found = cache.find(key)
    assert found is not None
    assert found.score == 0.5
    assert np.array_equal(found.segments, kept.segments, equal_nan=True)
    (place,) = (path for path in (tmp_path / "scores").rglob("*") if path.is_file())
    content = place.read_bytes()
    for damaged in (content[:-8], content[:-1] + b"\x01", b"", content[:10]):
        place.write_bytes(damaged)
        assert cache.find(key) is None


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    cache = ScoreCache(blocked / "scores")
    plain = evaluate(_TEXTS, ["chrf"], "en", Options(segments=True))
    assert _same(evaluate_kept(_TEXTS, ["chrf"], "en", Options(), cache), plain)


def test_digests_tell_lists_of_texts_apart() -> None:
    lists: list[list[list[str]]] = [
        [["ab"]], [["a", "b"]], [["a"], ["b"]], [["a\x00b"]], [["a", "", "b"]], [["b", "a"]], [[]],
        [["1\x00a"]], [["1", "a"]],
    ]  # fmt: skip
    assert len({texts_digest(texts) for texts in lists}) == len(lists)
