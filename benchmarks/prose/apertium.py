"""Translations by rules: what a weak system may write.

Apertium (GPL, an external tool) and its dictionaries come from Debian; `PACKAGES` names them. Words
that it does not know stay foreign, order and function words change.
"""

import html
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

PACKAGES = (
    *("apertium", "apertium-eng-spa", "apertium-eng-cat", "apertium-en-gl", "apertium-eo-en"),
    *("apertium-hbs-eng", "apertium-fr-es", "apertium-fra-cat", "apertium-eo-fr"),
    *("apertium-spa-cat", "apertium-es-gl"),
)
"""What `apt-get install` takes for all routes."""

Route = tuple[str, ...]
"""Names of Apertium's modes, one after the other; the last one ends in English."""

Versions = Iterator[tuple[str, ...]]
"""Sentences, each with its translations."""

_AT_ONCE = 10_000
_SENTENCE = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_BLANKS = re.compile(r"\s+")
# Apertium marks words whose form it does not find.
_MARKED = re.compile(r"(?<!\S)[#@*](?=\w)")


def write_versions(parts: Iterable[tuple[str, Versions]], output: Path) -> int:
    """Write sentences with their translations, between tabs; a file that is there is whole.

    Args:
        parts: What is printed when a part is done, and its sentences.
        output: What is written.

    Returns:
        The number of rows.

    Raises:
        SystemExit: Apertium fails, or is not there.
    """
    partial_file = output.with_name(f"{output.name}.partial")
    count = 0
    with partial_file.open("w", encoding="utf-8") as file:
        for name, rows in parts:
            for row in rows:
                file.write("\t".join(row) + "\n")
                count += 1
            print(f"{name}\t{count}", flush=True)
    partial_file.replace(output)
    return count


def versions_of(
    sentences: Sequence[str], sources: Sequence[tuple[Sequence[str], Route]]
) -> Versions:
    """Yield sentences with what routes make of something else that stands beside each.

    Args:
        sentences: English sentences.
        sources: What is translated, one text per sentence, and by which route.

    Yields:
        A sentence and its translations. Sentences that a route loses are left out.

    Raises:
        SystemExit: Apertium fails, is not there, or does not keep the sentences apart.
    """
    with ThreadPoolExecutor() as pool:
        for start in range(0, len(sentences), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            translate = partial(_part, part=part)
            rows = zip(sentences[part], *pool.map(translate, sources), strict=True)
            yield from (row for row in rows if all(row))


def _part(source: tuple[Sequence[str], Route], part: slice) -> list[str]:
    texts, route = source
    return translations(texts[part], route)


def translations(sentences: Sequence[str], route: Route) -> list[str]:
    """Return what becomes of sentences.

    Args:
        sentences: In the language that the route begins with.
        route: The modes.

    Raises:
        SystemExit: Apertium fails, is not there, or does not keep the sentences apart.
    """
    # Marked as paragraphs, since lines are not kept apart.
    text = "".join(f"<p>{html.escape(one, quote=False)}</p>\n" for one in sentences)
    for mode in route:
        text = _translated(text, mode)
    found = [_plain(one) for one in _SENTENCE.findall(text)]
    if len(found) != len(sentences):
        called = ", ".join(route)
        raise SystemExit(f"apertium {called}: {len(sentences)} sentences, {len(found)} back")
    return found


def _translated(text: str, mode: str) -> str:
    command = ["apertium", "-u", "-f", "html", mode]
    try:
        run = subprocess.run(command, input=text.encode(), check=True, capture_output=True)  # noqa: S603 - names above
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", b"") or b"").decode().strip() or str(error)
        raise SystemExit(
            f"{' '.join(command)}: {said}\nAll that is needed: apt-get install {' '.join(PACKAGES)}"
        ) from error
    return run.stdout.decode(errors="replace")


def _plain(found: str) -> str:
    return _MARKED.sub("", _BLANKS.sub(" ", html.unescape(found)).strip())
