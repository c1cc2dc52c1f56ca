"""Compiled twin of `tenbin.kernels.ranking.order_correlation`.

The plain twin widens a window and counts n-grams. Here the size of the window follows from common
suffixes. Let an n-gram end at position i of the hypothesis. It occurs once in the hypothesis if it
is longer than what i has in common, read backwards, with any other position; it occurs once in the
reference if it is longer than the second longest and not longer than the longest such run with a
position of the reference. So the shortest n-gram is known from three maxima: time grows with the
product of the lengths and memory with their sum, however often ids repeat. N-grams that start at i
are the same on reversed rows.
"""

import numpy as np

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.jit import jit


@jit
def order_correlation(
    values: IdArray, offsets: IntArray, left: IntArray, right: IntArray
) -> IntArray:
    """Return linked positions and ascending pairs of links, shape (pairs, 2)."""
    counts = np.zeros((left.size, 2), dtype=np.int64)
    for pair in range(left.size):
        hypothesis = values[offsets[left[pair]] : offsets[left[pair] + 1]]
        reference = values[offsets[right[pair]] : offsets[right[pair] + 1]]
        if hypothesis.size == 0 or reference.size == 0:
            continue
        links = _links(hypothesis, reference)
        for place in range(links.size):
            for earlier in range(place):
                counts[pair, 1] += links[earlier] < links[place]
        counts[pair, 0] = links.size
    return counts


@jit
def _links(hypothesis: IdArray, reference: IdArray) -> IntArray:
    """Return the linked positions of the reference in the order of the hypothesis."""
    length = hypothesis.size
    ending, ending_at = _shortest_unique(hypothesis, reference)
    starting, starting_at = _shortest_unique(hypothesis[::-1].copy(), reference[::-1].copy())
    links = np.empty(length, dtype=np.int64)
    count = 0
    for position in range(length):
        mirrored = length - 1 - position
        before, after = ending[position], starting[mirrored]
        # At equal size the n-gram to the left is tried first.
        if before > 0 and (after == 0 or before <= after):
            links[count] = ending_at[position]
            count += 1
        elif after > 0:
            links[count] = reference.size - 1 - starting_at[mirrored]
            count += 1
    return links[:count]


@jit
def _shortest_unique(hypothesis: IdArray, reference: IdArray) -> tuple[IntArray, IntArray]:
    """Return size and place in the reference of the shortest n-gram that ends at each position.

    Size 0 where no n-gram that ends there occurs exactly once in each row.
    """
    sizes = np.zeros(hypothesis.size, dtype=np.int64)
    places = np.zeros(hypothesis.size, dtype=np.int64)
    # Entry k + 1: how many ids up to k equal those up to the present position.
    own_runs = np.zeros(hypothesis.size + 1, dtype=np.int64)
    runs = np.zeros(reference.size + 1, dtype=np.int64)
    for position in range(hypothesis.size):
        wanted = hypothesis[position]
        own = 0
        for k in range(hypothesis.size - 1, -1, -1):
            run = own_runs[k] + 1 if hypothesis[k] == wanted else 0
            own_runs[k + 1] = run
            if run > own and k != position:
                own = run
        longest = second = 0
        for k in range(reference.size - 1, -1, -1):
            run = runs[k] + 1 if reference[k] == wanted else 0
            runs[k + 1] = run
            if run > longest:
                longest, second = run, longest
                places[position] = k
            elif run > second:
                second = run
        size = max(own, second) + 1
        if size <= longest:
            sizes[position] = size
    return sizes, places
