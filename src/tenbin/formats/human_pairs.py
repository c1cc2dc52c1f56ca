"""Human preferences between two systems on one segment: ``*.rr.tsv`` and ``*.darr.tsv``.

A header ``seg better worse``, then one judgment per line; segments count from 1, and repeated lines
are repeated judgments.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import IntArray, Numbering
from tenbin.core.errors import InputError, MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile

BoolArray = npt.NDArray[np.bool_]

_HEADER = ("seg", "better", "worse")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HumanPairs:
    """Judgments that one system is better than another on a segment; ties are not among them.

    Attributes:
        name: The kind of judgment: ``rr`` (relative ranking), ``darr`` (from direct assessment).
        systems: Names of the systems that occur.
        segments: Number of the segment, from 0, per judgment.
        better: Position of the better system in ``systems``, per judgment.
        worse: Position of the worse one.
        segment_names: What ``segments`` counts, for judgments made of a table whose segments have
            names; without them a file counted the segments of its test set.
    """

    name: str
    systems: tuple[str, ...]
    segments: IntArray
    better: IntArray
    worse: IntArray
    segment_names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if not len(self.segments) == len(self.better) == len(self.worse):
            raise InputError(f"{self.name}: columns of judgments differ in length.")
        if np.any(self.better == self.worse):
            place = int(np.flatnonzero(self.better == self.worse)[0])
            system = self.systems[int(self.better[place])]
            raise InputError(
                f"{self.name}, judgment {place + 1}: {system} is compared with itself."
            )

    def __len__(self) -> int:
        return len(self.segments)

    @classmethod
    def of_names(cls, name: str, judgments: Sequence[tuple[int, str, str]]) -> Self:
        """Return judgments from (segment from 0, better system, worse system).

        >>> HumanPairs.of_names("rr", [(0, "A", "B"), (3, "B", "C")]).worse.tolist()
        [1, 2]
        """
        numbering = Numbering()
        better = numbering.numbers([b for _, b, _ in judgments])
        worse = numbering.numbers([w for _, _, w in judgments])
        segments = np.array([segment for segment, _, _ in judgments], dtype=np.int64)
        return cls(
            name=name, systems=tuple(numbering), segments=segments, better=better, worse=worse
        )

    def without(self, systems: Sequence[str]) -> Self:
        """Return the judgments in which none of some systems takes part."""
        left_out = np.array([name in set(systems) for name in self.systems], dtype=np.bool_)
        kept = ~(left_out[self.better] | left_out[self.worse])
        return replace(
            self, segments=self.segments[kept], better=self.better[kept], worse=self.worse[kept]
        )


def read_human_pairs(path: str, *, name: str = "") -> HumanPairs:
    """Read a file of judgments; columns after the third are ignored.

    Args:
        path: The file; it may be compressed.
        name: The kind of judgment; by default the part before ``.tsv``, such as ``darr``.

    Raises:
        MalformedLine: Another header, a segment that is no number from 1, fewer columns.
    """
    kind = name or Path(path).name.partition(".tsv")[0].rpartition(".")[2]
    judgments = [judgment for _, judgment, _ in _judgments(path)]
    return HumanPairs.of_names(kind, judgments)


def read_pair_agreement(path: str) -> tuple[HumanPairs, Mapping[str, BoolArray]]:
    """Read judgments with one more column per metric: 1 if it agrees, 0 if not (or has a tie).

    Raises:
        MalformedLine: As in `read_human_pairs`, or a value that is neither 0 nor 1.
    """
    judgments, rows = [], []
    metrics: list[str] = []
    for line, judgment, (names, values) in _judgments(path):
        if len(values) != len(names) or set(values) - {"0", "1"}:
            problem = f"found {len(values)} columns of metrics, expected {len(names)} of 0 or 1"
            raise MalformedLine(path, line, problem, "Correct the line.")
        metrics = names
        judgments.append(judgment)
        rows.append([value == "1" for value in values])
    columns = np.array(rows, dtype=np.bool_).T
    return HumanPairs.of_names("darr", judgments), dict(zip(metrics, columns, strict=True))


def _judgments(
    path: str,
) -> Iterator[tuple[int, tuple[int, str, str], tuple[list[str], list[str]]]]:
    """Yield line, judgment, and the names and values of further columns."""
    lines = enumerate(TextFile(path).lines(), start=1)
    _, header = next(lines, (1, ""))
    columns = header.split("\t")
    if tuple(columns[:3]) != _HEADER:
        problem = f"the header is {header!r}, expected seg<TAB>better<TAB>worse"
        raise MalformedLine(path, 1, problem, "Add the header.")
    line = 1
    for line, text in lines:
        fields = text.split("\t")
        if len(fields) < len(_HEADER) or not fields[0].isdecimal() or int(fields[0]) < 1:
            problem = f"found {text!r}, expected a segment from 1 on and two systems"
            raise MalformedLine(path, line, problem, "Separate them by tabs.")
        if fields[1] == fields[2]:
            problem = f"{fields[1]!r} is compared with itself"
            raise MalformedLine(path, line, problem, "Take the line out.")
        judgment = (int(fields[0]) - 1, fields[1], fields[2])
        yield line, judgment, (columns[3:], fields[3:])
    if line == 1:
        raise UnreadableFile(path, "there are no judgments in the file", "Give one per line.")


def write_human_pairs(pairs: HumanPairs) -> str:
    """Return judgments as the text of a file."""
    rows = zip(pairs.segments, pairs.better, pairs.worse, strict=True)
    return (
        "\t".join(_HEADER)
        + "\n"
        + "".join(
            f"{segment + 1}\t{pairs.systems[better]}\t{pairs.systems[worse]}\n"
            for segment, better, worse in rows
        )
    )
