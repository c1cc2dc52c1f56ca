"""An explanation as HTML: the sentences, a drawing of what links them, and the arithmetic."""

from tenbin.core.alignment import MatchKind
from tenbin.core.explanation import Explanation
from tenbin.reports.explanation import heading_of, texts_of_explanation
from tenbin.reports.grid import Align, Cell, Grid
from tenbin.reports.html import element, folded_signatures, grid_table, marked_text, spoken
from tenbin.reports.notebook.heat_map import draw_heat_map
from tenbin.reports.notebook.links import box_sample, draw_links, line_sample
from tenbin.reports.reasons import reasons


def explanation_html(explanation: Explanation) -> str:
    """Return one explanation."""
    alignment = explanation.alignment
    language = explanation.signature.get("lang") or ""
    moves = any(match.mass is not None for match in alignment.matches)
    if alignment.exclusive or moves:
        links = element(
            "div",
            draw_links(alignment, explanation.compared_with, language),
            classes="tenbin-scroll",
        )
        legend = _legend(explanation, moves=moves)
    else:
        links = draw_heat_map(alignment, explanation.compared_with, language)
        legend = element("p", "The stronger the shade of a cell, the more similar the two words.")
    texts = "".join(
        element("dt", marked_text(one.label))
        + element("dd", marked_text(one.text), dir="auto", **spoken(one.language))
        for one in texts_of_explanation(explanation)
    )
    why = "".join(
        element("tr", element("th", one.mark, scope="row") + element("td", marked_text(one.text)))
        for one in reasons(alignment, explanation.compared_with)
    )
    parts = [
        element("h4", marked_text(heading_of(explanation))),
        element("dl", texts) if texts else "",
        links,
        legend,
        _folded("Why", element("table", element("tbody", why))) if why else "",
        _folded("From matches to score", _arithmetic(explanation)),
        folded_signatures([str(explanation.signature)]),
    ]
    return element("section", "".join(parts))


def _folded(title: str, content: str) -> str:
    return element("details", element("summary", title) + content)


def _legend(explanation: Explanation, *, moves: bool) -> str:
    kinds = {match.kind for match in explanation.alignment.matches}
    items = [f"{line_sample(kind)} {kind}" for kind in MatchKind if kind in kinds]
    items.append(f"{box_sample()} no match")
    if moves:
        items.append("the wider a curve, the more weight moves")
    listed = "".join(element("li", item) for item in items)
    return element("ul", listed, classes="tenbin-legend", aria_label="Legend")


def _arithmetic(explanation: Explanation) -> str:
    rows = tuple(
        (
            Cell(step.label),
            Cell(f"{step.value:.0f}" if step.value == int(step.value) else f"{step.value:.4f}"),
            Cell(": ".join(part for part in (step.meaning, step.formula) if part)),
        )
        for step in explanation.steps
    )
    return grid_table(
        Grid(
            headings=("Step", "Value", "What it is"),
            alignments=(Align.LEFT, Align.RIGHT, Align.LEFT),
            rows=rows,
        )
    )
