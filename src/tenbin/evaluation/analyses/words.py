"""Texts as words, for lengths, frequencies and n-grams."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.pipeline import annotate
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.batch import Annotation, AnnotationKind, Column
from tenbin.core.errors import TenbinError, UsageError
from tenbin.resources.frequencies import WORDFREQ, load_frequencies

_ZIPF = 1e9  # a frequency of one in a thousand million words is 0 on Zipf's scale
_CHARACTERS = "char"
_BLANKS = "none"


@cache
def word_tokenizer(language: str) -> str:
    """Return the tokenizer that finds the words of a language, of those that are installed.

    Characters take their place where nothing that finds words is installed.

    >>> word_tokenizer("de"), word_tokenizer("")
    ('13a', 'none')
    """
    if not language:
        return _BLANKS
    parsed = parse_language(language)
    for family in (TokenizerFamily.WORDS, TokenizerFamily.COMPARABLE):
        name = parsed.tokenizer(family)
        try:
            load_tokenizer(name)
        except TenbinError:
            continue
        return name
    return _CHARACTERS if not parsed.spaced else _BLANKS


def word_column(texts: Sequence[str], language: str) -> Column:
    """Return the words of some texts as numbers, in lower case where the script has cases."""
    method = word_tokenizer(language)
    annotation = Annotation(kind=AnnotationKind.TOKENS, method=method, lowercase=True)
    return annotate(texts, [annotation])[annotation]


def is_word(column: Column) -> FloatArray:
    """Return 1 for each entry of a vocabulary that has a letter or digit, 0 for punctuation."""
    return np.array([any(map(str.isalnum, token)) for token in column.vocabulary], dtype=np.float64)


def word_counts(column: Column) -> IntArray:
    """Return how many words each text has; punctuation does not count."""
    return _sums(column, is_word(column)).astype(np.int64)


def mean_frequencies(column: Column, language: str) -> FloatArray | None:
    """Return the mean Zipf frequency of the words of each text; NaN without words.

    Zipf's scale is the logarithm to base 10 of the occurrences in a thousand million words: 7 for
    the most frequent words, 3 for one in a million. None where no frequencies are installed for the
    language.
    """
    try:
        if not language:
            raise UsageError("no language, no frequencies")
        frequencies = load_frequencies(WORDFREQ, language)
    except TenbinError:
        return None
    counts = _sums(column, is_word(column))
    known = np.log10(frequencies.shares(column.vocabulary) * _ZIPF) * is_word(column)
    means: FloatArray = np.full(len(counts), np.nan)
    np.divide(_sums(column, known), counts, out=means, where=counts > 0)
    return means


def _sums(column: Column, values: FloatArray) -> FloatArray:
    """Return the sum over the tokens of each text of a value of the token."""
    rows = column.rows
    texts = np.repeat(np.arange(len(rows)), rows.lengths)
    sums: FloatArray = np.bincount(texts, weights=values[rows.values], minlength=len(rows)).astype(
        np.float64
    )
    return sums
