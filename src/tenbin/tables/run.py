"""Scores a table on this machine: rows from disk, a pool of processes, rows to disk."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

from tenbin.core.progress import step, step_unless
from tenbin.core.scores import ScoreTable
from tenbin.core.text import TestSet
from tenbin.evaluation.parallel import mapped
from tenbin.formats.output import check_target
from tenbin.formats.parquet import (
    PairTable,
    RowGroup,
    check_table_target,
    open_pair_table,
    score_file,
)
from tenbin.tables.columns import TextColumns, check_score_columns
from tenbin.tables.job import (
    SAMPLE_ROWS,
    TableRequest,
    table_job,
    table_scores,
)
from tenbin.tables.rows import Rows, Sums, added, column_kinds, row_scores, rows_of
from tenbin.tables.validation import RowFacts, row_facts

# Rows scored at a time. A batch of a slow metric should take no more than a second, so that Ctrl-C
# takes effect soon.
BATCH_ROWS = 4_000


def score_table_here(path: str, output: str, request: TableRequest) -> ScoreTable:
    """Score the rows of Parquet files, write them with their scores, return the corpus scores.

    All rows are checked before the first one is scored. Memory does not grow with their number,
    and the result does not depend on the number of processes.

    Args:
        path: A file, or a folder of files.
        output: A Parquet file, written atomically.
        request: Metrics, language and columns.

    Raises:
        InputError: The table cannot be scored; the message names file and row.
        OutputError: The result cannot be written.
    """
    check_table_target(output)
    check_target(output)
    table = open_pair_table(path)
    job = table_job(request.specs, request.language)
    kinds = column_kinds(table.schema)
    columns = job.columns(request.columns, kinds, path)
    copied = columns.copied(table.schema.names, keep_texts=request.keep_texts)
    check_score_columns(copied, job.names, path)
    facts = _facts(table, columns).checked(path, columns)
    notes = job.sample_notes(_sample(table, columns))
    signatures = {name: str(one) for name, one in job.signatures(facts).items()}
    schema = table.schema.empty_table().select(copied).schema
    sums: Sums = {}
    with score_file(output, schema, job.language.tag, signatures) as writer:
        waiting: deque[Any] = deque()
        read = table.parts(list(dict.fromkeys([*copied, *columns.texts])), BATCH_ROWS)
        score = partial(row_scores, metrics=job.metrics, system=table.name)
        workers = min(request.jobs, ceil(table.row_count / BATCH_ROWS))
        total = table.row_count * len(job.metrics)
        with step_unless(request.advance, "scoring", total) as advance:
            for found in mapped(score, _texts(read, columns, copied, waiting), jobs=workers):
                batch = waiting.popleft()
                writer.write(batch, found.scores)
                sums = added(sums, found.sums)
                advance(batch.num_rows * len(job.metrics))
    return table_scores(job, request.specs, facts, sums, notes)


def _facts(table: PairTable, columns: TextColumns) -> RowFacts:
    facts = RowFacts()
    with step(f"reading {table.name}", table.row_count) as advance:
        for part in table.parts(columns.texts, BATCH_ROWS):
            facts += row_facts(part.batch, columns, partial(_place, part), system=table.name)
            if facts.error is not None:
                break  # rows come in order: this is the first
            advance(part.batch.num_rows)
    return facts


def _place(part: RowGroup, number: int) -> tuple[str, int]:
    return part.file, part.first + number


def _sample(table: PairTable, columns: TextColumns) -> TestSet:
    part = next(part for part in table.parts(columns.texts, SAMPLE_ROWS) if part.batch.num_rows)
    texts = rows_of(part.batch, columns, part.file, part.first).texts
    places = None if texts.places is None else texts.places.named(table.name)
    return replace(texts, hypotheses={table.name: texts.hypotheses[""]}, places=places)


def _texts(
    parts: Iterator[RowGroup], columns: TextColumns, copied: Sequence[str], waiting: deque[Any]
) -> Iterator[Rows]:
    """Yield the texts, and queue the copied columns until their scores are there."""
    for part in parts:
        if part.batch.num_rows:
            waiting.append(part.batch.select(copied))
            yield rows_of(part.batch, columns, part.file, part.first)
