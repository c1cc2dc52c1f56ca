"""Phrases as numbers of 64 bits, made from numbers of their words.

The number of a phrase is the same in whatever text it stands, so that phrases of several texts can
be counted and joined without a common list of them. That two phrases have one number is unlikely,
not impossible: `places_of_phrases`, which leads from numbers back to words, finds it out.
"""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.dispatch import compiled_twin

# Knuth, The Art of Computer Programming 3, 6.4: 2**64 / golden ratio, as a signed number.
FACTOR = 0x9E3779B97F4A7C15 - 2**64
NOWHERE = -1
# Phrases, or words of text, that the plain twins take half a second for.
_WORTH_NUMBERING = 500_000
_WORTH_COUNTING = 500_000
_WORTH_SEARCHING = 50_000
_TWO = 2**64
_HALF = 2**63


def phrase_numbers(words: IntArray, first: IntArray, end: IntArray) -> IntArray:
    """Return the numbers of phrases.

    Args:
        words: Number of the word at each place of a text; any numbers of 64 bits.
        first: Place of the first word of each phrase.
        end: Place behind its last word.

    Example:
        >>> first, end = np.array([0, 1, 2]), np.array([2, 2, 4])
        >>> numbers = phrase_numbers(np.array([5, 7, 5, 7]), first, end)
        >>> bool(numbers[0] == numbers[2]), int(numbers[1])
        (True, 7)
    """
    compiled = compiled_twin("phrases.numbers", work=first.size, threshold=_WORTH_NUMBERING)
    if compiled is not None:
        numbers: IntArray = compiled.phrase_numbers(words, first, end)
        return numbers
    return _plain_phrase_numbers(words, first, end)


def _plain_phrase_numbers(words: IntArray, first: IntArray, end: IntArray) -> IntArray:
    numbers: IntArray = np.zeros(first.size, dtype=np.int64)
    for step in range(int((end - first).max(initial=0))):
        inside = first + step < end
        # Arrays of whole numbers overflow silently, which is what is wanted.
        numbers[inside] = numbers[inside] * np.int64(FACTOR) + words[first[inside] + step]
    return numbers


def counted_pairs(one: IntArray, other: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return each different pair of numbers once, as first met, and how often it is there.

    Example:
        >>> [column.tolist() for column in counted_pairs(np.array([3, 1, 3]), np.array([4, 4, 4]))]
        [[3, 1], [4, 4], [2, 1]]
    """
    compiled = compiled_twin("phrases.numbers", work=one.size, threshold=_WORTH_COUNTING)
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
    """Return where phrases of given numbers stand in a text.

    Args:
        values: Word at each place of the text; equal ids mean equal words.
        offsets: Segment s is ``values[offsets[s] : offsets[s + 1]]``.
        words: Number of the word at each place.
        wanted: Numbers of phrases, all different.
        longest: Most words of a phrase.

    Returns:
        The first place of each phrase, or `NOWHERE`; its length; and which of the wanted numbers is
        that of two different rows of words, or `NOWHERE`.
    """
    work = values.size * longest
    compiled = compiled_twin("phrases.numbers", work=work, threshold=_WORTH_SEARCHING)
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
