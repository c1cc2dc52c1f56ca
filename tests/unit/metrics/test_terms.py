"""The metric terms: contracts of a metric that reads sources and a glossary, and its formula."""

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.annotation import term_words
from tenbin.core.errors import InputError, MissingExtra, UsageError
from tenbin.core.glossary import TermStatus
from tenbin.core.metric import ExplainableMetric
from tenbin.core.run_glossary import using_glossary
from tenbin.core.signature import Signature
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import batch_for
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.matching.run_terms import matcher_of_run
from tenbin.metrics import registry
from tenbin.metrics.terms import Terms

pytest.importorskip("simplemma")

ROWS = """source,target,forbidden,case,type
cat,Katze,Mieze,,
dog,Hund|Rüde,,,
Kirby,Kirby,,yes,name
"""
SOURCE = ("Two cats and a dog.", "Nothing here.", "Kirby has a cat.")
GOOD = ("Zwei Katzen und ein Rüde.", "Hier ist nichts.", "Kirby hat eine Katze.")
POOR = ("Zwei Mieze und eine Katze.", "Katze.", "kirby hat nichts.")


@pytest.fixture
def glossary(tmp_path: Path) -> str:
    path = tmp_path / "terms.csv"
    path.write_text(ROWS, encoding="utf-8")
    return str(path)


@pytest.fixture
def metric(glossary: str) -> Terms:
    found = Terms(glossary=glossary, source_language="en").bind("de")
    assert isinstance(found, Terms)
    return found


def texts(**systems: tuple[str, ...]) -> TestSet:
    return TestSet(hypotheses=systems, references=((),) * len(SOURCE), source=SOURCE)


def test_statistics_and_scores(metric: Terms) -> None:
    (rows,) = chunk_statistics(texts(good=GOOD, poor=POOR), [metric])
    # rendered, forbidden, missing, segments with terms, segments
    assert rows[0].tolist() == [[2, 0, 0, 1, 1], [0, 0, 0, 0, 1], [2, 0, 0, 1, 1]]
    assert rows[1].tolist() == [[0, 1, 1, 1, 1], [0, 0, 0, 0, 1], [0, 0, 2, 1, 1]]
    segments = metric.segment_score(rows)
    np.testing.assert_array_equal(segments, [[1, np.nan, 1], [0, np.nan, 0]])
    assert metric.score(rows.sum(axis=1)).tolist() == [1, 0]


def test_the_corpus_is_the_share_of_all_occurrences(metric: Terms) -> None:
    own = ("Katze", "", "Kirby Katze")
    (rows,) = chunk_statistics(texts(one=own), [metric])
    assert metric.score(rows.sum(axis=1)).tolist() == [pytest.approx(3 / 4)]
    stack = rows.reshape(3, 1, -1).repeat(2, axis=1)
    np.testing.assert_array_equal(metric.score(stack)[:, 0], metric.segment_score(rows[0]))


def test_parts_add_up_and_order_does_not_matter(metric: Terms) -> None:
    whole = chunk_statistics(texts(poor=POOR), [metric])[0]
    single = [
        chunk_statistics(texts(poor=POOR).part(place, place + 1), [metric])[0] for place in range(3)
    ]
    np.testing.assert_array_equal(whole, np.concatenate(single, axis=1))


def test_what_each_segment_says_is_explained(metric: Terms) -> None:
    assert isinstance(metric, ExplainableMetric)
    batch = batch_for([metric], texts(poor=POOR))
    for item, (row, score) in enumerate(
        zip(metric.statistics(batch), [0.0, np.nan, 0.0], strict=True)
    ):
        found = metric.explain(batch, item)
        np.testing.assert_equal(found.score, score)
        np.testing.assert_equal(found.steps[-1].value, score)
        statuses = [one.status for one in metric.findings(batch, item)]
        assert len(found.alignment.matches) == statuses.count(TermStatus.RENDERED) == row[0]
        assert len(found.steps) == len(statuses) + 1
    labels = [(step.label, step.meaning) for step in metric.explain(batch, 0).steps]
    assert labels[0] == ("term 1: cats", "forbidden: Mieze; asked for: Katze")
    assert labels[1] == ("term 2: dog", "missing: Hund | Rüde")
    assert metric.align(batch, 0) == metric.explain(batch, 0).alignment


def test_links_are_of_the_words_of_terms(metric: Terms) -> None:
    batch = batch_for([metric], texts(good=GOOD))
    alignment = metric.explain(batch, 0).alignment
    linked = [
        (
            alignment.reference[one.reference.start : one.reference.stop],
            alignment.hypothesis[one.hypothesis.start : one.hypothesis.stop],
        )
        for one in alignment.matches
    ]
    assert linked == [(("cats",), ("Katzen",)), (("dog",), ("Rüde",))]
    assert "line 2 of the glossary: cat → Katze" in alignment.matches[0].evidence


