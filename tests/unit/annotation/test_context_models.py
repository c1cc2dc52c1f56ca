"""Context models: network and gradients against a plain twin, training, vectors, folders, cache."""

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from tenbin.annotation.context import cache as context_cache
from tenbin.annotation.context import loading
from tenbin.annotation.context import network as context_network
from tenbin.annotation.context.cache import ModelCache, model_key
from tenbin.annotation.context.context_model import ContextModel, ContextVector
from tenbin.annotation.context.loading import opened_model, trained_model
from tenbin.annotation.context.model_folder import CONFIG, WEIGHTS, WORDS, read_model, write_model
from tenbin.annotation.context.network import ContextNetwork, PaddedPairs
from tenbin.annotation.context.pairs import ContextPairs
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.context.training import LEAST_GAIN, LONGEST, ContextTraining, filled_rows
from tenbin.annotation.context.vocabulary import Special, Vocabulary
from tenbin.annotation.pipeline import annotate
from tenbin.core.arrays import Numbering
from tenbin.core.batch import Annotation, AnnotationKind
from tenbin.core.caching import caching
from tenbin.core.errors import InputError, OutputError, UnreadableFile, UsageError

SMALL = ContextRecipe(units=12, embedding=10, epochs=4, repeats=4, batch=20, rate=0.02)
TINY = ContextRecipe(units=5, embedding=4, epochs=2, repeats=2, batch=4)
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ZAHLEN = ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")


def pairs_of(references: Sequence[str], sources: Sequence[str]) -> ContextPairs:
    pool = Numbering()
    own, other = pool.numbers(tuple(references)), pool.numbers(tuple(sources))
    words = Annotation(kind=AnnotationKind.TOKENS, method="13a")
    column = annotate(tuple(pool), [words])[words]
    places = zip(own.tolist(), other.tolist(), strict=True)
    return ContextPairs.of_columns(tuple(pool), column, column, places)


def counted_texts(count: int = 40) -> tuple[list[str], list[str]]:
    """Return texts that a model can learn to translate word by word."""
    drawn = np.random.default_rng(5)
    rows = [drawn.integers(0, 9, size=drawn.integers(2, 6)).tolist() for _ in range(count)]
    texts = [" ".join(NUMBERS[number] for number in row) for row in rows]
    return texts, [" ".join(ZAHLEN[number] for number in row) for row in rows]


@pytest.fixture(scope="module")
def pairs() -> ContextPairs:
    return pairs_of(*counted_texts())


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(context_cache.FOLDER_VARIABLE, str(tmp_path / "models"))
    loading._recent.clear()
    yield
    loading._recent.clear()


# The twin: the formulas of the paper and of Cho et al. (2014), a word at a time, in 64 bits.


def twin_gru(inputs: Any, state: Any, weights: dict[str, Any], name: str, layer: int) -> list[Any]:
    own, own_bias = weights[f"{name}.weight_ih_l{layer}"], weights[f"{name}.bias_ih_l{layer}"]
    past, past_bias = weights[f"{name}.weight_hh_l{layer}"], weights[f"{name}.bias_hh_l{layer}"]
    states = []
    for one in inputs:
        reset_own, update_own, new_own = (own @ one + own_bias).chunk(3)
        reset_past, update_past, new_past = (past @ state + past_bias).chunk(3)
        reset, update = (
            torch.sigmoid(reset_own + reset_past),
            torch.sigmoid(update_own + update_past),
        )
        new = torch.tanh(new_own + reset * new_past)
        state = (1 - update) * new + update * state
        states.append(state)
    return states


def twin_layers(inputs: Any, first: list[Any], weights: dict[str, Any], name: str) -> Any:
    lasts = []
    for layer, state in enumerate(first):
        inputs = twin_gru(inputs, state, weights, name, layer)
        lasts.append(inputs[-1])
    return torch.stack(list(inputs)), lasts


def twin_states(
    weights: dict[str, Any], text: Sequence[int], source: Sequence[int], layers: int
) -> tuple[Any, Any, Any]:
    """Return h_s, h_t and c(t) of a text and its source."""
    units = weights["joined.bias"].shape[0]
    nothing = [torch.zeros(units, dtype=torch.float64) for _ in range(layers)]
    words = [weights["encoder_words.weight"][word] for word in text]
    states, last = twin_layers(words, nothing, weights, "encoder")
    read = [weights["decoder_words.weight"][word] for word in (Special.START, *source)]
    hidden, _ = twin_layers(read, last, weights, "decoder")
    contexts = []
    for step in hidden:
        scores = torch.stack([state @ step for state in states])
        attention = torch.exp(scores) / torch.exp(scores).sum()
        contexts.append(sum(a * state for a, state in zip(attention, states, strict=True)))
    return states, hidden, torch.stack(contexts)


