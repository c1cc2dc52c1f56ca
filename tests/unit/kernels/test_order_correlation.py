"""RIBES word order: both twins, brute force, and the vectors of RIBES.py 1.03.1."""

import csv
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenbin.kernels.arrays import IdArray, IntArray
from tenbin.kernels.compiled.ranking import order_correlation as compiled_module
from tenbin.kernels.ranking import order_correlation as plain_module

Kernel = Callable[[IdArray, IntArray, IntArray, IntArray], IntArray]
Row = Sequence[int]

VECTORS = Path(__file__).resolve().parents[2] / "oracles" / "data" / "ribes"

PUBLIC = plain_module.order_correlation
PLAIN = plain_module.plain_order_correlation
COMPILED = compiled_module.order_correlation
TWINS = pytest.mark.parametrize("kernel", [PLAIN, COMPILED], ids=["plain", "compiled"])

PATENT_HYPOTHESIS = (
    "the above configuration and operation , the water drops , even in the case where the window is"
    " not expected operation , it is possible to surely stopped , and the operation switch ( dn )"
    " is operated and the window is opened , it is possible to a vehicle occupant moves out from"
    " possible ."
)
PATENT_REFERENCE = (
    "with the above-described construction and operation , even when an automobile falls into water"
    " , the windows are surely stopped without performing unexpected operations , and can be surely"
    " opened by operating the operation switch ( dn ) , thus enabling occupants to escape from the"
    " automobile ."
)
# The examples of the table of the WAS/MAS/HAS paper, as mteval-v13a cuts them, lower-cased; Kendall
# tau, precision and score as printed in the specification, from the reference implementation.
T7 = [
    (
        "in both cases , the postoperative course was good .",
        "in both the cases , postoperative course were good .",
        (0.9444, 0.9, 0.9199),
    ),
    (
        "in the treatment , side effect was not recognized .",
        "no side effect was noted during treatment .",
        (0.7, 0.5, 0.5886),
    ),
    (
        "it is found that the deformation is affected by the pair density distribution .",
        "it was found that the deformation gave effects to the pairing density distribution .",
        (1.0, 0.5714, 0.8694),
    ),
    (
        PATENT_HYPOTHESIS,
        PATENT_REFERENCE,
        (None, None, 0.7161),
    ),
]


def columnar(rows: Sequence[Row]) -> tuple[IdArray, IntArray]:
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.array([value for row in rows for value in row], dtype=np.int32), offsets


def counts(kernel: Kernel, pairs: Sequence[tuple[Row, Row]]) -> list[list[int]]:
    rows = [row for pair in pairs for row in pair]
    left = np.arange(0, len(rows), 2)
    result: list[list[int]] = kernel(*columnar(rows), left, left + 1).tolist()
    return result


def word_counts(kernel: Kernel, hypothesis: str, reference: str) -> tuple[int, int]:
    ids: defaultdict[str, int] = defaultdict(lambda: len(ids))
    pair = ([ids[word] for word in text.split()] for text in (hypothesis, reference))
    ((linked, ascending),) = counts(kernel, [(next(pair), next(pair))])
    return linked, ascending


def ribes_parts(kernel: Kernel, hypothesis: str, reference: str) -> tuple[float, float, float]:
    """Normalized Kendall tau, precision and brevity penalty, by section 5 of the specification."""
    linked, ascending = word_counts(kernel, hypothesis, reference)
    length, reference_length = len(hypothesis.split()), len(reference.split())
    if length == 0:
        return 0.0, 0.0, 0.0
    brevity = min(1.0, math.exp(1 - reference_length / length))
    if linked == 1 and reference_length == 1:
        return 1.0, 1 / length, brevity
    if linked < 2:
        return 0.0, 0.0, brevity
    return ascending / (linked * (linked - 1) / 2), linked / length, brevity


def brute_force(hypothesis: Row, reference: Row) -> tuple[int, int]:
    """Count n-grams by comparing slices, to the letter of the specification."""

    def starts(row: Row, gram: Row) -> list[int]:
        last = len(row) - len(gram) + 1
        return [start for start in range(last) if row[start : start + len(gram)] == gram]

    def spans(i: int) -> Iterator[tuple[int, int]]:
        yield i, i + 1
        for width in range(1, max(i + 1, len(hypothesis) - i + 1)):
            if i - width >= 0:
                yield i - width, i + 1
            if i + width < len(hypothesis):
                yield i, i + width + 1

    links = []
    for i in range(len(hypothesis)):
        for start, stop in spans(i):
            gram = hypothesis[start:stop]
            there = starts(reference, gram)
            if len(starts(hypothesis, gram)) == 1 and len(there) == 1:
                links.append(there[0] + i - start)
                break
    ascending = sum(a < b for place, a in enumerate(links) for b in links[place + 1 :])
    return len(links), ascending


def rows_of(alphabet: int, longest: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, alphabet - 1), max_size=longest)


