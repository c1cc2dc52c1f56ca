"""RDF in Turtle, one statement at a time, in memory that does not grow with the file.

The parsing is that of Oxigraph (pyoxigraph, T. Pellissier Tanon, MIT or Apache-2.0).
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from tenbin.core.errors import MalformedLine, MissingExtra
from tenbin.formats.compression import opened_bytes

_BUFFER = 1 << 20


class Statement(NamedTuple):
    """A subject, a predicate and an object; literals without language and type."""

    subject: str
    predicate: str
    object: str


def read_turtle(path: Path, predicates: Collection[str]) -> Iterator[Statement]:
    """Yield the statements with some predicates; the file may be compressed by gzip, bzip2 or xz.

    Args:
        path: A Turtle file.
        predicates: Full IRIs.

    Raises:
        MalformedLine: The file is not Turtle, not UTF-8, or ends in the middle of a statement.
        UnreadableFile: The file cannot be read, or its compression is damaged.
        MissingExtra: pyoxigraph is not installed.
    """
    try:
        import pyoxigraph  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise MissingExtra("reading RDF (Turtle) files", "lexicons") from error
    nodes = {predicate: pyoxigraph.NamedNode(predicate) for predicate in predicates}
    wanted = {node: predicate for predicate, node in nodes.items()}
    with opened_bytes(path) as stream:
        try:
            for quad in pyoxigraph.parse(stream, pyoxigraph.RdfFormat.TURTLE):
                predicate = wanted.get(quad.predicate)
                if predicate is not None:
                    yield Statement(quad.subject.value, predicate, quad.object.value)
        except SyntaxError as error:
            problem = f"this is not Turtle ({error.msg})"
            advice = "If the file was truncated or damaged, download it again."
            raise MalformedLine(str(path), error.lineno or 1, problem, advice) from error
