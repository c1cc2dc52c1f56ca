"""N-gram precision and recall of YiSi: both twins, the definition, the published scores."""

import gzip
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tenbin.kernels.arrays import FloatArray
from tenbin.kernels.compiled.similarity import windows as compiled_module
from tenbin.kernels.similarity import windows as plain_module

Kernel = Callable[..., FloatArray]
Block = npt.NDArray[np.float32]
Pair = tuple[Block, Sequence[float], Sequence[float]]  # similarities, weights of either side

PUBLIC = plain_module.windowed_similarity
PLAIN = plain_module.plain_windowed_similarity
COMPILED = compiled_module.windowed_similarity
TWINS = pytest.mark.parametrize("kernel", [PLAIN, COMPILED], ids=["plain", "compiled"])


def means_of(kernel: Kernel, pairs: Sequence[Pair], size: int) -> FloatArray:
    blocks = np.concatenate([np.empty(0, dtype=np.float32), *(pair[0].ravel() for pair in pairs)])
    starts = np.concatenate([[0], np.cumsum([pair[0].size for pair in pairs], dtype=np.int64)])
    rows = [row for pair in pairs for row in pair[1:]]
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    weights = np.array([weight for row in rows for weight in row], dtype=np.float64)
    left = np.arange(0, len(rows), 2)
    # What a word weighs on the other side must not matter: rows stand on one side only here.
    left_weights, right_weights = weights.copy(), weights.copy()
    for row in range(len(rows)):
        (right_weights if row % 2 == 0 else left_weights)[offsets[row] : offsets[row + 1]] = np.nan
    return kernel(blocks, starts, offsets, left, left + 1, left_weights, right_weights, size)


def definition(pair: Pair, size: int) -> list[float]:
    """Precision and recall, to the letter of the specification."""
    means = []
    for block, weights in ((pair[0], pair[1]), (pair[0].T, pair[2])):
        n = min(size, *block.shape)
        if n == 0:
            return [0.0, 0.0]
        covered = total = 0.0
        for i in range(block.shape[0] - n + 1):
            weight = sum(weights[i + k] for k in range(n))
            similarities = [
                sum(weights[i + k] * float(block[i + k, j + k]) for k in range(n)) / weight
                for j in range(block.shape[1] - n + 1)
            ]
            covered += weight * max(0.0, *similarities)
            total += weight
        means.append(covered / total)
    return means


def random_pairs(seed: int, count: int) -> list[Pair]:
    rng = np.random.default_rng(seed)
    return [
        (
            rng.uniform(-0.5, 1, (height, width)).astype(np.float32),
            rng.uniform(0.5, 9, height).tolist(),
            rng.uniform(0.5, 9, width).tolist(),
        )
        for height, width in rng.integers(0, 12, (count, 2)).tolist()
    ]


@TWINS
@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_definition(kernel: Kernel, size: int) -> None:
    pairs = random_pairs(size, 40)
    found = means_of(kernel, pairs, size)
    expected = [definition(pair, size) for pair in pairs]
    np.testing.assert_allclose(found, expected, atol=1e-13)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 50])
def test_twins_agree(size: int) -> None:
    pairs = random_pairs(100 + size, 150)
    assert means_of(PLAIN, pairs, size).tolist() == means_of(COMPILED, pairs, size).tolist()


@TWINS
def test_what_is_unlike_counts_as_zero(kernel: Kernel) -> None:
    unlike = np.full((2, 3), -0.5, dtype=np.float32)
    assert means_of(kernel, [(unlike, [1, 2], [1, 2, 3])], 2).tolist() == [[0, 0]]


@TWINS
def test_without_weight_nothing_is_covered(kernel: Kernel) -> None:
    same = np.eye(2, dtype=np.float32)
    assert means_of(kernel, [(same, [0, 0], [1, 1])], 2).tolist() == [[0, 1]]


@TWINS
def test_empty_sides_and_no_pairs(kernel: Kernel) -> None:
    pairs: list[Pair] = [
        (np.empty((0, 0), dtype=np.float32), [], []),
        (np.empty((0, 1), dtype=np.float32), [], [2.0]),
        (np.empty((2, 0), dtype=np.float32), [1.0, 1.0], []),
    ]
    assert means_of(kernel, pairs, 3).tolist() == [[0, 0]] * 3
    assert means_of(kernel, [], 3).shape == (0, 2)


@TWINS
def test_a_pair_is_alike_in_any_batch(kernel: Kernel) -> None:
    pairs = random_pairs(9, 15)
    alone = [means_of(kernel, [pair], 3)[0].tolist() for pair in pairs]
    assert means_of(kernel, pairs, 3).tolist() == alone
    assert means_of(kernel, pairs[::-1], 3).tolist() == alone[::-1]


@pytest.mark.parametrize("choice", ["plain", "compiled"])
def test_the_public_function_runs_either_twin(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_KERNELS", choice)
    pairs = random_pairs(10, 10)
    assert means_of(PUBLIC, pairs, 3).tolist() == means_of(PLAIN, pairs, 3).tolist()


def test_n_grams_have_words() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        means_of(PUBLIC, random_pairs(11, 1), 0)


@TWINS
def test_scores_of_the_reference_program(kernel: Kernel, shared: Path) -> None:
    """YiSi-1 of chikiulo/yisi, commit fd07bfc; see shared/oracles/yisi/README.md."""
    folder = shared / "oracles" / "yisi"
    vectors = {}
    with gzip.open(folder / "mini.d300.en.gz", "rt", encoding="utf-8") as file:
        next(file)
        for line in file:
            word, *numbers = line.split()
            vector = np.array(numbers, dtype=np.float64)
            vectors[word] = vector / np.linalg.norm(vector)
    texts = [
        [line.split() for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("test_hyp.en", "test_ref.en")
    ]

    def weight(word: str) -> float:
        containing = sum(word in row for row in texts[1])
        if not containing:
            containing = sum(word.lower() in row for row in texts[1])
        return math.log2(1 + (len(texts[1]) + 1) / (containing + 1))

    def similarity(one: str, other: str) -> float:
        if one.lower() == other.lower():
            return 1.0
        found = [vectors.get(word, vectors.get(word.lower())) for word in (one, other)]
        if found[0] is None or found[1] is None:
            return 0.0
        return max(0.0, float(found[0] @ found[1]))

    pairs: list[Pair] = [
        (
            np.array([[similarity(one, other) for other in right] for one in left], dtype="f4"),
            [weight(word) for word in left],
            [weight(word) for word in right],
        )
        for left, right in zip(*texts, strict=True)
    ]
    precision, recall = means_of(kernel, pairs, 3).T
    expected = np.loadtxt(folder / "test_hyp.sntyisi1")
    assert expected.shape == (10,)
    scores = precision * recall / (0.8 * precision + 0.2 * recall)
    np.testing.assert_allclose(scores, expected, atol=5e-7)
