"""Human preferences between two systems on one segment: ``*.rr.tsv`` and ``*.darr.tsv``.

A header ``seg better worse``, then one judgment per line; segments count from 1, and repeated lines
are repeated judgments.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.core.judgments import HumanPairs
from tenbin.formats.lines import TextFile
from tenbin.formats.numerals import whole_number

BoolArray = npt.NDArray[np.bool_]

_HEADER = ("seg", "better", "worse")


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
            problem = (
                f"found {counted(len(values), 'column')} of metrics, expected {len(names)} of 0 "
                "or 1"
            )
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
        problem = f"the header is {header[:40]!r}, expected seg<TAB>better<TAB>worse"
        raise MalformedLine(path, 1, problem, "Add the header.")
    line = 1
    for line, text in lines:
        fields = text.split("\t")
        segment = whole_number(fields[0])
        if len(fields) < len(_HEADER) or not segment:
            problem = f"found {text[:40]!r}, expected a segment from 1 on and two systems"
            raise MalformedLine(path, line, problem, "Separate them by tabs.")
        if fields[1] == fields[2]:
            problem = f"{fields[1]!r} is compared with itself"
            raise MalformedLine(path, line, problem, "Take the line out.")
        judgment = (segment - 1, fields[1], fields[2])
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
