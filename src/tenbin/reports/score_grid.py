"""Score sets as grids: systems down, metrics across."""

from tenbin.core.scores import MetricScores, ScoreSet
from tenbin.reports.grid import Align, Cell, Grid


def score_grid(score_set: ScoreSet) -> Grid:
    """Return corpus scores with intervals; the best of each metric is strong."""
    columns = [_column(scores) for scores in score_set.results]
    rows = [
        (Cell(system), *(column[position] for column in columns))
        for position, system in enumerate(score_set.systems)
    ]
    return Grid(
        headings=("System", *(heading(scores) for scores in score_set.results)),
        alignments=(Align.LEFT, *(Align.RIGHT for _ in score_set.results)),
        rows=tuple(rows),
    )


def segment_grid(score_set: ScoreSet) -> Grid:
    """Return segment scores, one row per system and segment."""
    rows = [
        (
            Cell(system),
            Cell(str(segment + 1)),
            *(
                Cell(f"{scores.segments[position, segment]:.{scores.decimals}f}")
                for scores in score_set.results
                if scores.segments is not None
            ),
        )
        for position, system in enumerate(score_set.systems)
        for segment in range(score_set.segment_count)
    ]
    return Grid(
        headings=("System", "Segment", *(heading(scores) for scores in score_set.results)),
        alignments=(Align.LEFT, Align.RIGHT, *(Align.RIGHT for _ in score_set.results)),
        rows=tuple(rows),
    )


def heading(scores: MetricScores) -> str:
    """Return a metric's title with the direction of better scores."""
    return f"{scores.title} {'↑' if scores.higher_is_better else '↓'}"


def is_best(scores: MetricScores, position: int) -> bool:
    """Return whether a system has the best score among several, as far as it is shown."""
    if len(scores.systems) == 1:
        return False
    shown = [f"{value:.{scores.decimals}f}" for value in scores.scores]
    ranked = sorted(range(len(shown)), key=lambda i: scores.scores[i])
    best = ranked[-1] if scores.higher_is_better else ranked[0]
    return shown[position] == shown[best] and shown[position] != "nan"


def _column(scores: MetricScores) -> list[Cell]:
    cells = []
    for position, value in enumerate(scores.scores):
        text = f"{value:.{scores.decimals}f}"
        if scores.intervals is not None:
            low, high = scores.intervals[position]
            text += f" [{low:.{scores.decimals}f}, {high:.{scores.decimals}f}]"
        cells.append(Cell(text, strong=is_best(scores, position)))
    return cells
