"""Updates of word vectors: the twins agree, and both follow the gradient of the loss."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.arrays import IntArray
from tenbin.formats.vectors.stream import Float32Array
from tenbin.kernels.compiled.training import word_prediction as compiled
from tenbin.kernels.training import word_prediction as plain
from tenbin.kernels.training.random_bits import RandomBits
from tenbin.kernels.training.sampling import CERTAIN, alias_table, kept_chances, negative_chances
from tenbin.kernels.training.word_prediction import (
    UNKNOWN,
    LanguageSide,
    Updates,
    WordLinks,
    no_links,
    padded,
    sigmoid_table,
    train_bitext,
    train_text,
    uniform_alignment,
)

TABLE = sigmoid_table()


TWINS: dict[str, tuple[Any, Any]] = {
    "plain": (plain.plain_train_text, plain.plain_train_bitext),
    "compiled": (compiled.train_text, compiled.train_bitext),
}
each_twin = pytest.mark.parametrize("twin", TWINS)


def updates(**changes: float) -> Updates:
    usual = {
        "skipgram": False,
        "window": 1,
        "negative": 1,
        "rate": 0.05,
        "least_rate": 0.05,
        "beta": 1.0,
        "total": 1000,
    }
    return Updates(**(usual | changes))  # type: ignore[arg-type]


def rows(numbers: object, dimensions: int) -> Float32Array:
    given = np.array(numbers, dtype=np.float32)
    found = np.zeros((len(given), padded(dimensions)), dtype=np.float32)
    found[:, :dimensions] = given
    return found


def side(
    segments: list[list[int]],
    inputs: object,
    outputs: object,
    *,
    samples: IntArray,
    kept: IntArray | None = None,
) -> LanguageSide:
    count = len(samples)
    dimensions = np.array(inputs).shape[1]
    ends = np.cumsum([0, *map(len, segments)])
    return LanguageSide(
        words=np.array([word for segment in segments for word in segment], dtype=np.int32),
        offsets=ends.astype(np.int64),
        kept=np.full(count, CERTAIN, dtype=np.int64) if kept is None else kept,
        samples=samples,
        inputs=rows(inputs, dimensions),
        outputs=rows(outputs, dimensions),
    )


def always(word: int, count: int) -> IntArray:
    """A table from which only one word is drawn."""
    return np.array([(0, word)] * count, dtype=np.int64)


# Worked examples of the specification.


def test_uniform_alignment() -> None:
    assert uniform_alignment(4, 6) == [0, 1, 3, 4]
    assert uniform_alignment(6, 4) == [0, 0, 1, 2, 2, 3]
    assert uniform_alignment(5, 5) == [0, 1, 2, 3, 4]


@each_twin
def test_one_cbow_update(twin: str) -> None:
    # Words 0 and 2 are the context of word 1, whose output vector is 0. The only negative sample
    # is word 1 itself, which is skipped, and its input vector of 0 changes nothing elsewhere.
    text = side([[0, 1, 2]], [(1, 0), (0, 0), (0, 1)], np.zeros((3, 2)), samples=always(1, 3))
    TWINS[twin][0](text, updates(), TABLE, 0, 1, 0, np.uint64(1))
    np.testing.assert_allclose(text.outputs[1, :2], (0.0125, 0.0125), rtol=1e-6)
    assert text.inputs[[0, 2], :2].tolist() == [[1, 0], [0, 1]]
    assert not text.outputs[:, 2:].any()


# The gradient of the loss.


def step(
    torch: Any,
    parameters: dict[str, list[Any]],
    word: int,
    context: list[int],
    negative: int,
    rate: float,
    sides: tuple[str, str],
) -> float:
    """Update vectors by one prediction, with gradients that torch derives; return the loss."""
    own, other = sides
    outputs, inputs = parameters[f"{own} outputs"], parameters[f"{other} inputs"]
    hidden = torch.stack([inputs[one] for one in context]).mean(0).detach().requires_grad_()
    targets = [(word, 1.0)] + ([(negative, -1.0)] if negative != word else [])
    chosen = [outputs[one].detach().requires_grad_() for one, _ in targets]
    loss = sum(
        -torch.nn.functional.logsigmoid(sign * hidden @ vector)
        for (_, sign), vector in zip(targets, chosen, strict=True)
    )
    loss.backward()
    for (one, _), vector in zip(targets, chosen, strict=True):
        outputs[one] = vector.detach() - rate * vector.grad
    for one in context:
        inputs[one] = inputs[one] - rate * hidden.grad
    return float(loss.detach())


def neighbors(segment: list[int], place: int) -> list[int]:
    return segment[max(0, place - 1) : place] + segment[place + 1 : place + 2]


def predict(
    torch: Any,
    parameters: dict[str, list[Any]],
    word: int,
    context: list[int],
    rate: float,
    sides: tuple[str, str],
    *,
    skipgram: bool,
) -> float:
    groups = [[one] for one in context] if skipgram else [context] if context else []
    return sum(step(torch, parameters, word, group, 0, rate, sides) for group in groups)


def tensors(torch: Any, named: dict[str, Float32Array]) -> dict[str, list[Any]]:
    return {name: list(torch.tensor(given).double()) for name, given in named.items()}


@each_twin
@pytest.mark.parametrize("skipgram", [False, True])
def test_text_follows_the_gradient(twin: str, *, skipgram: bool) -> None:
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(7)
    segments = [[0, 1, 2, 3, 1], [4], [], [2, 4, 2]]
    text = side(segments, rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), samples=always(0, 5))
    expected = tensors(torch, {"a inputs": text.inputs, "a outputs": text.outputs})
    total, words = 0.0, 0
    falling = updates(skipgram=skipgram, rate=0.3, least_rate=0.1, total=9)
    for segment in segments:
        rate = 0.3 - 0.2 * words / 9
        for place, word in enumerate(segment):
            context = neighbors(segment, place)
            total += predict(torch, expected, word, context, rate, ("a", "a"), skipgram=skipgram)
        words += len(segment)
    loss, count = TWINS[twin][0](text, falling, TABLE, 0, 4, 0, np.uint64(3))
    assert count == (12 if skipgram else 8)
    assert loss == pytest.approx(total, rel=1e-5)
    for name, found in (("a inputs", text.inputs), ("a outputs", text.outputs)):
        np.testing.assert_allclose(found, torch.stack(expected[name]), atol=2e-6)


@each_twin
@pytest.mark.parametrize("skipgram", [False, True])
@pytest.mark.parametrize("linked", [False, True])
def test_bitext_follows_the_gradient(twin: str, *, skipgram: bool, linked: bool) -> None:
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(8)
    sources, targets = [[0, 1, 2, 3], [1]], [[0, UNKNOWN, 1, 2, 1, 0], [2, 1]]
    links = [[(0, 2), (3, 0), (2, 1), (1, 5)], [(0, 1)]]
    source = side(sources, rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), samples=always(0, 4))
    target = side(targets, rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), samples=always(0, 3))
    expected = tensors(
        torch,
        {
            "s inputs": source.inputs,
            "s outputs": source.outputs,
            "t inputs": target.inputs,
            "t outputs": target.outputs,
        },
    )
    total = 0.0
    for number, (segment, whole) in enumerate(zip(sources, targets, strict=True)):
        kept = [word for word in whole if word != UNKNOWN]
        places = [None if w == UNKNOWN else i - (UNKNOWN in whole[:i]) for i, w in enumerate(whole)]
        for name, words in (("s", segment), ("t", kept)):
            for place, word in enumerate(words):
                context = neighbors(words, place)
                total += predict(
                    torch, expected, word, context, 0.2, (name, name), skipgram=skipgram
                )
        even = list(enumerate(uniform_alignment(len(segment), len(whole))))
        for i, j in sorted(links[number]) if linked else even:
            there = places[j]
            if there is None:
                continue
            forward = segment[i], neighbors(kept, there), 0.1, ("s", "t")
            total += predict(torch, expected, *forward, skipgram=skipgram)
            backward = kept[there], neighbors(segment, i), 0.1, ("t", "s")
            total += predict(torch, expected, *backward, skipgram=skipgram)
    given = no_links()
    if linked:
        pairs = [pair for one in links for pair in sorted(one)]
        given = WordLinks(
            np.array([i for i, _ in pairs], dtype=np.int32),
            np.array([j for _, j in pairs], dtype=np.int32),
            np.array([0, 4, 5], dtype=np.int64),
        )
    chosen = updates(skipgram=skipgram, rate=0.2, least_rate=0.2, beta=0.5)
    loss, _ = TWINS[twin][1](source, target, given, chosen, TABLE, 0, 2, 0, np.uint64(3))
    assert loss == pytest.approx(total, rel=1e-5)
    for name, found in zip(
        expected, (source.inputs, source.outputs, target.inputs, target.outputs), strict=True
    ):
        np.testing.assert_allclose(found, torch.stack(expected[name]), atol=3e-6)


# The twins.


@st.composite
def texts(draw: st.DrawFn, count: int, dimensions: int) -> LanguageSide:
    words = draw(st.integers(1, 6))
    word = st.integers(UNKNOWN, words - 1)
    segments = draw(st.lists(st.lists(word, max_size=12), min_size=count, max_size=count))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    counts = rng.integers(1, 100, words)
    return side(
        segments,
        rng.normal(size=(words, dimensions)),
        rng.normal(size=(words, dimensions)),
        samples=alias_table(negative_chances(counts)),
        kept=kept_chances(counts, draw(st.sampled_from([0, 0.1, 0.01]))),
    )


chosen_updates = st.builds(
    Updates,
    skipgram=st.booleans(),
    window=st.integers(1, 5),
    negative=st.integers(1, 6),
    rate=st.sampled_from([0.05, 1.0]),
    least_rate=st.sampled_from([0.0, 0.05]),
    beta=st.sampled_from([0.0, 0.5, 1.0]),
    total=st.integers(200, 1000),
)


def copied(text: LanguageSide) -> LanguageSide:
    return LanguageSide._make(part.copy() for part in text)


def assert_same(one: LanguageSide, other: LanguageSide) -> None:
    assert one.inputs.tobytes() == other.inputs.tobytes()
    assert one.outputs.tobytes() == other.outputs.tobytes()


@given(st.data(), chosen_updates, st.integers(0, 2**64 - 1))
def test_twins_agree_on_texts(data: st.DataObject, chosen: Updates, start: int) -> None:
    text = data.draw(texts(3, data.draw(st.sampled_from([1, 16, 20]))))
    found = []
    for one, _ in TWINS.values():
        trained = copied(text)
        loss, count = one(trained, chosen, TABLE, 0, 3, 5, np.uint64(start))
        found.append((trained, loss, count))
    assert_same(found[0][0], found[1][0])
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-12)
    assert found[0][2] == found[1][2]


@given(st.data(), chosen_updates, st.integers(0, 2**64 - 1))
def test_twins_agree_on_bitexts(data: st.DataObject, chosen: Updates, start: int) -> None:
    dimensions = data.draw(st.sampled_from([1, 16, 20]))
    pair = [data.draw(texts(2, dimensions)) for _ in range(2)]
    links = no_links()
    if data.draw(st.booleans()):
        drawn = []
        for number in range(2):
            sizes = [int(np.diff(text.offsets)[number]) for text in pair]
            possible = [(i, j) for i in range(sizes[0]) for j in range(sizes[1])]
            drawn.append(data.draw(st.sets(st.sampled_from(possible))) if possible else set())
        pairs = [link for one in drawn for link in sorted(one)]
        ends = np.cumsum([0, *map(len, drawn)]).astype(np.int64)
        columns = np.array(pairs, dtype=np.int32).reshape(-1, 2).T
        links = WordLinks(columns[0].copy(), columns[1].copy(), ends)
    found = []
    for _, one in TWINS.values():
        trained = [copied(text) for text in pair]
        loss, count = one(*trained, links, chosen, TABLE, 0, 2, 5, np.uint64(start))
        found.append((trained, loss, count))
    for mine, theirs in zip(found[0][0], found[1][0], strict=True):
        assert_same(mine, theirs)
    assert found[0][1] == pytest.approx(found[1][1], rel=1e-12)
    assert found[0][2] == found[1][2]


@each_twin
def test_numbers_without_bounds_do_no_harm(twin: str) -> None:
    # Nothing is read beyond the table of the sigmoid.
    huge = [(np.inf, 1), (np.nan, 0), (3e38, 3e38)]
    text = side([[0, 1, 2, 2, 1, 0]], huge, huge, samples=always(2, 3))
    _, count = TWINS[twin][0](text, updates(window=5), TABLE, 0, 1, 0, np.uint64(1))
    assert count == 6


@each_twin
def test_segments_are_trained_one_by_one(twin: str) -> None:
    rng = np.random.default_rng(1)
    vectors, table = rng.normal(size=(4, 2)), alias_table(np.full(4, 0.25))
    text = side([[0, 1], [2, 3, 1], [1, 1]], vectors, np.zeros((4, 2)), samples=table)
    parts = copied(text)
    TWINS[twin][0](text, updates(), TABLE, 1, 2, 2, np.uint64(9))
    alone = parts._replace(words=parts.words[2:5].copy(), offsets=np.array([0, 3], dtype=np.int64))
    TWINS[twin][0](alone, updates(), TABLE, 0, 1, 2, np.uint64(9))
    assert_same(text, alone)


def test_the_sigmoid_is_near_enough() -> None:
    points = np.linspace(-10, 10, 5003).astype(np.float32)
    learner = plain._Learner(updates(), TABLE, RandomBits(1))
    found = np.array([learner._at(point) for point in points])
    exact = points.astype(np.float64)
    np.testing.assert_allclose(found[:, 0], 1 / (1 + np.exp(-exact)), atol=1.5e-6)
    np.testing.assert_allclose(found[:, 1], np.log1p(np.exp(-exact)), atol=4e-6)


def test_little_work_runs_the_plain_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for choice in ("plain", "compiled"):
        monkeypatch.setenv("TENBIN_KERNELS", choice)
        rng = np.random.default_rng(2)
        texts = [
            side([[0, 1, 2]], rng.normal(size=(3, 4)), np.zeros((3, 4)), samples=always(0, 3))
            for _ in range(2)
        ]
        where = {"first": 0, "last": 1, "done": 0, "start": 2**63}
        first = train_text(texts[0], updates(), TABLE, **where)
        second = train_bitext(texts[0], texts[1], no_links(), updates(), TABLE, **where)
        results.append((first, second, [text.inputs.tobytes() for text in texts]))
    assert results[0] == results[1]
