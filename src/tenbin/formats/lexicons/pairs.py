"""Plain lists of synonyms: ``word<TAB>synonym``, more synonyms in further columns."""

from collections.abc import Iterator
from pathlib import Path

from tenbin.core.errors import MalformedLine
from tenbin.formats.lines import TextFile

_LEAST_COLUMNS = 2


def read_synonym_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Yield pairs (word, listed synonym); empty lines and ``#`` lines are skipped.

    Raises:
        MalformedLine: A line without a tab, an empty column, or bytes that are not UTF-8.
        UnreadableFile: The file cannot be read.
    """
    name = str(path)
    for number, line in enumerate(TextFile(name).lines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) < _LEAST_COLUMNS or not all(columns):
            problem = f"a word, a tab and a synonym were expected, found {line[:40]!r}"
            raise MalformedLine(name, number, problem, "Separate the columns with one tab.")
        for synonym in columns[1:]:
            yield columns[0], synonym
