"""The result of a library call: scores that know how to show themselves."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tenbin.core.errors import MissingExtra
from tenbin.core.scores import ScoreSet
from tenbin.core.spec import Spec
from tenbin.reports.formats import Format
from tenbin.reports.payload import render_json, score_payload
from tenbin.reports.render import render_scores
from tenbin.reports.tidy import SCORE_COLUMNS, score_rows

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Scores of systems (rows) by metrics (columns), with signatures, notes and renderings."""

    score_set: ScoreSet

    def __getitem__(self, key: tuple[str, str]) -> float:
        """Return the corpus score of ``table[system, metric]``."""
        system, metric = key
        wanted = str(Spec.parse(metric))
        for scores in self.score_set.results:
            if scores.metric == wanted and system in scores.systems:
                return float(scores.scores[scores.systems.index(system)])
        systems = ", ".join(self.score_set.systems)
        metrics = ", ".join(scores.metric for scores in self.score_set.results)
        raise KeyError(f"no score for {key!r}; systems: {systems}; metrics: {metrics}")

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data."""
        return score_payload(self.score_set)

    def to_json(self) -> str:
        """Return the table as the JSON text that ``tenbin score -f json`` prints."""
        return render_json(self.to_dict())

    def to_dataframe(self) -> "pd.DataFrame":
        """Return a tidy pandas data frame: a row per system and metric, and segment if kept."""
        try:
            import pandas as pd  # noqa: PLC0415 - an optional extra
        except ImportError as error:
            raise MissingExtra("to_dataframe()", "tables") from error
        return pd.DataFrame(list(score_rows(self.score_set)), columns=list(SCORE_COLUMNS))

    def to_latex(self) -> str:
        """Return a LaTeX table."""
        return render_scores(self.score_set, Format.LATEX)

    def to_markdown(self) -> str:
        """Return a Markdown table."""
        return render_scores(self.score_set, Format.MARKDOWN)

    def to_tsv(self) -> str:
        """Return tidy tab-separated rows."""
        return render_scores(self.score_set, Format.TSV)

    def __str__(self) -> str:
        return render_scores(self.score_set, Format.TEXT)
