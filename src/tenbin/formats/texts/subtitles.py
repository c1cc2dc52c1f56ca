"""Subtitles (SRT and WebVTT): one cue is one segment."""

import html
import re
from collections.abc import Iterator, Sequence

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.table import TextTable
from tenbin.formats.texts.tags import Tags

COLUMNS = ("speaker", "cue", "text")
_TIMES = re.compile(r"\s*(?:\d+:)?\d+:\d+[.,]\d+\s*-->\s*(?:\d+:)?\d+:\d+[.,]\d+")
_SKIPPED = ("NOTE", "STYLE", "REGION")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)*\s+([^>]+)>")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}")
_UNSPACED = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]")
_ADVICE = "Expected a line of times: 00:00:01,000 --> 00:00:02,500."


def read_subtitles(file: TextFile, tags: Tags | None) -> TextTable:
    """Read the cues; lines of a cue are joined, with a blank where the script has blanks.

    Speakers (``<v Name>``) are documents. Formatting is hidden unless it is asked for.

    Raises:
        UnreadableFile: There is no cue; further errors while the rows are read.
    """
    rows = _rows(file, keep=tags in {Tags.KEEP, Tags.COMPARE})
    first = next(rows, None)
    if first is None:
        raise UnreadableFile(file.name, "there is no cue in the file", _ADVICE)
    return TextTable(file.name, COLUMNS, _with_first(first, rows))


def _with_first(
    first: tuple[int, Sequence[str]], rows: Iterator[tuple[int, Sequence[str]]]
) -> Iterator[tuple[int, Sequence[str]]]:
    yield first
    yield from rows


def _rows(file: TextFile, *, keep: bool) -> Iterator[tuple[int, Sequence[str]]]:
    for begin, block in _blocks(file):
        if begin == 1 and block[0].startswith("WEBVTT"):
            continue
        at = next((at for at, line in enumerate(block[:2]) if _TIMES.match(line)), None)
        if at is None:
            if block[0].split(maxsplit=1)[0] in _SKIPPED:
                continue
            problem = f"found {block[0][:60]!r} where a cue begins"
            raise MalformedLine(file.name, begin, problem, _ADVICE)
        speaker = next((found[1].strip() for line in block if (found := _VOICE.search(line))), "")
        text = ""
        for line in block[at + 1 :]:
            shown = line.strip() if keep else _MARKUP.sub("", line).strip()
            tight = _UNSPACED.match(text[-1:]) and _UNSPACED.match(shown)
            text = f"{text}{'' if tight or not text else ' '}{shown}"
        yield begin, [speaker, block[0].strip() if at else "", html.unescape(text)]


def _blocks(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """Yield what stands between empty lines, with the number of its first line."""
    block: list[str] = []
    for number, line in enumerate(file.lines(), start=1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []
    if block:
        yield number - len(block) + 1, block
