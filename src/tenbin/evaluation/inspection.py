"""Looks for everything that is odd about texts and installation, all at once."""

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version

from tenbin.annotation.fitness import check_script
from tenbin.annotation.languages import parse_language
from tenbin.annotation.tokenizers import load_tokenizer, tokenizer_names
from tenbin.core.errors import ResourceError, TenbinError
from tenbin.formats.lines import FileReport, TextFile

_MOST_FAULTS = 5
_MOST_LINES_NAMED = 5
_ODD_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029\r]")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);")
_TOKENIZED = re.compile(r"\w [.!?]$")
_SUSPICIOUS_SHARE = 0.5


class Level(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    NOTE = "note"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    level: Level
    where: str
    message: str


def inspect_installation() -> list[Finding]:
    """Report what is installed, what is missing, and how to get it."""
    findings = [
        Finding(Level.OK, name, version(name))
        for name in ("tenbin", "sacrebleu", "numpy")
        if _installed(name)
    ]
    if _installed("numba"):
        findings.append(Finding(Level.OK, "numba", version("numba")))
    else:
        advice = "not installed: kernels run in plain Python, slower, same numbers"
        findings.append(Finding(Level.NOTE, "numba", advice))
    for name in tokenizer_names():
        try:
            tokenizer = load_tokenizer(name)
        except ResourceError as error:
            findings.append(Finding(Level.NOTE, f"tokenizer {name}", str(error)))
        else:
            versions = ", ".join(f"{key} {value}" for key, value in tokenizer.versions)
            findings.append(Finding(Level.OK, f"tokenizer {name}", versions or "built in"))
    if not _installed("pandas"):
        advice = "data frames need pip install 'tenbin[tables]'"
        findings.append(Finding(Level.NOTE, "pandas", advice))
    return findings


def inspect_texts(
    references: Sequence[str], systems: Sequence[str], source: str | None, language: str | None
) -> list[Finding]:
    """Report every problem of the texts, not only the first."""
    paths = list(dict.fromkeys([*references, *systems, *([source] if source else [])]))
    files = {path: TextFile(path) for path in paths}
    reports = {path: file.scan(most_faults=_MOST_FAULTS) for path, file in files.items()}
    findings: list[Finding] = []
    readable: dict[str, list[str]] = {}
    for path, report in reports.items():
        findings += _file_findings(report)
        if not report.faults:
            readable[path] = list(files[path].lines())
            findings += _text_findings(report.name, readable[path])
    findings += _length_findings(list(reports.values()))
    if language is not None:
        findings += _language_findings(language, references, readable)
    return findings + _twin_findings(references, systems, source, readable)


def _installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _file_findings(report: FileReport) -> list[Finding]:
    findings = [Finding(Level.ERROR, report.name, str(fault)) for fault in report.faults]
    if not findings:
        findings.append(Finding(Level.OK, report.name, f"{report.lines:,} segments, valid UTF-8"))
    findings += [Finding(Level.NOTE, report.name, note) for note in report.notes()]
    if report.empty:
        findings.append(_lines_finding(report.name, "empty", report.empty))
    return findings


def _text_findings(name: str, texts: Sequence[str]) -> list[Finding]:
    checks: list[tuple[str, Callable[[str], bool]]] = [
        ("with a line break of another kind inside", lambda t: _ODD_BREAKS.search(t) is not None),
        ("with blanks at an end", lambda t: t != t.strip() and bool(t.strip())),
        ("with unexpanded entities such as &amp;", _has_entity),
    ]
    findings = []
    for what, test in checks:
        numbers = [number for number, text in enumerate(texts, start=1) if test(text)]
        if numbers:
            findings.append(_lines_finding(name, what, numbers))
    tokenized = sum(_TOKENIZED.search(text) is not None for text in texts)
    if tokenized > _SUSPICIOUS_SHARE * len(texts):
        advice = "most lines end in ' .': the text looks tokenised; give plain text"
        findings.append(Finding(Level.NOTE, name, advice))
    return findings


def _has_entity(text: str) -> bool:
    return _ENTITY.search(text) is not None and html.unescape(text) != text


def _length_findings(reports: Sequence[FileReport]) -> list[Finding]:
    counts = {report.name: report.lines for report in reports if not report.faults}
    if len(set(counts.values())) <= 1:
        return []
    listed = ", ".join(f"{name}: {count:,}" for name, count in counts.items())
    return [Finding(Level.ERROR, "all texts", f"different numbers of segments ({listed})")]


def _language_findings(
    language: str, references: Sequence[str], readable: dict[str, list[str]]
) -> list[Finding]:
    findings = []
    for path in references:
        if path not in readable:
            continue
        try:
            check_script(parse_language(language), readable[path])
        except TenbinError as error:
            findings.append(Finding(Level.ERROR, path, str(error)))
        else:
            findings.append(Finding(Level.OK, path, f"script fits {language}"))
    return findings


def _twin_findings(
    references: Sequence[str],
    systems: Sequence[str],
    source: str | None,
    readable: dict[str, list[str]],
) -> list[Finding]:
    findings = []
    texts = [(path, readable[path]) for path in systems if path in readable]
    for number, (path, own) in enumerate(texts):
        for other, theirs in texts[:number]:
            if own == theirs:
                findings.append(Finding(Level.NOTE, path, f"the same text as {other}"))
        for reference in references:
            if readable.get(reference) == own:
                advice = f"the same text as the reference {reference}; is it the system's output?"
                findings.append(Finding(Level.NOTE, path, advice))
        if source is not None and readable.get(source) == own:
            findings.append(Finding(Level.NOTE, path, "the same text as the source"))
    return findings


def _lines_finding(name: str, what: str, numbers: Sequence[int]) -> Finding:
    shown = ", ".join(str(number) for number in numbers[:_MOST_LINES_NAMED])
    more = (
        f" and {len(numbers) - _MOST_LINES_NAMED:,} more"
        if len(numbers) > _MOST_LINES_NAMED
        else ""
    )
    plural = "s" if len(numbers) > 1 else ""
    return Finding(Level.NOTE, name, f"{len(numbers):,} line{plural} {what}: {shown}{more}")