def twin_loss(
    weights: dict[str, Any],
    batch: Sequence[tuple[list[int], list[int]]],
    layers: int,
    *,
    of_batch: bool,
) -> Any:
    targets = [[*source, int(Special.END)] for _, source in batch]
    every = range(len(weights["predicted.bias"]))
    known = sorted({word for one in targets for word in one}) if of_batch else every
    total = torch.zeros((), dtype=torch.float64)
    for (text, source), wanted in zip(batch, targets, strict=True):
        _, hidden, contexts = twin_states(weights, text, source, layers)
        for step, context, word in zip(hidden, contexts, wanted, strict=True):
            joined = weights["joined.weight"] @ torch.cat([context, step]) + weights["joined.bias"]
            output = torch.tanh(joined)
            logits = weights["predicted.weight"] @ output + weights["predicted.bias"]
            among = torch.stack([logits[one] for one in known])
            total = total - (logits[word] - torch.logsumexp(among, dim=0))
    return total


RAGGED = [([4, 5, 6, 4], [7, 4]), ([5], [4, 5, 6]), ([6, 1], []), ([4, 4, 5], [1, 7, 7, 4])]


@pytest.fixture(params=[1, 2], ids=["one layer", "two layers"])
def network(request: pytest.FixtureRequest) -> ContextNetwork:
    recipe = replace(TINY, layers=request.param, seed=3)
    made = ContextNetwork(recipe, 7, 8)
    made.modules.double()
    return made


def in_64_bits(network: ContextNetwork) -> dict[str, Any]:
    return {name: one.detach().clone().requires_grad_() for name, one in network.parameters()}


def padded(batch: Sequence[tuple[list[int], list[int]]]) -> PaddedPairs:
    texts = [np.array(text) for text, _ in batch]
    inputs = [np.array([int(Special.START), *source]) for _, source in batch]
    targets = [np.array([*source, int(Special.END)]) for _, source in batch]
    lengths = torch.tensor([len(text) for text in texts])
    rows = (torch.from_numpy(filled_rows(one)) for one in (texts, inputs, targets))
    first, second, third = rows
    return PaddedPairs(first, lengths, second, third)


def layers_of(network: ContextNetwork) -> int:
    return int(network.modules["encoder"].num_layers)


@pytest.mark.parametrize("of_batch", [False, True], ids=["all words", "words of the batch"])
def test_loss_and_gradients_are_those_of_the_formulas(
    network: ContextNetwork,
    monkeypatch: pytest.MonkeyPatch,
    of_batch: bool,  # noqa: FBT001
) -> None:
    if of_batch:
        monkeypatch.setattr(context_network, "MOST_PREDICTED", 1)
    weights = in_64_bits(network)
    expected = twin_loss(weights, RAGGED, layers_of(network), of_batch=of_batch)
    found, words = network.loss(padded(RAGGED))
    assert words == sum(len(source) + 1 for _, source in RAGGED)
    assert float(found.detach()) == pytest.approx(float(expected.detach()), rel=1e-12)
    names = list(weights)
    own = torch.autograd.grad(found, [one for _, one in network.parameters()])
    theirs = torch.autograd.grad(expected, [weights[name] for name in names])
    for name, one, other in zip(names, own, theirs, strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-9, atol=1e-12, err_msg=name)
        assert one.abs().max() > 0, name


def test_attention_adds_up_to_one_and_leaves_padding_out(network: ContextNetwork) -> None:
    pairs = padded(RAGGED)
    states, last = network.encoded(pairs.texts, pairs.lengths)
    weights = network.attention(
        states, network.decoded(pairs.inputs, last), pairs.texts == int(Special.PADDING)
    )
    np.testing.assert_allclose(weights.sum(dim=-1).detach().numpy(), 1.0, rtol=1e-12)
    assert float(weights[1, :, 1:].detach().abs().max()) == 0


