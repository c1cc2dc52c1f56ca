"""XLIFF 1.2 and 2.x: units with a source and a target, in files."""

from collections.abc import Iterator, Sequence

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.table import TextTable
from tenbin.formats.texts.tags import Tags, element_text
from tenbin.formats.texts.xml_units import Element, units

COLUMNS = ("document", "id", "source", "target")
_HEADER = "x-gettext-domain-header"  # the head of a catalog that became XLIFF, no text


def read_xliff(file: TextFile, tags: Tags | None) -> TextTable:
    """Read the units of all ``<file>`` elements, each of which is a document.

    A unit that is cut into segments (``<mrk mtype="seg">`` of 1.2, ``<segment>`` of 2.x) gives a
    row for each. Units that are not to be translated, alternative translations and what is between
    segments are left out; a unit without a target has an empty one.
    """
    notes: list[str] = []
    return TextTable(file.name, COLUMNS, _rows(file, tags, notes), notes=notes)


def _rows(
    file: TextFile, tags: Tags | None, notes: list[str]
) -> Iterator[tuple[str, Sequence[str]]]:
    document = ""
    untranslated = 0
    for unit in units(file, "xliff", {"trans-unit", "unit"}):
        if unit.name == "xliff":
            _check_version(file, unit)
        elif unit.name == "file":
            document = unit.attributes.get("original") or unit.attributes.get("id", "")
        elif unit.name in {"trans-unit", "unit"}:
            if unit.attributes.get("restype") == _HEADER:
                continue
            if unit.attributes.get("translate") == "no":
                untranslated += 1
                continue
            pairs = _old_pairs(unit) if unit.name == "trans-unit" else _new_pairs(unit)
            for name, source, target in pairs:
                texts = [element_text(one, tags) if one else "" for one in (source, target)]
                yield f"unit {name!r} (line {unit.line:,})", [document, name, *texts]
    if untranslated:
        left_out = f'{counted(untranslated, "unit")} not to be translated (translate="no")'
        notes.append(f"{file.name}: left out {left_out}.")


def _check_version(file: TextFile, root: Element) -> None:
    version = root.attributes.get("version", "")
    if version not in {"1.0", "1.1", "1.2", "2.0", "2.1", "2.2"}:
        problem = f"this is XLIFF {version or 'of no version'}, expected 1.2 or 2.x"
        raise MalformedLine(file.name, root.line, problem, "Export it in one of these.")


def _old_pairs(unit: Element) -> Iterator[tuple[str, Element | None, Element | None]]:
    name = unit.attributes.get("id", "")
    source, target = unit.first("source"), unit.first("target")
    cut = unit.first("seg-source")
    sources = _marked(cut) if cut else {}
    targets = _marked(target) if target else {}
    if not sources or (target and target.children and not targets):
        yield name, source, target
        return
    for key, segment in sources.items():
        yield f"{name}:{key}", segment, targets.get(key)


def _marked(element: Element) -> dict[str, Element]:
    """Return the segments of a text by their identifier, wherever tags put them."""
    found: dict[str, Element] = {}
    for child in element.children:
        if isinstance(child, Element):
            if child.name == "mrk" and child.attributes.get("mtype") == "seg":
                found[child.attributes.get("mid", str(len(found) + 1))] = child
            else:
                found |= _marked(child)
    return found


def _new_pairs(unit: Element) -> Iterator[tuple[str, Element | None, Element | None]]:
    name = unit.attributes.get("id", "")
    segments = list(unit.elements("segment"))
    for number, segment in enumerate(segments, start=1):
        key = segment.attributes.get("id", str(number))
        shown = name if len(segments) == 1 else f"{name}:{key}"
        yield shown, segment.first("source"), segment.first("target")
