"""TBX, the exchange format of terminology: ISO 30042 of 2008 (martif) and of 2019 (tbx)."""

from collections.abc import Iterator

from tenbin.core.errors import UnreadableFile
from tenbin.core.glossary import Term
from tenbin.formats.glossaries.languages import LanguagePair, source_and_target
from tenbin.formats.lines import TextFile
from tenbin.formats.texts.xml_units import Element, units

# Entries, and what they hold, under the names of both editions.
_ENTRIES = {"termEntry", "conceptEntry"}
_LANGUAGES = ("langSet", "langSec")
_TERMS = ("tig", "ntig", "termSec")
_STATUS = {"administrativestatus", "normativeauthorization", "usagenote"}
_FORBIDDEN = ("deprecated", "superseded", "obsolete", "forbidden", "prohibited", "notrecommended")
_START_BYTES = 2**16
_ROOTS = {"martif": b"<martif", "tbx": b"<tbx"}


class TbxTerms:
    """The entries of a TBX file.

    Attributes:
        source_language: The language of the source terms.
        target_language: That of the target terms.
    """

    def __init__(self, file: TextFile, wanted: LanguagePair) -> None:
        """Look which languages a file has.

        Args:
            file: The file.
            wanted: The languages of the run.

        Raises:
            MalformedLine: The file is not well-formed, or declares an entity.
            UnreadableFile: It lacks a language of the run.
        """
        self._file = file
        self._root = _root(file)
        working, found = "", dict[str, None]()
        for element in units(file, self._root, _ENTRIES):
            if element.name == self._root:
                working = element.attributes.get("lang", "")
            found |= dict.fromkeys(
                language for language, section in _sections(element) if _forms(section)
            )
        if not found:
            advice = "Entries are <termEntry> or <conceptEntry> elements. Export the file again."
            raise UnreadableFile(file.name, "there is no term in the file", advice)
        self.source_language, self.target_language = source_and_target(
            file.name, tuple(found), wanted, working
        )

    def terms(self) -> Iterator[Term]:
        """Yield one entry for each source term of a concept that has target terms."""
        for element in units(self._file, self._root, _ENTRIES):
            if element.name not in _ENTRIES:
                continue
            sections = list(_sections(element))
            sources = [
                form
                for language, section in sections
                if language == self.source_language
                for form in _forms(section)
            ]
            targets = [
                form
                for language, section in sections
                if language == self.target_language
                for form in _forms(section)
            ]
            asked = tuple(dict.fromkeys(form.text for form in targets if not form.forbidden))
            forbidden = tuple(dict.fromkeys(form.text for form in targets if form.forbidden))
            if not asked and not forbidden:
                continue
            for source in sources:
                yield Term(
                    source=source.text,
                    targets=asked,
                    forbidden=forbidden,
                    is_name=any(form.is_name for form in (*sources, *targets)),
                    note=_note(element),
                    line=element.line,
                )


class _Form:
    """A term of one language, and what the file says about it."""

    def __init__(self, group: Element, text: str) -> None:
        said = dict(_said(group))
        status = [said[key] for key in said if key in _STATUS]
        self.text = text
        self.forbidden = any(one.startswith(_FORBIDDEN) for one in status)
        kinds = {said.get("partofspeech", ""), said.get("termtype", "")}
        self.is_name = bool(kinds & {"propernoun", "propername", "name"})


def _root(file: TextFile) -> str:
    start = file.start(_START_BYTES).replace(b"\0", b"")
    for root, mark in _ROOTS.items():
        if mark in start:
            return root
    # The parser says what was found in its place.
    return "tbx"


def _sections(entry: Element) -> Iterator[tuple[str, Element]]:
    for section in entry.elements(*_LANGUAGES):
        yield section.attributes.get("lang", "").replace("_", "-"), section


def _forms(section: Element) -> list[_Form]:
    found = []
    for group in section.elements(*_TERMS):
        holder = group.first("termGrp") or group
        term = holder.first("term")
        text = " ".join(_text(term).split()) if term is not None else ""
        if text:
            found.append(_Form(holder, text))
    return found


def _said(group: Element) -> Iterator[tuple[str, str]]:
    """Yield what a term is said to be: by type (``termNote``), or by elements of that name."""
    for child in group.children:
        if isinstance(child, Element) and child.name != "term":
            if child.name == "termNoteGrp":
                yield from _said(child)
            key = child.attributes.get("type", child.name)
            yield key.casefold(), _text(child).strip().replace(" ", "").casefold()


def _note(entry: Element) -> str:
    for child in entry.elements("note", "descrip", "definition"):
        if text := " ".join(_text(child).split()):
            return text
    return ""


def _text(element: Element) -> str:
    return "".join(child if isinstance(child, str) else _text(child) for child in element.children)
