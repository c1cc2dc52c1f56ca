"""Scores that other programs wrote: mt-metrics-eval, COMET, tables, one number per line.

What a file is, is seen by its ending and by its first line:

    system<TAB>0.83                        mt-metrics-eval, .seg.score or .sys.score
    out.txt<TAB>Segment 0<TAB>score: 0.83  what comet-score prints
    {"out.txt": [{"COMET": 0.83}]}         comet-score --to_json
    system,segment,score                   CSV, TSV or JSON lines with named columns
    0.83                                   the segments of one system

Scores of one system whose name the file does not have stand under the empty name.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.core.judgments import Level, ScoreMatrix
from tenbin.formats.files import regular_file, user_path
from tenbin.formats.json_text import parse_json
from tenbin.formats.lines import TextFile
from tenbin.formats.mt_metrics_eval import read_score_file
from tenbin.formats.numerals import decimal_number
from tenbin.formats.score_table import MISSING, ScoreColumns, number, read_score_table
from tenbin.formats.text_rows import csv_rows, json_rows, tab_rows, uncompressed

UNNAMED = ""
"""The name of a system in a file that does not name it."""

_ADVICE = (
    "Expected scores as mt-metrics-eval writes them (SYSTEM, tab, score), as COMET prints them or "
    "writes them to JSON, a table with a column of scores, or one number per line."
)
_COMET_LINE = re.compile(
    r"(?P<system>.+)\tSegment (?P<segment>\d{1,9})\tscore: (?P<score>[^\t]+).*"
)
_COMET_MEAN = re.compile(r"(?P<system>.+)\tscore: (?P<score>[^\t]+)")
_COMET_END = "Predictions saved in: "
_SYSTEMS = ("system", "system_name", "sys", "model", "engine")
_SEGMENTS = ("segment", "segment_id", "seg_id", "seg", "id", "line")
_SCORES = ("score", "scores", "comet", "prediction")
_TRANSLATIONS = ("mt", "hypothesis", "translation")
_BLOCK = 2**20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutsideScores:
    """The scores of one file.

    Attributes:
        file: The file, as messages show it.
        sha256: Of its bytes, in hexadecimal.
        matrix: By segment or by system; NaN is missing.
        texts: The translation of each segment, by system, where the file has them.
    """

    file: str
    sha256: str
    matrix: ScoreMatrix
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)


def read_outside_scores(path: str, *, name: str = "") -> OutsideScores:
    """Read the scores of a file.

    Args:
        path: The file; it may be compressed.
        name: What the scores are called, which may be the name of their column.

    Raises:
        InputError: The file cannot be read, or is none of scores; the message names the line.
    """
    digest = _digest(path)
    file = TextFile(path)
    report = file.scan()
    if report.faults:
        raise report.faults[0]
    first = next((line for line in file.lines() if line.strip()), None)
    if first is None:
        raise UnreadableFile(file.name, "the file is empty", _ADVICE)
    matrix, texts = _read(path, file, first, name)
    return OutsideScores(file=file.name, sha256=digest, matrix=matrix, texts=texts)


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with regular_file(user_path(path)).open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


_Found = tuple[ScoreMatrix, Mapping[str, Sequence[str]]]


def _read(path: str, file: TextFile, first: str, name: str) -> _Found:
    ending = uncompressed(path).suffix.lower()
    if ending in {".jsonl", ".ndjson"}:
        return _json_lines(path, file, first, name), {}
    if ending == ".json" or first.lstrip()[:1] in {"{", "["}:
        return _json(path, file, first, name)
    if ending == ".csv":
        return _table(path, csv_rows(path), name), {}
    return _plain(path, file, first, name), {}


def _plain(path: str, file: TextFile, first: str, name: str) -> ScoreMatrix:
    """Return the scores of a text file whose ending says nothing."""
    if _is_score(first):
        return ScoreMatrix.by_segment("", {UNNAMED: list(_numbers(file))})
    if _COMET_LINE.fullmatch(first) or _COMET_MEAN.fullmatch(first):
        return _comet_lines(file)
    fields = first.split("\t") if "\t" in first else first.split()
    if len(fields) == 2 and _is_score(fields[1]):  # noqa: PLR2004 - system and score
        return _score_file(path)
    if "\t" in first:
        return _table(path, tab_rows(path), name)
    raise MalformedLine(file.name, 1, f"found {first[:40]!r}", _ADVICE)


def _is_score(text: str) -> bool:
    return text.strip() in MISSING or decimal_number(text) is not None


def _numbers(file: TextFile) -> Iterator[float]:
    for line, text in enumerate(file.lines(), start=1):
        yield number(text, file.name, line)


def _score_file(path: str) -> ScoreMatrix:
    """Return scores of mt-metrics-eval; one line a system is its own score unless named .seg."""
    found = read_score_file(path)
    name = uncompressed(path).name
    if found.level is Level.SEGMENT and ".seg." not in name and len(found.segments) == 1:
        return read_score_file(path, level=Level.SYSTEM)
    return found


def _comet_lines(file: TextFile) -> ScoreMatrix:
    """Return what comet-score prints: scores of segments, else those of systems.

    The lines of systems are means of the segments, rounded, and are left out beside them.
    """
    segments: dict[str, list[float]] = {}
    means: dict[str, float] = {}
    for line, text in enumerate(file.lines(), start=1):
        one = _COMET_LINE.fullmatch(text)
        mean = _COMET_MEAN.fullmatch(text)
        if one is not None:
            own = segments.setdefault(one["system"], [])
            if int(one["segment"]) != len(own):
                problem = f"segment {one['segment']} of {one['system']!r}, expected {len(own)}"
                raise MalformedLine(file.name, line, problem, "Give all lines, in order.")
            own.append(number(one["score"], file.name, line))
        elif mean is not None:
            means[mean["system"]] = number(mean["score"], file.name, line)
        elif text.strip() and not text.startswith(_COMET_END):
            problem = f"found {text[:40]!r}, expected FILE<TAB>Segment N<TAB>score: X"
            raise MalformedLine(file.name, line, problem, "Leave out what is no score.")
    if not segments:
        return ScoreMatrix.by_system("", means)
    return _by_segment(file.name, segments)


def _by_segment(path: str, scores: Mapping[str, Sequence[float]]) -> ScoreMatrix:
    counts = {name: len(own) for name, own in scores.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{name} {count:,}" for name, count in list(counts.items())[:5])
        problem = f"systems have different numbers of scores ({listed})"
        raise UnreadableFile(path, problem, "Every system needs a score per segment.")
    return ScoreMatrix.by_segment("", scores)


def _json(path: str, file: TextFile, first: str, name: str) -> _Found:
    """Return what ``comet-score --to_json`` writes, or a list of such objects of one system."""
    try:
        content = parse_json("\n".join(file.lines()))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # one object per line
            return _json_lines(path, file, first, name), {}
        place = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise UnreadableFile(file.name, f"not JSON ({place})", _ADVICE) from error
    except ValueError as error:
        raise UnreadableFile(file.name, f"not JSON ({error})", _ADVICE) from error
    if isinstance(content, dict) and _is_row(content, name):
        content = [content]  # a single line
    systems = content if isinstance(content, dict) else {UNNAMED: content}
    scores: dict[str, list[float]] = {}
    texts: dict[str, list[str]] = {}
    for system, rows in systems.items():
        if not isinstance(rows, list) or not rows:
            problem = f"{system!r} has no list of segments" if system else "it has no segments"
            raise UnreadableFile(file.name, problem, _ADVICE)
        scores[system], own = _segments(file.name, system, rows, name)
        if own is not None:
            texts[system] = own
    if not scores:
        raise UnreadableFile(file.name, "there are no scores in the file", _ADVICE)
    return _by_segment(file.name, scores), texts


def _is_row(value: Mapping[str, Any], name: str) -> bool:
    return not any(isinstance(one, list) for one in value.values()) and bool(
        _column(list(value), (name, *_SCORES))
    )


def _segments(
    path: str, system: str, rows: Sequence[Any], name: str
) -> tuple[list[float], list[str] | None]:
    found: list[float] = []
    texts: list[str] = []
    for place, row in enumerate(rows, start=1):
        where = f"segment {place:,}" + (f" of {system!r}" if system else "")
        if isinstance(row, dict):
            key = _column(list(row), (name, *_SCORES))
            if key is None:
                listed = ", ".join(map(str, row))[:80]
                raise UnreadableFile(path, f"{where} has no score; found {listed}", _ADVICE)
            value = row[key]
            text = row.get(_column(list(row), _TRANSLATIONS) or "")
            texts += [text] if isinstance(text, str) else []
        else:
            value = row
        found.append(_json_number(value, path, where))
    return found, texts if len(texts) == len(rows) else None


def _json_number(value: Any, path: str, where: str) -> float:  # noqa: ANN401 - of JSON
    if value is None or value != value:  # noqa: PLR0124 - NaN
        return float("nan")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    found = decimal_number(repr(value)) if is_number else None
    if found is None:
        shown = json.dumps(value)[:40]
        raise UnreadableFile(path, f"the score of {where} is {shown}", "Write a finite number.")
    return found


def _json_lines(path: str, file: TextFile, first: str, name: str) -> ScoreMatrix:
    try:
        row = parse_json(first)
    except ValueError as error:
        problem = f"this is not JSON ({error})"
        raise MalformedLine(file.name, 1, problem, "Write one object per line.") from error
    if not isinstance(row, dict):
        raise MalformedLine(file.name, 1, "this is no object", "Write one object per line.")
    columns = _columns(file.name, [str(key) for key in row], name)
    if columns is None:
        return read_score_table(path, _names(file.name, [str(key) for key in row], name))
    rows = json_rows(path, [columns])
    return ScoreMatrix.by_segment(
        "", {UNNAMED: [number(fields[columns], file.name, line) for line, fields in rows]}
    )


def _table(path: str, rows: Iterator[tuple[int, list[str]]], name: str) -> ScoreMatrix:
    _, header = next(rows, (1, []))
    columns = _columns(path, header, name)
    if columns is None:
        return read_score_table(path, _names(path, header, name))
    place = header.index(columns)
    found = []
    for line, fields in rows:
        if len(fields) != len(header):
            problem = f"found {counted(len(fields), 'column')}, expected {len(header)}"
            raise MalformedLine(path, line, problem, "Correct the line.")
        found.append(number(fields[place], path, line))
    if not found:
        raise UnreadableFile(path, "there are no scores in the file", _ADVICE)
    return ScoreMatrix.by_segment("", {UNNAMED: found})


def _columns(path: str, header: Sequence[str], name: str) -> str | None:
    """Return the column of scores of a table of one system; None where systems are named."""
    return None if _column(header, _SYSTEMS) else _names(path, header, name).score


def _names(path: str, header: Sequence[str], name: str) -> ScoreColumns:
    score = _column(header, (name, *_SCORES))
    if score is None:
        listed = ", ".join(header)[:100] or "nothing"
        problem = f"the first line has no column of scores; found {listed}"
        raise UnreadableFile(path, problem, f"Call it {name or 'score'} or score.")
    segment = _column(header, _SEGMENTS)
    return ScoreColumns(system=_column(header, _SYSTEMS) or "", segment=segment, score=score)


def _column(header: Sequence[str], names: Sequence[str]) -> str | None:
    """Return the first of some names that a header has, whatever its case."""
    folded = {column.strip().lower(): column for column in reversed(header)}
    return next((folded[name.lower()] for name in names if name and name.lower() in folded), None)
