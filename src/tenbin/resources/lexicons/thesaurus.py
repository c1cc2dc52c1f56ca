"""MyThes thesauri as lexicons: every meaning of a head word is a set."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from tenbin.formats.lexicons.mythes import Meaning, read_mythes
from tenbin.formats.lexicons.table import LexiconTable, lexicon_table
from tenbin.resources.lexicons.lexicon import lexicon_key


def thesaurus_sets(path: Path) -> LexiconTable:
    """Return the sets of a thesaurus: each head word with the synonyms of one meaning.

    Meanings and terms labeled as antonym, broader, narrower, similar or related are left out.
    Remarks on style (``ugs.``, ``fig.``) are dropped.

    Raises:
        MalformedLine: The file breaks the format or its encoding.
        UnreadableFile: The file cannot be read.
    """
    sets: dict[str, list[int]] = {}
    number = 0
    for meaning in read_mythes(path):
        members = _members(meaning)
        if len(members) > 1:
            for member in members:
                sets.setdefault(member, []).append(number)
            number += 1
    return lexicon_table(sets)


@cache
def other_relations() -> frozenset[str]:
    """Return the labels by which thesauri mark relations other than synonymy, lower-cased."""
    table = files("tenbin.resources").joinpath("bundled", "thesaurus-relations.tsv")
    lines = table.read_text(encoding="utf-8").splitlines()[1:]
    return frozenset(line.split("\t")[0].lower() for line in lines)


def _members(meaning: Meaning) -> set[str]:
    others = other_relations()
    if meaning.label.strip("() ").lower() in others:
        return set()
    found = {lexicon_key(meaning.word)}
    for term in meaning.terms:
        plain, remarks = _without_remarks(term)
        if others.isdisjoint(remarks):
            found.add(lexicon_key(plain))
    found.discard("")
    return found


def _without_remarks(term: str) -> tuple[str, list[str]]:
    remarks: list[str] = []
    plain = term.rstrip()
    while plain.endswith(")"):
        before, bracket, remark = plain[:-1].rpartition("(")
        if not bracket or ")" in remark:
            break
        remarks += (part.strip().lower() for part in remark.split(","))
        plain = before.rstrip()
    return plain, remarks
