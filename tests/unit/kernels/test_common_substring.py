"""Longest common substrings of words: both twins against all substrings of short words."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.arrays import Ragged
from tenbin.kernels.compiled.edits import common_substring as compiled
from tenbin.kernels.edits.common_substring import common_substring, plain_common_substring

Twin = Callable[..., tuple[np.ndarray, np.ndarray]]
TWINS = [plain_common_substring, compiled.common_substring]
WORDS = st.lists(st.text("abäc日", min_size=1, max_size=6), min_size=1, max_size=5)


def call(
    twin: Twin,
    words: Sequence[str],
    rows: Sequence[Sequence[int]],
    pairs: Sequence[tuple[int, int]],
) -> list[list[float]]:
    spelled = [word.encode() for word in words]
    laid_out = Ragged.from_rows(rows)
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T.copy()
    blocks, starts = twin(
        np.array(bytearray(b"".join(spelled)), dtype=np.uint8),
        np.cumsum([0, *map(len, spelled)]),
        laid_out.values,
        laid_out.offsets,
        left,
        right,
    )
    assert blocks.dtype == np.float32
    return [blocks[starts[n] : starts[n + 1]].tolist() for n in range(len(pairs))]


def expected(one: str, other: str) -> float:
    own, their = one.encode(), other.encode()
    substrings = [own[a:b] for a in range(len(own)) for b in range(a + 1, len(own) + 1)]
    longest = max((len(part) for part in substrings if part in their), default=0)
    return float(np.float32(2 * longest / (len(own) + len(their))))


@pytest.mark.parametrize("twin", TWINS)
def test_blocks_are_row_major(twin: Twin) -> None:
    words = ["mats", "mask", "a", "b"]
    found = call(twin, words, [[0, 2], [1, 2, 3], []], [(0, 1), (2, 0), (1, 0), (0, 0)])
    assert found[0] == [
        expected(one, other) for one in ("mats", "a") for other in ("mask", "a", "b")
    ]
    assert found[0][:2] == [0.5, np.float32(0.4)]
    assert found[1] == []
    assert len(found[2]) == 6
    assert found[3][0] == found[3][3] == 1


@pytest.mark.parametrize("twin", TWINS)
@given(words=WORDS)
def test_every_pair_of_words(twin: Twin, words: list[str]) -> None:
    row = list(range(len(words)))
    (found,) = call(twin, words, [row], [(0, 0)])
    assert found == [expected(one, other) for one in words for other in words]


@pytest.mark.parametrize("twin", TWINS)
def test_no_pairs(twin: Twin) -> None:
    assert call(twin, ["a"], [[0]], []) == []


def test_the_public_function_chooses_a_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    for choice in ("plain", "compiled"):
        monkeypatch.setenv("TENBIN_KERNELS", choice)
        assert call(common_substring, ["mats", "mask"], [[0], [1]], [(0, 1)]) == [[0.5]]
