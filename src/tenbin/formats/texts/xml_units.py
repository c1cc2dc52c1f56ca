"""Elements of XML files, one after the other, by a parser that opens nothing else.

Entities are not declared in the files that are read here. A declaration is refused, so that none
can expand; an external subset (``<!DOCTYPE tmx SYSTEM "tmx14.dtd">``) is not opened.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from tenbin.core.errors import InputError, MalformedLine, shortened
from tenbin.formats.lines import TextFile

_BLOCK_BYTES = 2**16
_MOST_DEPTH = 200
_MOST_UNIT = 2**24  # characters of one element, which is held in memory
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.\-]+)["']""")
_ADVICE = "Export the file again, or correct it."


@dataclass(slots=True)
class Element:
    """An element without namespaces.

    Attributes:
        name: Its name.
        attributes: Its attributes.
        children: Texts and elements, in order.
        line: The line on which it begins.
    """

    name: str
    attributes: dict[str, str]
    line: int
    children: list["str | Element"] = field(default_factory=list)

    def elements(self, *names: str) -> Iterator["Element"]:
        """Yield the children of these names."""
        for child in self.children:
            if isinstance(child, Element) and child.name in names:
                yield child

    def first(self, name: str) -> "Element | None":
        """Return the first child of a name."""
        return next(self.elements(name), None)


class _Collector:
    """Takes what the parser finds, and holds elements that are complete."""

    def __init__(self, name: str, parser: Any, units: set[str], root: str) -> None:  # noqa: ANN401
        self._name = name
        self._parser = parser
        self._units = units
        self._root: str | None = root
        self._depth = 0
        self._size = 0
        self._open: list[Element] = []
        self.found: list[Element] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = _local(name)
        line = self._parser.CurrentLineNumber
        if self._root is not None and local != self._root:
            raise MalformedLine(
                self._name, line, f"found <{local}>, expected <{self._root}>", _ADVICE
            )
        self._root = None
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise MalformedLine(self._name, line, "elements are nested too deeply", _ADVICE)
        element = Element(local, {_local(key): value for key, value in attributes.items()}, line)
        if self._open:
            self._open[-1].children.append(element)
            self._open.append(element)
        elif local in self._units:
            self._size = 0
            self._open.append(element)
        else:
            self.found.append(element)  # a container: its attributes alone

    def end(self, _: str) -> None:
        self._depth -= 1
        if self._open:
            element = self._open.pop()
            if not self._open:
                self.found.append(element)

    def text(self, text: str) -> None:
        if not self._open:
            return
        self._size += len(text)
        if self._size > _MOST_UNIT:
            problem = f"<{self._open[0].name}> is longer than {_MOST_UNIT:,} characters"
            raise MalformedLine(self._name, self._open[0].line, problem, _ADVICE)
        children = self._open[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += text
        else:
            children.append(text)

    def refuse(self, *_: object) -> int:
        line = self._parser.CurrentLineNumber
        problem = "an entity is declared or used that the file does not need"
        raise MalformedLine(self._name, line, problem, "Write the text itself.")


def units(file: TextFile, root: str, names: set[str]) -> Iterator[Element]:
    """Yield elements of these names with all they hold, and other elements without.

    Args:
        file: The file.
        root: What its root element is called.
        names: What is yielded whole.

    Raises:
        MalformedLine: It is not well-formed, has another root, or declares an entity.
    """
    blocks = file.blocks(_BLOCK_BYTES)
    first = next(blocks, b"")
    encoding = _foreign_encoding(first) if file.encoding is None else file.encoding
    parser = expat.ParserCreate("utf-8" if encoding else None, namespace_separator="}")
    parser.buffer_text = True
    collector = _Collector(file.name, parser, names, root)
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.text
    parser.EntityDeclHandler = collector.refuse
    parser.ExternalEntityRefHandler = collector.refuse
    parser.SkippedEntityHandler = collector.refuse
    decoder = codecs.getincrementaldecoder(encoding)() if encoding else None
    try:
        for block in _with_first(first, blocks):
            parser.Parse(block if decoder is None else decoder.decode(block).encode(), False)  # noqa: FBT003
            yield from collector.found
            collector.found.clear()
        parser.Parse(b"", True)  # noqa: FBT003
    except expat.ExpatError as error:
        problem = f"the XML is not well-formed ({expat.errors.messages[error.code]})"
        raise MalformedLine(file.name, error.lineno, problem, _ADVICE) from error
    except UnicodeError as error:
        problem = f"this line or one of the next is not valid {encoding}"
        raise MalformedLine(file.name, parser.CurrentLineNumber, problem, _ADVICE) from error
    except (ValueError, LookupError) as error:
        problem = f"the XML cannot be read ({shortened(str(error))})"
        raise InputError(f"{file.name}: {problem}. {_ADVICE}") from error
    yield from collector.found


def _with_first(first: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from blocks


def _foreign_encoding(start: bytes) -> str | None:
    """Return the declared encoding if the parser does not know it, as Shift_JIS."""
    found = _DECLARED.match(start.removeprefix(codecs.BOM_UTF8))
    if found is None:
        return None
    name = found[1].decode("ascii")
    known = {"utf-8", "utf-16", "iso8859-1", "ascii"}
    try:
        b"a".decode(name, "ignore")  # refuses codecs that are not of texts, such as hex
        return None if codecs.lookup(name).name in known else name
    except (LookupError, ValueError):
        return None  # the parser says so


def _local(name: str) -> str:
    return name.rpartition("}")[2]
