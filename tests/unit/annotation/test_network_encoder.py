"""The sentence encoder that Tenbin runs itself: its arithmetic, and what encoders promise."""

import sys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from tenbin.annotation.encoders.convolution_network import ConvolutionNetwork
from tenbin.annotation.encoders.encoded import EncodedTexts, SubwordFlag
from tenbin.annotation.encoders.loading import EncoderChoice, load_encoder
from tenbin.annotation.encoders.settings import Device, NumberType, Pooling, TextPooling, View
from tenbin.core.caching import caching
from tenbin.core.errors import UsageError
from tenbin.core.resource import ResourceIdentity
from tenbin.resources.sentence_network import (
    EMBEDDED,
    WIDTHS,
    NetworkVocabulary,
    SentenceNetwork,
    _shapes,
)

Array = npt.NDArray[np.float64]
MODEL = "use-multilingual"
TOKENS, WHOLE = View((1,)), View((1,), whole=TextPooling.MODEL)
TEXTS = ["The cat sat on the mat.", "猫がマットの上に座った。", "Die Katze", "", "x" * 40, "a b c"]


@pytest.fixture(scope="module")
def network() -> SentenceNetwork:
    """A network of random weights and 34 subwords."""
    rng = np.random.default_rng(3)
    weights = {
        key: (rng.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)
        for key, shape in _shapes().items()
    }
    return SentenceNetwork(
        identity=ResourceIdentity("toy", None, "1", "mul", "CC0-1.0", "0"),
        codes=rng.integers(0, 64, size=(34, EMBEDDED), dtype=np.uint8),
        scales=weights.pop("scale"),
        lows=weights.pop("lo"),
        weights=weights,
        epsilon=1e-12,
        vocabulary=NetworkVocabulary(
            pieces=(), scores=np.empty(0, np.float32), types=np.empty(0, np.uint8), rules={}
        ),
    )


def plainly(network: SentenceNetwork, ids: Sequence[int]) -> tuple[Array, Array]:
    """Return the vectors of subwords and of the whole text, one subword after the other."""
    weights = {key: one.astype(np.float64) for key, one in network.weights.items()}

    def normal(vector: Array, gain: Array, shift: Array) -> Array:
        found: Array = (vector - vector.mean()) / np.sqrt(vector.var() + 1e-12) * gain + shift
        return found

    rows = [network.codes[one] * network.scales[one % 17].astype(float) for one in ids]
    rows = [row + network.lows[one % 17] for row, one in zip(rows, ids, strict=True)]
    below = []
    for row in rows:
        parts = [row @ weights[f"proj{w}"] + weights[f"proj_b{w}"] for w in WIDTHS]
        gain, shift = (
            np.concatenate([weights[f"{n}{w}"] for w in WIDTHS]) for n in ("ln_g", "ln_b")
        )
        below.append(normal(np.concatenate(parts), gain, shift))
    sides = []
    for number, width in enumerate(WIDTHS):
        seen = [row[256 * number : 256 * (number + 1)] for row in below]
        for step in (1, 2):
            wide = []
            for place in range(len(ids)):
                first = place - (width - 1) // 2
                around = range(first, first + width)
                inside = [seen[n] if 0 <= n < len(ids) else np.zeros(256) for n in around]
                wide.append(np.concatenate(inside) @ weights[f"w{step}_{width}"])
            bias = weights[f"b{step}_{width}"]
            seen = [old + np.maximum(new + bias, 0) for old, new in zip(seen, wide, strict=True)]
        sides.append(seen)
    tokens = []
    for place, row in enumerate(rows):
        whole = np.concatenate([row, *(seen[place] for seen in sides)])
        whole = normal(whole, weights["ln_g"], weights["ln_b"])
        tokens.append(whole @ weights["cnn_W"] + weights["cnn_b"])
    summed = np.sum(tokens, axis=0) / np.sqrt(len(ids))
    first_layer = np.maximum(summed @ weights["d0"], 0)
    second = np.maximum(summed @ weights["p1"] + first_layer @ weights["d1"], 0)
    third = np.maximum(second @ weights["d2"], 0)
    found = np.tanh(second @ weights["p3"] + third @ weights["d3"])
    return np.array(tokens), found / np.linalg.norm(found)


