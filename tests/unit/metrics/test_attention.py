"""WE_WPI-Attention: the arithmetic, the context model it takes, its notes and its refusals."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import tenbin
from tenbin.annotation.context import loading
from tenbin.annotation.context.cache import FOLDER_VARIABLE
from tenbin.annotation.context.context_model import ContextVector
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.encoders import settings
from tenbin.building.context.model import build_context
from tenbin.building.context.texts import ContextTexts
from tenbin.core.errors import (
    InputError,
    InvalidParameter,
    LengthMismatch,
    MissingExtra,
    ShapeError,
    UnreadableFile,
    UsageError,
)
from tenbin.core.metric import bounds_of
from tenbin.metrics import registry
from tenbin.metrics.attention import WeWpiAttention

TOY = """8 3
cat 1 0 0
kitten .8 .6 0
dog .6 .8 0
sat 0 0 1
sits 0 .28 .96
mat 0 1 0
the .6 0 .8
a .48 .36 .8
"""
LITTLE = "units=8, embedding=8, epochs=2, repeats=2"
REFERENCES = ["the cat sat", "the dog sat", "a kitten sits", "the mat"]
SOURCES = ["die Katze saß", "der Hund saß", "ein Kätzchen sitzt", "die Matte"]
HYPOTHESES = ["sat the cat", "a dog sits", "a kitten sits", "dog"]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "models"))
    loading._recent.clear()


@pytest.fixture
def toy(tmp_path: Path) -> str:
    path = tmp_path / "toy.vec"
    path.write_text(TOY)
    return str(path)


def scored(spec: str, hypotheses: list[str], language: str = "en", **changed: Any) -> Any:
    given = {"references": REFERENCES, "source": SOURCES, "segments": True, **changed}
    return tenbin.score(hypotheses, metrics=[spec], language=language, **given)


def segments(spec: str, hypotheses: list[str], **changed: Any) -> list[float]:
    (result,) = scored(spec, hypotheses, **changed).results
    return list(result.segments[0].tolist())


def test_worked_example_of_the_specification() -> None:
    mixture = registry.load("we_wpi_attention").aggregates  # type: ignore[attr-defined]
    found = mixture.mixed(np.array([0.9]), np.array([0.648537]))
    assert f"{found[0]:.6f}" == "0.671397"


def test_the_score_is_the_weighted_mean(toy: str) -> None:
    words = segments(f'we_wpi(vectors="{toy}")', HYPOTHESES)
    cosines = segments(f'we_wpi_attention(vectors="{toy}", w2=0, {LITTLE})', HYPOTHESES)
    alone = segments(f'we_wpi_attention(vectors="{toy}", w1=0, {LITTLE})', HYPOTHESES)
    np.testing.assert_allclose(alone, words, rtol=1e-12)
    for w1, w2 in ((1, 10), (3, 2)):
        spec = f'we_wpi_attention(vectors="{toy}", w1={w1}, w2={w2}, {LITTLE})'
        expected = (w1 * np.array(cosines) + w2 * np.array(words)) / (w1 + w2)
        np.testing.assert_allclose(segments(spec, HYPOTHESES), expected, rtol=1e-12)


@pytest.mark.parametrize("vector", list(ContextVector))
def test_a_hypothesis_that_is_the_reference_has_a_cosine_of_1(vector: ContextVector) -> None:
    spec = f"we_wpi_attention(w2=0, context_vector={vector}, {LITTLE})"
    assert segments(spec, REFERENCES) == [1.0] * 4
    assert segments(f"we_wpi_attention({LITTLE})", REFERENCES) == pytest.approx([1.0] * 4)


def test_both_vectors_differ() -> None:
    spec = f"we_wpi_attention(w2=0, {LITTLE}, context_vector="
    assert segments(f"{spec}attention)", HYPOTHESES) != segments(f"{spec}encoder_last)", HYPOTHESES)


@pytest.mark.parametrize("empty", ["", " \t"])
def test_empty_segments_score_0(empty: str) -> None:
    assert segments(f"we_wpi_attention({LITTLE})", [empty, *REFERENCES[1:]])[0] == 0
    found = segments(f"we_wpi_attention({LITTLE})", REFERENCES, references=[empty, *REFERENCES[1:]])
    assert found == pytest.approx([0, 1, 1, 1])


def test_an_empty_source_is_no_error() -> None:
    found = segments(f"we_wpi_attention({LITTLE})", HYPOTHESES, source=["", *SOURCES[1:]])
    assert np.isfinite(found).all()
    assert found[0] > 0
    none = segments(f"we_wpi_attention({LITTLE})", REFERENCES, source=[""] * 4)
    assert none == pytest.approx([1.0] * 4)


def test_one_segment() -> None:
    table = scored(f"we_wpi_attention({LITTLE})", ["cat"], references=["the cat"], source=["Katze"])
    assert 0 < table.results[0].scores[0] < 1
    assert any("one segment" in note for note in table.notes)


def test_the_best_reference_counts() -> None:
    both = [[one, "the mat"] for one in REFERENCES]
    turned = [["the mat", one] for one in REFERENCES]
    spec = f"we_wpi_attention({LITTLE})"
    assert segments(spec, REFERENCES, references=both) == pytest.approx([1.0] * 4)
    first, second = (segments(spec, HYPOTHESES, references=one) for one in (both, turned))
    assert first == second


def test_other_systems_and_metrics_change_nothing() -> None:
    spec = f"we_wpi_attention({LITTLE})"
    alone = segments(spec, HYPOTHESES)
    systems = {"one": REFERENCES[::-1], "two": HYPOTHESES}
    table = tenbin.score(
        systems,
        REFERENCES,
        metrics=["bleu", spec, "we_wpi"],
        language="en",
        source=SOURCES,
        segments=True,
    )
    found = table.results[1].segments
    assert found is not None
    assert found[1].tolist() == alone


def test_without_vectors_the_cosine_counts_alone() -> None:
    german = scored(f"we_wpi_attention({LITTLE})", HYPOTHESES, "de")
    assert any("the cosine of the context vectors alone" in note for note in german.notes)
    (result,) = german.results
    assert result.signature.get("vectors") == "none"
    cosines = segments(f"we_wpi_attention(w2=0, {LITTLE})", HYPOTHESES)
    assert result.segments is not None
    assert result.segments[0].tolist() == cosines
    asked = segments(f"we_wpi_attention(vectors=none, {LITTLE})", HYPOTHESES)
    assert asked == cosines
    (explained,) = tenbin.explain(
        HYPOTHESES, REFERENCES, metric=f"we_wpi_attention({LITTLE})", language="de", source=SOURCES
    )
    assert [step.label for step in explained.steps] == ["context cosine", "score"]
    assert explained.score == cosines[0]


def test_a_language_without_vectors_is_still_an_error_of_we_wpi() -> None:
    with pytest.raises(UsageError, match="no default word vectors"):
        scored("we_wpi", HYPOTHESES, "de")
    with pytest.raises(tenbin.TenbinError, match="none"):
        scored("we_wpi(vectors=none)", HYPOTHESES)


def test_results_are_marked_transductive() -> None:
    table = scored(f"we_wpi_attention({LITTLE})", HYPOTHESES)
    (result,) = table.results
    assert result.signature.get("transductive") == "yes"
    assert result.signature.get("context") == "test-set"
    assert any("(transductive)" in note for note in table.notes)
    assert "torch" in dict(result.signature.versions)


def test_the_explanation_has_the_cosine_beside_the_flow(toy: str) -> None:
    spec = f'we_wpi_attention(vectors="{toy}", {LITTLE})'
    (explained,) = tenbin.explain(
        HYPOTHESES, REFERENCES, metric=spec, language="en", source=SOURCES, segments=1
    )
    steps = {step.label: step for step in explained.steps}
    assert list(steps) == ["weight moved", "work", "WE_WPI", "context cosine", "score"]
    assert explained.alignment.matches
    cosine, words = steps["context cosine"].value, steps["WE_WPI"].value
    assert steps["score"].value == pytest.approx((cosine + 10 * words) / 11)
    assert steps["score"].formula.startswith("(1 × ")
    assert steps["score"].formula.endswith(") / 11")
    assert explained.score == pytest.approx(segments(spec, HYPOTHESES)[0], abs=1e-12)


def test_ranges() -> None:
    assert bounds_of(registry.load("we_wpi_attention")) == (0, 1)
    assert bounds_of(registry.load("we_wpi_attention(clip=False)")) == (-1, 1)
    with pytest.raises(InvalidParameter, match="w1"):
        registry.load("we_wpi_attention(w1=0, w2=0)")
    with pytest.raises(InvalidParameter, match="w2"):
        registry.load("we_wpi_attention(w2=-1)")
    with pytest.raises(InvalidParameter, match="units"):
        registry.load("we_wpi_attention(units=0)")


def test_defaults_of_metric_and_recipe_are_the_same() -> None:
    recipe, metric = ContextRecipe(), WeWpiAttention()
    for name in recipe.__slots__:
        assert getattr(metric, name) == getattr(recipe, name)


def test_sources_without_spaces_get_a_note() -> None:
    texts = ["猫がマットの上に座ったので犬は帰った。"] * 4
    table = scored(f"we_wpi_attention({LITTLE})", HYPOTHESES, source=texts)
    assert any("source_tokenizer=" in note for note in table.notes)
    table = scored(f"we_wpi_attention(source_tokenizer=char, {LITTLE})", HYPOTHESES, source=texts)
    assert not any("source_tokenizer=" in note for note in table.notes)


# What is refused.


def test_a_missing_source() -> None:
    with pytest.raises(UsageError, match="reads the source text, which is missing"):
        scored("we_wpi_attention", HYPOTHESES, source=None)
    with pytest.raises(UsageError, match="reads the source text, which is missing"):
        tenbin.explain(HYPOTHESES, REFERENCES, metric="we_wpi_attention", language="en")


def test_unequal_texts() -> None:
    with pytest.raises((LengthMismatch, ShapeError), match="source"):
        scored("we_wpi_attention", HYPOTHESES, source=SOURCES[:3])


def test_no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_MODULES", ("no_such_torch",))
    with pytest.raises(MissingExtra, match=r"tenbin\[neural\]") as caught:
        scored("we_wpi_attention", HYPOTHESES)
    assert "Or score with we_wpi" in str(caught.value)


# Models in folders.


@pytest.fixture
def folder(tmp_path: Path) -> str:
    texts = files(tmp_path, REFERENCES, SOURCES)
    recipe = ContextRecipe(units=6, embedding=5, epochs=2, repeats=2)
    build_context(texts, str(tmp_path / "model"), recipe)
    return str(tmp_path / "model")


def files(place: Path, references: list[str], sources: list[str]) -> ContextTexts:
    (place / "ref").write_text("".join(f"{line}\n" for line in references))
    (place / "src").write_text("".join(f"{line}\n" for line in sources))
    return ContextTexts(source=str(place / "src"), references=(str(place / "ref"),), language="en")


def test_a_model_of_these_references(folder: str) -> None:
    table = scored(f'we_wpi_attention(context="{folder}")', HYPOTHESES)
    (result,) = table.results
    signature = result.signature
    assert (signature.get("context"), signature.get("units")) == ("model", "6")
    assert signature.get("transductive") == "yes"
    assert "model" in dict(signature.resources)
    assert not any("is trained on" in note for note in table.notes)
    trained = "units=6, embedding=5, epochs=2, repeats=2"
    assert segments(f"we_wpi_attention({trained})", HYPOTHESES) == result.segments[0].tolist()


def test_a_model_of_other_references_is_refused_unless_told(folder: str) -> None:
    others = [*REFERENCES[:3], "a mat"]
    spec = f'we_wpi_attention(context="{folder}"'
    with pytest.raises(InputError, match="other references and sources") as caught:
        segments(f"{spec})", HYPOTHESES, references=others)
    said = str(caught.value)
    assert folder in said
    assert said.count("sha256") == 2
    assert "4 pairs" in said
    assert "tenbin build context" in said
    assert "other_references=True" in said
    with pytest.raises(InputError, match="other references and sources"):
        segments(f"{spec})", HYPOTHESES, source=SOURCES[::-1])
    table = scored(f"{spec}, other_references=True)", HYPOTHESES, references=others)
    assert table.results[0].signature.get("transductive") == "unchecked"
    assert any("was not checked" in note for note in table.notes)


def test_settings_that_the_model_does_not_have(folder: str) -> None:
    with pytest.raises(UsageError, match="was trained with units=6, and units=12 was asked for"):
        scored(f'we_wpi_attention(context="{folder}", units=12)', HYPOTHESES)
    with pytest.raises(UsageError, match="tokenizer=13a, and the texts are scored with"):
        scored(f'we_wpi_attention(context="{folder}", tokenizer=char)', HYPOTHESES)
    assert segments(f'we_wpi_attention(context="{folder}", units=6)', HYPOTHESES)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="there is no such folder"):
        scored(f'we_wpi_attention(context="{tmp_path / "absent"}")', HYPOTHESES)
    with pytest.raises(UnreadableFile, match=r"there is no config\.json in it"):
        scored(f'we_wpi_attention(context="{tmp_path}")', HYPOTHESES)


def test_a_trained_model_tells_the_right_reference() -> None:
    """Trained vectors of a reference are nearer to its hypothesis than those of shuffled pairs."""
    drawn = np.random.default_rng(2)
    nouns = ("cat", "dog", "bird", "horse", "fox", "hen")
    words = {"cat": "Katze", "dog": "Hund", "bird": "Vogel", "horse": "Pferd", "fox": "Fuchs"}
    words["hen"] = "Henne"
    rows = [drawn.choice(nouns, size=3, replace=False).tolist() for _ in range(40)]
    references = [f"the {a} saw the {b} and the {c}" for a, b, c in rows]
    sources = [f"{words[a]} sah {words[b]} und {words[c]}" for a, b, c in rows]
    hypotheses = [f"a {a} saw a {b} and a {c}" for a, b, c in rows]
    size = "w2=0, units=24, embedding=16, batch=20, repeats=4"

    def margin(spec: str) -> float:
        right = segments(spec, hypotheses, references=references, source=sources)
        others = [*hypotheses[1:], hypotheses[0]]
        wrong = segments(spec, others, references=references, source=sources)
        return float(np.mean(np.array(right) - np.array(wrong)))

    trained = margin(f"we_wpi_attention({size}, epochs=8, rate=0.01)")
    untrained = margin(f"we_wpi_attention({size}, epochs=1, rate=1e-9)")
    assert trained > max(untrained, 0)
