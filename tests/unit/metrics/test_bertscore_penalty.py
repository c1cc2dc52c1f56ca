"""BERTScore that penalizes wrong names and figures, on vectors that can be worked out by hand."""

from pathlib import Path
from typing import Any

import pytest

import tenbin
from tenbin.building.idf import build_idf
from tenbin.core.errors import InvalidParameter, MissingExtra, MissingResource, UsageError
from tenbin.core.metric import Metric
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry
from tenbin.metrics.bertscore import BertScore
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords
from tenbin.resources.checkpoints import find_checkpoint

pytest.importorskip("simplemma")

TABLE = """8 3
smith 0 1 0
jones .8 .6 0
al 1 0 0
jo .8 .6 0
paid 0 0 1
5 0 .6 .8
7 0 .8 .6
. .6 0 .8
"""
RIGHT = "Mr Smith paid 5"


@pytest.fixture
def toy(tmp_path: Path) -> str:
    (tmp_path / "toy.vec").write_text(TABLE)
    return f"static:{tmp_path / 'toy.vec'}"


@pytest.fixture
def dictionary(tmp_path: Path) -> str:
    """Names stand in one document of it, all other words in more."""
    lines = ["a b c d e f mr paid", "a b c d e f mr paid", "smith jones al jo g"]
    (tmp_path / "corpus.txt").write_text("\n".join([*lines, *["g h i j k l m"] * 2]) + "\n")
    path = tmp_path / "corpus.idf"
    build_idf([str(tmp_path / "corpus.txt")], "en", str(path))
    return str(path)


def score(metric: Metric, hypothesis: str, reference: str) -> float:
    texts = TestSet(hypotheses={"one": (hypothesis,)}, references=((reference,),))
    (rows,) = chunk_statistics(texts, [metric.bind("en")])
    return float(metric.segment_score(rows)[0, 0])


def metrics(toy: str, measure: str, **parameters: Any) -> tuple[BertScore, BertScore]:
    plain = registry.load(f'bertscore(model="{toy}", measure="{measure}")')
    assert isinstance(plain, BertScore)
    return plain, BertScore(model=toy, measure=measure, **parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("penalty", "text", "factors"),
    [
        ("names", "Mr Jones paid 5", (0.5, 0.5)),
        ("names", "Mr Smith paid 7", (1, 1)),
        ("numbers", "Mr Jones paid 5", (1, 1)),
        ("numbers", "Mr Smith paid 7", (0.5, 0.5)),
        ("names+numbers", "Mr Jones paid 7", (0.25, 0.25)),
        # Nothing is said wrongly, one thing is left out.
        ("names+numbers", "Mr Smith paid", (1, 0.5)),
        ("none", "Mr Jones paid 7", (1, 1)),
    ],
)
def test_precision_and_recall_are_multiplied(
    toy: str, penalty: str, text: str, factors: tuple[float, float]
) -> None:
    found = []
    for measure, factor in zip("pr", factors, strict=True):
        plain, lowered = metrics(toy, measure, penalty=penalty)
        found.append(factor * score(plain, text, RIGHT))
        assert score(lowered, text, RIGHT) == pytest.approx(found[-1], abs=1e-12)
    _, both = metrics(toy, "f", penalty=penalty)
    expected = 2 * found[0] * found[1] / (found[0] + found[1])
    assert score(both, text, RIGHT) == pytest.approx(expected, abs=1e-12)


def test_rare_tokens(toy: str, dictionary: str) -> None:
    """As in the example of the specification: one token of each side is rare, and wrong."""
    parameters = {"idf": dictionary, "names": "rare", "penalty": "names"}
    for measure, length in (("p", 4), ("r", 5)):
        _, weighted = metrics(toy, measure, idf=dictionary)
        _, lowered = metrics(toy, measure, **parameters)
        texts = "jones paid a a", "al paid a a a"
        expected = score(weighted, *texts) * (length - 1) / length  # no letter is shared
        assert score(lowered, *texts) == pytest.approx(expected)
        assert score(lowered, "a paid", "a paid a") == score(weighted, "a paid", "a paid a")


@pytest.mark.parametrize(
    ("coefficient", "kept"),
    [
        # jo (linked to al) and smith (linked to smith), joined: 2 of 7 letters differ.
        ("direction", 1 - 2 / 7),
        # All rare tokens of one side with all of the other: josmith and alsmithsmith.
        ("shared", 1 - 7 / 12),
        # Nothing of jo is kept, all of smith.
        ("token", 1 / 2),
    ],
)
def test_coefficients(toy: str, dictionary: str, coefficient: str, kept: float) -> None:
    parameters = {"idf": dictionary, "names": "rare", "penalty": "names"}
    texts = "jo smith paid a", "al smith smith paid a"
    _, weighted = metrics(toy, "p", idf=dictionary)
    _, lowered = metrics(toy, "p", **parameters, coefficient=coefficient)
    expected = score(weighted, *texts) * (2 + 2 * kept) / 4
    assert score(lowered, *texts) == pytest.approx(expected)