@pytest.mark.parametrize("length", [2, 3, 4, 9])
def test_the_network_is_what_its_formula_says(network: SentenceNetwork, length: int) -> None:
    ids = np.random.default_rng(length).integers(0, 34, size=(2, length)).astype(np.int32)
    fast = ConvolutionNetwork(network)
    tokens, texts = fast.in_context(ids), fast.texts(ids)
    for row in range(2):
        own, whole = plainly(network, ids[row].tolist())
        assert np.abs(tokens[row] - own).max() < 1e-5
        assert np.abs(texts[row] - whole).max() < 1e-5


def encoded(view: View, texts: Sequence[str] = TEXTS, language: str = "en") -> EncodedTexts:
    with caching(enabled=False):
        choice = EncoderChoice(model=MODEL, language=language, view=view)
        return load_encoder(choice).encode(texts)


@pytest.mark.parametrize("view", [TOKENS, WHOLE, View((0, 1), Pooling.JOINED)], ids=str)
def test_a_text_has_the_same_vectors_whatever_else_is_encoded(view: View) -> None:
    together = encoded(view)
    for place, text in enumerate(TEXTS):
        alone = encoded(view, [text])
        rows = together.rows.row(place)
        assert np.array_equal(together.units[rows], alone.units[alone.rows.row(0)])
        assert together.tokens(place) == alone.tokens(0)


def test_subwords_have_flags_and_a_text_without_any_has_special_tokens_alone() -> None:
    found = encoded(TOKENS, ["The unbelievable 猫がいる ᚠ", " "])
    places = found.rows.row(0)
    tokens = found.tokens(0)
    flags = found.flags[places]
    assert (tokens[0], tokens[-1]) == ("<s>", "</s>")
    assert flags[[0, -1]].tolist() == [SubwordFlag.SPECIAL] * 2
    for token, flag in zip(tokens[1:-1], flags[1:-1].tolist(), strict=True):
        spaced = token.isascii() and not token.startswith("▁")
        assert bool(flag & SubwordFlag.CONTINUES) == spaced, token
    unknown = np.flatnonzero(flags & SubwordFlag.UNKNOWN).tolist()
    assert [tokens[place] for place in unknown] == ["<unk>"]
    assert found.tokens(1) == ("<s>", "</s>")
    assert np.allclose(np.linalg.norm(found.units, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("view", [TOKENS, WHOLE], ids=str)
def test_encoded_texts_are_cached(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = EncoderChoice(model=MODEL, language="de", view=view)
    first = load_encoder(choice).encode(["Guten Tag", "Hallo"])
    from tenbin.annotation.encoders import loading  # noqa: PLC0415 - its memory is emptied

    loading._cached.clear()
    monkeypatch.setattr(ConvolutionNetwork, "texts", None)
    monkeypatch.setattr(ConvolutionNetwork, "in_context", None)
    again = load_encoder(choice).encode(["Hallo", "Guten Tag"])
    for own, other in ((0, 1), (1, 0)):
        rows = first.rows.row(own), again.rows.row(other)
        assert np.array_equal(first.units[rows[0]], again.units[rows[1]])
        assert first.tokens(own) == again.tokens(other)


def test_neither_torch_nor_transformers_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "transformers", "tokenizers", "safetensors"):
        monkeypatch.setitem(sys.modules, name, None)
    assert len(encoded(WHOLE).units) == len(TEXTS)


@pytest.mark.parametrize("language", ["sw", "he", "cs"])
def test_other_languages_are_refused_with_a_list_of_those_it_reads(language: str) -> None:
    with pytest.raises(UsageError, match=rf"does not read the language '{language}'.* ar, de, en"):
        encoded(TOKENS, language=language)


def test_layers_devices_and_number_types_that_it_has_not_are_refused() -> None:
    with pytest.raises(UsageError, match="has no layer 2: it has 1"):
        encoded(View((2,)))
    for changes in ({"device": Device.CUDA}, {"number_type": NumberType.BFLOAT16}):
        with pytest.raises(UsageError, match="runs on the CPU"):
            load_encoder(EncoderChoice(model=MODEL, language="en", view=WHOLE, **changes))
