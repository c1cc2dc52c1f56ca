"""What packages carry, as paragraphs: dictionaries, speeches, manuals."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
_QUOTED = re.compile(r'"([^"]+)"')
_MEANING_ENDS = re.compile(r';\s*"|:\s*"')
_FIELD = re.compile(r"\([^)]*\)\s*")
_MARKER = re.compile(r"\([a-z]+\)$")
_FEWEST_OF_A_MEANING = 4
_SENSE = re.compile(r"\s(?=\d{1,2}\.\s)|\s(?=\([a-z]\)\s)")
_SENSE_NUMBER = re.compile(r"^\(?[\da-z]{1,2}[.)]\s+")
# Verse, quotations and references of Webster's dictionary.
_NO_DEFINITION = re.compile(
    r"\b(?:Shak|Chaucer|Obs|Gr|L|OE|AS|[Cc]f|Etym|Syn|Bot|Zool|Chem|Bib|Law|Naut|Spenser|Milton"
    r"|Dryden|Bacon|Holland|Same as|See)\.|^See |^Of or pertaining|Note:|&"
)
_LEFT_OUT = re.compile(
    r"<(pre|script|style|table|svg|h\d|nav)\b.*?</\1>", re.DOTALL | re.IGNORECASE
)
_PARAGRAPH = re.compile(
    r"<(?:p|dd|li)\b[^>]*>(.*?)(?=</p>|</dd>|</li>|<p\b|<li\b|<dd\b|<ul|<dl|<div)",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(r"<[^>]+>")
_MOST_CODE = 3


def wordnet(folder: Path) -> Iterator[str]:
    """Yield meanings and examples of WordNet's data files, as sentences."""
    for part in _PARTS_OF_SPEECH:
        for path in sorted(folder.rglob(f"data.{part}")):
            for line in path.read_text(encoding="latin-1").split("\n"):
                if not line.startswith("  ") and "|" in line:
                    yield from synset_sentences(line, part)


def synset_sentences(line: str, part: str) -> Iterator[str]:
    """Yield what a line of a data file says of its synset.

    >>> gloss = 'a boat that takes people across; "we took a ferry"'
    >>> list(synset_sentences(f"00000001 04 n 01 ferry_boat 0 000 | {gloss}", "noun"))
    ['We took a ferry.', 'Ferry boat: a boat that takes people across.']
    """
    head, _, gloss = line.partition("|")
    lemma = _MARKER.sub("", head.split()[4]).replace("_", " ")
    for example in _QUOTED.findall(gloss):
        yield _closed(example.strip().rstrip(",;"))
    meaning = _FIELD.sub("", _MEANING_ENDS.split(gloss)[0]).strip().rstrip(";")
    if '"' in meaning or len(meaning.split()) < _FEWEST_OF_A_MEANING:
        return
    yield _closed(f"to {lemma} is to {meaning}" if part == "verb" else f"{lemma}: {meaning}")


def _closed(sentence: str) -> str:
    """Return a sentence with a capital and a stop."""
    whole = sentence[:1].upper() + sentence[1:]
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."


def webster(folder: Path) -> Iterator[str]:
    """Yield definitions of Webster's dictionary that are neither verse nor a reference."""
    for path in sorted(folder.rglob("kv-pairs.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            for numbered in _SENSE.split(entry["value"]):
                sense = _SENSE_NUMBER.sub("", numbered.strip())
                if not _NO_DEFINITION.search(sense):
                    yield sense


def speeches(folder: Path) -> Iterator[str]:
    """Yield the lines of text files."""
    for path in sorted(folder.rglob("*.txt")):
        yield from path.read_text(encoding="utf-8", errors="replace").split("\n")


def manual(folder: Path) -> Iterator[str]:
    """Yield paragraphs of HTML pages that are not mostly code."""
    for path in sorted(folder.rglob("*.html")):
        if "genindex" not in path.name and path.name != "print.html":
            yield from paragraphs(path.read_text(encoding="utf-8", errors="replace"))


def paragraphs(page: str) -> Iterator[str]:
    """Yield the paragraphs of a page.

    >>> list(paragraphs("<h1>No</h1><p>One <b>two</b></p><pre>x</pre><ul><li>three</li></ul>"))
    ['One two', 'three']
    """
    for found in _PARAGRAPH.findall(_LEFT_OUT.sub(" ", page)):
        if found.count("<code") <= _MOST_CODE:
            yield _TAG.sub("", found).replace("\u00b6", "").strip()