@pytest.mark.parametrize("kind", list(ContextVector))
def test_vectors_are_those_of_the_formulas(network: ContextNetwork, kind: ContextVector) -> None:
    weights = in_64_bits(network)
    network.modules.float()
    words = Vocabulary(("a", "b", "c")), Vocabulary(("d", "e", "f", "g"))
    recipe = replace(TINY, layers=layers_of(network))
    facts = ContextModel.of_training(
        ContextTraining(pairs_of([], []), recipe), pairs_of([], []), recipe
    ).facts
    model = ContextModel(network, *words, facts)
    texts = [np.array(text, dtype=np.int32) for text, _ in RAGGED]
    sources = [np.array(source, dtype=np.int32) for _, source in RAGGED]
    found = model.vectors(texts, sources, kind)
    for row, (text, source) in zip(found, RAGGED, strict=True):
        states, _, contexts = twin_states(weights, text, source, layers_of(network))
        expected = contexts.mean(dim=0) if kind is ContextVector.ATTENTION else states[-1]
        unit = (expected / expected.norm()).detach().numpy()
        np.testing.assert_allclose(row, unit, rtol=1e-4, atol=1e-6)


def test_the_vector_of_a_text_does_not_depend_on_the_others(pairs: ContextPairs) -> None:
    recipe = ContextRecipe(epochs=1, repeats=1)
    training = ContextTraining(pairs, recipe)
    training.run()
    model = ContextModel.of_training(training, pairs, recipe)
    texts = [model.text_words.ids(words) for words in pairs.references]
    sources = [model.source_words.ids(words) for words in pairs.sources]
    together = model.vectors(texts, sources, ContextVector.ATTENTION)
    for place in (0, 7, len(texts) - 1):
        alone = model.vectors(texts[place : place + 1], sources[place : place + 1], "attention")  # type: ignore[arg-type]
        np.testing.assert_array_equal(alone[0], together[place])


# Training.


def weights_of(training: ContextTraining) -> dict[str, Any]:
    return training.network.weights()


def trained(pairs: ContextPairs, recipe: ContextRecipe = SMALL) -> ContextTraining:
    training = ContextTraining(pairs, recipe)
    training.run()
    return training


def assert_same(one: ContextTraining, other: ContextTraining) -> None:
    assert one.position.losses == other.position.losses
    theirs = weights_of(other)
    for name, weights in weights_of(one).items():
        np.testing.assert_array_equal(weights, theirs[name], err_msg=name)


def test_the_same_seed_gives_the_same_model(pairs: ContextPairs) -> None:
    first, second = trained(pairs), trained(pairs)
    assert_same(first, second)
    other = trained(pairs, replace(SMALL, seed=2))
    assert other.position.losses != first.position.losses


def test_the_number_of_threads_changes_nothing(pairs: ContextPairs) -> None:
    before = torch.get_num_threads()
    found = []
    try:
        for threads in (1, 3):
            torch.set_num_threads(threads)
            found.append(trained(pairs))
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert_same(*found)


def test_the_order_of_the_segments_changes_nothing() -> None:
    texts, sources = counted_texts(12)
    whole, turned = pairs_of(texts, sources), pairs_of(texts[::-1], sources[::-1])
    assert whole == turned
    assert whole.digest != pairs_of(texts, sources[::-1]).digest


def test_the_loss_falls(pairs: ContextPairs) -> None:
    losses = trained(pairs).position.losses
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.8 * losses[0]


def test_a_trained_model_beats_one_of_shuffled_sources() -> None:
    texts, sources = counted_texts(80)
    recipe = replace(SMALL, epochs=10, batch=20, rate=0.02)
    right = trained(pairs_of(texts[:60], sources[:60]), recipe)
    wrong = trained(pairs_of(texts[:60], [*sources[1:60], sources[0]]), recipe)

    def loss(training: ContextTraining) -> float:
        unseen = [
            (
                training.text_words.ids(text.split()).tolist(),
                training.source_words.ids(source.split()).tolist(),
            )
            for text, source in zip(texts[60:], sources[60:], strict=True)
        ]
        with torch.no_grad():
            total, words = training.network.loss(padded(unseen))
        return float(total) / words

    untrained = ContextTraining(pairs_of(texts[:60], sources[:60]), recipe)
    assert loss(right) < loss(untrained) - 0.3
    assert loss(right) < loss(wrong) - 0.3


