"""Tables with texts and human scores of them, for a meta-evaluation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tenbin.api.files import column_items, reading_options
from tenbin.core.judged_texts import JudgedTexts
from tenbin.core.judgments import HumanScores, ScoreMatrix
from tenbin.formats.test_files import assembled_test_set
from tenbin.formats.texts.opening import ReadingOptions, store_tables

__all__ = ["JudgedTexts", "open_judged_tables", "read_judged_texts"]


def read_judged_texts(
    paths: str | Sequence[str],
    *,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    input_format: str | None = None,
    encoding: str | None = None,
    tags: str | None = None,
    sheet: str | None = None,
) -> JudgedTexts:
    """Return the texts of tables and the human scores beside them, for `meta_evaluate`.

    A table has a row for each segment and system, with the name of the system in a column, or a row
    for each segment, with a column of texts and one of human scores for each system.

    >>> judged = read_judged_texts("judged.csv")  # doctest: +SKIP

    Args:
        paths: CSV, TSV, JSON lines, Parquet or XLSX; several files follow each other.
        columns: The name of a column, or several, by role: source, reference, system (the texts),
            name (of the system), human (the scores), document, id. Roles that are not named are
            found by the names of the columns. Higher scores must be better.
        input_format: See `read_texts`.
        encoding: See `read_texts`.
        tags: See `read_texts`.
        sheet: See `read_texts`.

    Raises:
        InputError: A file cannot be read, or a score is no number; the message has the place.
        UsageError: A column is not there, or it is not clear which is which.
    """
    reading = reading_options(
        columns=column_items(columns),
        input_format=input_format,
        encoding=encoding,
        tags=tags,
        sheet=sheet,
    )
    return open_judged_tables([paths] if isinstance(paths, str) else paths, reading)


def open_judged_tables(
    paths: Sequence[str], reading: ReadingOptions, *, empty_means_absent: bool = False
) -> JudgedTexts:
    """Return the texts and human scores of tables; see `read_judged_texts`.

    Args:
        paths: The files.
        reading: How they are read.
        empty_means_absent: Whether an empty reference means that there is no such reference.
    """
    table = store_tables(paths, replace(reading, judged=True))
    texts = assembled_test_set(
        table.systems,
        table.references,
        table.source,
        documents=table.documents,
        empty_means_absent=empty_means_absent,
        notes=table.notes,
    )
    numbers = tuple(str(number + 1) for number in range(texts.segment_count))
    human = {
        kind: HumanScores(
            name=kind,
            segments=ScoreMatrix(
                name=kind,
                systems=tuple(scores),
                segments=numbers,
                scores=np.array(list(scores.values()), dtype=np.float64),
            ),
        )
        for kind, scores in table.judgments.items()
    }
    return JudgedTexts(texts=texts, human=human)
