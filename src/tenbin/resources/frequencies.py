"""How frequent words are: their share of running text, and in how many documents tokens occur."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import version
from math import ceil, log
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import FloatArray
from tenbin.core.errors import (
    MalformedLine,
    MissingExtra,
    ResourceError,
    UnreadableFile,
    UsageError,
)
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.files import regular_file, user_path
from tenbin.formats.idf_file import read_idf_file
from tenbin.formats.lines import TextFile
from tenbin.resources.file_cache import cached_by_file

WORDFREQ = "wordfreq"

# Distance between tags of what wordfreq treats as one written language: no and nb, hr and sh.
_SAME_LANGUAGE = 9
_DIGIT = re.compile(r"\d")
_ADVICE = "Write a word and its count on each line, with a tab between them."
# wordfreq counts running words. A document is taken to be a sentence of this many words drawn at
# random, which is the unit of BERTScore; the number of sentences only shifts all weights.
WORDFREQ_DOCUMENTS = 1_000_000
WORDFREQ_LENGTH = 25
# Tanahashi et al. 2020, section 4.2: 70 % of the tokens of the dictionary are not rare.
COMMON_SHARE = 0.7

Cut = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True, eq=False)
class Frequencies:
    """The relative frequency of each word in a corpus.

    Attributes:
        identity: The identity of the data.
        by_word: The frequencies.
        least: The smallest of them, used for words that are not listed.
        most: The largest, used for punctuation that is not listed: word lists leave it out.
    """

    identity: ResourceIdentity
    by_word: Mapping[str, float]
    least: float
    most: float

    def shares(self, words: Sequence[str]) -> FloatArray:
        """Return the frequency of each word: as is, lower-cased, or with its digits as 0."""
        return np.array([self._share(word) for word in words], dtype=np.float64)

    def _share(self, word: str) -> float:
        # wordfreq counts numbers of several digits by their length only.
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
    if name == WORDFREQ:
        return _words_from_wordfreq(language)
    return _words_from_file(name=name, language=language)


@cache
def _words_from_wordfreq(language: str) -> Frequencies:
    try:
        wordfreq = import_module("wordfreq")
    except ImportError as error:
        alternative = "Or give your own file."
        raise MissingExtra("wordfreq", "lexicons", alternative) from error
    # wordfreq falls back to the nearest language it has, even English for Swahili.
    langcodes = import_module("langcodes")
    files: dict[str, str] = wordfreq.available_languages("best")
    found = langcodes.closest_supported_match(language, list(files), max_distance=_SAME_LANGUAGE)
    if found is None:
        raise UsageError(
            f"wordfreq has no word frequencies for {language!r}. Give a file with a word and its "
            "count on each line, or learn the weights from the texts."
        )
    try:
        content = hashlib.sha256(Path(files[found]).read_bytes()).hexdigest()
        shares: dict[str, float] = wordfreq.get_frequency_dict(found)
    # A packed file with a checksum: gzip, zlib and msgpack each raise errors of their own.
    except Exception as error:
        raise ResourceError(
            f"{files[found]}: the word frequencies are damaged ({type(error).__name__}). "
            "Reinstall the package wordfreq with pip."
        ) from error
    identity = ResourceIdentity(
        f"wordfreq-{found}",
        ResourceKind.FREQUENCIES,
        version("wordfreq"),
        found,
        "CC-BY-SA-4.0",
        content,
    )
    return Frequencies(identity, shares, min(shares.values()), max(shares.values()))


@cached_by_file("name")
def _words_from_file(*, name: str, language: str) -> Frequencies:
    counts: dict[str, float] = {}
    digest = hashlib.sha256()
    for number, line in enumerate(TextFile(str(regular_file(user_path(name)))).lines(), start=1):
        digest.update(f"{line}\n".encode())
        word, _, count = line.rpartition("\t")
        try:
            counts[word] = float(count)
        except ValueError as error:
            raise MalformedLine(name, number, "the line has no count", _ADVICE) from error
        if not word or not 0 < counts[word] < float("inf"):
            raise MalformedLine(name, number, "not a word and a count above 0", _ADVICE)
    if not counts:
        raise UnreadableFile(name, "there are no words in the file", _ADVICE)
    total = sum(counts.values())
    if total == float("inf"):
        raise UnreadableFile(name, "the sum of the counts is not a number", _ADVICE)
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


class Threshold(NamedTuple):
    """The idf from which a token is rare.

    Attributes:
        idf: The value at the boundary.
        inclusive: Whether tokens with exactly that value are rare. It is True if so many tokens
            occur in one document only that the boundary falls among them.
    """

    idf: float
    inclusive: bool

    def passed(self, idfs: FloatArray) -> npt.NDArray[np.bool_]:
        """Return which values are above the boundary."""
        return idfs >= self.idf if self.inclusive else idfs > self.idf


@dataclass(frozen=True, eq=False)
class TokenFrequencies:
    """A dictionary of document frequencies.

    Attributes:
        identity: The identity of the data.
        documents: Number of documents.
        counts: Document frequency of each token; a fraction where it was estimated.
        tokenizer: Tokenizer of the documents; tokens of another tokenizer are not found.
        lowercase: Whether the documents were lower-cased; tokens are then lower-cased too.
        estimate: Estimates the document frequency of tokens that are not listed.
    """

    identity: ResourceIdentity
    documents: int
    counts: Mapping[str, float]
    tokenizer: str = ""
    lowercase: bool = False
    estimate: Callable[[str], float] | None = None

    def count(self, token: str) -> float:
        """Return the document frequency of a token; 0 if it is in no document."""
        found = self.counts.get(token.lower() if self.lowercase else token)
        if found is not None:
            return found
        return self.estimate(token) if self.estimate is not None else 0

    def idf(self, token: str) -> float:
        """Return ln((M + 1) / (df + 1)); for a token in none of the M documents ln(M + 1).

        >>> identity = ResourceIdentity("toy", ResourceKind.FREQUENCIES, "1", "en", "CC0-1.0", "0")
        >>> toy = TokenFrequencies(identity, 3, {"the": 3, "cat": 1})
        >>> [round(toy.idf(token), 4) for token in ("the", "cat", "dog")]
        [0.0, 0.6931, 1.3863]
        """
        return log((self.documents + 1) / (self.count(token) + 1))

    def idfs(self, tokens: Sequence[str]) -> FloatArray:
        """Return the idf of each token."""
        return np.array([self.idf(token) for token in tokens], dtype=np.float64)

    @cached_property
    def threshold(self) -> Threshold:
        """The idf of the token at rank ceil(0.7 V) of the V tokens, in ascending order."""
        return threshold_of(self.documents, np.fromiter(self.counts.values(), dtype=np.float64))

    def rare(self, tokens: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Return which tokens are rare; those in no document always are."""
        return self.threshold.passed(self.idfs(tokens))

    def notes(self) -> list[str]:
        """Return notes on the dictionary for readers of the scores."""
        if not self.threshold.inclusive:
            return []
        many = f"more than {1 - COMMON_SHARE:.0%} of its tokens have the highest idf"
        rule = "all of them count as rare; a strict boundary would leave unknown tokens only"
        return [f"{self.identity.name}: {many}; {rule}."]


