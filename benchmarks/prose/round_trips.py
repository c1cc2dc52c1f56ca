"""Sentences translated and translated back by rules: what a weak system may make of them.

Apertium (GPL, an external tool) and its dictionaries come from Debian: `apt-get install apertium
apertium-eng-spa apertium-eng-cat apertium-en-gl apertium-eo-en`. Words that it does not know stay
foreign, order and function words change, and four languages give four translations of a sentence.
"""

import html
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

ROUTES = (
    ("eng-spa", "spa-eng"),
    ("eng-cat", "cat-eng"),
    ("en-gl", "gl-en"),
    ("en-eo", "eo-en"),
)
"""There and back: names of Apertium's modes."""

_AT_ONCE = 10_000
_SENTENCE = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_BLANKS = re.compile(r"\s+")
# Apertium marks words whose form it does not find.
_MARKED = re.compile(r"(?<!\S)[#@*](?=\w)")


def write_round_trips(paths: Sequence[Path], most: int, output: Path) -> int:
    """Write sentences with what four round trips make of each, between tabs.

    Args:
        paths: Sentences, one per line.
        most: How many of each file, from all over it.
        output: What is written.

    Returns:
        The number of rows. Sentences that a round trip loses are left out.

    Raises:
        SystemExit: Apertium fails, or is not there.
    """
    count = 0
    with output.open("w", encoding="utf-8") as file:
        for path in paths:
            every = path.read_text("utf-8").splitlines()
            step = max(len(every) / most, 1.0)
            chosen = [every[int(number * step)] for number in range(min(most, len(every)))]
            for row in _rows(chosen):
                file.write("\t".join(row) + "\n")
                count += 1
            print(f"{path.name}\t{count}", flush=True)
    return count


def _rows(sentences: Sequence[str]) -> Iterator[tuple[str, ...]]:
    with ThreadPoolExecutor() as pool:
        for start in range(0, len(sentences), _AT_ONCE):
            some = sentences[start : start + _AT_ONCE]
            versions = pool.map(partial(round_trip, some), *zip(*ROUTES, strict=True))
            rows = zip(some, *versions, strict=True)
            yield from (row for row in rows if all(row))


def round_trip(sentences: Sequence[str], there: str, back: str) -> list[str]:
    """Return what becomes of sentences.

    Args:
        sentences: English sentences.
        there: The mode of Apertium from English.
        back: The mode into English.

    Raises:
        SystemExit: Apertium fails, is not there, or does not keep the sentences apart.
    """
    # Marked as paragraphs, since lines are not kept apart.
    text = "".join(f"<p>{html.escape(one, quote=False)}</p>\n" for one in sentences)
    for mode in (there, back):
        text = _translated(text, mode)
    found = [_plain(one) for one in _SENTENCE.findall(text)]
    if len(found) != len(sentences):
        raise SystemExit(f"apertium {there}, {back}: {len(sentences)} sentences, {len(found)} back")
    return found


def _translated(text: str, mode: str) -> str:
    command = ["apertium", "-u", "-f", "html", mode]
    try:
        run = subprocess.run(command, input=text.encode(), check=True, capture_output=True)  # noqa: S603 - names above
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"") or b""
        raise SystemExit(f"{' '.join(command)}: {said.decode().strip() or error}") from error
    return run.stdout.decode(errors="replace")


def _plain(found: str) -> str:
    return _MARKED.sub("", _BLANKS.sub(" ", html.unescape(found)).strip())
