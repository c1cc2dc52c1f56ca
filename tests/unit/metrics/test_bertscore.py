"""BERTScore and MoverScore on vectors that can be worked out by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.core.alignment import MatchKind
from tenbin.core.errors import (
    InputError,
    InvalidParameter,
    MalformedLine,
    UnreadableFile,
    UsageError,
)
from tenbin.core.metric import Metric
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.metrics.aggregations.maxima import precision_and_recall
from tenbin.metrics.bertscore import BertScore
from tenbin.metrics.choices import BertScoreMeasure
from tenbin.metrics.earth_movers import MoverScore
from tenbin.metrics.f_score import EVEN, weighted_f
from tenbin.metrics.representations.blocks import Blocks
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.metrics.representations.model_defaults import default_layer
from tenbin.resources.store import default_store
from tenbin.resources.store.lookup import State

# Worked example of the specification: 2 pieces by 3.
SIMILARITIES = np.array([[0.9, 0.2, 0.1], [0.3, 0.8, 0.4]], dtype=np.float32)
TABLE = """8 3
cat 1 0 0
kitten .8 .6 0
dog .6 .8 0
sat 0 0 1
sits 0 .28 .96
mat 0 1 0
the .6 0 .8
a .48 .36 .8
"""


@pytest.fixture(autouse=True)
def _own_encodings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.vec").write_text(TABLE)
    return f"static:{tmp_path / 'toy.vec'}"


def scores(metric: Metric, hypothesis: str, *references: str) -> float:
    texts = TestSet(hypotheses={"one": (hypothesis,)}, references=(references,))
    (rows,) = chunk_statistics(texts, [metric.bind("en")])
    return float(metric.segment_score(rows)[0, 0])


def three(hypothesis_weights: list[float], reference_weights: list[float]) -> Any:
    precision, recall = precision_and_recall(
        Blocks.of(SIMILARITIES), np.array(hypothesis_weights), np.array(reference_weights)
    )
    return np.column_stack([precision, recall, weighted_f(precision, recall, EVEN)])


def test_worked_example_of_the_specification() -> None:
    plain = three([1, 1], [1, 1, 1])
    np.testing.assert_allclose(plain, [[0.85, 0.70, 0.767742]], atol=1e-6)
    weighted = three([1, 2], [0.5, 2, 1])
    np.testing.assert_allclose(weighted, [[0.833333, 0.70, 0.760870]], atol=1e-6)


def test_worked_example_rescaled(tmp_path: Path) -> None:
    (tmp_path / "baseline.tsv").write_text("LAYER,P,R,F\n3,0.1,0.1,0.1\n4,0.3,0.3,0.3\n")
    metric = BertScore(layer=4, baseline=str(tmp_path / "baseline.tsv"))
    plain = three([1, 2], [0.5, 2, 1])[0]
    rescaled = [
        replace(metric, measure=measure).aggregates.rescaled(plain[place])  # type: ignore[attr-defined]
        for place, measure in enumerate(BertScoreMeasure)
    ]
    np.testing.assert_allclose(rescaled, [0.761905, 0.571429, 0.658385], atol=1e-6)


def test_special_tokens_weigh_nothing_and_may_be_the_best() -> None:
    # The second column is a special token: the best for the first row, and not counted itself.
    block = Blocks.of(np.array([[0.2, 0.9], [0.4, 0.1]], dtype=np.float32))
    found = precision_and_recall(block, np.array([1.0, 1]), np.array([1.0, 0]))
    np.testing.assert_allclose(found, [[0.65], [0.4]], atol=1e-7)


def test_static_vectors(toy: str) -> None:
    # a/the .928, kitten/cat .8, sits/sat .96; each is the other's best.
    expected = (0.928 + 0.8 + 0.96) / 3
    for measure in ("p", "r", "f"):
        metric = BertScore(model=toy, measure=measure)  # type: ignore[arg-type]
        assert scores(metric, "a kitten sits", "the cat sat") == pytest.approx(expected, abs=1e-6)
    assert scores(BertScore(model=toy), "the cat zzz", "the cat zzz") == 1
    assert scores(BertScore(model=toy, measure="p"), "zzz", "yyy") == 0  # type: ignore[arg-type]


def test_precision_and_recall_differ(toy: str) -> None:
    short = BertScore(model=toy, measure="p")  # type: ignore[arg-type]
    assert scores(short, "cat", "the cat sat") == 1
    long = BertScore(model=toy, measure="r")  # type: ignore[arg-type]
    assert scores(long, "cat", "the cat sat") == pytest.approx((1 + 0.6 + 0) / 3, abs=1e-6)


def test_the_best_reference_counts_for_each_measure_alone(toy: str) -> None:
    """P may come from one reference, R from another, and F from a third."""
    references = "the cat sat mat", "cat"
    for measure in ("p", "r", "f"):
        metric = BertScore(model=toy, measure=measure)  # type: ignore[arg-type]
        single = [scores(metric, "the cat", one) for one in references]
        assert scores(metric, "the cat", *references) == max(single)
    chosen = {
        measure: np.argmax(
            [
                scores(BertScore(model=toy, measure=measure), "the cat", one)  # type: ignore[arg-type]
                for one in references
            ]
        )
        for measure in ("p", "r")
    }
    assert chosen == {"p": 0, "r": 1}


def test_idf_is_that_of_the_references(toy: str) -> None:
    metric = BertScore(model=toy, idf=True, measure="p")  # type: ignore[arg-type]
    texts = TestSet(
        hypotheses={"one": ("the dog", "the cat")}, references=(("the cat",), ("the mat",))
    )
    (rows,) = chunk_statistics(texts, [metric.bind("en")])
    # 'the' is in both references and weighs ln(3/3), 'dog' in none: ln(3), 'cat' in one: ln(3/2).
    np.testing.assert_allclose(rows[0, :, 0], [0.6, 0.6], atol=1e-6)
    assert metric.needs.collection
    assert BertScore(idf="references") == BertScore(idf=True)


def test_where_nothing_weighs_all_weigh_the_same(toy: str) -> None:
    plain, weighted = BertScore(model=toy), BertScore(model=toy, idf=True)
    # Each word is in the one reference there is: ln(2/2).
    texts = "the the dog", "the dog sat"
    assert 0.9 < scores(weighted, *texts) == scores(plain, *texts) < 1


def test_idf_from_a_dictionary(toy: str) -> None:
    pytest.importorskip("wordfreq", reason="the extra 'lexicons' is not installed")
    metric = BertScore(model=toy, idf="wordfreq", measure="p").bind("en")  # type: ignore[arg-type]
    assert not metric.needs.collection
    frequencies = metric.part(ContextualSubwords).frequencies()
    assert frequencies is not None
    the, kitten = frequencies.idfs(["the", "kitten"])
    assert 0 < the < kitten
    expected = (the * 1 + kitten * 0.8) / (the + kitten)
    assert scores(metric, "the kitten", "the cat") == pytest.approx(expected, abs=1e-6)
    assert "resource:wordfreq-en=" in str(metric.signature())


@pytest.mark.parametrize("metric", [BertScore(), BertScore(measure="r"), MoverScore()])  # type: ignore[arg-type]
def test_an_empty_side_scores_nothing(metric: Any, toy: str) -> None:
    bound = type(metric)(**{**vars(metric), "model": toy})
    assert scores(bound, "", "the cat") == 0
    assert scores(bound, "the cat", " ") == 0
    assert scores(bound, "", "") == 0


def test_worked_example_of_moverscore(toy: str) -> None:
    texts = "a kitten sits", "the cat sat"
    assert scores(MoverScore(model=toy, idf=False), *texts) == pytest.approx(0.698524, abs=1e-6)
    original = MoverScore(model=toy, idf=False, variant="v1")  # type: ignore[arg-type]
    assert scores(original, *texts) == pytest.approx(0.568409, abs=1e-6)
    assert scores(original, "", "the cat") == -1


def test_moverscore_leaves_punctuation_out(toy: str) -> None:
    metric = MoverScore(model=toy, idf=False)
    assert scores(metric, "a kitten sits .", "the cat sat !") == scores(
        metric, "a kitten sits", "the cat sat"
    )


def test_moverscore_weighs_translations_by_the_translations_of_their_system(toy: str) -> None:
    """A word that all translations of a system have moves nothing, whatever references have."""
    metric = MoverScore(model=toy, idf="system").bind("en")
    references = ("cat",), ("dog",)
    own = {"one": ("the cat", "the dog"), "other": ("the cat", "dog")}
    (rows,) = chunk_statistics(TestSet(hypotheses=own, references=references), [metric])
    assert rows[0, 0, 0] == 1
    assert rows[1, 0, 0] < 1
    for name, texts in own.items():
        (alone,) = chunk_statistics(
            TestSet(hypotheses={name: texts}, references=references), [metric]
        )
        np.testing.assert_array_equal(alone[0], rows[list(own).index(name)])


@pytest.mark.parametrize(
    "spec",
    [
        "bertscore",
        "bertscore(measure='p')",
        "bertscore(idf=True)",
        "moverscore(idf=False)",
        "moverscore(ngram=2)",
    ],
)
def test_the_last_step_is_the_score(spec: str, toy: str) -> None:
    metric: Any = registry.load(spec)
    metric = type(metric)(**{**vars(metric), "model": toy}).bind("en")
    texts = TestSet(
        hypotheses={"one": ("a kitten sits zzz", "the cat", "")},
        references=(("sat", "the cat sat"), ("dog",), ("cat",)),
    )
    batch = build_batch(texts, [])
    rows = metric.statistics(batch)
    for item in range(3):
        found = metric.explain(batch, item)
        assert found.steps[-1].label == "score"
        assert found.steps[-1].value == pytest.approx(rows[item, 0], abs=1e-6)
        assert found.score == rows[item, 0]
    assert metric.explain(batch, 0).reference == 2


@pytest.mark.parametrize("spec", ["bertscore", "moverscore(ngram=1)", "yisi1-context"])
def test_special_tokens_are_shown_only_where_they_are_linked(spec: str, tiny_model: Path) -> None:
    metric: Any = registry.load(spec)
    metric = type(metric)(**{**vars(metric), "model": str(tiny_model)}).bind("en")
    words = ["the", "cat", "sat", "on", "a", "dog", "and", "ran"]
    texts = [" ".join(words[start:stop]) for start in range(4) for stop in range(start + 1, 8)]
    hypotheses, references = tuple(texts), tuple((one,) for one in reversed(texts))
    batch = build_batch(TestSet(hypotheses={"one": hypotheses}, references=references), [])
    marks = set()
    for item in range(len(texts)):
        links = metric.explain(batch, item).alignment
        for side, sentence, name in (
            (links.hypothesis, hypotheses[item], "hypothesis"),
            (links.reference, references[item][0], "reference"),
        ):
            shown = {side[getattr(one, name).start] for one in links.matches}
            marked = {one for one in side if one.startswith("[")}
            assert marked <= shown
            marks |= marked
            # What is left is the text, in its order.
            assert "".join(one for one in side if one not in marked).replace("##", "") == (
                sentence.replace(" ", "")
            )
        for one in links.matches:
            if one.kind is MatchKind.EXACT:
                own, other = one.hypothesis.start, one.reference.start
                assert links.hypothesis[own] == links.reference[other]
    # The most similar subword may be a special token.
    assert bool(marks) == (spec == "bertscore")


def test_links_are_the_maxima_of_both_directions(toy: str) -> None:
    metric = BertScore(model=toy).bind("en")
    batch = build_batch(TestSet(hypotheses={"one": ("cat sat",)}, references=(("the",),)), [])
    alignment = metric.align(batch, 0)
    links = {(match.hypothesis.start, match.reference.start): match for match in alignment.matches}
    assert set(links) == {(0, 0), (1, 0)}
    assert links[1, 0].kind is MatchKind.CONTEXT
    assert links[0, 0].evidence == "cosine 0.600, best for the translation, weights 1 and 1"
    assert links[1, 0].evidence == "cosine 0.800, best for both, weights 1 and 1"


def test_layers_of_known_models_are_those_measured() -> None:
    # python -m benchmarks.encoder_layers mpnet-en; docs/howto/contextual-metrics.md has the table.
    assert default_layer("minilm-en", "en") == 4
    assert default_layer("mpnet-en", "en") == 7
    assert default_layer("use-multilingual", "ja") == 1
    for name in ("bertscore", "tenbin", "yisi1-context"):
        metric = registry.load(f'{name}(model="mpnet-en")').bind("en")
        assert "model:mpnet-en|layer:7|" in str(metric.signature())
    last = registry.load('moverscore(model="mpnet-en")').bind("en")
    assert "model:mpnet-en|layer:12|" in str(last.signature())


def test_a_language_without_a_model_is_told_what_to_do() -> None:
    with pytest.raises(UsageError, match=r"several languages \(model=\"use-multilingual\"\)"):
        registry.load("bertscore").bind("de")
    for name in ("bertscore", "moverscore"):
        with pytest.raises(UsageError, match=r"no model for the language 'de'.*model=FOLDER.*stat"):
            registry.load(name).bind("de")


@pytest.mark.parametrize(
    "changes",
    [{"layer": 2}, {"device": "cuda"}, {"dtype": "int8"}],
    ids=lambda one: next(iter(one)),
)
def test_static_vectors_have_no_layers_and_no_device(toy: str, changes: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="static vectors have no layers"):
        BertScore(model=toy, **changes).bind("en")


def test_parameters_out_of_range_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="layer=-1"):
        BertScore(layer=-1)
    with pytest.raises(InvalidParameter, match="idf=''"):
        BertScore(idf="")
    with pytest.raises(InvalidParameter, match="measure='x'"):
        BertScore(measure="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("LAYER,P,R,F\n1,.1,.1,.1\n", UnreadableFile, "no baseline for layer 0"),
        ("LAYER,P,R,F\n0,.1,.1\n", MalformedLine, "line 2: '0,.1,.1' is not a baseline"),
        ("0,.1,.1,1\n", MalformedLine, "line 1: .* is not a baseline"),
        ("0,.1,.1,nan\n", MalformedLine, "line 1: .* is not a baseline"),
        ("LAYER,P,R,F\nzero,.1,.1,.1\n", MalformedLine, "line 2: this is not a row of numbers"),
    ],
)
def test_a_wrong_baseline_is_refused(
    toy: str, tmp_path: Path, content: str, error: type[InputError], message: str
) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text(content)
    with pytest.raises(error, match=message):
        BertScore(model=toy, baseline=str(path)).bind("en")


def test_the_baseline_is_in_the_signature(toy: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.tsv"
    path.write_text("LAYER,P,R,F\n0,.1,.2,.3\n")
    metric = BertScore(model=toy, baseline=str(path)).bind("en")
    assert "baseline:baseline.tsv" in str(metric.signature())
    assert "resource:baseline.tsv=" in str(metric.signature())
    assert scores(metric, "", "cat") == pytest.approx(-0.3 / 0.7)


needs_minilm = pytest.mark.skipif(
    default_store().state("minilm-en")[0] is not State.INSTALLED,
    reason="minilm-en is not installed: tenbin resources install minilm-en",
)


@needs_minilm
def test_the_english_model_scores_the_same_in_any_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the extra 'neural' is not installed")
    monkeypatch.setenv("TENBIN_ENCODINGS_GB", "0")
    hypotheses = "The cat sat.", "A dog!", "It costs 179 euros today, she said.", "", "😀 猫"
    references = "A cat was sitting.", "The dog.", "Today it costs € 179, he said.", "x", "cat"
    metrics = [registry.load(name).bind("en") for name in ("bertscore", "moverscore(idf=False)")]
    texts = TestSet(hypotheses={"a": hypotheses}, references=tuple((r,) for r in references))
    whole = chunk_statistics(texts, metrics)
    for segment in range(5):
        part = chunk_statistics(texts.part(segment, segment + 1), metrics)
        for rows, row in zip(whole, part, strict=True):
            np.testing.assert_array_equal(rows[:, segment], row[:, 0])


@needs_minilm
def test_meaning_counts_more_than_form() -> None:
    pytest.importorskip("torch", reason="the extra 'neural' is not installed")
    metric = registry.load("bertscore")
    reference = "The doctor went away."
    near = scores(metric, "The physician left.", reference)
    assert near > scores(metric, "The bridge left.", reference) > 0
