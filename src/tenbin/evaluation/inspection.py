"""Looks for everything that is odd about texts, all at once."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tenbin.annotation.fitness import check_script, script_share
from tenbin.annotation.languages import Language, parse_language
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, TenbinError
from tenbin.formats.lines import FileReport, TextFile
from tenbin.formats.test_files import SegmentFile
from tenbin.formats.wmt_layout import read_documents

_MOST_FAULTS = 5
_MOST_LINES_NAMED = 5
_ODD_BREAKS = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);")
_TOKENIZED = re.compile(r"\w [.!?]$")
_SUSPICIOUS_SHARE = 0.5


class Severity(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    NOTE = "note"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    level: Severity
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """Everything that was looked at.

    Attributes:
        installation: What is installed and what is missing.
        texts: What was found in the texts; None where no texts were given.
    """

    installation: tuple[Finding, ...]
    texts: tuple[Finding, ...] | None = None

    @property
    def has_faulty_texts(self) -> bool:
        """Whether the texts cannot be scored."""
        return any(one.level is Severity.ERROR for one in self.texts or ())


def inspect_texts(
    references: Sequence[str],
    systems: Sequence[str],
    source: str | None,
    language: str | None,
    documents: str | None = None,
    *,
    encoding: str | None = None,
    read: Callable[[str], Sequence[str]] = read_documents,
) -> list[Finding]:
    """Report every problem of the texts, not only the first.

    Args:
        references: Paths of the reference texts.
        systems: Paths of the system outputs.
        source: Path of the source text.
        language: Target language.
        documents: Path of a table of documents.
        encoding: What the texts are encoded in; UTF-8 by default.
        read: What reads the table of documents.
    """
    paths = dict.fromkeys([*references, *systems, *([] if source is None else [source])])
    files = {path: TextFile(path, encoding=encoding, can_name=True) for path in paths}
    return inspect_segments(
        [files[path] for path in references],
        [files[path] for path in systems],
        None if source is None else files[source],
        language,
        documents,
        read,
    )


def inspect_segments(
    references: Sequence[SegmentFile],
    systems: Sequence[SegmentFile],
    source: SegmentFile | None,
    language: str | None,
    documents: str | None = None,
    read: Callable[[str], Sequence[str]] = read_documents,
) -> list[Finding]:
    """Report every problem of texts that may have any format; arguments as in `inspect_texts`."""
    given = [*references, *systems, *([] if source is None else [source])]
    files = list({id(file): file for file in given}.values())
    findings: list[Finding] = []
    readable: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for file in files:
        report = file.scan(most_faults=_MOST_FAULTS) if isinstance(file, TextFile) else file.scan()
        findings += _file_findings(report, file)
        if not report.faults:
            counts[report.name] = report.lines
            readable[file.name] = list(file.lines())
            findings += _text_findings(file, readable[file.name])
    if documents is not None:
        findings += _document_findings(documents, counts, read)
    findings += _length_findings(counts)
    names = [file.name for file in references], [file.name for file in systems]
    if language is not None:
        findings += _language_findings(language, *names, readable)
    return findings + _twin_findings(*names, None if source is None else source.name, readable)


def inspection_fault(fault: InputError, name: str) -> Finding:
    """Return the finding that files cannot be read.

    Args:
        fault: Why.
        name: What they are called.
    """
    return _fault_finding(name, fault)


def _file_findings(report: FileReport, file: SegmentFile) -> list[Finding]:
    findings = [_fault_finding(report.name, fault) for fault in report.faults]
    if not findings:
        encoding = f", valid {file.encoding or 'UTF-8'}" if isinstance(file, TextFile) else ""
        found = f"{counted(report.lines, 'segment')}{encoding}"
        findings.append(Finding(Severity.OK, report.name, found))
    findings += [
        Finding(Severity.NOTE, report.name, note.removeprefix(f"{report.name}: "))
        for note in report.notes()
    ]
    if report.empty:
        findings.append(_lines_finding(file, "empty", report.empty))
    return findings


def _fault_finding(name: str, fault: InputError) -> Finding:
    # The file stands in a column of its own.
    message = str(fault).removeprefix(name).lstrip(":, ")
    return Finding(Severity.ERROR, name, message)


def _text_findings(file: SegmentFile, texts: Sequence[str]) -> list[Finding]:
    checks: list[tuple[str, Callable[[str], bool]]] = [
        ("with a line break of another kind inside", lambda t: _ODD_BREAKS.search(t) is not None),
        ("with blanks at an end", lambda t: t != t.strip() and bool(t.strip())),
        ("with unexpanded entities such as &amp;", _has_entity),
    ]
    findings = []
    for what, test in checks:
        numbers = [number for number, text in enumerate(texts, start=1) if test(text)]
        if numbers:
            findings.append(_lines_finding(file, what, numbers))
    tokenized = sum(_TOKENIZED.search(text) is not None for text in texts)
    if tokenized > _SUSPICIOUS_SHARE * len(texts):
        advice = "most lines end in ' .': the text looks tokenized; give plain text"
        findings.append(Finding(Severity.NOTE, file.name, advice))
    return findings


def _has_entity(text: str) -> bool:
    return _ENTITY.search(text) is not None and html.unescape(text) != text


def _document_findings(
    documents: str, counts: dict[str, int], read: Callable[[str], Sequence[str]]
) -> list[Finding]:
    """Report on a table of documents, and add its length to the counts."""
    try:
        names = read(documents)
    except InputError as fault:
        return [_fault_finding(documents, fault)]
    counts[documents] = len(names)
    found = f"{counted(len(names), 'segment')}, {counted(len(set(names)), 'document')}"
    return [Finding(Severity.OK, documents, found)]


def _length_findings(counts: Mapping[str, int]) -> list[Finding]:
    if len(set(counts.values())) <= 1:
        return []
    listed = ", ".join(f"{name}: {count:,}" for name, count in counts.items())
    return [Finding(Severity.ERROR, "all texts", f"different numbers of segments ({listed})")]


def _language_findings(
    language: str,
    references: Sequence[str],
    systems: Sequence[str],
    readable: Mapping[str, list[str]],
) -> list[Finding]:
    try:
        target = parse_language(language)
    except TenbinError as error:
        return [Finding(Severity.ERROR, "language", str(error))]
    findings = []
    for path in references:
        if path not in readable:
            continue
        try:
            check_script(target, readable[path])
        except InputError as error:
            findings.append(Finding(Severity.ERROR, path, str(error)))
        else:
            findings.append(_script_finding(path, readable[path], target))
    findings += [
        _script_finding(path, readable[path], target) for path in systems if path in readable
    ]
    return findings


def _script_finding(path: str, texts: Sequence[str], language: Language) -> Finding:
    share = script_share(language, texts)
    if share is None or share >= _SUSPICIOUS_SHARE:
        return Finding(Severity.OK, path, f"script fits {language.tag}")
    advice = f"only {share:.0%} of its letters are in the script of {language.tag}"
    return Finding(Severity.NOTE, path, f"{advice}; is it the right file?")


def _twin_findings(
    references: Sequence[str],
    systems: Sequence[str],
    source: str | None,
    readable: Mapping[str, list[str]],
) -> list[Finding]:
    findings = []
    texts = [(path, readable[path]) for path in systems if path in readable]
    for number, (path, own) in enumerate(texts):
        for other, theirs in texts[:number]:
            if own == theirs:
                findings.append(Finding(Severity.NOTE, path, f"the same text as {other}"))
        for reference in references:
            if readable.get(reference) == own:
                advice = f"the same text as the reference {reference}; is it the system's output?"
                findings.append(Finding(Severity.NOTE, path, advice))
        if source is not None and readable.get(source) == own:
            findings.append(Finding(Severity.NOTE, path, "the same text as the source"))
    return findings


def _lines_finding(file: SegmentFile, what: str, numbers: Sequence[int]) -> Finding:
    shown = ", ".join(str(number) for number in numbers[:_MOST_LINES_NAMED])
    unnamed = len(numbers) - _MOST_LINES_NAMED
    more = f" and {unnamed:,} more" if unnamed > 0 else ""
    found = f"{counted(len(numbers), file.noun)} {what}: {shown}{more}"
    return Finding(Severity.NOTE, file.name, found)