@TWINS
@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ([], [], (0, 0)),
        ([], [1], (0, 0)),
        ([1], [], (0, 0)),
        ([1], [1], (1, 0)),
        ([1], [2], (0, 0)),
        ([1, 2, 3, 4], [4, 3, 2, 1], (4, 0)),
        ([1, 1, 1, 1], [1, 2, 1, 3], (0, 0)),  # no n-gram of ones occurs once on both sides
        ([1, 1, 1], [1, 1, 1], (2, 1)),  # the whole row does, which links its two ends
        ([1, 2, 9, 2, 3], [1, 2, 3], (4, 5)),  # both twos are linked to the one in the reference
        ([1, 5, 2, 3], [5, 2, 3, 1, 5], (4, 2)),  # 5: 1 5 before 5 2, both occurring once
    ],
)
def test_known_counts(
    kernel: Kernel, hypothesis: Row, reference: Row, expected: tuple[int, int]
) -> None:
    assert counts(kernel, [(hypothesis, reference)]) == [list(expected)]


@TWINS
def test_every_short_pair_equals_brute_force(kernel: Kernel) -> None:
    rows: list[list[int]] = [[]]
    for row in rows:
        if len(row) < 4:
            rows.extend([*row, value] for value in range(2))
    pairs = [(one, other) for one in rows for other in rows]
    assert counts(kernel, pairs) == [list(brute_force(*pair)) for pair in pairs]


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(st.tuples(rows_of(3, 6), rows_of(3, 6)), min_size=1, max_size=20))
def test_short_pairs_equal_brute_force(pairs: list[tuple[Row, Row]]) -> None:
    expected = [list(brute_force(*pair)) for pair in pairs]
    assert counts(PLAIN, pairs) == expected
    assert counts(COMPILED, pairs) == expected


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(st.tuples(rows_of(6, 40), rows_of(6, 40)), max_size=5))
def test_twins_agree(pairs: list[tuple[Row, Row]]) -> None:
    assert counts(PLAIN, pairs) == counts(COMPILED, pairs)
    assert counts(PUBLIC, pairs) == counts(PLAIN, pairs)


@TWINS
def test_a_pair_is_counted_alike_in_any_batch(kernel: Kernel) -> None:
    pairs = [([1, 2, 1], [2, 1, 1]), ([], [3]), ([1, 2, 1, 3, 1, 2], [3, 1, 2, 1])]
    alone = [counts(kernel, [pair])[0] for pair in pairs]
    assert counts(kernel, pairs) == alone
    assert counts(kernel, pairs[::-1]) == alone[::-1]


@TWINS
def test_no_pairs_give_no_rows(kernel: Kernel) -> None:
    none = np.empty(0, dtype=np.int64)
    assert kernel(*columnar([[1, 2]]), none, none).shape == (0, 2)


def test_long_rows_of_few_ids_stay_cheap() -> None:
    rng = np.random.default_rng(20100)
    pair = (rng.integers(0, 3, 600).tolist(), rng.integers(0, 3, 600).tolist())
    same = [7] * 2000
    assert counts(COMPILED, [pair]) == counts(PLAIN, [pair])
    assert counts(COMPILED, [(same, same)]) == [[2, 1]]


@TWINS
@pytest.mark.parametrize(("hypothesis", "reference", "printed"), T7, ids=["1", "2", "3", "4"])
def test_worked_examples(
    kernel: Kernel,
    hypothesis: str,
    reference: str,
    printed: tuple[float | None, float | None, float],
) -> None:
    tau, precision, brevity = ribes_parts(kernel, hypothesis, reference)
    assert brevity == 1.0
    assert tau * precision**0.25 == pytest.approx(printed[2], abs=5e-5)
    if printed[0] is not None and printed[1] is not None:
        assert (tau, precision) == pytest.approx(printed[:2], abs=5e-5)


def table(name: str) -> list[dict[str, str]]:
    with (VECTORS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@TWINS
def test_every_row_of_the_reference_program(kernel: Kernel) -> None:
    """RIBES.py 1.03.1 under Python 3.11; see tests/oracles/data/ribes/README.md."""
    exponents = {"default": (0.25, 0.1), "a0.5b0.3": (0.5, 0.3), "case.a1b0": (1.0, 0.0)}
    inputs = {(row["set"], row["segment"]): row for row in table("inputs.tsv")}
    scores = table("scores.tsv")
    assert len(scores) == 630
    for row in scores:
        alpha, beta = exponents[row["config"]]
        segment = inputs[row["set"], row["segment"]]
        best = (-1.0, 0.0, 0.0, 0.0)
        for number in range(1, int(row["references"]) + 1):
            texts = segment["hypothesis"], segment[f"reference{number}"]
            if not row["config"].startswith("case"):
                texts = texts[0].lower(), texts[1].lower()
            tau, precision, brevity = ribes_parts(kernel, *texts)
            score = tau * precision**alpha * brevity**beta
            if score > best[0]:
                best = (score, tau, precision, brevity)
        expected = [float(row[key]) for key in ("ribes", "nkt", "precision", "bp")]
        assert best == pytest.approx(expected, abs=1e-12), row
