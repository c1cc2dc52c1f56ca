"""The pure functions that every engine runs on batches of rows: reading texts, scoring them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.metric import Metric
from tenbin.core.text import TestSet, TextPlaces
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.formats.parquet import arrow
from tenbin.stats.exact_sums import ExactSums
from tenbin.tables.columns import ColumnKind, TextColumns

Sums = Mapping[str, tuple[ExactSums, ...]]
"""The statistics of each metric, added up, by the name of the system."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The texts of some rows.

    Attributes:
        texts: Of one unnamed system; each row has references of its own.
        systems: The system of each row; None for a table of one system.
    """

    texts: TestSet
    systems: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class RowScores:
    """The scores of some rows.

    Attributes:
        scores: For each metric one score per row.
        sums: The sums that the corpus scores are computed from.
    """

    scores: tuple[FloatArray, ...]
    sums: Sums


def column_kinds(schema: Any) -> dict[str, ColumnKind]:  # noqa: ANN401
    """Return the kinds of the columns of a pyarrow.Schema."""
    return {field.name: _kind(field.type) for field in schema}


def _kind(type_: Any) -> ColumnKind:  # noqa: ANN401
    types = arrow().types

    def is_text(one: Any) -> bool:  # noqa: ANN401
        plain = one.value_type if types.is_dictionary(one) else one
        return bool(
            types.is_string(plain) or types.is_large_string(plain) or types.is_string_view(plain)
        )

    if is_text(type_):
        return ColumnKind.TEXT
    listed = types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_)
    return ColumnKind.TEXTS if listed and is_text(type_.value_type) else ColumnKind.OTHER


def rows_of(
    batch: Any,  # noqa: ANN401
    columns: TextColumns,
    file: str = "",
    first: int = 1,
) -> Rows:
    """Return the texts of a pyarrow.RecordBatch that `row_facts` found no error in.

    Args:
        batch: The rows.
        columns: Which columns are which texts.
        file: The file that the rows are of, for messages.
        first: The number of the first row in that file, counted from 1.
    """
    references = [] if columns.reference is None else batch.column(columns.reference).to_pylist()
    source = None if columns.source is None else batch.column(columns.source).to_pylist()
    named = None if columns.system is None else batch.column(columns.system).to_pylist()
    texts = TestSet(
        hypotheses={"": tuple(batch.column(columns.hypothesis).to_pylist())},
        references=tuple((one,) if isinstance(one, str) else tuple(one) for one in references),
        source=None if source is None else tuple(source),
        places=TextPlaces(
            first=first, noun="row", hypotheses={"": file}, references=(file,), source=file
        ),
    )
    return Rows(texts, None if named is None else tuple(named))


def row_scores(rows: Rows, metrics: Sequence[Metric], *, system: str) -> RowScores:
    """Return the scores of some rows; the same whatever other rows there are.

    Args:
        rows: The texts.
        metrics: The metrics, bound to the language.
        system: The name of the only system of a table without such a column.
    """
    found = [array[0] for array in chunk_statistics(rows.texts, metrics)]
    scores = tuple(
        metric.segment_score(array) for metric, array in zip(metrics, found, strict=True)
    )
    if rows.systems is None:
        return RowScores(scores, {system: tuple(ExactSums.of(array) for array in found)})
    names, codes = np.unique(np.array(rows.systems, dtype=object), return_inverse=True)
    sums = {
        str(name): tuple(ExactSums.of(array[codes == code]) for array in found)
        for code, name in enumerate(names)
    }
    return RowScores(scores, sums)


def added(one: Sums, other: Sums) -> Sums:
    """Return the sums of two parts of a table."""
    joined = dict(one)
    for name, parts in other.items():
        mine = joined.get(name)
        joined[name] = (
            parts if mine is None else tuple(a + b for a, b in zip(mine, parts, strict=True))
        )
    return joined