def test_every_field_is_in_the_signature(metric: Terms, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("cat,Katze\n", encoding="utf-8")
    changed = [
        metric,
        replace(metric, glossary=str(other)),
        replace(metric, language="nl"),
        replace(metric, source_language="und"),
        replace(metric, inflection=False),
    ]
    written = [str(one.signature()) for one in changed]
    assert len(set(written)) == len(written)
    for text in written:
        assert str(Signature.parse(text)) == text
    assert tmp_path.name not in "".join(written)


def test_the_signature_has_the_content_and_not_the_place(metric: Terms, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    moved = tmp_path / "sub" / "terms.csv"
    moved.write_text(ROWS, encoding="utf-8")
    assert replace(metric, glossary=str(moved)).signature() == metric.signature()
    moved.write_text(ROWS + "mouse,Maus\n", encoding="utf-8")
    assert replace(metric, glossary=str(moved)).signature() != metric.signature()


def test_bound_once_and_a_value(metric: Terms) -> None:
    assert metric.bind("de") == metric
    assert pickle.loads(pickle.dumps(metric)) == metric  # noqa: S301 - our own
    assert not metric.needs.parameters
    assert metric.needs.source
    assert not metric.needs.references


def test_the_glossary_of_the_run_is_taken(glossary: str) -> None:
    assert registry.load("terms").needs.parameters == {"glossary"}
    with pytest.raises(UsageError, match=r"terms needs a glossary"):
        registry.load("terms").bind("de")
    with using_glossary(glossary, "en"):
        bound = registry.load("terms").bind("de")
    assert (bound.glossary, bound.source_language) == (glossary, "en")  # type: ignore[attr-defined]
    with using_glossary(glossary):
        unknown = registry.load("terms").bind("de")
    assert unknown.source_language == "und"  # type: ignore[attr-defined]


def test_the_source_language_is_told_by_heading_or_script(tmp_path: Path) -> None:
    pytest.importorskip("sudachipy")
    headed, script = tmp_path / "a.csv", tmp_path / "b.csv"
    headed.write_text("English,German\ncat,Katze\n", encoding="utf-8")
    script.write_text("ネコ,Katze\n", encoding="utf-8")
    for path, language in ((headed, "en"), (script, "ja")):
        bound = Terms(glossary=str(path)).bind("de")
        assert bound.source_language == language


def test_names_alone_are_no_terms(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("Kirby\n", encoding="utf-8")
    with pytest.raises(InputError, match="has names and no source terms"):
        Terms(glossary=str(path)).bind("de")


def test_notes_say_what_counts(glossary: str) -> None:
    table = tenbin.score(
        list(GOOD), metrics=["terms"], language="de", source=list(SOURCE), glossary=glossary
    )
    assert table.notes[-1] == (
        "Terms: 2 segments of 3 with terms of terms.csv, 3 occurrences; segments without terms "
        "have no score."
    )
    nothing = tenbin.score(["a"], metrics=["terms"], language="de", source=["b"], glossary=glossary)
    assert np.isnan(nothing.results[0].scores).all()
    assert "no term of terms.csv occurs in the source" in nothing.notes[-1]


def test_empty_sides_are_defined(metric: Terms) -> None:
    empty = TestSet(
        hypotheses={"a": ("", "Katze", "")}, references=((),) * 3, source=("cat", "", "")
    )
    (rows,) = chunk_statistics(empty, [metric])
    assert rows[0, :, :4].tolist() == [[0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]


def test_comparison_and_intervals_leave_out_what_has_no_terms(glossary: str) -> None:
    compared = tenbin.compare(
        {"good": list(GOOD), "poor": list(POOR)},
        metrics=["terms"],
        language="de",
        source=list(SOURCE),
        glossary=glossary,
        rounds=100,
    )
    (found,) = compared.metrics
    assert found.differences[0, 1] == 1
    assert np.isfinite(found.p_values[0, 1])


def test_what_lemmas_need_is_said_at_once_with_a_way_out(
    glossary: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(language: str) -> None:
        raise MissingExtra(f"lemmatizing {language!r}", {"en": "lexicons", "ja": "ja"}[language])

    monkeypatch.setattr(term_words, "load_lemmatizer", missing)
    term_words._base_form.cache_clear()
    try:
        with pytest.raises(MissingExtra, match=r"tenbin\[lexicons,ja\]'.*inflection=False"):
            Terms(glossary=glossary, source_language="en").bind("ja")
        plain = Terms(glossary=glossary, source_language="en", inflection=False).bind("ja")
        assert plain.signature_versions() == ()
        with using_glossary(glossary, "en"):
            marks = matcher_of_run("ja")
        assert marks is not None
        assert not marks.target.inflected
    finally:
        term_words._base_form.cache_clear()
