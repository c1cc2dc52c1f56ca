"""TMX, the exchange format of translation memories: units with a text in each language."""

from collections.abc import Iterator, Sequence

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.table import ColumnRole, TextTable
from tenbin.formats.texts.tags import Tags, element_text
from tenbin.formats.texts.xml_units import Element, units

_DOCUMENTS = {"file", "filename", "x-file", "x-filename", "x-document", "document"}
_ALL = "*all*"
_TWO = 2


def read_tmx(file: TextFile, tags: Tags | None) -> TextTable:
    """Read the units; each language is a column that is called like it: ``en``, ``ja-jp``.

    The source is the language that the header names (``srclang``); of two languages the other one
    is the target. A unit that lacks a language has an empty text.
    """
    source, languages = _languages(file)
    if not languages:
        raise UnreadableFile(file.name, "there is no unit in the file", "Export it again.")
    roles = {source: ColumnRole.SOURCE} if source in languages else {}
    if source in languages and len(languages) == _TWO:
        roles |= {name: ColumnRole.TARGET for name in languages if name != source}
    columns = ("document", "id", *languages)
    return TextTable(file.name, columns, _rows(file, tags, languages), roles)


def _languages(file: TextFile) -> tuple[str, tuple[str, ...]]:
    source, found = "", dict[str, None]()
    for unit in units(file, "tmx", {"tu"}):
        if unit.name == "header":
            source = unit.attributes.get("srclang", "").casefold()
        elif unit.name == "tu":
            found |= dict.fromkeys(language for language, _ in _variants(unit))
    if source in {"", _ALL} and found:
        source = next(iter(found))
    if source not in found:  # en in the header, en-US in the units
        near = [name for name in found if name.partition("-")[0] == source.partition("-")[0]]
        source = near[0] if len(near) == 1 else source
    return source, tuple(found)


def _rows(
    file: TextFile, tags: Tags | None, languages: Sequence[str]
) -> Iterator[tuple[str, Sequence[str]]]:
    number = 0
    for unit in units(file, "tmx", {"tu"}):
        if unit.name != "tu":
            continue
        number += 1
        name = unit.attributes.get("tuid", "")
        texts = dict.fromkeys(languages, "")
        for language, segment in _variants(unit):
            if texts[language]:
                problem = f"the unit has two texts in {language}"
                advice = "Remove one of them."
                raise MalformedLine(file.name, unit.line, problem, advice)
            texts[language] = element_text(segment, tags)
        document = next(
            (
                "".join(child for child in one.children if isinstance(child, str)).strip()
                for one in unit.elements("prop")
                if one.attributes.get("type", "").casefold() in _DOCUMENTS
            ),
            "",
        )
        place = f"unit {name or number!r} (line {unit.line:,})"
        yield place, [document, name, *texts.values()]


def _variants(unit: Element) -> Iterator[tuple[str, Element]]:
    for variant in unit.elements("tuv"):
        segment = variant.first("seg")
        if segment is not None:
            yield variant.attributes.get("lang", "").casefold(), segment
