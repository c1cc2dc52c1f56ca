"""The cosine of whole texts: edges, poolings, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import InputError, UnreadableFile, UsageError
from tenbin.metrics import registry

ENGLISH = ["The cat sat on the mat.", "It is 5 o'clock.", "He did not come."]


def scores(metric: str, hypotheses: list[str], language: str = "en", **others: Any) -> list[float]:
    """Return segment scores."""
    table = tenbin.score(
        hypotheses, metrics=[metric], language=language, segments=True, cache=False, **others
    )
    segments = table.results[0].segments
    assert segments is not None
    return [float(one) for one in segments[0]]


def test_equal_texts_score_one_and_empty_ones_zero() -> None:
    hypotheses = [*ENGLISH, "", " ", "a"]
    references = [*ENGLISH, "a", "a", ""]
    assert scores("sentence", hypotheses, references=references) == [1, 1, 1, 0, 0, 0]


def test_the_best_reference_counts_and_order_does_not_matter() -> None:
    one, other = "A cat was sitting there.", "Dogs bark."
    alone = scores("sentence", [ENGLISH[0]], references=[one])
    for references in ([one, other], [other, one]):
        assert scores("sentence", [ENGLISH[0]], references=[references]) == alone


def test_a_text_scores_the_same_in_any_company() -> None:
    alone = [
        scores("sentence", [text], references=["A cat."])[0] for text in (*ENGLISH, "Word " * 60)
    ]
    together = scores("sentence", [*ENGLISH, "Word " * 60], references=["A cat."] * 4)
    assert together == alone


def test_wrong_numbers_are_penalized_where_asked_for() -> None:
    plain = scores("sentence", ["It is 6 o'clock."], references=[ENGLISH[1]])[0]
    lowered = scores('sentence(penalty="numbers")', ["It is 6 o'clock."], references=[ENGLISH[1]])
    assert lowered[0] < plain


def test_translations_are_compared_with_their_sources() -> None:
    sources = ["Die Katze saß auf der Matte.", "Es ist fünf Uhr.", ""]
    right = scores("sentence-source", [*ENGLISH[:2], "x"], source=sources)
    swapped = scores("sentence-source", [ENGLISH[1], ENGLISH[0], "x"], source=sources)
    assert right[0] > swapped[0] + 0.3
    assert right[1] > swapped[1] + 0.3
    assert right[2] == 0
    assert registry.load("sentence-source").needs.references is False
    with pytest.raises(UsageError, match="source"):
        tenbin.score(ENGLISH, ENGLISH, metrics=["sentence-source"], language="en")


def test_a_model_of_one_language_is_noted_beside_a_source() -> None:
    spec = 'sentence-source(model="minilm-en")'
    table = tenbin.score(ENGLISH, source=ENGLISH, metrics=[spec], language="en", cache=False)
    assert any("'minilm-en' is a model of 'en' alone" in note for note in table.notes)
    table = tenbin.score(ENGLISH, source=ENGLISH, metrics=["sentence-source"], language="en")
    assert not table.notes


def test_texts_in_an_unknown_script_are_refused() -> None:
    runes = ["ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾᛁᛃ"] * 3
    with pytest.raises(InputError, match="unknown to 'use-multilingual'"):
        tenbin.score(runes, runes, metrics=["sentence"], language="en-Runr")


def test_static_vectors_are_averaged_as_by_sv() -> None:
    hypotheses, references = ["the small cat sat"], ["a cat was sitting"]
    own = scores('sentence(model="static:glove-en-small")', hypotheses, references=references)
    other = scores('sv(vectors="glove-en-small")', hypotheses, references=references)
    assert own == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ('sentence(model="static:glove-en-small", pooling="first")', "static vectors have no pool"),
        ('sentence(model="use-multilingual", pooling="model", layer=0)', "its last layer"),
        ('sentence(model="minilm-en", pooling="model")', "for use-multilingual"),
        ('sentence(dtype="int8")', "runs on the CPU"),
    ],
)
def test_what_a_model_cannot_do_is_refused(metric: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        registry.load(metric).bind("en")


def test_a_language_without_a_sentence_encoder_is_told_which_there_are() -> None:
    with pytest.raises(UsageError, match=r"no sentence encoder for the language 'cs'.*ar, de, en"):
        registry.load("sentence").bind("cs")
    for language in ("zh-TW", "zh-Hant", "pt-BR", "ar-EG"):
        assert "model:use-multilingual" in str(registry.load("sentence").bind(language).signature())


def pooling_folder(tmp_path: Path, **files: Any) -> str:
    """Return a copy of minilm-en with files of sentence-transformers beside the model."""
    from tenbin.resources.checkpoints import find_checkpoint  # noqa: PLC0415 - skips without it

    source = find_checkpoint("minilm-en", "en").folder
    folder = tmp_path / "model"
    (folder / "1_Pooling").mkdir(parents=True)
    for path in source.iterdir():
        (folder / path.name).symlink_to(path)
    for name, content in files.items():
        place = {"pooling": "1_Pooling/config.json", "modules": "modules.json"}[name]
        (folder / place).write_text(content if isinstance(content, str) else json.dumps(content))
    return str(folder)


def test_the_pooling_that_a_folder_declares_is_taken(tmp_path: Path) -> None:
    declared = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    modules = [{"type": "sentence_transformers.models.Pooling"}]
    folder = pooling_folder(tmp_path, pooling=declared, modules=modules)
    metric = registry.load(f"sentence(model={folder!r})").bind("en")
    assert "pooling:first" in str(metric.signature())
    first = scores(f"sentence(model={folder!r})", ["a cat"], references=["a dog"])
    named = scores('sentence(model="minilm-en", pooling="first")', ["a cat"], references=["a dog"])
    mean = scores('sentence(model="minilm-en")', ["a cat"], references=["a dog"])
    assert first == named
    assert not np.allclose(first, mean, atol=1e-3)


@pytest.mark.parametrize(
    ("pooling", "kinds"),
    [
        ({"pooling_mode": "mean"}, ["Transformer", "Pooling", "Dense"]),
        ({"pooling_mode": "weightedmean"}, []),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}, []),
    ],
)
def test_a_pooling_that_is_not_known_is_refused(
    tmp_path: Path, pooling: dict[str, Any], kinds: list[str]
) -> None:
    modules = [{"type": f"sentence_transformers.models.{kind}"} for kind in kinds]
    folder = pooling_folder(tmp_path, pooling=pooling, modules=modules)
    with pytest.raises(UsageError, match="in a way that Tenbin does not know"):
        registry.load(f"sentence(model={folder!r})").bind("en")
    named = registry.load(f'sentence(model={folder!r}, pooling="mean")').bind("en")
    assert "pooling:mean" in str(named.signature())


def test_a_damaged_declaration_is_refused(tmp_path: Path) -> None:
    for content in ("{", "[]", "3"):
        place = tmp_path / str(len(content)) / content.encode().hex()
        folder = pooling_folder(place, pooling=content)
        with pytest.raises(UnreadableFile, match="1_Pooling"):
            registry.load(f"sentence(model={folder!r})").bind("en")


def test_a_mean_of_subwords_is_that_of_transformers() -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tenbin.resources.checkpoints import find_checkpoint  # noqa: PLC0415 - skips without it

    folder = str(find_checkpoint("minilm-en", "en").folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder)
    vectors = []
    for text in ENGLISH:
        with torch.inference_mode():
            state = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
        vectors.append(torch.nn.functional.normalize(state.mean(dim=0), dim=0).numpy())
    expected = [float(vectors[0] @ one) for one in vectors]
    found = scores('sentence(model="minilm-en")', ENGLISH, references=[ENGLISH[0]] * len(ENGLISH))
    assert found == pytest.approx(expected, abs=1e-5)
