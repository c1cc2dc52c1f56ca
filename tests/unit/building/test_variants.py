"""Variants of plain text, and the words they are made of."""

import gzip
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.building.metric.damage import DamageGenerator
from tenbin.building.metric.judged_texts import TextPool
from tenbin.building.metric.plain_text import TEXT, read_plain_text
from tenbin.building.metric.variants import VariantMaker
from tenbin.building.metric.word_neighbors import NEAREST, WordNeighbors
from tenbin.core.errors import InputError, UnreadableFile
from tenbin.kernels.arrays import Float32Array

NAMES = ("[CLS]", "cat", "dog", "##s", "red", "blue", "the", "a", "Cat", "2010")
OTHER = "Tom lives in Boston."
TEXT_WITH_ALL = "In 2010 the red cat was not far from the blue dog of Mary, they say."


def neighbors(names: tuple[str, ...] = NAMES, seed: int = 1) -> WordNeighbors:
    vectors = np.random.default_rng(seed).standard_normal((len(names), 6)).astype(np.float32)
    # Animals are alike, and so are colors.
    for one, other in (("cat", "dog"), ("red", "blue"), ("the", "a")):
        if one in names and other in names:
            vectors[names.index(other)] = vectors[names.index(one)] + 0.01
    return WordNeighbors(names, vectors)


MAKER = VariantMaker(DamageGenerator(), neighbors())


def letters(texts: Sequence[str]) -> Float32Array:
    """Return how often each letter is in each text: texts with the same letters are alike."""
    found = np.zeros((len(texts), 128), np.float32)
    for place, text in enumerate(texts):
        for sign in text:
            found[place, ord(sign) % 128] += 1
    return found


def test_neighbors_are_the_nearest_rows() -> None:
    rng = np.random.default_rng(2)
    vectors = rng.standard_normal((70, 5)).astype(np.float32)
    names = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(70)]
    found = WordNeighbors(names, vectors)
    centered = vectors - vectors.mean(axis=0)
    units = centered / np.linalg.norm(centered, axis=1, keepdims=True)
    for place, name in enumerate(names):
        order = [names[one] for one in np.argsort(-(units @ units[place])) if one != place]
        drawn = {found.draw(name, rng) for _ in range(60)}
        assert drawn <= set(order[:NEAREST])
        assert order[0] in drawn


def test_a_neighbor_has_capitals_like_the_word() -> None:
    found, rng = neighbors(), np.random.default_rng(1)
    assert len(found) == 6  # cat, dog, red, blue, the, a
    words = {one: {found.draw(one, rng) for _ in range(50)} for one in ("cat", "Cat", "CAT")}
    assert {"dog"} <= words["cat"]
    assert all(one is not None and one.islower() for one in words["cat"])
    assert {"Dog", "Red"} <= words["Cat"]
    assert {"DOG", "RED"} <= words["CAT"]
    assert found.draw("mouse", rng) is None


@pytest.mark.parametrize("names", [(), ("cat",), ("##s", "[CLS]")])
def test_tables_without_neighbors(names: tuple[str, ...]) -> None:
    found = WordNeighbors(names, np.ones((len(names), 3), np.float32))
    assert found.draw("cat", np.random.default_rng(1)) is None
    maker = VariantMaker(DamageGenerator(), found)
    assert maker.changed("the cat sat", 5, np.random.default_rng(1), OTHER)


def test_one_change_at_a_time() -> None:
    """Each change leaves most words where they are."""
    words = TEXT_WITH_ALL.split()
    kinds = set()
    for seed in range(300):
        found = MAKER.changed(TEXT_WITH_ALL, 1, np.random.default_rng(seed), OTHER).split()
        kinds.add(len(found) - len(words))
        assert len(set(words) - set(found)) <= 2
    assert kinds == {-1, 0, 1}
    assert MAKER.changed(TEXT_WITH_ALL, 0, np.random.default_rng(1), OTHER) == TEXT_WITH_ALL


def test_words_that_are_moved_do_not_run_together() -> None:
    own = set("abcdefghij")
    text = "a b, c d. e f g h i j"
    for seed in range(200):
        moved = MAKER.changed(text, 6, np.random.default_rng(seed), "k")
        words = set(re.findall(r"\w+", moved))
        assert all(len(one) == 1 or one in NAMES for one in words), moved
        assert words & own


