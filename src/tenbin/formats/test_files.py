"""Test sets in files, read a chunk at a time so that their size does not matter."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePath
from typing import Protocol

from tenbin.core.errors import InputError, LengthMismatch, UnreadableFile, UsageError
from tenbin.core.text import REFERENCES, TestSet, TextPlaces
from tenbin.formats.files import printable_path
from tenbin.formats.lines import STANDARD_INPUT, FileReport, TextFile
from tenbin.formats.named_paths import split_names

_COMPRESSED = {".gz", ".xz", ".bz2"}


class SegmentFile(Protocol):
    """The segments of one text on disk, which can be read again and again.

    Attributes:
        path: The file that the user named.
        name: The same, as messages show it.
        noun: What a segment is there: a ``line``, a ``segment`` of a table.
    """

    path: str
    name: str
    noun: str

    def scan(self) -> FileReport:
        """Return a report on all segments."""
        ...

    def lines(self) -> Iterator[str]:
        """Yield the segments."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTestSet:
    """A test set whose texts stay on disk; see `open_test_set`.

    Attributes:
        ids: What the input calls each segment, where it does.
    """

    hypothesis_files: Mapping[str, SegmentFile]
    reference_files: tuple[SegmentFile, ...]
    source_file: SegmentFile | None
    documents: tuple[str, ...] | None
    segment_count: int
    reference_counts: tuple[int, ...]
    empty_counts: Mapping[str, int]
    notes: tuple[str, ...]
    empty_means_absent: bool
    ids: tuple[str, ...] | None = None

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order given."""
        return tuple(self.hypothesis_files)

    @property
    def has_references(self) -> bool:
        """Whether references are there."""
        return bool(self.reference_files)

    @property
    def has_source(self) -> bool:
        """Whether source texts are there."""
        return self.source_file is not None

    def chunks(self, size: int) -> Iterator[TestSet]:
        """Yield the segments in order, at most ``size`` of them at a time."""
        hypotheses = {name: _Rows(file) for name, file in self.hypothesis_files.items()}
        references = [_Rows(file) for file in self.reference_files]
        source = None if self.source_file is None else _Rows(self.source_file)
        places = TextPlaces(
            hypotheses={name: file.name for name, file in self.hypothesis_files.items()},
            references=tuple(file.name for file in self.reference_files),
            source="" if self.source_file is None else self.source_file.name,
            noun=next(iter(self.hypothesis_files.values())).noun,
        )
        for start in range(0, self.segment_count, size):
            count = min(size, self.segment_count - start)
            yield TestSet(
                hypotheses={name: rows.take(count) for name, rows in hypotheses.items()},
                references=self._alternatives([rows.take(count) for rows in references]),
                source=None if source is None else source.take(count),
                documents=None if self.documents is None else self.documents[start : start + count],
                places=replace(places, first=start + 1),
            )

    def _alternatives(self, streams: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        segments = zip(*streams, strict=True)  # none without references, as `TestSet` takes it
        if not self.empty_means_absent:
            return tuple(segments)
        return tuple(tuple(text for text in texts if text.strip()) or ("",) for texts in segments)


class _Rows:
    """The lines of a file, which must not become shorter while it is read."""

    def __init__(self, file: SegmentFile) -> None:
        self._name = file.name
        self._lines = file.lines()

    def take(self, count: int) -> tuple[str, ...]:
        """Return the next segments."""
        taken = tuple(islice(self._lines, count))
        if len(taken) < count:
            problem = "the file became shorter while it was being read"
            raise UnreadableFile(self._name, problem, "Run again when nothing writes to it.")
        return taken


def open_test_set(
    hypotheses: Mapping[str, str],
    references: Sequence[str] = (),
    source: str | None = None,
    *,
    documents: Sequence[str] | None = None,
    empty_means_absent: bool = False,
    encoding: str | None = None,
    can_name: bool = False,
    shown: Mapping[str, str] | None = None,
) -> FileTestSet:
    """Open a test set after reading every file once, so that all errors show before scoring.

    Args:
        hypotheses: Path of each system's output, by name.
        references: Paths of the reference texts; none for metrics that read no reference.
        source: Path of the source text.
        documents: Document of each segment.
        empty_means_absent: Whether an empty reference line means that this segment has no such
            reference (ragged references); otherwise it is an empty reference.
        encoding: The encoding of the texts; UTF-8 by default.
        can_name: Whether whoever reads the messages can name another one.
        shown: What messages call a file, by its path, where that is not the path.
    """
    paths = [*references, *hypotheses.values(), *([] if source is None else [source])]
    if paths.count(STANDARD_INPUT) > 1:
        raise UsageError("standard input (-) can be given for one text only.")
    called = {} if shown is None else shown
    files = {
        path: TextFile(path, called.get(path), encoding=encoding, can_name=can_name)
        for path in dict.fromkeys(paths)
    }
    return assembled_test_set(
        {name: files[path] for name, path in hypotheses.items()},
        [files[path] for path in references],
        None if source is None else files[source],
        documents=documents,
        empty_means_absent=empty_means_absent,
    )


def assembled_test_set(
    hypotheses: Mapping[str, SegmentFile],
    references: Sequence[SegmentFile] = (),
    source: SegmentFile | None = None,
    *,
    documents: Sequence[str] | None = None,
    empty_means_absent: bool = False,
    notes: Sequence[str] = (),
    ids: Sequence[str] | None = None,
) -> FileTestSet:
    """Return a test set of files that may have any format; arguments as in `open_test_set`.

    With ``ids``, what the input calls each segment.
    """
    files = [*references, *hypotheses.values(), *([] if source is None else [source])]
    # The same file may be given twice, as a reference and as the output of a system.
    reports = {id(file): file.scan() for file in {id(file): file for file in files}.values()}
    _refuse_faults(reports.values())
    _refuse_unequal(reports.values(), documents)
    count = next(iter(reports.values())).lines
    empty = {name: len(reports[id(file)].empty) for name, file in hypotheses.items()}
    absent = Counter(line for file in references for line in reports[id(file)].empty)
    # A segment without any reference is scored against an empty one, and counted as such.
    alone = sum(missing == len(references) for missing in absent.values())
    empty[REFERENCES] = alone if empty_means_absent else absent.total()
    return FileTestSet(
        hypothesis_files=dict(hypotheses),
        reference_files=tuple(references),
        source_file=source,
        documents=None if documents is None else tuple(documents),
        segment_count=count,
        reference_counts=_reference_counts(
            len(references), count, absent if empty_means_absent else Counter()
        ),
        empty_counts={name: number for name, number in empty.items() if number},
        notes=(*notes, *(note for report in reports.values() for note in report.notes())),
        empty_means_absent=empty_means_absent,
        ids=None if ids is None or len(ids) != count else tuple(ids),
    )


def system_names(systems: Sequence[str]) -> dict[str, str]:
    """Return the path of each output file by a distinct name of its system.

    A system is called as the user says (``NAME=PATH``), else like its file without .txt; where that
    is not distinct, by the whole path.

    Raises:
        UsageError: A file is given twice without names, two systems have one name, or a name
            cannot be printed.
    """
    found = split_names(systems)
    paths = [path for name, path in found if name is None]
    twice = [path for path, times in Counter(paths).items() if times > 1]
    if twice:
        raise UsageError(f"the system {printable_path(twice[0])} was given twice.")
    short = [_short_name(path) if name is None else name for name, path in found]
    if len(set(short)) < len(short):
        short = [printable_path(path) if name is None else name for name, path in found]
    doubled = [name for name, times in Counter(short).items() if times > 1]
    if doubled:
        raise UsageError(f"two systems are called {doubled[0]!r}. Give one of them another name.")
    return {name: path for name, (_, path) in zip(short, found, strict=True)}


def _short_name(path: str) -> str:
    if path == STANDARD_INPUT:
        return "stdin"
    name = PurePath(printable_path(path))
    if name.suffix in _COMPRESSED:
        name = name.with_suffix("")
    return name.stem if name.suffix == ".txt" else name.name


def _reference_counts(most: int, segments: int, absent: Counter[int]) -> tuple[int, ...]:
    if not most:
        return (0,)
    counts = {max(1, most - missing) for missing in absent.values()}
    if len(absent) < segments:
        counts.add(most)
    return tuple(sorted(counts))


def _refuse_faults(reports: Iterable[FileReport]) -> None:
    faults = [report.faults[0] for report in reports if report.faults]
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise InputError("\n".join(str(fault) for fault in faults))


def _refuse_unequal(reports: Iterable[FileReport], documents: Sequence[str] | None) -> None:
    reports = list(reports)
    counts = {report.name: report.lines for report in reports}
    if documents is not None:
        counts["documents"] = len(documents)
    if len(set(counts.values())) == 1:
        return
    trailing = [r.name for r in reports if r.empty and r.empty[-1] == r.lines]
    hints = [f"The last line of {', '.join(trailing)} is empty."] if trailing else []
    if returns := [r.name for r in reports if r.lone_cr]:
        hints.append(
            f"{', '.join(returns)}: a lone CR does not end a line; convert it: tr '\\r' '\\n'."
        )
    raise LengthMismatch(counts, " ".join(hints))
