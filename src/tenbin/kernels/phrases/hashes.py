"""64-bit hashes of phrases, computed from numbers of their words.

The hash of a phrase is the same in every text, so that phrases of several texts can be counted and
joined without a common list. Collisions are unlikely but possible: `places_of_phrases`, which maps
hashes back to words, detects them.
"""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Knuth, The Art of Computer Programming 3, 6.4: 2**64 / golden ratio, as a signed number.
FACTOR = 0x9E3779B97F4A7C15 - 2**64
NOWHERE = -1
# Phrases, or words of text, that take the plain twins half a second.
_WORTH_NUMBERING = 500_000
_WORTH_COUNTING = 500_000
_WORTH_SEARCHING = 50_000
_TWO = 2**64
_HALF = 2**63


def phrase_hashes(words: IntArray, first: IntArray, end: IntArray) -> IntArray:
    """Return the hashes of phrases.

    Args:
        words: Number of the word at each position of a text; any 64-bit numbers.
        first: Position of the first word of each phrase.
        end: Position after its last word.

    Example:
        >>> first, end = np.array([0, 1, 2]), np.array([2, 2, 4])
        >>> numbers = phrase_hashes(np.array([5, 7, 5, 7]), first, end)
        >>> bool(numbers[0] == numbers[2]), int(numbers[1])
        (True, 7)
    """
    compiled = compiled_twin("phrases.hashes", work=first.size, threshold=_WORTH_NUMBERING)
    if compiled is not None:
        numbers: IntArray = compiled.phrase_hashes(words, first, end)
        return numbers
    return _plain_phrase_hashes(words, first, end)


def _plain_phrase_hashes(words: IntArray, first: IntArray, end: IntArray) -> IntArray:
    numbers: IntArray = np.zeros(first.size, dtype=np.int64)
    for step in range(int((end - first).max(initial=0))):
        inside = first + step < end
        # Integer arrays overflow silently, as intended.
        numbers[inside] = numbers[inside] * np.int64(FACTOR) + words[first[inside] + step]
    return numbers


def counted_pairs(one: IntArray, other: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return each distinct pair of numbers, by first occurrence, and its count.

    Example:
        >>> [column.tolist() for column in counted_pairs(np.array([3, 1, 3]), np.array([4, 4, 4]))]
        [[3, 1], [4, 4], [2, 1]]
    """
    compiled = compiled_twin("phrases.hashes", work=one.size, threshold=_WORTH_COUNTING)
    if compiled is not None:
        counted: tuple[IntArray, IntArray, IntArray] = compiled.counted_pairs(one, other)
        return counted
    pairs = np.stack([one, other], axis=1)
    _, places, counts = np.unique(pairs, axis=0, return_index=True, return_counts=True)
    order = np.argsort(places)
    chosen = places[order]
    return one[chosen], other[chosen], counts[order].astype(np.int64)


def places_of_phrases(
    values: IdArray, offsets: IntArray, words: IntArray, wanted: IntArray, longest: int
) -> tuple[IntArray, IntArray, int]:
    """Return where phrases with given hashes occur in a text.

    Args:
        values: Word at each position of the text; equal ids mean equal words.
        offsets: Segment s is ``values[offsets[s] : offsets[s + 1]]``.
        words: Number of the word at each position.
        wanted: Hashes of phrases, all different.
        longest: Maximum number of words of a phrase.

    Returns:
        The first position of each phrase, or `NOWHERE`; its length; and the index of a wanted hash
        that two different phrases have, or `NOWHERE`.
    """
    work = values.size * longest
    compiled = compiled_twin("phrases.hashes", work=work, threshold=_WORTH_SEARCHING)
    search = _plain_places if compiled is None else compiled.places_of_phrases
    found: tuple[IntArray, IntArray, int] = search(values, offsets, words, wanted, longest)
    return found


def _plain_places(
    values: IdArray, offsets: IntArray, words: IntArray, wanted: IntArray, longest: int
) -> tuple[IntArray, IntArray, int]:
    slots = {number: slot for slot, number in enumerate(wanted.tolist())}
    text, numbers = values.tolist(), words.tolist()
    places, lengths = [NOWHERE] * len(slots), [0] * len(slots)
    clash = NOWHERE
    for start, stop in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        for first in range(start, stop):
            number = 0
            for end in range(first + 1, min(first + longest, stop) + 1):
                number = _signed(number * FACTOR + numbers[end - 1])
                slot = slots.get(number, NOWHERE)
                if slot == NOWHERE:
                    continue
                if places[slot] == NOWHERE:
                    places[slot], lengths[slot] = first, end - first
                elif text[first:end] != text[places[slot] : places[slot] + lengths[slot]]:
                    clash = slot
    return np.array(places, dtype=np.int64), np.array(lengths, dtype=np.int64), clash


def _signed(number: int) -> int:
    return (number + _HALF) % _TWO - _HALF
