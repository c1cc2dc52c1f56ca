"""Turns results into characters: one table from classes to renderers, one `render`.

A renderer is a module with three functions about one kind of result:

- ``payload(result)``: the result as plain data, ready for JSON;
- ``tidy(result)``: the names of columns and the rows of the tab-separated form;
- ``draw(result, form, page)``: plain text, Markdown or LaTeX.

A renderer that cannot give every format lists those it can give as ``FORMATS``.
"""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from tenbin.core.errors import UsageError
from tenbin.reports.data import Row, json_text, tsv_text, without_signatures
from tenbin.reports.formats import PRINTED, Format, Page

# Renderers are imported when they are asked for, and results not at all.
RENDERERS = {
    "tenbin.core.agreement:MeasureList": "tenbin.reports.measures",
    "tenbin.core.agreement:MetaTable": "tenbin.reports.meta",
    "tenbin.core.agreement_study:AgreementStudy": "tenbin.reports.agreement_study",
    "tenbin.core.baseline_check:BaselineCheck": "tenbin.reports.baseline_check",
    "tenbin.core.combination_report:BuiltCombination": "tenbin.reports.combination",
    "tenbin.core.difference_curve:CurveTable": "tenbin.reports.difference_curves",
    "tenbin.core.explanation:Explanation": "tenbin.reports.explanation",
    "tenbin.core.explanation:Explanations": "tenbin.reports.explanation",
    "tenbin.core.model_grid:ModelGrid": "tenbin.reports.model_grid",
    "tenbin.core.scores:Comparison": "tenbin.reports.comparison",
    "tenbin.core.scores:ScoreTable": "tenbin.reports.scores",
    "tenbin.core.selection:Oracle": "tenbin.reports.oracle",
    "tenbin.core.selection:Selection": "tenbin.reports.selection",
    "tenbin.core.study:CorrelationTable": "tenbin.reports.studies",
    "tenbin.core.study:TranslationTable": "tenbin.reports.studies",
    "tenbin.core.tuning:TuningTable": "tenbin.reports.tuning",
    "tenbin.evaluation.inspection:Inspection": "tenbin.reports.findings",
    "tenbin.metrics.catalogue:MetricCatalog": "tenbin.reports.catalog",
    "tenbin.metrics.catalogue:MetricDescription": "tenbin.reports.catalog",
    "tenbin.metrics.recommended:LanguageMetrics": "tenbin.reports.recommended",
    "tenbin.resources.store.listing:ResourceListing": "tenbin.reports.resources",
    "tenbin.resources.store.listing:Verification": "tenbin.reports.resources",
    "tenbin.resources.test_sets:ListedSet": "tenbin.reports.test_sets",
    "tenbin.resources.test_sets:SetListing": "tenbin.reports.test_sets",
}


class Renderer(Protocol):
    """The three functions of a renderer."""

    def payload(self, result: Any) -> dict[str, Any]:  # noqa: ANN401 - of one kind each
        """Return the result as plain data; undefined numbers are None."""
        ...

    def tidy(self, result: Any) -> tuple[Sequence[str], Iterable[Row]]:  # noqa: ANN401
        """Return the names of the columns, and the rows."""
        ...

    def draw(self, result: Any, form: Format, page: Page) -> str:  # noqa: ANN401
        """Return plain text for a page, Markdown or LaTeX."""
        ...


def render(
    result: object,
    form: Format | str,
    *,
    width: int | None = None,
    color: bool = False,
    fold: float | None = None,
    signatures: bool = True,
) -> str:
    """Return a result in a format; every format carries the signatures, unless told otherwise.

    Args:
        result: Any result of `tenbin.api`.
        form: The format.
        width: Columns of the terminal that plain text must fit in; None for a file or pipe.
        color: Whether the terminal shows colors.
        fold: The number below which an explanation leaves out cells of a matrix; None for one
            that suits its links.
        signatures: Whether every row of tab-separated text has its signature.

    Raises:
        UsageError: There is no such format of this result.
    """
    renderer = renderer_of(result)
    formats = getattr(renderer, "FORMATS", PRINTED)
    if form not in formats:
        raise UsageError(f"there is no format {form!r}; choose one of {', '.join(formats)}.")
    chosen = Format(form)
    if chosen is Format.JSON:
        return json_text(renderer.payload(result))
    if chosen is Format.TSV:
        columns, rows = renderer.tidy(result)
        return tsv_text(*((columns, rows) if signatures else without_signatures(columns, rows)))
    return renderer.draw(result, chosen, Page(width, color=color, fold=fold))


def payload(result: object) -> dict[str, Any]:
    """Return a result as plain data, ready for JSON; undefined numbers are None."""
    return renderer_of(result).payload(result)


def tidy(result: object) -> tuple[Sequence[str], Iterable[Row]]:
    """Return a result as a tidy table: the names of its columns, and its rows."""
    return renderer_of(result).tidy(result)


def offers_html(result: object) -> bool:
    """Return whether a result has tables that a notebook can show."""
    return not hasattr(renderer_of(result), "FORMATS")


def renderer_of(result: object) -> Renderer:
    """Return the functions that render a result."""
    for kind in type(result).__mro__:
        address = RENDERERS.get(f"{kind.__module__}:{kind.__qualname__}")
        if address is not None:
            return cast("Renderer", import_module(address))
    raise TypeError(f"there is no renderer for {type(result).__name__}")
