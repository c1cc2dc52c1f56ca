"""Edit distance in characters after moving blocks of tokens, with the price of the moves.

This is the number behind CharacTER (Wang, Peter, Rosendahl and Ney, 2016, "CharacTer: Translation
Edit Rate on Character Level"), as the authors' program computes it: only equal tokens are moved,
where the paper would also move similar ones.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein

from tenbin.kernels.arrays import FloatArray, IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

BLANK = ord(" ")

# Comparisons of two tokens that the plain twin makes in the two seconds that starting numba takes;
# of pairs of a hundred tokens and more it makes as many times more as they are longer.
_THRESHOLD = 4_000_000
_SHORT = 50
LONGEST_WHOLE = 1_000
"""Tokens of the longer row up to which a pair is taken as a whole."""
WINDOW_STEPS = 500
"""Steps of the alignment of a longer pair that make a window."""


def block_shift_distance(
    values: IdArray,
    offsets: IntArray,
    character_values: IdArray,
    character_offsets: IntArray,
    left: IntArray,
    right: IntArray,
) -> FloatArray:
    """Return what it takes to turn each hypothesis into its reference, and the hypothesis length.

    First, tokens are moved. For every pair of equal tokens at different positions i of the
    hypothesis and j of the reference, the longest equal block from there can be moved to index j of
    the hypothesis without it. Of all such moves the one that lowers the edit distance in tokens
    most is made, on a tie that with the greatest token list in the order of the tokens' characters,
    until none lowers it. Then the characters of the moved hypothesis and of the reference, one
    blank between two tokens, give an edit distance; each block that the moves took to the right
    adds its average token length.

    CharacTER is the first number divided by the second, at most 1. An empty hypothesis gives length
    0; against an empty reference the first number is the length.

    The time for one pair of n tokens each grows with the fourth power of n: a thousand tokens of
    running text take a few seconds. A pair with more than `LONGEST_WHOLE` tokens on one side is
    therefore taken in windows: the cheapest alignment of its tokens is cut after every
    `WINDOW_STEPS` steps (a step passes one token of either side, or one of both), tokens move
    within their window, and the distances of the windows and the moves add up.

    Args:
        values: Tokens of all rows.
        offsets: Row r is ``values[offsets[r]:offsets[r + 1]]``.
        character_values: Code points of all tokens; no two tokens have the same.
        character_offsets: Token t is spelled ``character_values[character_offsets[t]:...[t + 1]]``.
        left: Hypothesis row of each pair.
        right: Reference row of each pair.

    Returns:
        Array of shape (pairs, 2): edit distance plus cost of the moves, length in characters.

    Example:
        The tokens ``a b`` against ``b a``: one move, of a token of one character.

        >>> values, offsets = np.array([0, 1, 1, 0], dtype=np.int32), np.array([0, 2, 4])
        >>> spelling = np.array([97, 98], dtype=np.int32), np.array([0, 1, 2])
        >>> block_shift_distance(values, offsets, *spelling, np.array([0]), np.array([1]))
        array([[1., 3.]])
    """
    lengths = np.diff(offsets)
    long = np.maximum(lengths[left], lengths[right]) > LONGEST_WHOLE
    if long.any():
        spelling = character_values, character_offsets
        return _in_windows(values, offsets, spelling, left, right, long)
    cells = (lengths[left] * lengths[right]).astype(np.float64)
    longer = np.maximum(lengths[left], lengths[right]) / _SHORT
    work = int((cells * np.maximum(longer, 1) ** 2).sum())
    compiled = compiled_twin("edits.block_shift", work=work, threshold=_THRESHOLD)
    twin = plain_block_shift_distance if compiled is None else compiled.block_shift_distance
    distances: FloatArray = twin(values, offsets, character_values, character_offsets, left, right)
    return distances


def _in_windows(
    values: IdArray,
    offsets: IntArray,
    spelling: tuple[IdArray, IntArray],
    left: IntArray,
    right: IntArray,
    long: npt.NDArray[np.bool_],
) -> FloatArray:
    """Return the distances of pairs of which some are long; see `block_shift_distance`."""
    rows = [values[offsets[row] : offsets[row + 1]] for row in range(len(offsets) - 1)]
    pairs: list[tuple[int, int]] = []
    firsts = [0]
    for own, other, split in zip(left.tolist(), right.tolist(), long.tolist(), strict=True):
        parts = _windows(rows[own], rows[other]) if split else ()
        for hypothesis, reference in parts:
            pairs.append((len(rows), len(rows) + 1))
            rows += (hypothesis, reference)
        if not split:
            pairs.append((own, other))
        firsts.append(len(pairs))
    bounds = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    numbers = np.array(pairs, dtype=np.int64).T
    # No window is long.
    parts_found = block_shift_distance(
        np.concatenate(rows).astype(values.dtype), bounds, *spelling, *numbers
    )
    found = np.add.reduceat(parts_found, firsts[:-1], axis=0)
    # One blank between two windows.
    found[:, 1] += np.diff(firsts) - 1
    return found


def _windows(hypothesis: IdArray, reference: IdArray) -> Iterator[tuple[IdArray, IdArray]]:
    """Yield the windows of a long pair; each has at most `WINDOW_STEPS` tokens of either side."""
    own, other = hypothesis.tolist(), reference.tolist()
    steps = 0
    start = 0, 0
    for block in Levenshtein.opcodes(own, other):
        count = max(block.src_end - block.src_start, block.dest_end - block.dest_start)
        for step in range(count):
            own_at = min(block.src_start + step + 1, block.src_end)
            other_at = min(block.dest_start + step + 1, block.dest_end)
            steps += 1
            if steps % WINDOW_STEPS == 0:
                yield hypothesis[start[0] : own_at], reference[start[1] : other_at]
                start = own_at, other_at
    if start != (len(own), len(other)):
        yield hypothesis[start[0] :], reference[start[1] :]


def plain_block_shift_distance(
    values: IdArray,
    offsets: IntArray,
    character_values: IdArray,
    character_offsets: IntArray,
    left: IntArray,
    right: IntArray,
) -> FloatArray:
    """Return the same numbers as `block_shift_distance`, trying every move."""
    distances = np.empty((len(left), 2))
    for pair, (hypothesis_row, reference_row) in enumerate(zip(left, right, strict=True)):
        hypothesis = values[offsets[hypothesis_row] : offsets[hypothesis_row + 1]].tolist()
        reference = values[offsets[reference_row] : offsets[reference_row + 1]].tolist()
        spelling = {
            token: "".join(
                map(chr, character_values[character_offsets[token] : character_offsets[token + 1]])
            )
            for token in {*hypothesis, *reference}
        }
        shifted = _shifted(hypothesis, reference, spelling)
        text = " ".join(spelling[token] for token in shifted)
        target = " ".join(spelling[token] for token in reference)
        cost = _shift_cost(hypothesis, shifted, spelling)
        distances[pair] = Levenshtein.distance(text, target) + cost, len(text)
    return distances


def _shifted(hypothesis: list[int], reference: list[int], spelling: Mapping[int, str]) -> list[int]:
    """Return the hypothesis after all moves.

    The distance is stored as a rate per reference token, and each gain is taken off it in floating
    point. Where rounding leaves the rate a trifle above its true value, one more move is made that
    gains nothing: so does the authors' program, in about one of a thousand short random pairs.
    """
    if not hypothesis or not reference:
        return hypothesis
    rate = Levenshtein.distance(hypothesis, reference) / len(reference)
    current = hypothesis
    while True:
        candidates = (
            (rate - Levenshtein.distance(moved, reference) / len(reference), moved)
            for moved in _moves(current, reference)
        )
        gain, best = max(
            candidates,
            key=lambda candidate: (candidate[0], [spelling[token] for token in candidate[1]]),
            default=(0.0, current),
        )
        if gain <= 0:
            return current
        rate -= gain
        current = best


def _moves(current: list[int], reference: list[int]) -> Iterator[list[int]]:
    """Yield the hypothesis after each possible move."""
    for start, token in enumerate(current):
        for target, other in enumerate(reference):
            if start != target and token == other:
                size = _common_prefix(current[start:], reference[target:])
                rest = current[:start] + current[start + size :]
                yield rest[:target] + current[start : start + size] + rest[target:]


def _common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Return how many tokens two rows have in common at their beginning."""
    differences = (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    return next(differences, min(len(a), len(b)))


def _shift_cost(hypothesis: list[int], shifted: list[int], spelling: Mapping[int, str]) -> float:
    """Return the average token length of each block that has moved to the right, added up.

    Both rows are read in parallel. Where they differ, the block is the longest one that starts here
    in the original row and at the next occurrence of that token in the shifted one; reading goes on
    behind it. A token that does not occur further right costs nothing.
    """
    cost = 0.0
    position = 0
    while position < len(hypothesis):
        size = 0
        if hypothesis[position] != shifted[position] and hypothesis[position] in shifted[position:]:
            found = shifted.index(hypothesis[position], position)
            size = _common_prefix(hypothesis[position:], shifted[found:])
            block = hypothesis[position : position + size]
            cost += sum(len(spelling[token]) for token in block) / size
        position += max(size, 1)
    return cost
