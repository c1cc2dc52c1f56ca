"""The report as one HTML file that opens without a network and runs nothing but its own script.

A content security policy allows one script and one style sheet, by their hashes. The data is plain
text to the browser until that script unpacks it: gzip in base64, which has no ``<``.
"""

import gzip
import hashlib
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from tenbin.core.errors import ResourceError
from tenbin.reports.page.words import load_words

_LEVEL = 6
_MOST_NAMED = 5  # systems in the title of a window
# What could end a script element, or a line where a script ends one.
_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
_OTHER_WORDS = {"document", "serve"}
_PAGE = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Tenbin {version}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript>
{fallback}
</noscript>
<script type="text/plain" id="data">{data}</script>
<script type="application/json" id="words">{words}</script>
<script>{script}</script>
</body>
</html>
"""


def document(payload: Mapping[str, Any], language: str) -> str:
    """Return the HTML file of a report.

    Args:
        payload: What `tenbin.reports.page.payload` returns.
        language: The language of the page.

    Raises:
        UsageError: The page is not translated into the language.
        ResourceError: The page's script was not built.
    """
    words = load_words(language)
    script, style = _bundled("report.js"), _bundled("report.css")
    title = page_title(payload, words["document"])
    return _PAGE.format(
        language=escape(language),
        policy=escape(_policy(script, style)),
        version=escape(str(payload["version"])),
        title=escape(title),
        style=style,
        fallback=_fallback(payload, words["document"], title),
        data=packed_data({**payload, "title": title}),
        words=json_in_html(_shown_by_script(words)),
        script=script,
    )


def packed_data(payload: Mapping[str, Any]) -> str:
    """Return plain values as base64 of gzip of JSON, the same bytes for the same values."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return b64encode(gzip.compress(text.encode("utf-8"), _LEVEL, mtime=0)).decode("ascii")


def json_in_html(value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    r"""Return JSON that can stand inside a script element.

    >>> json_in_html({"a": "</script>"})
    '{"a":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character, escaped in _ESCAPES.items():
        text = text.replace(character, escaped)
    return text


def page_title(payload: Mapping[str, Any], words: Mapping[str, Any]) -> str:
    """Return what the window is called: what was given, or what was done with which systems."""
    if payload["title"]:
        return str(payload["title"])
    kind = str(words["title"][payload["kind"]])
    named = payload["systems"][:_MOST_NAMED]
    more = ["…"] if len(payload["systems"]) > _MOST_NAMED else []
    systems = ", ".join([*named, *more])
    return str(words["of"]).format(title=kind, systems=systems) if systems else kind


def _shown_by_script(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return the words without those of this document and of the local page."""
    return {view: own for view, own in words.items() if view not in _OTHER_WORDS}


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{b64encode(digest).decode('ascii')}"


def _bundled(name: str) -> str:
    """Return the built script or style sheet, in a form that cannot end its element."""
    path = files("tenbin.reports.page").joinpath("bundled", name)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ResourceError(
            f"{name}, a part of the report page, is missing from this copy of Tenbin. Reinstall "
            "the package tenbin with pip; in a checkout of the source build it: npm ci, then "
            "npm run build, in the folder web."
        ) from error
    return text.replace("</script", "<\\/script").replace("</style", "<\\/style")


def _fallback(payload: Mapping[str, Any], words: Mapping[str, str], title: str) -> str:
    """Return what the file says without scripts: the scores of all systems."""
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{escape(words['noScript'])}</p>"]
    if payload["metrics"]:
        parts.append(_score_table(payload["systems"], payload["metrics"], words))
    if payload["command"]:
        command = escape(payload["command"])
        parts.append(f"<p>{escape(words['command'])}: <code>{command}</code></p>")
    if payload["metrics"]:
        items = "".join(
            f"<li><code>{escape(one['signature'])}</code>" for one in payload["metrics"]
        )
        parts.append(f"<p>{escape(words['signatures'])}</p>\n<ul>{items}</ul>")
    parts.append("".join(f"<p>{escape(note)}</p>" for note in payload["notes"]))
    return "\n".join(part for part in parts if part)


def _score_table(
    systems: Sequence[str], metrics: Sequence[Mapping[str, Any]], words: Mapping[str, str]
) -> str:
    headings = "".join(
        f'<th scope="col">{escape(_heading(metric, words))}</th>' for metric in metrics
    )
    rows = [
        f'<tr><th scope="row"><bdi>{escape(name)}</bdi></th>'
        + "".join(f"<td>{_number(metric, place)}</td>" for metric in metrics)
        + "</tr>"
        for place, name in enumerate(systems)
    ]
    head = f'<thead><tr><th scope="col">{escape(words["system"])}</th>{headings}</tr></thead>'
    return f"<table>\n{head}\n<tbody>\n" + "\n".join(rows) + "\n</tbody>\n</table>"


def _heading(metric: Mapping[str, Any], words: Mapping[str, str]) -> str:
    direction = words["higher" if metric["higherIsBetter"] else "lower"]
    return direction.replace("{metric}", str(metric["title"]))


def _number(metric: Mapping[str, Any], place: int) -> str:
    value = metric["scores"][place]
    return "–" if value is None else f"{value:.{metric['decimals']}f}"
