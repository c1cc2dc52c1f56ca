"""The calls of the library: what goes in, what comes out, and what is refused."""

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import ScriptMismatch, UnknownLanguage, UnknownMetric
from tenbin.core.spec import Spec

HYPOTHESES = ["the cat sat on the mat", "it rained all day", "good night"]
OTHERS = ["a cat is sitting on a mat", "rain", "night"]
REFERENCES = ["the cat sat on a mat", "it rained the whole day", "good night"]
SYSTEMS = {"first": HYPOTHESES, "second": OTHERS}


def test_one_system_of_the_default_name() -> None:
    table = tenbin.score(HYPOTHESES, REFERENCES, language="en")
    assert table.score_set.systems == ("hypotheses",)
    assert [scores.metric for scores in table.score_set.results] == ["chrf++", "we_wpi"]
    assert any("can be installed" in note for note in table.notes)


def test_a_single_metric_may_be_given_as_a_text() -> None:
    table = tenbin.score(HYPOTHESES, REFERENCES, metrics="chrf++", language="en")
    assert [scores.metric for scores in table.score_set.results] == ["chrf++"]


def test_many_systems_by_name() -> None:
    table = tenbin.score(SYSTEMS, REFERENCES, metrics=["chrf"], language="en")
    alone = tenbin.score(OTHERS, REFERENCES, metrics=["chrf"], language="en")
    assert table.score_set.systems == ("first", "second")
    assert table["second", "chrf"] == alone["hypotheses", "chrf"] < table["first", "chrf"]


def test_a_test_set_is_taken_as_it_is() -> None:
    test_set = tenbin.TestSet(
        hypotheses={"x": tuple(HYPOTHESES)},
        references=tuple((text,) for text in REFERENCES),
    )
    from_set = tenbin.score(test_set, metrics=["ter"], language="en")["x", "ter"]
    from_lists = tenbin.score(HYPOTHESES, REFERENCES, metrics=["ter"], language="en")
    assert from_set == from_lists["hypotheses", "ter"]


def test_segments_and_intervals_come_when_asked_for() -> None:
    plain = tenbin.score(SYSTEMS, REFERENCES, metrics=["chrf"], language="en").score_set
    assert plain.results[0].segments is None
    assert plain.results[0].intervals is None
    full = tenbin.score(
        SYSTEMS, REFERENCES, metrics=["chrf"], language="en", segments=True, ci=True, resamples=50
    ).score_set.results[0]
    assert full.segments is not None
    assert full.intervals is not None
    assert full.segments.shape == (2, 3)
    assert full.intervals.shape == (2, 2)
    assert (full.intervals[:, 0] <= full.intervals[:, 1]).all()
    assert full.signature.get("bs") == "50"
    assert full.signature.get("seed") == "12345"


def test_a_seed_gives_the_same_intervals_again() -> None:
    def interval(seed: int) -> list[float]:
        table = tenbin.score(
            HYPOTHESES * 7, REFERENCES * 7, metrics=["chrf"], language="en", ci=True, seed=seed
        )
        found: list[float] = table.to_dict()["results"][0]["ci"]
        return found

    assert interval(1) == interval(1)
    assert interval(1) != interval(2)


def test_documents_are_drawn_whole() -> None:
    table = tenbin.score(
        HYPOTHESES,
        REFERENCES,
        metrics=["chrf"],
        language="en",
        ci=True,
        resamples=20,
        documents=["a", "a", "b"],
    )
    assert table.score_set.results[0].signature.get("unit") == "documents"


def test_the_run_is_in_the_signature() -> None:
    nested = [[text, "x"] for text in REFERENCES]
    signature = tenbin.score(HYPOTHESES, nested, language="eng").score_set.results[0].signature
    assert (signature.get("lang"), signature.get("nrefs")) == ("en", "2")
    ragged = [["x"], ["y", "z"], ["w"]]
    signature = tenbin.score(HYPOTHESES, ragged, language="en").score_set.results[0].signature
    assert signature.get("nrefs") == "var"


def test_missing_references_are_a_usage_error() -> None:
    with pytest.raises(
        tenbin.UsageError,
        match=r"metrics 'chrf\+\+', 'we_wpi' read references.*`references`.*yisi2",
    ):
        tenbin.score(HYPOTHESES, language="en")