def threshold_of(
    documents: int, counts: FloatArray, *, common_share: float = COMMON_SHARE
) -> Threshold:
    """Return the boundary of the rare tokens of a dictionary.

    >>> threshold_of(9, np.array([9.0, 8, 7, 6, 5, 4, 3, 2, 1, 1])).inclusive
    False
    >>> threshold_of(9, np.array([9.0, 8, 1, 1])).inclusive
    True
    """
    if not len(counts):
        return Threshold(log(documents + 1), inclusive=True)
    falling = np.sort(counts)[::-1]  # idf rises as the count falls
    # In whole numbers: 0.7 * 10 is a hair more than 7 in binary, and would be rank 8.
    rank = ceil(round(common_share * len(counts), 6))
    boundary = falling[max(rank, 1) - 1]
    value = log((documents + 1) / (float(boundary) + 1))
    return Threshold(value, inclusive=bool(boundary == falling[-1]))


def load_token_frequencies(
    name: str, language: str, *, subwords: Cut | None = None
) -> TokenFrequencies:
    """Open a dictionary: ``wordfreq``, or a file made by ``tenbin build idf``.

    Args:
        name: ``wordfreq`` or a path.
        language: The language of the texts.
        subwords: For ``wordfreq``: splits a word into the subwords that are looked up; None for
            whole words.

    Raises:
        MissingExtra: wordfreq is not installed.
        UsageError: wordfreq does not have the language.
        UnreadableFile: The file is missing, damaged or of another format.
        MalformedLine: A line of the file is not a count and a token.
    """
    if name == WORDFREQ:
        return (
            _tokens_from_wordfreq(language)
            if subwords is None
            else _subwords_from_wordfreq(language, subwords)
        )
    return _tokens_from_file(name=name, language=language)


@cached_by_file("name")
def _tokens_from_file(*, name: str, language: str) -> TokenFrequencies:
    path = regular_file(user_path(name))
    read = read_idf_file(path)
    kind = ResourceKind.FREQUENCIES
    named = str(read.facts.get("language", language))
    identity = ResourceIdentity(path.name, kind, "local", named, "unknown", read.sha256)
    return TokenFrequencies(
        identity,
        read.documents,
        read.counts,
        tokenizer=str(read.facts.get("tokenizer", "")),
        lowercase=bool(read.facts.get("lowercase", False)),
    )


def expected_documents(
    share: float, *, documents: int = WORDFREQ_DOCUMENTS, length: int = WORDFREQ_LENGTH
) -> float:
    """Return the expected document frequency of a word with a given relative frequency.

    A document has the word unless each of its words is another one: M (1 - (1 - f)^L).
    """
    return float(documents * -np.expm1(length * np.log1p(-share)))


@cache
def _tokens_from_wordfreq(language: str) -> TokenFrequencies:
    frequencies = load_frequencies(WORDFREQ, language)
    shares = frequencies.by_word
    numbers = import_module("wordfreq.numbers")

    def estimate(token: str) -> float:
        # wordfreq lists 1984 and 2020 as 0000, and estimates the share of each by a formula.
        word = token.lower()
        if not numbers.has_digit_sequence(word):
            return 0.0
        share = shares.get(numbers.smash_numbers(word), 0.0)
        return expected_documents(share * numbers.digit_freq(word))

    counts = {word: expected_documents(share) for word, share in shares.items()}
    return TokenFrequencies(
        frequencies.identity,
        WORDFREQ_DOCUMENTS,
        counts,
        tokenizer=WORDFREQ,
        lowercase=True,
        estimate=estimate,
    )


def _subwords_from_wordfreq(language: str, cut: Cut) -> TokenFrequencies:
    """Return the frequencies of subwords: the summed frequencies of the words they occur in."""
    frequencies = load_frequencies(WORDFREQ, language)
    shares: dict[str, float] = {}
    for word, share in frequencies.by_word.items():
        for subword in set(cut(word)):
            shares[subword] = shares.get(subword, 0.0) + share
    # The sum is nearly 1, or above, for a subword that occurs in almost every word.
    counts = {one: expected_documents(min(share, 0.999999)) for one, share in shares.items()}
    return TokenFrequencies(frequencies.identity, WORDFREQ_DOCUMENTS, counts, tokenizer="subwords")
