"""Files of candidates: n-best lists and samples in the forms that decoders write."""

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import isfinite
from pathlib import PurePath
from typing import Any

from tenbin.core.candidates import CandidateLists
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, LengthMismatch, MalformedLine, UsageError
from tenbin.formats.json_text import parse_json
from tenbin.formats.lines import STANDARD_INPUT, FileReport, TextFile
from tenbin.formats.named_paths import split_names

_SEPARATOR = "|||"
_MOSES_PARTS = 2  # at least the number of the segment and the text
_MOSES_ADVICE = "Expected: number of the segment ||| text, and perhaps ||| features ||| score."
_JSON_ADVICE = (
    'Expected a list of texts, or of objects with "text" and perhaps "score", or an object with '
    'such a list as "candidates".'
)


class CandidateForm(StrEnum):
    """How candidates are written.

    LINES: one per line; several files have one of each segment, one file has some lines for each.
    MOSES: ``segment ||| text ||| features ||| score``. JSONL: one list per line.
    """

    LINES = "lines"
    MOSES = "moses"
    JSONL = "jsonl"


def read_candidates(
    paths: Sequence[str], *, per_segment: int | None = None, form: CandidateForm | None = None
) -> CandidateLists:
    """Read the candidates of all segments.

    Args:
        paths: Several files with one candidate of each segment, or one file; ``NAME=PATH`` too, as
            for systems.
        per_segment: How many lines of one file belong to a segment.
        form: How they are written; None to see by the file: JSONL by its name, Moses by its first
            line.

    Raises:
        InputError: A file is malformed, or files have different numbers of lines; the message names
            file and line.
        UsageError: Files and options do not fit together.
    """
    if not paths:
        raise UsageError("no candidates were given (`systems`).")
    named = split_names(paths)
    if [path for _, path in named].count(STANDARD_INPUT) > 1:
        raise UsageError("standard input (-) can be given for one text only.")
    files = [TextFile(path) for _, path in named]
    reports = [file.scan() for file in files]
    faults = [report.faults[0] for report in reports if report.faults]
    if faults:
        raise faults[0] if len(faults) == 1 else InputError("\n".join(map(str, faults)))
    if len(files) > 1:
        if per_segment is not None or form not in {None, CandidateForm.LINES}:
            raise UsageError(
                f"{counted(len(files), 'file')} of candidates were given: each must have one "
                "candidate of each segment per line. `per_segment` and the forms moses and jsonl "
                "are for one file with all candidates."
            )
        return _side_by_side(files, reports)
    (file,) = files
    chosen = form or _form_of(file, per_segment)
    if per_segment is not None and chosen is not CandidateForm.LINES:
        raise UsageError(
            f"`per_segment` is for plain lines; a file in the form {chosen} says itself which "
            "candidates belong together."
        )
    if chosen is CandidateForm.MOSES:
        return _moses(file)
    if chosen is CandidateForm.JSONL:
        return _json_lists(file)
    return _blocks(file, reports[0].lines, per_segment)


def _form_of(file: TextFile, per_segment: int | None) -> CandidateForm:
    suffixes = [suffix.lower() for suffix in PurePath(file.path).suffixes]
    if per_segment is None and ".jsonl" in suffixes:
        return CandidateForm.JSONL
    first = next(file.lines(), "")
    number, separator, _ = first.partition(_SEPARATOR)
    if per_segment is None and separator and number.strip().isdecimal():
        return CandidateForm.MOSES
    return CandidateForm.LINES


def _side_by_side(files: Sequence[TextFile], reports: Sequence[FileReport]) -> CandidateLists:
    counts = {report.name: report.lines for report in reports}
    if len(counts) < len(files):
        raise UsageError("a file of candidates was given twice; give each once.")
    if len(set(counts.values())) > 1:
        raise LengthMismatch(counts)
    columns = [file.lines() for file in files]
    return CandidateLists(texts=tuple(zip(*columns, strict=True)), files=tuple(counts))


def _blocks(file: TextFile, lines: int, per_segment: int | None) -> CandidateLists:
    if per_segment is None:
        raise UsageError(
            f"{file.name} is the only file of candidates, and its lines do not say which belong "
            "together. Say how many lines each segment has (`per_segment=N`), or give several "
            "files with one candidate of each segment."
        )
    if per_segment < 1:
        raise UsageError(f"`per_segment={per_segment}`: give a number of at least 1.")
    if lines % per_segment:
        raise InputError(
            f"{file.name} has {counted(lines, 'line')}, which is not a multiple of "
            f"{per_segment:,}: the last segment would have "
            f"{counted(lines % per_segment, 'candidate')} only. Check the file and "
            "`per_segment`."
        )
    texts = tuple(file.lines())
    starts = range(0, lines, per_segment)
    return CandidateLists(
        texts=tuple(texts[start : start + per_segment] for start in starts), file=file.name
    )


