"""DBnary, the synonyms of Wiktionary as linked data (Sérasset 2015, CC BY-SA).

A dump says of an entry, or of one of its senses, that it has another page as its synonym:

    fra:voiture              dbnary:describes  fra:voiture__nom__1 .
    fra:voiture__nom__1      rdfs:label        "voiture"@fr ;
                             ontolex:sense     fra:__ws_1_voiture__nom__1 .
    fra:__ws_1_voiture__nom__1  dbnary:synonym fra:automobile .

Names almost always contain the word, so labels and links are stored only where they differ from
the name. Memory therefore grows with the synonyms, not with the size of the dump.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from tenbin.core.errors import UnreadableFile
from tenbin.formats.lexicons.table import LexiconTable
from tenbin.formats.lexicons.turtle import Statement, read_turtle
from tenbin.resources.lexicons.lexicon import linked_sets

_DBNARY = "http://kaiko.getalp.org/dbnary#"
_SYNONYM = f"{_DBNARY}synonym"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
# The second name of each is that of older dumps, in the lemon vocabulary.
_DESCRIBES = (f"{_DBNARY}describes", f"{_DBNARY}refersTo")
_SENSE = ("http://www.w3.org/ns/lemon/ontolex#sense", "http://lemon-model.net/lemon#sense")
_PREDICATES = (_SYNONYM, _LABEL, *_DESCRIBES, *_SENSE)
_NAMESPACE = re.compile(r"^\w+://.*/dbnary/[a-z]{2,3}/|^\w+://.*[/#]")
_SENSE_PREFIX = re.compile(r"^__ws_[^_]*_")
# An entry ends in its part of speech and a number: voiture__nom__1. Two patterns: one with a gap
# between them would take the square of the length of a name that is all underscores.
_PART_OF_SPEECH = re.compile(r"__[^_]")
_ENTRY_NUMBER = re.compile(r"__\d+$")


def dbnary_sets(path: Path) -> LexiconTable:
    """Return the sets of a DBnary dump in Turtle, plain or compressed by bzip2, gzip or xz.

    Raises:
        MalformedLine: The file is not Turtle, or is truncated; the message has the line.
        UnreadableFile: The file cannot be read, or holds no synonyms.
        MissingExtra: pyoxigraph is not installed.
    """
    table = linked_sets(synonym_pairs(read_turtle(path, _PREDICATES)))
    if not table.words:
        problem = "there is no dbnary:synonym in the file"
        advice = "Give the main dump of a language, such as fr_dbnary_ontolex.ttl.bz2."
        raise UnreadableFile(str(path), problem, advice)
    return table


def synonym_pairs(statements: Iterable[Statement]) -> Iterator[tuple[str, str]]:
    """Yield pairs (word, listed synonym) after all statements were read."""
    links: list[tuple[str, str]] = []
    labels: dict[str, str] = {}
    entries: dict[str, str] = {}
    for subject, predicate, value in statements:
        if predicate == _SYNONYM:
            links.append((subject, value))
        elif predicate == _LABEL:
            if value != word_in_name(subject):
                labels[subject] = value
        elif predicate in _DESCRIBES:
            if word_in_name(subject) != word_in_name(value):
                entries.setdefault(subject, value)
        elif word_in_name(subject) != word_in_name(value):
            entries[value] = subject
    labels |= _labels_of_pages(labels)
    for subject, synonym in links:
        yield _word(subject, entries, labels), _word(synonym, entries, labels)


def word_in_name(name: str) -> str:
    """Return the word that the name of a page, an entry or a sense contains.

    >>> word_in_name("http://kaiko.getalp.org/dbnary/fra/__ws_1_pomme_de_terre__nom__1")
    'pomme de terre'
    """
    local = _SENSE_PREFIX.sub("", _NAMESPACE.sub("", name))
    return unquote(_without_suffix(local)).replace("_", " ")


def _without_suffix(local: str) -> str:
    number = _ENTRY_NUMBER.search(local)
    part = _PART_OF_SPEECH.search(local)
    ends = number is not None and part is not None and part.end() <= number.start()
    return local[: part.start()] if part is not None and ends else local


def _labels_of_pages(labels: dict[str, str]) -> dict[str, str]:
    """Return the labels of entries under the names of their pages and senses, by convention."""
    return {_page(name): label for name, label in labels.items()}


def _page(name: str) -> str:
    namespace = _NAMESPACE.match(name)
    start = namespace.end() if namespace else 0
    return name[:start] + _without_suffix(_SENSE_PREFIX.sub("", name[start:]))


def _word(name: str, entries: dict[str, str], labels: dict[str, str]) -> str:
    entry = entries.get(name, name)
    return labels.get(entry) or labels.get(_page(entry)) or word_in_name(entry)
