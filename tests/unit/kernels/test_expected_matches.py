"""N-grams in common with a mean of rows, against counting by hand."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tenbin.kernels.ngrams.expected import expected_matches
from tenbin.kernels.ngrams.index import ngram_index

ROWS = st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=6)
ORDER = 3


def counts(row: list[int], n: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(row[start : start + n]) for start in range(len(row) - n + 1))


@given(rows=ROWS, data=st.data(), leaves_out=st.booleans())
def test_matches_are_those_of_mean_counts(
    rows: list[list[int]], data: st.DataObject, *, leaves_out: bool
) -> None:
    groups = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    offsets = np.cumsum([0, *map(len, rows)])
    values = np.array([token for row in rows for token in row], dtype=np.int32)
    index = ngram_index(values, offsets, ORDER)
    places = np.arange(len(rows))
    sums = [
        sum(time for time, own in zip(times, groups, strict=True) if own == group) - leaves_out
        for group in groups
    ]
    found = expected_matches(
        index,
        places,
        places,
        np.array(groups),
        np.array(times, dtype=np.float64),
        np.array(groups),
        np.full(len(rows), float(leaves_out)),
        np.array(sums, dtype=np.float64),
    )
    for item, row in enumerate(rows):
        for n in range(1, ORDER + 1):
            total: Counter[tuple[int, ...]] = Counter()
            for other, time, group in zip(rows, times, groups, strict=True):
                if group == groups[item]:
                    for ngram, count in counts(other, n).items():
                        total[ngram] += time * count
            own = counts(row, n)
            if leaves_out:
                total.subtract(own)
            mean = {
                ngram: count / sums[item] if sums[item] else 0 for ngram, count in total.items()
            }
            expected = sum(min(count, mean[ngram]) for ngram, count in own.items())
            np.testing.assert_allclose(found[item, n - 1], expected, rtol=1e-12)