def test_the_same_state_gives_the_same_variant() -> None:
    rounds = [
        [MAKER.variant(TEXT_WITH_ALL, np.random.default_rng(seed), OTHER) for seed in range(300)]
        for _ in range(2)
    ]
    assert rounds[0] == rounds[1]
    # Some are damaged: numbers, names, negations, unrelated, cut, doubled.
    for wrong in ("not ", "2010", "Mary", ","):
        assert any(wrong not in one for one in rounds[0])
    assert OTHER in rounds[0]
    lengths = [len(one) / len(TEXT_WITH_ALL) for one in rounds[0]]
    assert min(lengths) < 0.7
    assert max(lengths) > 1.5


@given(
    st.text(max_size=40),
    st.text(max_size=20),
    st.integers(0, 2**32 - 1),
    st.sampled_from(["en", "ja"]),
)
def test_any_text_has_variants(text: str, other: str, seed: int, language: str) -> None:
    maker = VariantMaker(DamageGenerator(language, spaced=language == "en"), MAKER.neighbors)
    found = maker.variant(text, np.random.default_rng(seed), other)
    assert found == found.strip()


def test_text_without_spaces() -> None:
    maker = VariantMaker(DamageGenerator("ja", spaced=False), neighbors(("猫", "犬", "は")))
    given_text = "猫は好きです。"
    found = {maker.changed(given_text, 1, np.random.default_rng(n), "犬") for n in range(200)}
    # Replaced, dropped, swapped.
    assert {"犬は好きです。", "は好きです。", "は猫好きです。"} <= found
    assert not any(" " in one for one in found)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.gz"
    lines = [f"the red cat number {n} was here" for n in range(40)] + ["", "  ", "the red cat"] * 9
    path.write_bytes(gzip.compress("\n".join(lines).encode() + b"\n"))
    return path


def test_segments_are_compared_with_their_variants(text: Path) -> None:
    pool = TextPool()
    block = read_plain_text([str(text)], pool, MAKER, letters, most=1_000, seed=1)
    texts = pool.listed()
    segments = {f"the red cat number {n} was here" for n in range(40)}
    assert segments <= set(texts)
    assert (block.kind, block.name) == (TEXT, "text.gz")
    rows = block.rows
    assert not rows.labels.any()
    assert 41 * 4 <= len(rows) <= 41 * 5
    pairs = {(texts[a], texts[b]) for a, b in zip(rows.references, rows.hypotheses, strict=True)}
    assert all(one and other and one != other for one, other in pairs)
    # A segment is the reference about as often as its variant.
    first = sum(one in segments for one, _ in pairs) / len(pairs)
    assert 0.3 < first < 0.8
    # Each is compared with one that is like it.
    both = [(one, other) for one, other in pairs if {one, other} <= segments]
    assert len({one for one, _ in both}) > 35
    apart = [abs(len(one) - len(other)) for one, other in both]
    assert np.mean(apart) < 0.5
    again = read_plain_text([str(text)], TextPool(), MAKER, letters, most=1_000, seed=1)
    assert again.digest(texts) == block.digest(texts)
    other = read_plain_text([str(text)], pool, MAKER, letters, most=1_000, seed=2)
    assert other.digest(pool.listed()) != block.digest(pool.listed())


def test_of_many_segments_some_are_drawn(text: Path) -> None:
    counts: dict[str, int] = {}
    for seed in range(60):
        pool = TextPool()
        block = read_plain_text([str(text)], pool, MAKER, letters, most=16, seed=seed)
        assert len(block.rows) <= 15
        for one in pool.listed():
            counts[one] = counts.get(one, 0) + 1
    drawn = [counts.get(f"the red cat number {n} was here", 0) for n in range(40)]
    # Three of 41 in each round: about four times each, from first to last.
    assert np.mean(np.array(drawn) > 0) > 0.9
    assert max(drawn) < 25
    assert 0.5 < sum(drawn[:20]) / sum(drawn[20:]) < 2


def test_text_that_cannot_be_read(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\n \n")
    with pytest.raises(UnreadableFile, match="there is no text"):
        read_plain_text([str(empty)], TextPool(), MAKER, letters, most=10, seed=1)
    short = tmp_path / "short"
    short.write_text("猫\n")
    with pytest.raises(UnreadableFile, match="too short to be changed"):
        read_plain_text([str(short)], TextPool(), MAKER, letters, most=10, seed=1)
    wrong = tmp_path / "wrong"
    wrong.write_bytes(b"fine\n\xff\xfe\n")
    with pytest.raises(InputError, match="line 2"):
        read_plain_text([str(wrong)], TextPool(), MAKER, letters, most=10, seed=1)
