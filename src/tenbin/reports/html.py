"""HTML as text: elements, escaped texts, and grids as tables."""

import html
import unicodedata
from collections.abc import Iterable, Sequence

from tenbin.reports.grid import Align, Grid, TitledGrid, is_control

_BOX = "font-size:0.75em;border:1px solid;border-radius:2px;padding:0 2px;opacity:0.75"


def element(name: str, content: str = "", *, classes: str = "", **attributes: str) -> str:
    """Return an element.

    Args:
        name: Its name.
        content: HTML inside it.
        classes: Its classes.
        attributes: Other attributes, as plain text; an underscore stands for a hyphen, and one at
            the end is dropped.

    >>> element("td", "a", colspan="2")
    '<td colspan="2">a</td>'
    """
    given = ({"class": classes} if classes else {}) | attributes
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"' for key, value in given.items()
    )
    return f"<{name}{written}>{content}</{name}>"


def escaped(text: str) -> str:
    r"""Return a text for an attribute, or where no element may stand: controls become signs.

    >>> escaped('<b> "x" \x1b') == "&lt;b&gt; &quot;x&quot; \ufffd"
    True
    """
    return html.escape("".join("\ufffd" if is_control(one) else one for one in text))


def marked_text(text: str) -> str:
    r"""Return a text as HTML that shows it and does nothing; controls are boxes with their codes.

    >>> marked_text("<b>")
    '&lt;b&gt;'
    >>> "U+202E</span>" in marked_text("\u202e")
    True
    """
    return "".join(_box(one) if is_control(one) else html.escape(one) for one in text)


def spoken(language: str) -> dict[str, str]:
    """Return the attribute that names a language, where it is known; it chooses fonts."""
    return {"lang": language} if language else {}


def _box(character: str) -> str:
    name = unicodedata.name(character, "control character").lower()
    return element("span", f"U+{ord(character):04X}", style=_BOX, title=name)


def grid_table(grid: Grid) -> str:
    """Return a grid as a table: headings are headings, labels head their rows, strong is bold."""
    heads = "".join(
        element("th", marked_text(heading), scope="col", style=_align(align))
        for heading, align in zip(grid.headings, grid.alignments, strict=True)
    )
    rows = []
    for row in grid.rows:
        cells = []
        for place, (cell, align) in enumerate(zip(row, grid.alignments, strict=True)):
            shown = marked_text(cell.text)
            shown = element("strong", shown) if cell.strong else shown
            is_label = place == 0
            cells.append(
                element("th", _isolated(shown), scope="row", style=_align(align, weight=True))
                if is_label
                else element("td", _isolated(shown), style=_align(align))
            )
        rows.append(element("tr", "".join(cells)))
    return element(
        "table", element("thead", element("tr", heads)) + element("tbody", "".join(rows))
    )


def titled_table(titled: TitledGrid) -> str:
    """Return a grid under its title."""
    title = element("p", element("strong", marked_text(titled.title))) if titled.title else ""
    return title + grid_table(titled.grid)


def framed(tables: Sequence[str], caption: Sequence[str], signatures: Iterable[str]) -> str:
    """Return tables, what explains them, and the signatures, folded."""
    lines = "".join(element("p", marked_text(line)) for line in caption if line)
    below = element("figcaption", lines + folded_signatures(signatures))
    return element("figure", "".join(tables) + below)


def folded_signatures(signatures: Iterable[str]) -> str:
    """Return signatures that are shown when they are asked for; nothing without any."""
    listed = [element("li", element("code", marked_text(one))) for one in signatures]
    if not listed:
        return ""
    title = "Signature" if len(listed) == 1 else f"Signatures ({len(listed)})"
    return element("details", element("summary", title) + element("ul", "".join(listed)))


def _isolated(content: str) -> str:
    """Return HTML whose direction has no effect on what stands beside it."""
    return element("bdi", content)


def _align(align: Align, *, weight: bool = False) -> str:
    style = f"text-align:{align.value}"
    if align is Align.RIGHT:
        style += ";font-variant-numeric:tabular-nums"
    return f"{style};font-weight:normal" if weight else style
