"""Which columns are the texts."""

import pytest

from tenbin.core.errors import InputError
from tenbin.tables.columns import ColumnKind, ColumnNames, TextColumns, find_columns

TEXT, TEXTS, OTHER = ColumnKind


def test_the_usual_names() -> None:
    kinds = {"hypothesis": TEXT, "references": TEXTS, "source": TEXT, "system": TEXT, "id": OTHER}
    found = find_columns(ColumnNames(), kinds, "t", reads_source=True)
    assert found == TextColumns(
        hypothesis="hypothesis", reference="references", source="source", system="system"
    )
    assert found.texts == ("hypothesis", "references", "source", "system")


def test_sources_are_asked_for_only_where_they_are_read() -> None:
    kinds = {"hypothesis": TEXT, "reference": TEXT}
    assert find_columns(ColumnNames(), kinds, "t", reads_source=False).source is None
    with pytest.raises(InputError, match=r"there is no column 'source'.*source_column"):
        find_columns(ColumnNames(), kinds, "t", reads_source=True)


def test_references_are_asked_for_only_where_they_are_read() -> None:
    kinds = {"hypothesis": TEXT, "source": TEXT}
    found = find_columns(ColumnNames(), kinds, "t", reads_source=True, reads_references=False)
    assert found.texts == ("hypothesis", "source")
    with pytest.raises(InputError, match=r"there is no column 'reference'.*reference_column"):
        find_columns(ColumnNames(), kinds, "t", reads_source=True)


def test_a_column_of_numbers_called_system_is_one_to_carry_over() -> None:
    kinds = {"hypothesis": TEXT, "reference": TEXT, "system": OTHER}
    assert find_columns(ColumnNames(), kinds, "t", reads_source=False).system is None
    with pytest.raises(InputError, match="'system' holds values other than texts, expected texts"):
        find_columns(ColumnNames(system="system"), kinds, "t", reads_source=False)


def test_a_named_column_wins_over_the_usual_ones() -> None:
    kinds = {"hypothesis": TEXT, "mt": TEXT, "reference": TEXT, "references": TEXTS}
    asked = ColumnNames(hypothesis="mt", reference="references")
    found = find_columns(asked, kinds, "t", reads_source=False)
    assert (found.hypothesis, found.reference) == ("mt", "references")


def test_references_that_no_metric_reads_are_copied_and_not_looked_at() -> None:
    kinds = {
        "hypothesis": TEXT,
        "source": TEXT,
        "reference": OTHER,
        "references": TEXTS,
        "id": OTHER,
    }
    found = find_columns(ColumnNames(), kinds, "t", reads_source=True, reads_references=False)
    assert (found.reference, found.unread_reference) == (None, "reference")
    assert found.texts == ("hypothesis", "source")
    assert found.copied(list(kinds), keep_texts=True) == list(kinds)
    assert found.copied(list(kinds), keep_texts=False) == ["references", "id"]
    asked = ColumnNames(reference="ref")
    with pytest.raises(InputError, match="there is no column 'ref'"):
        find_columns(asked, kinds, "t", reads_source=True, reads_references=False)


def test_the_metrics_that_read_a_missing_column_are_named() -> None:
    with pytest.raises(InputError, match=r"'reference', which bleu, chrf read\. Name one"):
        find_columns(
            ColumnNames(),
            {"hypothesis": TEXT},
            "t",
            reads_source=False,
            readers={"reference_column": ["bleu", "chrf"]},
        )
