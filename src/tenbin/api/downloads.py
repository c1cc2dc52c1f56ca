"""A result as files for other programs: XLSX, CSV, JSON and LaTeX."""

from collections.abc import Mapping

from tenbin.api.wide_tables import write_workbook_file
from tenbin.core.scores import Comparison, ScoreTable
from tenbin.core.text import SegmentSource
from tenbin.formats.output import write_text
from tenbin.reports.formats import Format
from tenbin.reports.render import render, tidy
from tenbin.reports.spreadsheet import csv_text

__all__ = ["write_downloads"]


def write_downloads(
    result: ScoreTable | Comparison, texts: SegmentSource | None, paths: Mapping[str, str]
) -> None:
    """Write a result to files.

    Args:
        result: The scores, with segment scores.
        texts: The texts that were scored; None if they are not at hand.
        paths: Where to write ``xlsx``, ``csv``, ``json`` and ``latex``; those not named are not
            written.

    Raises:
        OutputError: Disk full, no permission, no such folder.
    """
    table = result.scores if isinstance(result, Comparison) else result
    if "xlsx" in paths:
        has_segments = any(scores.segments is not None for scores in table.results)
        write_workbook_file(result, paths["xlsx"], texts if has_segments else None)
    if "csv" in paths:
        write_text(paths["csv"], csv_text(*tidy(table)))
    if "json" in paths:
        write_text(paths["json"], render(result, Format.JSON))
    if "latex" in paths:
        # A table of thousands of segments is for no paper.
        write_text(paths["latex"], render(result.without_segments(), Format.LATEX))
