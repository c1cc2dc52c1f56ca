"""Shared n-grams: both twins, brute force over tuples, and the counts of sacrebleu and NLTK."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu import metrics as sacrebleu_metrics

from tenbin.kernels.arrays import FloatArray, IntArray
from tenbin.kernels.dispatch import KernelChoice
from tenbin.kernels.ngrams.index import NgramIndex, ngram_counts, ngram_index, ngram_totals
from tenbin.kernels.ngrams.matches import (
    clipped_ngrams,
    common_ngrams,
    weighted_clipped_ngrams,
)

Rows = list[list[int]]
References = list[list[int]]

WMT22 = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "wmt22"
needs_wmt22 = pytest.mark.skipif(not WMT22.is_dir(), reason="no ../shared/data/wmt22 here")
SEGMENTS = 500

rows_of_tokens = st.lists(st.integers(0, 3), max_size=12)
pools = st.lists(rows_of_tokens, min_size=1, max_size=5)
unhurried = settings(deadline=None)  # the first example may compile
twins = pytest.mark.parametrize("choice", [KernelChoice.PLAIN, KernelChoice.COMPILED])


def index_of(rows: Rows, order: int) -> NgramIndex:
    values = np.array([token for row in rows for token in row], dtype=np.int32)
    return ngram_index(values, np.cumsum([0, *map(len, rows)], dtype=np.int64), order)


def by(choice: KernelChoice, function: Any, *arguments: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_KERNELS", choice)
        return function(*arguments)


def groups(hypotheses: list[int], references: References) -> tuple[IntArray, IntArray, IntArray]:
    flat = np.array([row for group in references for row in group], dtype=np.int64)
    offsets = np.cumsum([0, *map(len, references)], dtype=np.int64)
    return np.array(hypotheses, dtype=np.int64), flat, offsets


def tuples(row: list[int], n: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(row[i : i + n]) for i in range(len(row) - n + 1))


def brute_clipped(hypothesis: list[int], references: Rows, n: int) -> Counter[tuple[int, ...]]:
    counts = [tuples(row, n) for row in references]
    matched: Counter[tuple[int, ...]] = Counter()
    for ngram, count in tuples(hypothesis, n).items():
        matched[ngram] = min(count, max((other[ngram] for other in counts), default=0))
    return +matched


@st.composite
def grouped_pools(draw: st.DrawFn) -> tuple[Rows, list[int], References]:
    rows = draw(pools)
    row = st.integers(0, len(rows) - 1)
    hypotheses = draw(st.lists(row, max_size=4))
    size = len(hypotheses)
    return rows, hypotheses, draw(st.lists(st.lists(row, max_size=3), min_size=size, max_size=size))


@twins
@unhurried
@given(rows=pools, order=st.integers(1, 6))
def test_common_is_the_multiset_intersection(choice: KernelChoice, rows: Rows, order: int) -> None:
    every = np.arange(len(rows))
    left, right = np.repeat(every, every.size), np.tile(every, every.size)
    common = by(choice, common_ngrams, index_of(rows, order), left, right)
    assert common.dtype == np.int64
    assert common.tolist() == [
        [(tuples(rows[a], n) & tuples(rows[b], n)).total() for n in range(1, order + 1)]
        for a, b in zip(left, right, strict=True)
    ]


@twins
@unhurried
@given(case=grouped_pools(), order=st.integers(1, 4))
def test_clipped_is_brute_force(
    choice: KernelChoice, case: tuple[Rows, list[int], References], order: int
) -> None:
    rows, hypotheses, references = case
    clipped = by(choice, clipped_ngrams, index_of(rows, order), *groups(hypotheses, references))
    assert clipped.dtype == np.int64
    assert clipped.tolist() == [
        [
            brute_clipped(rows[hypothesis], [rows[r] for r in group], n).total()
            for n in range(1, order + 1)
        ]
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]


@unhurried
@given(case=grouped_pools(), order=st.integers(1, 4), seed=st.integers(0, 99))
def test_weighted_twins_agree_to_the_last_bit(
    case: tuple[Rows, list[int], References], order: int, seed: int
) -> None:
    rows, hypotheses, references = case
    index, rng = index_of(rows, order), np.random.default_rng(seed)
    weights = [10 * rng.random(size) for size in index.sizes]
    arguments = (index, weights, *groups(hypotheses, references))
    plain = by(KernelChoice.PLAIN, weighted_clipped_ngrams, *arguments)
    compiled = by(KernelChoice.COMPILED, weighted_clipped_ngrams, *arguments)
    assert plain.dtype == compiled.dtype == np.float64
    assert plain.tolist() == compiled.tolist()


@twins
@unhurried
@given(case=grouped_pools(), order=st.integers(1, 4))
def test_weight_one_counts(
    choice: KernelChoice, case: tuple[Rows, list[int], References], order: int
) -> None:
    rows, hypotheses, references = case
    index, items = index_of(rows, order), groups(hypotheses, references)
    ones = [np.ones(size) for size in index.sizes]
    weighted = by(choice, weighted_clipped_ngrams, index, ones, *items)
    assert weighted.tolist() == by(choice, clipped_ngrams, index, *items).tolist()


@twins
def test_weighted_sum_does_not_depend_on_the_pool(choice: KernelChoice) -> None:
    rng = np.random.default_rng(3)
    token_weights = rng.random(40)  # of tokens, so that n-gram ids play no part
    hypothesis, reference = rng.permutation(40).tolist(), rng.permutation(40).tolist()
    sums = set()
    for _ in range(20):
        other = rng.permutation(40).tolist()  # comes first, and so decides the ids
        weights: FloatArray = token_weights[list(dict.fromkeys(other))]
        items = groups([1], [[2]])
        index = index_of([other, hypothesis, reference], 1)
        sums.add(by(choice, weighted_clipped_ngrams, index, [weights], *items).item())
    assert len(sums) == 1


@twins
def test_long_rows_are_summed_smallest_first(choice: KernelChoice) -> None:
    row = np.random.default_rng(5).permutation(2000).tolist()
    index = index_of([row], 1)
    weights = np.random.default_rng(6).random(2000)
    expected = 0.0
    for weight in np.sort(weights):
        expected += weight
    items = groups([0], [[0]])
    assert by(choice, weighted_clipped_ngrams, index, [weights], *items).item() == expected


@twins
def test_the_clip_is_the_best_single_reference(choice: KernelChoice) -> None:
    # Papineni et al. 2002, 2.1: "the" seven times, against references with two and with one.
    rows = [[1] * 7, [1, 2, 3, 4, 1, 5], [6, 3, 2, 4, 1, 5]]
    index = index_of(rows, 2)
    items = groups([0, 0, 0], [[1, 2], [2], []])
    assert by(choice, clipped_ngrams, index, *items).tolist() == [[2, 0], [1, 0], [0, 0]]
    weights = [np.array([1.5] + [np.nan] * 5), np.full(index.sizes[1], np.nan)]
    weighted = by(choice, weighted_clipped_ngrams, index, weights, *items)
    assert weighted.tolist() == [[3.0, 0.0], [1.5, 0.0], [0.0, 0.0]]


@twins
def test_no_pairs(choice: KernelChoice) -> None:
    index, nothing = index_of([[1, 2]], 3), np.array([], dtype=np.int64)
    assert by(choice, common_ngrams, index, nothing, nothing).shape == (0, 3)
    assert by(choice, clipped_ngrams, index, *groups([], [])).shape == (0, 3)
    weights = [np.ones(size) for size in index.sizes]
    assert by(choice, weighted_clipped_ngrams, index, weights, *groups([], [])).shape == (0, 3)


def read_segments(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:SEGMENTS]


def read_wmt22() -> list[list[str]]:
    """Return 500 hypotheses, the same segments of refA, and those of refB."""
    references = [WMT22 / "references" / f"de-en.{name}.txt" for name in ("refA", "refB")]
    return [*map(read_segments, [WMT22 / "system-outputs/de-en/Online-A.txt", *references])]


def numbered(segments: list[list[str]]) -> Rows:
    ids: dict[str, int] = {}
    return [[ids.setdefault(token, len(ids)) for token in segment] for segment in segments]


@pytest.mark.oracle
@needs_wmt22
@twins
def test_bleu_counts_of_sacrebleu(choice: KernelChoice) -> None:
    bleu = sacrebleu_metrics.BLEU(effective_order=True)
    sides = [[bleu._preprocess_segment(line) for line in side] for side in read_wmt22()]
    index = index_of(numbered([line.split() for side in sides for line in side]), 4)
    # Ragged on purpose: every third segment has refA only, every third refB only.
    chosen = [((1,), (2,), (1, 2))[item % 3] for item in range(SEGMENTS)]
    references = [[side * SEGMENTS + item for side in use] for item, use in enumerate(chosen)]
    items = groups([*range(SEGMENTS)], references)
    clipped, totals = by(choice, clipped_ngrams, index, *items), ngram_counts(index, items[0])
    for item, use in enumerate(chosen):
        facts = bleu._extract_reference_info([sides[side][item] for side in use])
        expected = bleu._compute_segment_statistics(sides[0][item], facts)
        assert [*clipped[item], *totals[item]] == expected[2:]


@pytest.mark.oracle
@needs_wmt22
@twins
@pytest.mark.parametrize("side", [1, 2])
def test_chrf_counts_of_sacrebleu(choice: KernelChoice, side: int) -> None:
    chrf = sacrebleu_metrics.CHRF()
    sides = read_wmt22()
    index = index_of(
        [[ord(sign) for sign in "".join(line.split())] for lines in sides for line in lines], 6
    )
    left = np.arange(SEGMENTS)
    right = left + side * SEGMENTS
    common = by(choice, common_ngrams, index, left, right)
    hypothesis_counts, reference_counts = ngram_counts(index, left), ngram_counts(index, right)
    for item in range(SEGMENTS):
        facts = chrf._extract_reference_info([sides[side][item]])
        expected = np.reshape(chrf._compute_segment_statistics(sides[0][item], facts), (6, 3))
        # sacrebleu reports 0 hypothesis n-grams in an order that the reference lacks.
        shown = np.where(reference_counts[item] > 0, hypothesis_counts[item], 0)
        counts = np.stack([shown, reference_counts[item], common[item]], axis=1)
        assert counts.tolist() == expected.tolist()


@pytest.mark.oracle
@needs_wmt22
@twins
def test_nist_sums_of_nltk(choice: KernelChoice) -> None:
    nist_score = pytest.importorskip("nltk.translate.nist_score")
    sides = [[line.split() for line in side] for side in read_wmt22()[:2]]
    index = index_of(numbered(sides[0] + sides[1]), 5)
    left = np.arange(SEGMENTS)
    right = left + SEGMENTS
    totals = ngram_totals(index, right)
    contexts = [np.array([totals[0].sum()]), *totals]
    with np.errstate(divide="ignore", invalid="ignore"):  # n-grams that no reference has
        weights = [np.log2(contexts[n][index.prefixes[n]] / totals[n]) for n in range(5)]
    items = groups(left.tolist(), [[row] for row in right.tolist()])
    gains = by(choice, weighted_clipped_ngrams, index, weights, *items).sum(axis=0)
    lengths = ngram_counts(index, left).sum(axis=0)
    penalty = nist_score.nist_length_penalty(ngram_counts(index, right)[:, 0].sum(), lengths[0])
    expected = nist_score.corpus_nist([[row] for row in sides[1]], sides[0], n=5)
    assert (gains / lengths).sum() * penalty == pytest.approx(expected, rel=1e-12)
