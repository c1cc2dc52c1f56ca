"""Any result as HTML for the cell of a notebook."""

from tenbin.core.explanation import Explanation, Explanations
from tenbin.core.rendering import Renderable
from tenbin.reports.formats import Format, Page
from tenbin.reports.html import element, marked_text
from tenbin.reports.notebook.explanation import explanation_html
from tenbin.reports.render import offers_html, render, renderer_of

# Colors come from the notebook, so that light and dark pages both stay legible.
_STYLE = """\
.tenbin table{border-collapse:collapse;margin:.4em 0;color:inherit;background:none}
.tenbin th,.tenbin td{padding:.2em .6em;border-bottom:1px solid rgba(127,127,127,.35)}
.tenbin thead th{border-bottom:2px solid rgba(127,127,127,.7);font-weight:600}
.tenbin figure{margin:0 0 1em}
.tenbin figcaption,.tenbin .tenbin-caption{max-width:60em;font-size:.92em;opacity:.85}
.tenbin figcaption p{margin:.3em 0}
.tenbin code{overflow-wrap:anywhere;background:none;color:inherit}
.tenbin dl{display:grid;grid-template-columns:max-content 1fr;gap:.15em 1em;margin:.2em 0 1em 1em}
.tenbin dt{opacity:.75}
.tenbin dd{margin:0;max-width:50em;line-break:strict;overflow-wrap:anywhere}
.tenbin mark{background:rgba(213,94,0,.22);color:inherit;border-bottom:2px solid #D55E00}
.tenbin .tenbin-scroll{overflow-x:auto;max-width:100%}
.tenbin .tenbin-heat td{text-align:center;font-size:.85em;padding:.15em .3em;border:0;min-width:2em}
.tenbin .tenbin-heat th{font-weight:normal;border:0;padding:.15em .4em}
.tenbin .tenbin-heat th[scope=row]{text-align:end}
.tenbin .tenbin-legend{display:flex;flex-wrap:wrap;gap:.2em 1.2em;list-style:none;padding:0}"""


def notebook_html(result: Renderable) -> str:
    """Return a result as HTML: tables with captions, or an explanation as a drawing.

    Nothing in it runs, and nothing is loaded; texts are shown as they are, whatever they hold.
    """
    if isinstance(result, Explanation | Explanations):
        each = (result,) if isinstance(result, Explanation) else result.explanations
        content = "".join(explanation_html(one) for one in each)
    elif offers_html(result):
        content = renderer_of(result).draw(result, Format.HTML, Page())
    else:
        content = element("pre", marked_text(render(result, Format.TEXT)))
    return element("div", element("style", _STYLE) + content, classes="tenbin")