class Interrupt(Exception):
    """Stands for Ctrl-C."""


@pytest.mark.parametrize("stop", [1, 3, 5, 9])
def test_an_interrupted_training_goes_on_as_if_it_had_not_been(
    pairs: ContextPairs, tmp_path: Path, stop: int
) -> None:
    state = tmp_path / "state.safetensors"

    def interrupt(position: Any, _done: float) -> None:
        if position.step == stop:
            raise Interrupt

    recipe = replace(SMALL, epochs=2, repeats=1, batch=8)
    first = ContextTraining(pairs, recipe)
    with pytest.raises(Interrupt):
        first.run(interrupt, state, seconds_between_states=0)
    second = ContextTraining(pairs, recipe)
    second.run(state=state)
    assert second.position.step == 10
    assert_same(second, trained(pairs, recipe))


def test_a_full_disk_leaves_the_last_state(
    pairs: ContextPairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state.safetensors"
    training = ContextTraining(pairs, replace(SMALL, epochs=1, repeats=1))
    training.run(state=state)
    before = state.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tenbin.annotation.context.training.TensorWriter.finish", full)
    with pytest.raises(OutputError, match="No space left on device"):
        training.write_state(state)
    assert state.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [state.name]


def test_a_damaged_or_foreign_state_is_refused(pairs: ContextPairs, tmp_path: Path) -> None:
    state = tmp_path / "state.safetensors"
    ContextTraining(pairs, replace(SMALL, epochs=1, repeats=1)).run(state=state)
    with pytest.raises(UnreadableFile, match="another number of weights"):
        ContextTraining(pairs, replace(SMALL, units=3)).read_state(state)
    content = bytearray(state.read_bytes())
    content[-7] ^= 1
    state.write_bytes(content)
    with pytest.raises(UnreadableFile, match="Remove it to begin"):
        ContextTraining(pairs, SMALL).read_state(state)


def test_early_stopping(pairs: ContextPairs) -> None:
    losses = trained(pairs, replace(SMALL, rate=1e-9, epochs=9)).position.losses
    assert len(losses) == 2
    assert losses[0] - losses[1] < LEAST_GAIN


def test_a_rate_that_is_too_high(pairs: ContextPairs) -> None:
    training = ContextTraining(pairs, SMALL)
    no_number = np.full(training.network.weights()["joined.bias"].shape, np.nan, dtype=np.float32)
    training.network.load({**training.network.weights(), "joined.bias": no_number})
    with pytest.raises(InputError, match=r"step 1: the loss is nan. Choose a smaller rate"):
        training.run()


def test_long_texts_are_cut_for_training_alone() -> None:
    long = " ".join(NUMBERS * 40)
    training = trained(pairs_of([long, "one"], ["eins " * 300, "eins"]), TINY)
    assert training._lengths.max() == LONGEST
    assert np.isfinite(training.position.losses).all()


def test_rare_words_are_unknown(pairs: ContextPairs) -> None:
    training = ContextTraining(pairs, replace(TINY, vocabulary=3))
    assert len(training.text_words) == 3 + len(Special)
    assert training.text_words.ids(["no such word"]).tolist() == [Special.UNKNOWN]


@pytest.mark.parametrize(
    ("texts", "sources"),
    [([], []), ([""], ["a"]), (["a"], [" "]), (["", "\t"], ["", "b"])],
    ids=["none", "no reference", "no source", "blanks"],
)
def test_pairs_without_words_are_left_out(texts: list[str], sources: list[str]) -> None:
    found = pairs_of(texts, sources)
    assert len(found) == 0
    training = trained(found, TINY)
    assert training.position.losses == []


def test_settings_have_ranges() -> None:
    for name, value in (("units", 0), ("layers", 5), ("rate", 0), ("epochs", 101), ("seed", -1)):
        with pytest.raises(UsageError, match=f"{name}={value}: give a"):
            replace(TINY, **{name: value})


# Folders and the cache.


@pytest.fixture(scope="module")
def model(pairs: ContextPairs) -> ContextModel:
    return ContextModel.of_training(trained(pairs, TINY), pairs, TINY)


def same_model(one: ContextModel, other: ContextModel) -> bool:
    own, theirs = one.network.weights(), other.network.weights()
    return (
        (one.text_words, one.source_words, one.facts)
        == (other.text_words, other.source_words, other.facts)
    ) and all(np.array_equal(own[name], theirs[name]) for name in own)


def test_a_folder_reads_back(model: ContextModel, tmp_path: Path) -> None:
    tokens = {"tokenizer": "13a", "source_tokenizer": "char"}
    write_model(tmp_path, model, tokens)
    found, read = read_model(tmp_path)
    assert read == tokens
    assert same_model(found, model)
    assert same_model(opened_model(tmp_path), model)
    assert {path.name for path in tmp_path.iterdir()} == {WEIGHTS, WORDS, CONFIG}
    assert set(json.loads((tmp_path / WORDS).read_text())) == {"texts", "sources"}


def test_the_largest_model_reads_back(pairs: ContextPairs, tmp_path: Path) -> None:
    recipe = replace(TINY, layers=4)
    training = ContextTraining(pairs, recipe)
    training.position.losses = [float(np.pi) / (number + 1) for number in range(100)]
    model = ContextModel.of_training(training, pairs, recipe)
    write_model(tmp_path, model, {})
    assert same_model(read_model(tmp_path)[0], model)


def test_damaged_folders_are_refused(model: ContextModel, tmp_path: Path) -> None:
    write_model(tmp_path, model, {})
    words, weights, config = (tmp_path / name for name in (WORDS, WEIGHTS, CONFIG))
    sound = words.read_bytes(), weights.read_bytes(), config.read_bytes()
    for file, content in (
        (words, b""),
        (words, b"[]"),
        (words, b'{"texts": ["a"], "sources": []}'),
        (weights, b""),
        (weights, sound[1][:-3]),
        (weights, sound[1][:-3] + b"abc"),
        (config, b"{}"),
        (config, sound[2].replace(b'"units": 5', b'"units": 6')),
        (config, sound[2].replace(b'"units": 5', b'"units": -5')),
    ):
        file.write_bytes(content)
        with pytest.raises(UnreadableFile, match=r"[Bb]uild (it|or download it) again"):
            read_model(tmp_path)
        words.write_bytes(sound[0])
        weights.write_bytes(sound[1])
        config.write_bytes(sound[2])
    words.unlink()
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_model(tmp_path)
    config.unlink()
    with pytest.raises(UnreadableFile, match=f"there is no {CONFIG} in it"):
        read_model(tmp_path)


def test_a_trained_model_is_cached(
    pairs: ContextPairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = trained_model(pairs, TINY)
    key = model_key(pairs, TINY)
    assert [path.name for path in (tmp_path / "models").iterdir()] == [key]
    loading._recent.clear()

    def never(*_: object) -> None:
        raise AssertionError("trained again")

    monkeypatch.setattr(loading, "_trained", never)
    assert same_model(trained_model(pairs, TINY), first)


def test_without_a_cache_nothing_is_read_or_written(
    pairs: ContextPairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with caching(enabled=False):
        first = trained_model(pairs, TINY)
        assert trained_model(pairs, TINY) is first, "in memory"
    assert not (tmp_path / "models").exists()
    loading._recent.clear()
    trained_model(pairs, TINY)
    loading._recent.clear()
    from_disk = trained_model(pairs, TINY)
    monkeypatch.setattr(ModelCache, "find", lambda *_: pytest.fail("the cache was read"))
    with caching(enabled=False):
        again = trained_model(pairs, TINY)
    assert again is not from_disk
    assert same_model(again, from_disk)


def test_a_damaged_entry_is_made_anew_with_a_note(
    pairs: ContextPairs, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = trained_model(pairs, TINY)
    place = tmp_path / "models" / model_key(pairs, TINY)
    (place / WORDS).write_text("{}")
    loading._recent.clear()
    with caplog.at_level(logging.WARNING):
        second = trained_model(pairs, TINY)
    assert "a context model of the cache was damaged; it is trained again" in caplog.text
    assert same_model(first, second)
    assert read_model(place)[0].facts == first.facts


def test_a_disk_without_room_is_no_error(
    pairs: ContextPairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(context_cache, "write_model", full)
    trained_model(pairs, TINY)
    assert list((tmp_path / "models").iterdir()) == []


def test_the_oldest_models_are_removed(
    model: ContextModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_cache, "MOST_MODELS", 2)
    kept = ModelCache(tmp_path / "few")
    for key in ("a", "b", "c"):
        kept.store(key, model)
    assert len(list((tmp_path / "few").iterdir())) == 2
