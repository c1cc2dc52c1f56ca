"""The learned metric on models of random weights: the formula, the cache, what is refused."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import tenbin
from tenbin.annotation.encoders import settings
from tenbin.annotation.encoders.layered_model import LayeredModel
from tenbin.annotation.joint import contributions, judge
from tenbin.annotation.joint.adapter import find_adapter
from tenbin.annotation.joint.contributions import word_contributions
from tenbin.annotation.joint.judge import JudgeChoice, load_judge
from tenbin.annotation.joint.network import JointNetwork
from tenbin.core.errors import (
    InvalidParameter,
    MissingExtra,
    MissingResource,
    ResourceError,
    UnreadableFile,
    UsageError,
)
from tenbin.metrics import registry
from tenbin.metrics.learned import Learned
from tenbin.resources import checkpoints
from tenbin.resources.store.store import ResourceStore

SaveAdapter = Callable[..., Path]

HYPOTHESES = ("the cat sat on a mat", "a big dog", "houses", "", "a", "the cat", "the mat sat 12")
REFERENCES = ("a cat sat", "a big dog", "the house", "a cat", "", "the cats", "the mat sat 13")


@pytest.fixture(autouse=True)
def _own_encodings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))
    yield
    judge._cached.clear()


@pytest.fixture(params=["tiny_adapter", "tiny_mpnet_adapter"])
def adapter(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


def segment_scores(
    spec: str, hypotheses: Any = HYPOTHESES, references: Any = REFERENCES, **given: Any
) -> Any:
    table = tenbin.score(
        list(hypotheses), list(references), metrics=[spec], language="en", segments=True, **given
    )
    found = table.results[0].segments
    assert found is not None
    return found[0]


def spec_of(adapter: str, **given: Any) -> str:
    more = "".join(f", {name}={value!r}" for name, value in given.items())
    return f"learned(adapter={adapter!r}{more})"


def test_the_share_mixes_what_was_learned_with_bertscore(adapter: str) -> None:
    card = find_adapter(adapter).card
    plain = segment_scores(f"bertscore(model={card.base!r}, layer=2)")
    learned = segment_scores(spec_of(adapter, share=1, penalty="none", letters=0))
    alone = segment_scores(spec_of(adapter, share=0, penalty="none", letters=0))
    mixed = segment_scores(spec_of(adapter, penalty="none", letters=0))
    np.testing.assert_array_equal(alone, plain)
    np.testing.assert_allclose(mixed, 0.4 * learned + 0.6 * plain, atol=1e-12)
    # Equal texts score 1, empty ones 0, also where the reference is.
    assert learned[[1, 3, 4]].tolist() == [1, 0, 0]
    assert mixed[1] == pytest.approx(1, abs=1e-6)
    assert ((learned > 0) & (learned < 1))[[0, 2, 5, 6]].all()
    judging = load_judge(find_adapter(adapter), JudgeChoice(language="en"))
    pairs = list(zip(HYPOTHESES, REFERENCES, strict=True))
    np.testing.assert_array_equal(judging.scores(pairs), learned)


def test_letters_tell_apart_what_a_model_without_capitals_takes_for_equal(adapter: str) -> None:
    own, other = ["Rome is old ", "rome is old", ""], ["Rome is old", "Rome is old", "Rome"]
    for share in (None, 1):
        plain, spelled = (
            segment_scores(spec_of(adapter, share=share, letters=letters), own, other)
            for letters in (0, 0.02)
        )
        alike = np.array([1, 20 / 22, np.nan])
        expected = np.where(np.isnan(alike), plain, 0.98 * plain + 0.02 * alike)
        np.testing.assert_allclose(spelled, expected, atol=1e-12)
        assert plain[0] == pytest.approx(1, abs=1e-6)
        assert spelled[1] < spelled[0]


def test_a_share_of_one_runs_no_bertscore(adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    both = segment_scores(spec_of(adapter, share=0.999_999_999))
    monkeypatch.setenv("TENBIN_ENCODINGS_GB", "0")

    def refused(*_given: object, **_named: object) -> None:
        raise AssertionError("texts were compared")

    monkeypatch.setattr(LayeredModel, "vectors", refused)
    np.testing.assert_allclose(segment_scores(spec_of(adapter, share=1)), both, atol=1e-6)
    with pytest.raises(AssertionError, match="texts were compared"):
        segment_scores(spec_of(adapter, share=0.5))


def test_wrong_numbers_are_penalized(adapter: str) -> None:
    with_it, without = (
        segment_scores(spec_of(adapter, **given)) for given in ({}, {"penalty": "none"})
    )
    np.testing.assert_allclose(with_it[-1], without[-1] * 0.95, atol=1e-9)
    np.testing.assert_array_equal(with_it[:-1], without[:-1])


@pytest.mark.parametrize("dtype", ["float32", "int8", "bfloat16"])
def test_a_text_scores_the_same_in_any_company(
    adapter: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS_GB", "0")
    spec = spec_of(adapter, dtype=dtype)
    together = segment_scores(spec)
    alone = [
        float(segment_scores(spec, [own], [other])[0])
        for own, other in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    np.testing.assert_allclose(together, alone, atol=1e-9)
    backwards = segment_scores(spec, HYPOTHESES[::-1], REFERENCES[::-1])
    np.testing.assert_allclose(backwards[::-1], together, atol=1e-9)


def test_the_best_reference_counts(adapter: str) -> None:
    spec = spec_of(adapter)
    single = [segment_scores(spec, ["a big dog"], [one])[0] for one in ("the dog", "big dogs")]
    both = segment_scores(spec, ["a big dog"], [["the dog", "big dogs"]])
    assert both[0] == max(single)


def test_the_second_run_asks_no_model(adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = segment_scores(spec_of(adapter))
    judge._cached.clear()

    def refused(*_given: object, **_named: object) -> None:
        raise AssertionError("a model was run")

    monkeypatch.setattr(JointNetwork, "__init__", refused)
    monkeypatch.setattr(LayeredModel, "vectors", refused)
    np.testing.assert_array_equal(segment_scores(spec_of(adapter)), first)
    # Another share, another penalty: from the same numbers.
    segment_scores(spec_of(adapter, share=0.9, penalty="none"))
    with pytest.raises(AssertionError, match="a model was run"):
        segment_scores(spec_of(adapter, dtype="int8"))
    with pytest.raises(AssertionError, match="a model was run"):
        segment_scores(spec_of(adapter), cache=False)


def test_a_damaged_cache_is_noticed(adapter: str, tmp_path: Path) -> None:
    first = segment_scores(spec_of(adapter))
    files = list((tmp_path / "encodings").glob("*/*.safetensors"))
    assert files
    for file in files:
        content = bytearray(file.read_bytes())
        content[-1] ^= 1
        file.write_bytes(bytes(content))
    np.testing.assert_array_equal(segment_scores(spec_of(adapter)), first)


def test_the_signature_names_adapter_and_base(adapter: str) -> None:
    found = registry.load(spec_of(adapter)).bind("en").signature()
    read = find_adapter(adapter)
    assert read.identity is not None
    fields = dict(found.fields)
    assert (fields["adapter"], fields["share"], fields["layer"]) == ("own", "0.4", "2")
    assert fields["base"] == Path(read.card.base).name
    hashes = dict(found.resources)
    assert hashes["own"] == read.identity.fingerprint[:16]
    assert hashes[fields["base"]] == read.card.base_fingerprint[:16]
    assert "/" not in str(fields)


def test_what_is_refused(
    tiny_model: Path, tiny_mpnet: Path, tmp_path: Path, save_tiny_adapter: SaveAdapter
) -> None:
    with pytest.raises(UsageError, match="no adapter of its own"):
        segment_scores("learned")
    with pytest.raises(UsageError, match=r"nothing\.safetensors.*no such file"):
        segment_scores(spec_of(str(tmp_path / "nothing.safetensors")))
    with pytest.raises(InvalidParameter, match="from 0 to 1"):
        Learned(share=1.5)
    with pytest.raises(InvalidParameter, match="auto, propn"):
        registry.load('learned(names="rare")')
    own = save_tiny_adapter(tmp_path / "own.safetensors", tiny_model)
    with pytest.raises(UsageError, match=r"is for 'en'.*'ja'"):
        tenbin.score(["a"], ["b"], metrics=[spec_of(str(own))], language="ja")
    registry.load(spec_of(str(own))).bind("en-GB")
    other = save_tiny_adapter(tmp_path / "x.safetensors", tiny_model, base=str(tiny_mpnet))
    with pytest.raises(ResourceError, match="cannot be used with another model"):
        segment_scores(spec_of(str(other)))
    # The base may lie elsewhere, but must be the same.
    np.testing.assert_array_equal(
        segment_scores(spec_of(str(other), base=str(tiny_model))), segment_scores(spec_of(str(own)))
    )
    missing = save_tiny_adapter(tmp_path / "y.safetensors", tiny_model, base="mpnet-nowhere")
    with pytest.raises(UsageError, match="mpnet-nowhere"):
        segment_scores(spec_of(str(missing)))
    deep = save_tiny_adapter(tmp_path / "z.safetensors", tiny_model, layer=9)
    with pytest.raises(UsageError, match="no layer 9"):
        registry.load(spec_of(str(deep))).bind("en")
    own.write_bytes(own.read_bytes()[:-20])
    with pytest.raises(UnreadableFile, match=r"own\.safetensors"):
        segment_scores(spec_of(str(own)))


def test_a_base_that_is_not_installed(
    tiny_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    save_tiny_adapter: SaveAdapter,
) -> None:
    own = save_tiny_adapter(tmp_path / "own.safetensors", tiny_model, base="mpnet-en")
    empty = ResourceStore(tmp_path / "cache", offline=True)
    monkeypatch.setattr(checkpoints, "default_store", lambda: empty)
    with pytest.raises(MissingResource, match="tenbin resources install mpnet-en"):
        segment_scores(spec_of(str(own)))


def test_without_the_extra(adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_MODULES", ("torch", "a_module_that_is_not_installed"))
    with pytest.raises(MissingExtra, match=r"tenbin\[neural\]"):
        segment_scores(spec_of(adapter))


def test_long_texts(adapter: str) -> None:
    """Both texts are cut into as many parts as it takes; no word is left out."""
    long = "the cat sat on a mat " * 9
    spec = spec_of(adapter, share=1, penalty="none", letters=0)
    scores = segment_scores(spec, [long, long + "dogs", long + "houses"], [long + "."] * 3)
    assert len(set(scores.tolist())) == 3
    judging = load_judge(find_adapter(adapter), JudgeChoice(language="en"))
    ids = judging.pairs.ids([long, long + "."])
    parts = judging.pairs.parts(ids[1], ids[0], judging.room)
    assert len(parts) > 4
    expected = sum(part.share * judging.network.scores([part.row])[0] for part in parts)
    assert scores[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_contributions_add_up(adapter: str, dtype: str) -> None:
    pairs = [("the cat sat on a mats", "a cat sat"), ("big dogs" * 9, "the cat sat on " * 6)]
    for own, other in pairs:
        (found,) = tenbin.explain(
            [own], [other], metric=spec_of(adapter, dtype=dtype), language="en"
        )
        values = {step.label: step.value for step in found.steps}
        words = {label: one for label, one in values.items() if label.startswith("word ")}
        total = values["words hidden"] + sum(words.values()) + values["rest"]
        assert total == pytest.approx(values["learned score"], abs=1e-9)
        if dtype == "float32":
            assert abs(values["rest"]) <= contributions.TOLERANCE + 1e-6
        sense = 0.4 * values["learned score"] + 0.6 * values["BERTScore"]
        assert values["sense"] == pytest.approx(sense, abs=1e-9)
        expected = 0.98 * sense + 0.02 * values["letters"]
        assert found.score == pytest.approx(expected, abs=1e-9)


def test_without_bertscore_nothing_of_it_is_explained(adapter: str) -> None:
    (found,) = tenbin.explain(
        ["the cat sat"], ["a cat sat on"], metric=spec_of(adapter, share=1), language="en"
    )
    values = {step.label: step.value for step in found.steps}
    assert not {"precision", "recall", "BERTScore", "sense"} & set(values)
    expected = 0.98 * values["learned score"] + 0.02 * values["letters"]
    assert found.score == pytest.approx(expected, abs=1e-9)
    tokens = found.alignment.hypothesis
    assert not {one for one in tokens if one.startswith("[")}
    equal = {tokens[one.hypothesis.start] for one in found.alignment.matches}
    assert equal == {"cat", "sat"}
    assert {one.similarity for one in found.alignment.matches} == {1.0}


def test_subwords_are_joined_to_words(adapter: str) -> None:
    judging = load_judge(find_adapter(adapter), JudgeChoice(language="en"))
    found = word_contributions(judging, "the cats sat, houseing", "a dog")
    assert found is not None
    assert [word.word for word in found.words] == ["the", "cats", "sat", ",", "houseing"]
    assert word_contributions(judging, "a dog", "a dog ") is None
    assert word_contributions(judging, "", "a dog") is None


def test_a_word_that_changes_nothing_contributes_nothing(
    adapter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hidden words are where the way begins: a word that is the mask itself adds nothing."""
    judging = load_judge(find_adapter(adapter), JudgeChoice(language="en"))
    cat = int(judging.pairs.ids(["cat"])[0][0])
    monkeypatch.setattr(type(judging.pairs.tokenizer), "mask", property(lambda _self: cat))
    found = word_contributions(judging, "the cat sat", "a dog")
    assert found is not None
    assert found.words[1].value == 0
    assert found.words[0].value != 0


def test_an_equal_text_is_explained(adapter: str) -> None:
    (found,) = tenbin.explain(["a dog"], ["a dog"], metric=spec_of(adapter), language="en")
    assert found.score == pytest.approx(1, abs=1e-6)
    assert not [step for step in found.steps if step.label.startswith("word ")]
    (empty,) = tenbin.explain([""], ["a dog"], metric=spec_of(adapter), language="en")
    assert empty.score == 0


@pytest.mark.parametrize(
    ("preset", "base", "layers"),
    [("tenbin-large", "mpnet-en", 12), ("tenbin-fast", "minilm-en", 5)],
)
def test_presets(preset: str, base: str, layers: int) -> None:
    found = registry.load(preset)
    assert isinstance(found, Learned)
    assert (found.adapter, str(found.dtype)) == (preset, "int8")
    adapter = find_adapter(preset)
    assert (adapter.card.name, adapter.card.base, adapter.layers) == (preset, base, layers)
