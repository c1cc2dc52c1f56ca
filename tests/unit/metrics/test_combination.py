"""The metric `combination`: members, scale, explanation, and what it refuses."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.core.combination import (
    CombinationKind,
    CombinationModel,
    LanguageScale,
    RegressionTrees,
)
from tenbin.core.errors import MissingResource, ResourceError, SegmentTooLong, UsageError
from tenbin.core.metric import Metric
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.formats.combination_file import write_combination
from tenbin.metrics import registry
from tenbin.metrics.chrf import ChrF
from tenbin.metrics.combination import members as members_module
from tenbin.metrics.combination.arithmetic import combined, contributions

REFERENCES = ["the cat sat on the mat", "a big dog ran home", "it rained all day long"]
HYPOTHESES = ["the cat sat on a mat", "the dog ran home", "it was dry"]
# Two stumps, one for each member, and a tree of a leaf alone.
TREES = RegressionTrees(
    baseline=0.5,
    roots=np.array([0, 3, 6]),
    features=np.array([0, -1, -1, 1, -1, -1, -1]),
    thresholds=np.array([0.1, 0.0, 0.0, -0.5, 0.0, 0.0, 0.0]),
    left=np.array([1, 1, 2, 4, 4, 5, 6]),
    right=np.array([2, 1, 2, 5, 4, 5, 6]),
    values=np.array([0.0, -1.0, 1.0, 0.0, -0.3, 0.4, 0.25]),
)
BOOSTING = CombinationModel(
    kind=CombinationKind.BOOSTING,
    members=("chrf", "eed"),
    higher_is_better=(True, False),
    languages={},
    trees=TREES,
)


def scale_of(specs: tuple[str, ...], language: str = "en", **changed: Any) -> LanguageScale:
    members = [registry.load(spec).bind(language) for spec in specs]
    count = len(specs)
    facts: dict[str, Any] = {
        "language": language,
        "signatures": tuple(str(one.signature()) for one in members),
        "mean": tuple(50.0 if one.info.maximum == 100 else 0.5 for one in members),
        "sd": tuple(20.0 if one.info.maximum == 100 else 0.2 for one in members),
        "worst": tuple(0.0 if one.info.higher_is_better else 1.0 for one in members),
        "best": tuple(
            (100.0 if one.info.maximum == 100 else 1.0) if one.info.higher_is_better else 0.0
            for one in members
        ),
    }
    assert count
    return LanguageScale(**{**facts, **changed})


def saved(path: Path, specs: tuple[str, ...], weights: tuple[float, ...], **changed: Any) -> str:
    directions = tuple(registry.load(spec).info.higher_is_better for spec in specs)
    model = CombinationModel(
        kind=CombinationKind.RIDGE,
        members=specs,
        higher_is_better=directions,
        languages={"en": scale_of(specs)},
        weights=weights,
    )
    write_combination(str(path), replace(model, **changed))
    return f'combination(file="{path}")'


@pytest.fixture
def spec(tmp_path: Path) -> str:
    return saved(tmp_path / "x.json", ("chrf", "eed", "ribes"), (0.3, 0.2, 0.1))


def segments(metrics: list[str], hypotheses: list[str], **options: Any) -> dict[str, list[float]]:
    options = {"references": REFERENCES, **options}
    table = tenbin.score(hypotheses, metrics=metrics, language="en", segments=True, **options)
    found = {}
    for metric, result in zip(metrics, table.results, strict=True):
        assert result.segments is not None
        found[metric] = result.segments[0].tolist()
    return found


def test_the_score_is_a_weighted_mean_of_members_from_worst_to_best(spec: str) -> None:
    found = segments([spec, "chrf", "eed", "ribes"], HYPOTHESES)
    shares = np.array([0.3 * 100 / 20, 0.2 / 0.2, 0.1 / 0.2])
    shares /= shares.sum()
    for number, score in enumerate(found[spec]):
        goodness = [found["chrf"][number] / 100, 1 - found["eed"][number], found["ribes"][number]]
        assert score == pytest.approx(float(shares @ goodness), abs=1e-12)


def test_identical_is_best_and_the_corpus_is_the_mean(spec: str, tmp_path: Path) -> None:
    exact = saved(tmp_path / "exact.json", ("chrf", "ribes"), (0.3, 0.2))
    assert segments([exact], REFERENCES)[exact] == [1.0, 1.0, 1.0]
    # EED itself gives a little more than 0.
    best, others = segments([spec], REFERENCES)[spec], segments([spec], HYPOTHESES)[spec]
    assert all(one > other for one, other in zip(best, others, strict=True))
    table = tenbin.score(HYPOTHESES, REFERENCES, metrics=[spec], language="en", segments=True)
    (result,) = table.results
    assert result.segments is not None
    assert float(result.scores[0]) == pytest.approx(float(result.segments[0].mean()), abs=1e-15)


@pytest.mark.parametrize("text", ["", "猫猫猫", "x " * 500, "\u0000"])
def test_no_text_leaves_the_scale(spec: str, text: str) -> None:
    (score,) = segments([spec], [text], references=["a reference"])[spec]
    assert 0 <= score <= 1


def test_a_better_member_never_lowers_the_score() -> None:
    rng = np.random.default_rng(3)
    scale = scale_of(("chrf", "eed"))
    for model in (
        replace(BOOSTING, higher_is_better=(True, False), languages={"en": scale}),
        replace(BOOSTING, trees=None, weights=(0.0, 0.4), kind=CombinationKind.RIDGE),
    ):
        rows = np.column_stack([rng.uniform(-10, 110, 300), rng.uniform(-0.2, 1.2, 300)])
        better = rows + np.array([5.0, -0.05]) * rng.random(rows.shape)
        assert np.all(combined(model, scale, better) >= combined(model, scale, rows))


def test_an_undefined_score_counts_as_the_worst() -> None:
    scale = scale_of(("chrf", "eed"))
    model = replace(BOOSTING, trees=None, weights=(0.1, 0.4), kind=CombinationKind.RIDGE)
    undefined, worst = combined(model, scale, np.array([[np.nan, 0.3], [0.0, 0.3]])).tolist()
    assert undefined == worst


@pytest.mark.parametrize("kind", ["ridge", "boosting"])
def test_contributions_sum_to_the_score(kind: str) -> None:
    scale = scale_of(("chrf", "eed"))
    model = replace(BOOSTING, languages={"en": scale})
    if kind == "ridge":
        model = replace(model, trees=None, weights=(0.3, 0.2), kind=CombinationKind.RIDGE)
    for row in np.random.default_rng(5).uniform([0, 0], [100, 1], (50, 2)):
        start, added = contributions(model, scale, row)
        score = float(combined(model, scale, row[None, :])[0])
        assert start + float(added.sum()) == pytest.approx(score, abs=1e-12)
        better = np.array([row[0] >= 50, row[1] <= 0.5])
        assert np.all(added[better] >= 0)
        assert np.all(added[~better] <= 0)


@pytest.mark.parametrize(
    ("specs", "links"), [(("chrf", "eed"), 5), (("chrf", "meteor(paraphrases='none')"), 5)]
)
def test_an_explanation_ends_in_the_score(
    specs: tuple[str, ...], links: int, tmp_path: Path
) -> None:
    spec = saved(tmp_path / "x.json", specs, (0.3, 0.2))
    (explained,) = tenbin.explain(
        HYPOTHESES[:1], REFERENCES[:1], segments=[1], metric=spec, language="en"
    )
    (score,) = segments([spec], HYPOTHESES[:1], references=REFERENCES[:1])[spec]
    labels = [step.label for step in explained.steps]
    assert labels == ["mean", *(str(tenbin.Spec.parse(one)) for one in specs), "score"]
    assert explained.score == score == explained.steps[-1].value
    assert sum(step.value for step in explained.steps[:-1]) == pytest.approx(score, abs=1e-12)
    assert len(explained.alignment.matches) == links
    assert "combination" in str(explained.signature)


def test_a_member_that_is_named_too_is_computed_once(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    plain = ChrF.statistics

    def counting(self: ChrF, batch: Any) -> Any:
        calls.append(self)
        return plain(self, batch)

    monkeypatch.setattr(ChrF, "statistics", counting)
    metrics = [registry.load(one).bind("en") for one in ("chrf", spec, "chrf(word_order=2)")]
    texts = TestSet(
        hypotheses={"A": tuple(HYPOTHESES)}, references=tuple((one,) for one in REFERENCES)
    )
    chunk_statistics(texts, metrics)
    assert calls == [metrics[0], metrics[2]]


def test_members_that_read_sources_or_no_references_work(tmp_path: Path) -> None:
    vectors = tmp_path / "toy.vec"
    words = dict.fromkeys(" ".join([*REFERENCES, *HYPOTHESES]).split())
    rng = np.random.default_rng(2)
    lines = [f"{word} {' '.join(map(str, rng.random(4)))}\n" for word in words]
    vectors.write_text("".join(lines), encoding="utf-8")
    free = (
        f'yisi2(vectors="{vectors}", source_vectors="{vectors}", source_tokenizer="13a", '
        "min_coverage=0.0)"
    )
    alone = saved(tmp_path / "free.json", (str(tenbin.Spec.parse(free)),), (0.3,))
    metric: Metric = registry.load(alone).bind("en")
    assert metric.needs.source
    assert not metric.needs.references
    scores = segments([alone], HYPOTHESES, references=None, source=REFERENCES)[alone]
    assert all(0 <= score <= 1 for score in scores)
    both = saved(tmp_path / "both.json", ("chrf", str(tenbin.Spec.parse(free))), (0.3, 0.2))
    assert registry.load(both).bind("en").needs.references
    segments([both], HYPOTHESES, source=REFERENCES)
    with pytest.raises(UsageError, match="reads the source text"):
        segments([both], HYPOTHESES)


def test_limits_of_members_hold(tmp_path: Path) -> None:
    spec = saved(tmp_path / "x.json", ("chrf", "eed"), (0.3, 0.2))
    long = "x" * 200_000
    with pytest.raises(SegmentTooLong, match="EED takes at most"):
        segments([spec], [long], references=[long])


def test_a_member_of_other_parameters_or_resources_is_refused(tmp_path: Path) -> None:
    scale = scale_of(("chrf", "eed"))
    other = scale.signatures[0].replace("nc:6", "nc:5"), scale.signatures[1] + "|resource:x=1"
    languages = {"en": replace(scale, signatures=other)}
    spec = saved(tmp_path / "x.json", ("chrf", "eed"), (0.3, 0.2), languages=languages)
    with pytest.raises(UsageError) as refused:
        registry.load(spec).bind("en")
    message = str(refused.value)
    assert "chrf: the parameter nc was '5', and is '6'" in message
    assert "eed: the resource x was '1', and is 'none'" in message
    assert "'tenbin build combination'" in message


def test_another_device_is_no_other_member(tmp_path: Path) -> None:
    static = str(tenbin.Spec.parse('bertscore(model="static:glove-en-small")'))
    scale = scale_of((static,))
    assert "device:cpu" in scale.signatures[0]
    elsewhere = replace(scale, signatures=(scale.signatures[0].replace("cpu", "cuda"),))
    spec = saved(tmp_path / "x.json", (static,), (0.3,), languages={"en": elsewhere})
    assert registry.load(spec).bind("en").signature().get("kind") == "ridge"


def test_other_versions_of_programs_are_noted(tmp_path: Path) -> None:
    scale = scale_of(("chrf", "eed"))
    other = tuple(
        one.replace("sacrebleu=", "sacrebleu=0.").replace("tenbin=", "tenbin=0.0.")
        for one in scale.signatures
    )
    languages = {"en": replace(scale, signatures=other)}
    spec = saved(tmp_path / "x.json", ("chrf", "eed"), (0.3, 0.2), languages=languages)
    notes = tenbin.score(HYPOTHESES, REFERENCES, metrics=[spec], language="en").notes
    assert [note for note in notes if "learned with sacrebleu 0." in note]
    assert not any("tenbin" in note for note in notes)


def test_a_combination_that_tells_nothing_apart_is_refused(tmp_path: Path) -> None:
    flat = replace(TREES, values=np.zeros(len(TREES.values)))
    changed = {"kind": CombinationKind.BOOSTING, "trees": flat}
    spec = saved(tmp_path / "x.json", ("chrf", "eed"), (), **changed)
    with pytest.raises(UsageError, match="gives every translation the same score"):
        registry.load(spec).bind("en")


def test_another_language_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="learned for en, and the target language is de"):
        registry.load(spec).bind("de")
    assert registry.load(spec).bind("en-GB").signature().get("language") == "en-GB"


def test_without_a_file_it_says_how_to_make_one() -> None:
    metric = registry.load("combination")
    assert metric.needs.parameters == {"file"}
    with pytest.raises(UsageError, match="'tenbin build combination' makes one"):
        metric.bind("en")


def test_a_combination_of_itself_is_refused(tmp_path: Path) -> None:
    inner = saved(tmp_path / "inner.json", ("chrf", "eed"), (0.3, 0.2))
    written = str(tenbin.Spec.parse(inner))
    outer = tmp_path / "outer.json"
    scale = scale_of(("chrf", "eed"))
    spec = saved(
        outer, ("chrf", "eed"), (0.3, 0.2), members=("chrf", written), languages={"en": scale}
    )
    with pytest.raises(UsageError, match="is a combination itself"):
        registry.load(spec).bind("en")


def test_all_that_is_missing_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(metric: ChrF, _language: str) -> ChrF:
        raise MissingResource("model-yy" if metric.word_order else "vectors-xx")

    monkeypatch.setattr(ChrF, "bind", missing)
    with pytest.raises(ResourceError) as found:
        members_module.bound_to(["chrf", "eed", "chrf++"], "en")
    message = str(found.value)
    assert "chrf: the resource 'vectors-xx' is not installed" in message
    assert ": the resource 'model-yy' is not installed" in message
    assert "tenbin resources install vectors-xx model-yy" in message


def test_the_signature_names_the_file_by_its_hash(spec: str, tmp_path: Path) -> None:
    first = registry.load(spec).bind("en").signature()
    assert first.get("members") == "chrf + eed + ribes"
    assert first.get("file") == "x.json"
    assert [name for name, _ in first.resources] == ["x.json"]
    saved(tmp_path / "x.json", ("chrf", "eed", "ribes"), (0.3, 0.2, 0.2))
    assert registry.load(spec).bind("en").signature().resources != first.resources


def test_a_score_does_not_depend_on_the_batch(spec: str) -> None:
    together = segments([spec], HYPOTHESES)[spec]
    alone: Iterator[float] = (
        segments([spec], [one], references=[reference])[spec][0]
        for one, reference in zip(HYPOTHESES, REFERENCES, strict=True)
    )
    assert together == list(alone)
