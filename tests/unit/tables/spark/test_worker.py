"""What a worker of a cluster does, without a cluster."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tenbin.core.errors import ResourceError
from tenbin.tables.columns import TextColumns
from tenbin.tables.job import table_job
from tenbin.tables.spark.shipping import Shipment
from tenbin.tables.spark.worker import ERROR, FACTS, PLACE, ByPartition, Work, validate
from tenbin.tables.validation import RowFacts

pa = pytest.importorskip("pyarrow")

NAMES = ("hypothesis", "reference", "system")


def work(*, signature: str | None = None) -> Work:
    (own,) = table_job(["chrf"], "en").metrics
    return Work(
        specs=("chrf",),
        language="en",
        signatures=(signature or str(own.signature()),),
        columns=TextColumns(hypothesis="hypothesis", reference="reference", system="system"),
        copied=NAMES,
        system="all",
        shipment=Shipment(),
    )


def batches(*texts: str | None) -> Iterator[Any]:
    """Rows of two files, the later file first, under names of Spark's."""
    count = len(texts)
    columns = [
        list(texts),
        ["x"] * count,
        [f"s{number}" for number in range(count)],
        [f"file:///d/{'ba'[number % 2]}%20.parquet" for number in range(count)],
        [number // 2 for number in range(count)],
    ]
    yield pa.RecordBatch.from_arrays(
        [pa.array(column) for column in columns], ["c0", "c1", "c2", *PLACE]
    )


def looked_at(rows: Iterator[Any], job: Work) -> tuple[RowFacts, str]:
    (found,) = validate(rows, job, NAMES)
    (row,) = found.to_pylist()
    return RowFacts.from_json(row[FACTS]), row[ERROR]


def test_systems_come_in_order_of_files_though_rows_do_not() -> None:
    facts, error = looked_at(batches("a", "b", "c", "d"), work())
    assert facts.system_names == ("s1", "s3", "s0", "s2")
    assert error == ""


def test_references_that_no_metric_reads_may_be_missing() -> None:
    columns = TextColumns(hypothesis="hypothesis", reference=None, system="system")
    job = replace(work(), columns=columns, copied=("hypothesis", "system"))
    (rows,) = batches("a", "b")
    without = rows.set_column(1, "c1", pa.nulls(2, pa.string()))
    facts, error = looked_at(iter([without]), job)
    assert (facts.error, error) == (None, "")
    assert facts.reference_counts == (0,)


def test_a_bad_row_has_the_name_of_its_file() -> None:
    facts, _ = looked_at(batches(None, "b", "c", None), work())
    assert facts.error is not None
    assert facts.error[0] == ("/d/a .parquet", 2)


def test_a_worker_with_other_versions_or_data_says_so() -> None:
    _, error = looked_at(batches("a"), work(signature="chrf|version:tenbin=9"))
    code, message = json.loads(error)
    assert code == ResourceError.exit_code
    assert "driver: chrf|version:tenbin=9\n  worker: chrf|" in message


def test_a_part_that_is_scored_twice_counts_once() -> None:
    totals = ByPartition()
    one = totals.addInPlace(totals.zero({}), {3: (10, {})})
    assert totals.addInPlace(totals.addInPlace(one, {4: (7, {})}), {3: (10, {})}) == {
        3: (10, {}),
        4: (7, {}),
    }