@pytest.mark.parametrize(
    ("language", "kind", "fact"),
    [
        ("xx-nonsense-tag", UnknownLanguage, "ISO 639"),
        ("jp", tenbin.UsageError, "Did you mean 'ja'?"),
        ("ja", ScriptMismatch, "Give the language of the text"),
    ],
)
def test_wrong_languages(language: str, kind: type[tenbin.TenbinError], fact: str) -> None:
    with pytest.raises(kind, match=fact.replace("?", r"\?")):
        tenbin.score(HYPOTHESES, REFERENCES, language=language)


def test_japanese_cut_at_blanks_is_refused_with_the_right_option() -> None:
    texts = ["猫がマットの上に座っていました。", "一日中雨が降っていました。"]
    with pytest.raises(ScriptMismatch, match='tokenizer="sudachi-c", "ja-mecab" or "char"'):
        tenbin.score(texts, texts, metrics=['bleu(tokenizer="13a")'], language="ja")


@pytest.mark.parametrize("given_at", ["load", "score"])
def test_a_loaded_metric_takes_the_language_in_either_place(given_at: str) -> None:
    if given_at == "load":
        metric = tenbin.load_metric("chrf", language="en")
        result = metric.score(HYPOTHESES, REFERENCES)
    else:
        metric = tenbin.load_metric(Spec("chrf"))
        result = metric.score(HYPOTHESES, REFERENCES, language="en")
    table = tenbin.score(HYPOTHESES, REFERENCES, metrics=["chrf"], language="en", segments=True)
    expected = table.score_set.results[0]
    assert result.score == float(result) == expected.scores[0]
    assert expected.segments is not None
    np.testing.assert_array_equal(result.segments, expected.segments[0])
    assert result.signature == expected.signature
    assert metric.higher_is_better


def test_the_language_of_the_call_wins() -> None:
    metric = tenbin.load_metric("bleu", language="ja")
    result = metric.score(HYPOTHESES, REFERENCES, language="en")
    assert result.signature.get("tok") == "13a"


def test_a_loaded_metric_without_language_says_what_to_give() -> None:
    with pytest.raises(tenbin.UsageError, match='give language="en"'):
        tenbin.load_metric("bleu").score(HYPOTHESES, REFERENCES)


def test_a_bad_spec_is_refused_when_it_is_loaded() -> None:
    with pytest.raises(UnknownMetric):
        tenbin.load_metric("blue")


def test_the_signature_of_a_loaded_metric_is_known_before_scoring() -> None:
    metric = tenbin.load_metric("bleu", language="en")
    after = metric.score(HYPOTHESES, REFERENCES).signature
    assert metric.signature.of_run(("lang", "en"), ("nrefs", "1")) == after
    assert tenbin.load_metric("bleu").signature.get("tok") == "auto"


def test_a_loaded_metric_takes_one_system() -> None:
    test_set = tenbin.TestSet(
        hypotheses={name: tuple(texts) for name, texts in SYSTEMS.items()},
        references=tuple((text,) for text in REFERENCES),
    )
    metric = tenbin.load_metric("chrf", language="en")
    with pytest.raises(tenbin.UsageError, match=r"use tenbin\.score for many"):
        metric.score(test_set)


def test_metrics_are_listed_with_their_short_names() -> None:
    listed = tenbin.list_metrics()
    assert listed == tuple(sorted(listed))
    assert {"bleu", "chrf", "chrf++", "ter"} <= set(listed)


def test_comparing_systems() -> None:
    compared = tenbin.compare(
        SYSTEMS, REFERENCES, metrics="chrf", language="en", test="bootstrap", rounds=100
    )
    (part,) = compared.metrics
    assert compared.score_set.systems == ("first", "second")
    assert part.differences[0, 1] == -part.differences[1, 0] > 0
    assert (compared.rounds, compared.test) == (100, "bootstrap")


@pytest.mark.parametrize(
    ("systems", "options", "fact"),
    [
        (SYSTEMS, {"test": "t-test"}, "`test` 't-test': choose one of ar, bootstrap"),
        (SYSTEMS, {"baseline": "third"}, "'third' is not among the systems: first, second"),
        ({"first": HYPOTHESES}, {}, "at least two systems"),
    ],
)
def test_comparisons_that_cannot_be_made(
    systems: dict[str, list[str]], options: dict[str, str], fact: str
) -> None:
    with pytest.raises(tenbin.UsageError, match=fact):
        tenbin.compare(
            systems,
            REFERENCES,
            language="en",
            **options,  # type: ignore[arg-type]
        )