def _moses(file: TextFile) -> CandidateLists:
    texts: list[list[str]] = []
    scores: list[list[float]] = []
    scored: int | None = None
    first = 0
    for line, text in enumerate(file.lines(), start=1):
        parts = [part.strip() for part in text.split(_SEPARATOR)]
        if len(parts) < _MOSES_PARTS or not _is_number_of_segment(parts[0]):
            raise MalformedLine(file.name, line, "not a line of an n-best list", _MOSES_ADVICE)
        number = int(parts[0])
        if line == 1:
            first = number
            scored = len(parts)
            if number not in {0, 1}:
                problem = f"the list begins with segment {number:,}"
                raise MalformedLine(file.name, line, problem, "Segments are counted from 0 or 1.")
        place = number - first
        if place not in {len(texts) - 1, len(texts)}:
            problem = (
                f"segment {number:,} after segment {len(texts) - 1 + first:,}; a segment must "
                "follow the one before it, with all its candidates"
            )
            raise MalformedLine(file.name, line, problem, _MOSES_ADVICE)
        if len(parts) != scored:
            problem = f"{counted(len(parts), 'column')}, and line 1 has {scored}"
            raise MalformedLine(file.name, line, problem, _MOSES_ADVICE)
        if place == len(texts):
            texts.append([])
            scores.append([])
        texts[place].append(parts[1])
        if len(parts) > _MOSES_PARTS:
            scores[place].append(_moses_score(file, line, parts[-1]))
    has_scores = scored is not None and scored > _MOSES_PARTS
    return CandidateLists(
        texts=tuple(map(tuple, texts)),
        scores=tuple(map(tuple, scores)) if has_scores else None,
        file=file.name,
    )


def _is_number_of_segment(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < len(str(2**63))


def _moses_score(file: TextFile, line: int, text: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if not isfinite(score):
        problem = f"the last column, {text[:40]!r}, is not a number"
        raise MalformedLine(file.name, line, problem, _MOSES_ADVICE)
    return score


def _json_lists(file: TextFile) -> CandidateLists:
    texts: list[tuple[str, ...]] = []
    scores: list[tuple[float, ...]] = []
    for line, text in enumerate(file.lines(), start=1):
        try:
            found = list(_json_candidates(parse_json(text)))
        except json.JSONDecodeError as error:
            problem = f"not JSON (column {error.colno}: {error.msg})"
            raise MalformedLine(file.name, line, problem, _JSON_ADVICE) from error
        except ValueError as error:
            raise MalformedLine(file.name, line, str(error), _JSON_ADVICE) from error
        if not found:
            raise MalformedLine(file.name, line, "the list of candidates is empty", _JSON_ADVICE)
        given = tuple(score for _, score in found if score is not None)
        if len(given) not in {0, len(found)} or (line > 1 and bool(given) != bool(scores[0])):
            problem = "some candidates have a score, and some have none"
            raise MalformedLine(file.name, line, problem, _JSON_ADVICE)
        texts.append(tuple(text for text, _ in found))
        scores.append(given)
    return CandidateLists(texts=tuple(texts), scores=tuple(scores) if scores[0] else None, file="")


def _json_candidates(value: Any) -> Iterator[tuple[str, float | None]]:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        value = value.get("candidates")
    if not isinstance(value, list):
        raise ValueError("not a list of candidates")  # noqa: TRY004 - of the file
    for place, one in enumerate(value, start=1):
        text, score = (one.get("text"), one.get("score")) if isinstance(one, dict) else (one, None)
        if not isinstance(text, str):
            raise ValueError(f"candidate {place} has no text")  # noqa: TRY004 - of the file
        if score is not None:
            is_number = isinstance(score, int | float) and not isinstance(score, bool)
            if not is_number or abs(score) > _LARGEST or score != score:  # noqa: PLR0124 - NaN
                raise ValueError(f"the score of candidate {place} is not a finite number")
            score = float(score)
        yield text, score


_LARGEST = 1e300
