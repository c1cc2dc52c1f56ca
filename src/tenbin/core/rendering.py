"""Results that can be rendered: the methods that every public result has.

A result is plain data and knows nothing about tables, JSON or LaTeX. `tenbin.reports` does, and it
lies above this package, so it is looked up by name at the moment somebody asks for characters.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tenbin.core.errors import MissingExtra

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_REPORTS = "tenbin.reports.render"
_NOTEBOOK = "tenbin.reports.notebook.page"
_PLOTS = "tenbin.reports.result_plots"


class Renderable:
    """A result with renderings; `tenbin.reports.render` lists the renderer of each class."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        data: dict[str, Any] = import_module(_REPORTS).payload(self)
        return data

    def to_json(self) -> str:
        """Return the JSON text that the command prints with ``-f json``."""
        return self._rendered("json")

    def to_tsv(self) -> str:
        """Return tidy tab-separated rows."""
        return self._rendered("tsv")

    def to_markdown(self) -> str:
        """Return Markdown tables."""
        return self._rendered("markdown")

    def to_latex(self) -> str:
        """Return LaTeX tables."""
        return self._rendered("latex")

    def to_dataframe(self) -> "pd.DataFrame":
        """Return the tidy rows as a pandas data frame."""
        try:
            import pandas as pd  # noqa: PLC0415 - an optional extra
        except ImportError as error:
            raise MissingExtra("to_dataframe()", "tables") from error
        columns, rows = import_module(_REPORTS).tidy(self)
        return pd.DataFrame(list(rows), columns=list(columns))

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        html: str = import_module(_NOTEBOOK).notebook_html(self)
        return html

    def __str__(self) -> str:
        return self._rendered("text")

    def _rendered(self, form: str) -> str:
        text: str = import_module(_REPORTS).render(self, form)
        return text


class Plottable:
    """A result that can be drawn as a figure."""

    __slots__ = ()

    def plot(self) -> "Figure":
        """Return the result as a figure of matplotlib, which a notebook shows.

        Raises:
            MissingExtra: matplotlib is not installed.
        """
        figure: Figure = import_module(_PLOTS).plot_result(self)
        return figure
