"""Function words, which METEOR weights less than content words."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from tenbin.core.errors import MissingExtra, UnreadableFile, UsageError
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.files import regular_file, user_path
from tenbin.formats.lines import TextFile

# According to METEOR's authors: words with a relative frequency above this.
FREQUENCY = 1e-3
# Distance between tags of what wordfreq treats as one written language: no and nb, hr and sh.
_SAME_LANGUAGE = 9
METEOR_LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")
OWN_LANGUAGES = ("ja", "zh")
"""Languages that METEOR has no list for and Tenbin has; ORIGIN.md beside the lists says how."""


class FunctionWordSource(StrEnum):
    """Which list is used.

    METEOR_15 is the English list for every language, a mistake of the released program that
    published scores contain. LANGUAGE is what its authors meant: the list of the language, METEOR's
    for its six, Tenbin's for Japanese and Chinese, from wordfreq for others. NONE makes every word
    a content word.
    """

    METEOR_15 = "meteor-1.5"
    LANGUAGE = "language"
    WORDFREQ = "wordfreq"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class FunctionWords:
    """A list of function words, lower-cased, punctuation among them.

    Attributes:
        identity: The identity of the list.
        words: The words.
    """

    identity: ResourceIdentity
    words: frozenset[str]


def load_function_words(source: FunctionWordSource, language: str) -> FunctionWords:
    """Return the function words of a language.

    >>> "the" in load_function_words(FunctionWordSource.METEOR_15, "fr").words
    True

    Raises:
        UsageError: wordfreq has no list for the language.
        MissingExtra: wordfreq is needed and not installed.
    """
    if source is FunctionWordSource.METEOR_15:
        return _bundled("en")
    if source is FunctionWordSource.NONE:
        return _listed("function-words-none", "1", "mul", "Apache-2.0", ())
    if source is FunctionWordSource.LANGUAGE and language in METEOR_LANGUAGES:
        return _bundled(language)
    if source is FunctionWordSource.LANGUAGE and language in OWN_LANGUAGES:
        return _own(language)
    return _from_wordfreq(language)


def default_source(language: str) -> FunctionWordSource:
    """Return the list that METEOR uses unless told.

    The released program has the English list for each of its languages. Of Japanese and Chinese it
    knows nothing, so that there is no published score to reproduce.

    >>> str(default_source("fr")), str(default_source("ja"))
    ('meteor-1.5', 'language')
    """
    own = language in OWN_LANGUAGES
    return FunctionWordSource.LANGUAGE if own else FunctionWordSource.METEOR_15


def read_function_words(path: Path, language: str) -> FunctionWords:
    """Return the list of a file with one word per line.

    Raises:
        UnreadableFile: The file cannot be read, or is empty.
        MalformedLine: The file is not UTF-8.
    """
    path = regular_file(user_path(path))
    words = [word for line in TextFile(str(path)).lines() if (word := line.strip())]
    if not words:
        advice = "Give one function word per line, or choose function_words=none."
        raise UnreadableFile(str(path), "there are no words in the file", advice)
    return _listed(path.name, "local", language, "unknown", words)


def function_words_of_corpus(
    segments: Iterable[Iterable[str]], language: str, *, frequency: float = FREQUENCY
) -> FunctionWords:
    """Return the words above a relative frequency in a corpus, as METEOR Universal does.

    Args:
        segments: Tokens of each segment, tokenized and lower-cased as for scoring.
        language: The language of the corpus.
        frequency: Relative frequency above which a word is a function word.
    """
    counts = Counter(token for segment in segments for token in segment)
    return function_words_of_counts(counts, counts.total(), language, frequency=frequency)


def function_words_of_counts(
    counts: Mapping[str, int], total: int, language: str, *, frequency: float = FREQUENCY
) -> FunctionWords:
    """Return the words above a relative frequency, from the counts of a corpus.

    Args:
        counts: Counts of words; rare ones may be missing.
        total: Number of tokens.
        language: The language of the corpus.
        frequency: Relative frequency above which a word is a function word.
    """
    words = [word for word, count in counts.items() if count > frequency * total]
    return _listed("function-words-of-corpus", "local", language, "unknown", words)


@cache
def _bundled(language: str) -> FunctionWords:
    file = files("tenbin.resources").joinpath("bundled", "meteor", f"function-words.{language}.txt")
    words = file.read_text(encoding="utf-8").split()
    name = f"meteor-function-words-{language}"
    return _listed(name, "1.5", language, "LGPL-2.1-only", words)


@cache
def _own(language: str) -> FunctionWords:
    file = files("tenbin.resources").joinpath("bundled", "function-words", f"{language}.txt")
    words = file.read_text(encoding="utf-8").split()
    return _listed(f"function-words-{language}", "1", language, "Apache-2.0", words)


@cache
def _from_wordfreq(language: str) -> FunctionWords:
    try:
        wordfreq = import_module("wordfreq")
    except ImportError as error:
        raise MissingExtra(
            f"the function words of {language!r}", "lexicons", "Or give your own file."
        ) from error
    # wordfreq falls back to the nearest language it has, even English for Swahili.
    langcodes = import_module("langcodes")
    listed = list(wordfreq.available_languages())
    if langcodes.closest_supported_match(language, listed, max_distance=_SAME_LANGUAGE) is None:
        raise UsageError(
            f"there are no function words for {language!r}: neither METEOR nor wordfreq has that "
            "language. Give a file with one word per line, or choose function_words=none."
        )
    shares = wordfreq.get_frequency_dict(language)
    words = [word for word, share in shares.items() if share > FREQUENCY]
    name = f"wordfreq-function-words-{language}"
    return _listed(name, version("wordfreq"), language, "CC-BY-SA-4.0", words)


def _listed(
    name: str, release: str, language: str, licence: str, words: Iterable[str]
) -> FunctionWords:
    distinct = frozenset(words)
    # Hash of the words, not of a file: two files with the same words are the same list.
    content = hashlib.sha256("\n".join(sorted(distinct)).encode("utf-8")).hexdigest()
    kind = ResourceKind.FUNCTION_WORDS
    return FunctionWords(
        ResourceIdentity(name, kind, release, language, licence, content), distinct
    )
