"""Test sets in chunks, statistics from any number of chunks and workers, shapes of references."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tenbin.api.shapes import ReferenceAxis, build_test_set
from tenbin.core.errors import LengthMismatch, ShapeError
from tenbin.core.text import REFERENCES, TestSet
from tenbin.evaluation import statistics
from tenbin.evaluation.statistics import gather_statistics
from tenbin.metrics import registry

STREAMED = ("chrf", "ribes", "wer")
TABLES: st.SearchStrategy[list[list[str]]] = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.text(max_size=3), min_size=width, max_size=width), min_size=1
    )
)


@given(size=st.integers(1, 8), test_set=...)
def test_chunks_put_together_are_the_test_set(test_set: TestSet, size: int) -> None:
    chunks = list(test_set.chunks(size))
    assert all(chunk.segment_count <= size for chunk in chunks)
    assert all(chunk.segment_count == size for chunk in chunks[:-1])
    assert all(chunk.systems == test_set.systems for chunk in chunks)
    joined = TestSet(
        hypotheses={
            name: tuple(chain.from_iterable(chunk.hypotheses[name] for chunk in chunks))
            for name in test_set.systems
        },
        references=tuple(chain.from_iterable(chunk.references for chunk in chunks)),
        source=_joined([chunk.source for chunk in chunks]),
        documents=_joined([chunk.documents for chunk in chunks]),
    )
    assert joined == test_set


def _joined(parts: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    return None if parts[0] is None else tuple(text for part in parts for text in part or ())


@given(...)
def test_counts_of_a_test_set(test_set: TestSet) -> None:
    lengths = {len(alternatives) for alternatives in test_set.references}
    assert test_set.reference_counts == tuple(sorted(lengths))
    assert test_set.has_source == (test_set.source is not None)
    empty = test_set.empty_counts
    assert 0 not in empty.values()
    for name, texts in test_set.hypotheses.items():
        assert empty.get(name, 0) == texts.count("")
    assert empty.get(REFERENCES, 0) == list(chain.from_iterable(test_set.references)).count("")


@settings(max_examples=20)
@given(strings=st.integers(1, 12), test_set=...)
def test_statistics_do_not_depend_on_the_size_of_chunks(test_set: TestSet, strings: int) -> None:
    metrics = [registry.load(spec).bind("en") for spec in (*STREAMED, "nist")]
    whole = gather_statistics(test_set, metrics, keep_rows=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "_CHUNK_STRINGS", strings)
        chunked = gather_statistics(test_set, metrics, keep_rows=True)
    for one, other in zip(whole, chunked, strict=True):
        np.testing.assert_array_equal(other.rows, one.rows)
        np.testing.assert_allclose(other.totals, one.totals, rtol=1e-12)


@pytest.mark.slow
def test_statistics_do_not_depend_on_the_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    words = np.array(["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "rug", "."])
    texts = [" ".join(rng.choice(words, size=rng.integers(0, 9))) for _ in range(60)]
    test_set = TestSet(
        hypotheses={"A": tuple(texts[:20]), "B": tuple(texts[20:40])},
        references=tuple((text,) for text in texts[40:]),
    )
    metrics = [registry.load(spec).bind("en") for spec in (*STREAMED, "nist")]
    monkeypatch.setattr(statistics, "_CHUNK_STRINGS", 12)
    seen: list[int] = []
    alone = gather_statistics(test_set, metrics, keep_rows=True, advance=seen.append)
    assert sum(seen) == test_set.segment_count * len(metrics)
    together = gather_statistics(test_set, metrics, keep_rows=True, jobs=2)
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(other.rows, one.rows)
        np.testing.assert_array_equal(other.totals, one.totals)


@given(table=TABLES)
def test_references_by_segment_are_taken_as_they_are(table: list[list[str]]) -> None:
    assume(len(table) != len(table[0]) or len(table) == 1)
    built = build_test_set([""] * len(table), table)
    assert built.references == tuple(map(tuple, table))


@given(table=TABLES)
def test_transposed_references_are_refused(table: list[list[str]]) -> None:
    streams = [list(stream) for stream in zip(*table, strict=True)]
    assume(len(streams) != len(table))
    with pytest.raises(ShapeError, match=r"looks transposed.*list\(zip\(\*references\)\)"):
        build_test_set([""] * len(table), streams)


@given(table=TABLES)
def test_the_stream_axis_undoes_the_transposition(table: list[list[str]]) -> None:
    streams = [list(stream) for stream in zip(*table, strict=True)]
    texts = [""] * len(table)
    by_stream = build_test_set(texts, streams, reference_axis=ReferenceAxis.STREAM)
    by_segment = build_test_set(texts, table, reference_axis=ReferenceAxis.SEGMENT)
    assert by_stream == by_segment


@given(size=st.integers(2, 5))
def test_square_references_are_ambiguous(size: int) -> None:
    with pytest.raises(ShapeError, match="can be read in two ways"):
        build_test_set([""] * size, [[""] * size] * size)


@given(own=st.integers(1, 6), other=st.integers(1, 6))
def test_unequal_lengths_are_refused_with_both_counts(own: int, other: int) -> None:
    assume(own != other)
    with pytest.raises(LengthMismatch, match=f"hypotheses: {own}, references: {other}"):
        build_test_set([""] * own, [""] * other)