@pytest.mark.parametrize("rare", [False, True])
@pytest.mark.parametrize("measure", "prf")
def test_the_explanation_names_what_is_penalized(
    toy: str, dictionary: str, measure: str, *, rare: bool
) -> None:
    parameters = {"idf": dictionary, "names": "rare"} if rare else {}
    _, metric = metrics(toy, measure, penalty="names+numbers", **parameters)
    metric = metric.bind("en")
    texts = ("Mr Jones paid 7", RIGHT) if not rare else ("jones paid 7", "al paid 5")
    batch = build_batch(TestSet(hypotheses={"one": (texts[0],)}, references=((texts[1],),)), [])
    explained = metric.explain(batch, 0)
    assert explained.score == explained.steps[-1].value
    assert explained.score == pytest.approx(score(metric, *texts), abs=1e-12)
    by_label = {step.label: step for step in explained.steps}
    wrong = by_label["factor of precision"].meaning
    missing = by_label["factor of recall"].meaning
    if rare:
        # A figure is penalized once, as a figure.
        assert wrong.endswith(": jones (linked to al), 7")
        assert missing.endswith(": al (linked to jones), 5")
    else:
        assert wrong.endswith("the reference has not: Jones, 7")
        assert missing.endswith("the translation has not: Smith, 5")
    lowered = by_label["precision, penalized"].value
    assert lowered == pytest.approx(
        by_label["precision"].value * by_label["factor of precision"].value
    )


def test_dictionaries_that_were_cut_otherwise_are_noted(toy: str, dictionary: str) -> None:
    metric = BertScore(model=toy, idf=dictionary).bind("en")

    def notes(text: str) -> list[str]:
        texts = TestSet(hypotheses={"one": (text,)}, references=((text,),))
        return metric.check_batch(build_batch(texts, []))

    assert notes("smith paid a b") == []
    (note,) = notes("smith 7 . 5")
    assert "corpus.idf lists only 25% of the subwords" in note
    assert "made with 13a" in note


def test_what_cannot_be(toy: str) -> None:
    with pytest.raises(UsageError, match="needs a dictionary"):
        BertScore(model=toy, penalty="names", names="rare").bind("en")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="names=propn is for Japanese"):
        BertScore(model=toy, penalty="names", names="propn").bind("en")  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="direction, shared, token"):
        registry.load('bertscore(coefficient="both")')
    # Without a penalty nothing is asked for.
    metric = BertScore(model=toy, names="rare").bind("en")  # type: ignore[arg-type]
    assert metric.part(ContextualSubwords).is_bound


def test_the_signature_names_the_penalty(toy: str) -> None:
    metric = BertScore(model=toy, penalty="names+numbers", strength=0.1).bind("en")  # type: ignore[arg-type]
    signature = str(metric.signature())
    assert "penalty:names+numbers|names:capitals|strength:0.1" in signature
    assert "version:simplemma=" in signature


@pytest.mark.parametrize("name", ["moverscore", "yisi1-context"])
def test_other_metrics_over_encoded_texts(toy: str, name: str) -> None:
    """Their scores are multiplied by the harmonic mean of both factors."""
    plain = registry.load(f'{name}(model="{toy}", idf=False)')
    lowered = registry.load(f'{name}(model="{toy}", idf=False, penalty="names+numbers")')
    for text, factor in (("Mr Jones paid 5", 0.5), ("Mr Smith paid", 2 / 3), (RIGHT, 1)):
        expected = factor * score(plain, text, RIGHT)
        assert score(lowered, text, RIGHT) == pytest.approx(expected, abs=1e-12)
    bound = lowered.bind("en")
    texts = TestSet(hypotheses={"one": ("Mr Jones paid 5",)}, references=((RIGHT,),))
    explained = bound.explain(build_batch(texts, []), 0)  # type: ignore[attr-defined]
    assert explained.steps[-1].value == pytest.approx(explained.score, abs=1e-12)
    assert any(step.meaning.endswith(": Jones") for step in explained.steps)
    with pytest.raises(InvalidParameter, match="auto, propn, ner, capitals or glossary"):
        registry.load(f'{name}(names="rare")')


def test_a_dictionary_of_the_references_weighs_as_they_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted with the tokenizer of the model, from the very texts that ``idf=True`` counts."""
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))
    references = ["The cat sat on the mat.", "A dog was barking.", "The unbelievable rains came."]
    texts = ["A kitten sat on a rug.", "Some dogs barked loudly.", "It rained unbelievably."]
    (tmp_path / "references.txt").write_text("\n".join(references) + "\n")
    try:
        by_texts = tenbin.load_metric("bertscore(idf=True)", language="en")
    except (MissingResource, MissingExtra) as error:
        pytest.skip(str(error))
    folder, path = str(find_checkpoint("minilm-en", "en").folder), tmp_path / "x.idf"
    build_idf([str(tmp_path / "references.txt")], "en", str(path), tokenizer=folder)
    by_file = tenbin.load_metric(f'bertscore(idf="{path}")', language="en")
    found = by_file.score(texts, references).segments
    assert found == pytest.approx(by_texts.score(texts, references).segments, abs=1e-12)
    plain = tenbin.load_metric("bertscore", language="en").score(texts, references).segments
    assert max(abs(found - plain)) > 0.001
