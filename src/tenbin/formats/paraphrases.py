"""Paraphrase tables of other projects: METEOR, PPDB and plain lists of sets.

METEOR   three lines an entry: probability, phrase, paraphrase
PPDB     [NP] ||| phrase ||| paraphrase ||| p(e|f)=2.3 ... ||| alignment ||| entailment
sets     set<TAB>phrase
"""

import gzip
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tenbin.core.counting import counted
from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lines import TextFile
from tenbin.formats.numerals import decimal_number

Pair = tuple[str, str, float]
"""Phrase, paraphrase, p(paraphrase | phrase)."""

_PPDB_FIELDS = 4
_PPDB_PROBABILITY = re.compile(r"(?:^| )p\(e\|f\)=(\S*)")
MOST_WORDS = 100
"""Words of the longest phrase; METEOR's own have up to 7."""
# A probability above 1 by more than rounding.
_LEAST_COST = -1.0
_GAP = re.compile(r"\[[^\[\]\s]*,\d+\]")
_METEOR_ADVICE = "Every entry has three lines: probability, phrase, paraphrase. Is it complete?"
_PPDB_ADVICE = "Expected '[NP] ||| phrase ||| paraphrase ||| features', as in PPDB's packages."
_SETS_ADVICE = "Expected a name of the set, a tab, and a phrase."


def read_paraphrases(path: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of each phrase and of its paraphrase, as a METEOR table has them.

    Raises:
        MalformedLine: A line should hold a probability or a phrase and does not.
        UnreadableFile: The file is missing, damaged or empty.
    """
    empty = True
    for _, phrase, paraphrase in _meteor_entries(path):
        empty = False
        yield phrase.split(), paraphrase.split()
    if empty:
        raise UnreadableFile(path, "the file is empty", _METEOR_ADVICE)


def read_meteor_pairs(path: str) -> Iterator[Pair]:
    """Yield the entries of a METEOR table, lower-cased.

    Raises:
        MalformedLine: A line should hold a probability or a phrase and does not.
        UnreadableFile: The file cannot be read.
    """
    for probability, phrase, paraphrase in _meteor_entries(path):
        yield _normal(phrase), _normal(paraphrase), probability


def _meteor_entries(path: str) -> Iterator[tuple[float, str, str]]:
    text = TextFile(path)
    lines = text.lines()
    for number, written in enumerate(lines):
        phrase, paraphrase = next(lines, ""), next(lines, "")
        probability = decimal_number(written)
        if probability is None or probability < 0:
            problem = f"a probability was expected, found {written[:40]!r}"
            raise MalformedLine(text.name, 3 * number + 1, problem, _METEOR_ADVICE)
        if not phrase.strip() or not paraphrase.strip():
            problem = "the entry is incomplete"
            raise MalformedLine(text.name, 3 * number + 2, problem, _METEOR_ADVICE)
        _check_lengths(text.name, 3 * number + 2, phrase, paraphrase)
        yield probability, phrase, paraphrase


def read_ppdb_pairs(path: str) -> Iterator[Pair]:
    """Yield the entries of a package of PPDB; patterns with gaps (``[NP,1]``) are left out.

    Raises:
        MalformedLine: A line has too few fields.
        UnreadableFile: The file cannot be read.
    """
    text = TextFile(path)
    for number, line in enumerate(text.lines(), start=1):
        fields = line.split(" ||| ")
        if len(fields) < _PPDB_FIELDS:
            problem = f"{len(fields)} fields, expected at least {_PPDB_FIELDS}"
            raise MalformedLine(text.name, number, problem, _PPDB_ADVICE)
        if _GAP.search(fields[1]) or _GAP.search(fields[2]):
            continue
        phrase, paraphrase = _normal(fields[1]), _normal(fields[2])
        _check_lengths(text.name, number, phrase, paraphrase)
        # A negative logarithm; the lexical packages of PPDB 2.0 do not have it.
        written = _PPDB_PROBABILITY.search(fields[3])
        cost = math.inf if written is None else decimal_number(written[1])
        if cost is None or cost < _LEAST_COST:
            problem = f"p(e|f)={written[1][:40] if written else ''} is not -log of a probability"
            raise MalformedLine(text.name, number, problem, _PPDB_ADVICE)
        if phrase and paraphrase:
            yield phrase, paraphrase, math.exp(-cost)


def read_phrase_sets(path: str) -> dict[str, list[str]]:
    """Return the phrases of each set of a list; in any order.

    Raises:
        MalformedLine: A line has not two columns.
        UnreadableFile: The file cannot be read, or is empty.
    """
    text = TextFile(path)
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.lines(), start=1):
        columns = line.split("\t")
        phrase = _normal(columns[-1])
        if len(columns) != 2 or not phrase:  # noqa: PLR2004 - two columns
            problem = f"{counted(len(columns), 'column')}, or no phrase"
            raise MalformedLine(text.name, number, problem, _SETS_ADVICE)
        _check_lengths(text.name, number, phrase)
        found.setdefault(columns[0], []).append(phrase)
    if not found:
        raise UnreadableFile(text.name, "the file is empty", _SETS_ADVICE)
    return found


def write_meteor_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """Write a table in METEOR's format, packed by gzip; the same pairs give the same bytes."""
    with (
        path.open("wb") as stored,
        gzip.GzipFile(fileobj=stored, mode="wb", filename="", mtime=0) as packed,
    ):
        for phrase, paraphrase, probability in pairs:
            packed.write(f"{probability:.9g}\n{phrase}\n{paraphrase}\n".encode())


def _check_lengths(name: str, line: int, *phrases: str) -> None:
    # Phrases are indexed by all of their beginnings, so a long one costs the square of its length.
    if max(map(len, phrases)) < 2 * MOST_WORDS:
        return  # words are separated
    words = max(len(phrase.split(maxsplit=MOST_WORDS)) for phrase in phrases)
    if words > MOST_WORDS:
        problem = f"a phrase of more than {MOST_WORDS} words"
        raise MalformedLine(name, line, problem, "Leave it out: no paraphrase is that long.")


def _normal(phrase: str) -> str:
    return " ".join(phrase.lower().split())
