"""How frequent words are, for weights that should not depend on the size of a test set."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import numpy as np

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import MalformedLine, MissingExtra, UnreadableFile, UsageError
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.lines import TextFile

WORDFREQ = "wordfreq"

# Distance of two names for what is one written language to wordfreq: no and nb, hr and sh.
_SAME_LANGUAGE = 9
_DIGIT = re.compile(r"\d")
_ADVICE = "Write a word and its count on each line, with a tab between them."


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """The share of each word among the running words of a corpus.

    Attributes:
        identity: Which data it is.
        by_word: The shares.
        least: The smallest of them, which a word that is not listed gets.
        most: The largest, which punctuation gets that is not listed: lists of words leave it out.
    """

    identity: ResourceIdentity
    by_word: Mapping[str, float]
    least: float
    most: float

    def shares(self, words: Sequence[str]) -> FloatArray:
        """Return the share of each word: as it stands, in lower case, its digits as 0."""
        return np.array([self._share(word) for word in words], dtype=np.float64)

    def _share(self, word: str) -> float:
        # wordfreq counts numbers of several digits by their length alone.
        for form in (word, word.lower(), _DIGIT.sub("0", word)):
            if form in self.by_word:
                return self.by_word[form]
        return self.least if any(map(str.isalnum, word)) else self.most


def load_frequencies(name: str, language: str) -> Frequencies:
    """Open word frequencies: ``wordfreq``, or a file with a word and its count on each line.

    Raises:
        MissingExtra: wordfreq is not installed.
        UsageError: wordfreq does not have the language.
        UnreadableFile: There is no such file, or it has no words.
        MalformedLine: A line is not a word and a count.
    """
    return _from_wordfreq(language) if name == WORDFREQ else _from_file(name, language)


@cache
def _from_wordfreq(language: str) -> Frequencies:
    try:
        wordfreq = import_module("wordfreq")
    except ImportError as error:
        alternative = "Or give a file of your own."
        raise MissingExtra("wordfreq", "lexicons", alternative) from error
    # wordfreq answers with the nearest language it has, be it English for Swahili.
    langcodes = import_module("langcodes")
    files: dict[str, str] = wordfreq.available_languages("best")
    found = langcodes.closest_supported_match(language, list(files), max_distance=_SAME_LANGUAGE)
    if found is None:
        raise UsageError(
            f"wordfreq has no word frequencies of {language!r}. Give a file with a word and its "
            "count on each line, or learn the weights from the texts."
        )
    content = hashlib.sha256(Path(files[found]).read_bytes()).hexdigest()
    shares: dict[str, float] = wordfreq.get_frequency_dict(found)
    identity = ResourceIdentity(
        f"wordfreq-{found}",
        ResourceKind.FREQUENCIES,
        version("wordfreq"),
        found,
        "CC-BY-SA-4.0",
        content,
    )
    return Frequencies(identity, shares, min(shares.values()), max(shares.values()))


@cache
def _from_file(name: str, language: str) -> Frequencies:
    counts: dict[str, float] = {}
    digest = hashlib.sha256()
    for number, line in enumerate(TextFile(name).lines(), start=1):
        digest.update(f"{line}\n".encode())
        word, _, count = line.rpartition("\t")
        try:
            counts[word] = float(count)
        except ValueError as error:
            raise MalformedLine(name, number, "the line has no count", _ADVICE) from error
        if not word or not 0 < counts[word] < float("inf"):
            raise MalformedLine(name, number, "not a word and a count above 0", _ADVICE)
    if not counts:
        raise UnreadableFile(name, "there is no word in the file", _ADVICE)
    total = sum(counts.values())
    shares = {word: count / total for word, count in counts.items()}
    identity = ResourceIdentity(
        Path(name).name,
        ResourceKind.FREQUENCIES,
        "local",
        language,
        "unknown",
        digest.hexdigest(),
    )
    return Frequencies(identity, shares, min(shares.values()), max(shares.values()))
