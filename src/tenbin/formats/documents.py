"""Documents of plain texts: a file with one identifier per line."""

from dataclasses import dataclass

from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import MalformedLine, shortened
from tenbin.formats.lines import TextFile


@dataclass(frozen=True, slots=True)
class DocumentIds:
    """The document of each segment.

    Attributes:
        file: Where they come from, as messages show it.
        ids: One identifier per segment. The same one is the same document, wherever it stands.
        notes: What a reader of the scores should know.
    """

    file: str
    ids: tuple[str, ...]
    notes: tuple[str, ...] = ()


def read_document_ids(path: str, *, encoding: str | None = None) -> DocumentIds:
    """Read the document of each segment: the whole line, without spaces at its ends.

    Args:
        path: The file; it may be compressed.
        encoding: What it is encoded in; UTF-8 by default.

    Raises:
        MalformedLine: A line without an identifier.
        UnreadableFile: It cannot be read.
    """
    file = TextFile(path, encoding=encoding, can_name=True)
    report = file.scan()
    if report.faults:
        raise report.faults[0]
    if report.empty:
        advice = "Name the document of every segment, one per line (`documents`)."
        raise MalformedLine(file.name, report.empty[0], "there is no document", advice)
    ids = tuple(line.strip() for line in file.lines())
    return DocumentIds(file.name, ids, tuple(_returning(file.name, ids)))


def _returning(name: str, ids: tuple[str, ...]) -> list[str]:
    """Return a note on documents that come back after another one."""
    seen: set[str] = set()
    back: dict[str, int] = {}
    last = None
    for line, one in enumerate(ids, start=1):
        if one != last and one in seen:
            back.setdefault(one, line)
        seen.add(one)
        last = one
    if not back:
        return []
    first, line = next(iter(back.items()))
    many = f"{counted(len(back), 'document')} {agreeing(len(back), 'comes')}"
    where = f"first {shortened(repr(first))} on line {line:,}"
    return [f"{name}: {many} back after another one, {where}; lines of one name are one document."]
