"""Text files of one language, read line by line and tokenized."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from tenbin.annotation.fitness import check_segmentation
from tenbin.annotation.languages import Language
from tenbin.annotation.tokenizers import Tokenizer
from tenbin.building.tokenization import Tokenization
from tenbin.core.errors import UnreadableFile, UsageError
from tenbin.core.metric import AUTO
from tenbin.formats.compression import SIGNATURE_BYTES, compression_of
from tenbin.formats.lines import TextFile
from tenbin.resources.store.fingerprints import file_sha256

Advance = Callable[[int], None]
Phase = Callable[[str, int | None], AbstractContextManager[Advance | None]]
"""Opens the display of one step of the work: its label, and how much there is to do if known."""

_SAMPLE_LINES = 2_000
# Distinct words that are counted at a time: about half a gigabyte.
_MOST_WORDS = 5_000_000


def no_progress(_label: str, _total: int | None) -> AbstractContextManager[Advance | None]:
    """Show no progress."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """What was read from a file; the hash of a pipe is that of its text with LF line ends."""

    name: str
    sha256: str
    lines: int
    tokens: int


class Corpus:
    """A text of any length; never more than a line of it is in memory.

    Attributes:
        tokenization: How it becomes tokens.
        files: What the last reading found, a file each; empty before there was one.
    """

    def __init__(
        self,
        paths: Sequence[str],
        language: str,
        *,
        tokenizer: str | Tokenizer = AUTO,
        lowercase: bool = False,
        lemmas: bool = False,
        for_meteor: bool = False,
    ) -> None:
        """Name the text; nothing is read yet.

        Args:
            paths: Text files, packed or not; ``-`` is standard input.
            language: The language of the text.
            tokenizer: A tokenizer, or the name of one of Tenbin; ``auto``: the words of the
                language.
            lowercase: Whether tokens are lower-cased.
            lemmas: Whether tokens are replaced by their lemmas.
            for_meteor: Whether ``auto`` means METEOR's own tokens in the languages it has them for.

        Raises:
            UsageError: No such language or tokenizer, or no lemmas for the language.
            MissingExtra: Tokenizer or lemmas need a package that is not installed.
        """
        self.tokenization = Tokenization(
            language,
            tokenizer=tokenizer,
            lowercase=lowercase,
            lemmas=lemmas,
            for_meteor=for_meteor,
        )
        self._texts = [TextFile(path) for path in paths]
        self.files: tuple[CorpusFile, ...] = ()

    @property
    def language(self) -> Language:
        """The language of the text."""
        return self.tokenization.language

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer."""
        return self.tokenization.tokenizer

    @property
    def lowercase(self) -> bool:
        """Whether tokens are lower-cased."""
        return self.tokenization.lowercase

    @property
    def lemmas(self) -> bool:
        """Whether tokens are replaced by their lemmas, which are lower-cased."""
        return self.tokenization.lemmas

    @property
    def size(self) -> int | None:
        """Bytes of text; None if there are packed files or pipes, which do not say."""
        paths = [Path(text.path) for text in self._texts]
        if not all(path.is_file() for path in paths) or any(map(_is_packed, paths)):
            return None
        return sum(path.stat().st_size for path in paths)

    @property
    def names(self) -> list[str]:
        """The files, as messages name them."""
        return [text.name for text in self._texts]

    @property
    def versions(self) -> dict[str, str]:
        """Programs and dictionaries that shape the tokens."""
        return self.tokenization.versions

    def check(self) -> None:
        """Raise if a text cannot be read at all, or its tokenizer cannot cut it.

        Raises:
            UnreadableFile: A file is missing, a directory or damaged.
            ScriptMismatch: Text without spaces, and a tokenizer that needs them.
        """
        starts = [list(islice(text.lines(), _SAMPLE_LINES)) for text in self._texts]
        sample = list(islice(chain.from_iterable(starts), _SAMPLE_LINES))
        check_segmentation(self.language, self.tokenizer, sample)

    def segments(self, advance: Advance | None = None) -> Iterator[list[str]]:
        """Yield the tokens of each line that has some.

        Args:
            advance: Called with the number of bytes of each line.

        Raises:
            MalformedLine: A file is not UTF-8.
        """
        return (tokens for _, tokens in self.lines(advance) if tokens)

    def lines(
        self, advance: Advance | None = None, *, with_case: bool = False
    ) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of its file and the tokens of each line, be there none.

        Args:
            advance: Called with the number of bytes of each line.
            with_case: Whether tokens are as they stand in the text, whatever `tokenization` says.

        Raises:
            MalformedLine: A file is not UTF-8.
        """
        cut = self.tokenization.with_case() if with_case else self.tokenization.function()
        files: list[CorpusFile] = []
        for number, text in enumerate(self._texts):
            digest = None if Path(text.path).is_file() else hashlib.sha256()
            lines = tokens = 0
            for line in text.lines():
                raw = line.encode("utf-8") + b"\n"
                if digest is not None:
                    digest.update(raw)
                if advance is not None:
                    advance(len(raw))
                found = cut(line)
                lines += 1
                tokens += len(found)
                yield number, found
            sha256 = file_sha256(Path(text.path)) if digest is None else digest.hexdigest()
            # A pipe has another number each time, and the same text is the same corpus.
            name = Path(text.name).name if digest is None else "<pipe>"
            files.append(CorpusFile(name, sha256, lines, tokens))
        self.files = tuple(files)


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How often words occur.

    Attributes:
        counts: By word. With more than five million distinct words the rarest were dropped on the
            way, so that a word may lack the few occurrences it had by then.
        total: Number of all tokens, of the dropped words too.
        dropped_up_to: The largest count that was dropped; 0 if nothing was.
    """

    counts: Counter[str]
    total: int
    dropped_up_to: int = 0

    def ranked(self, least: int) -> list[tuple[str, int]]:
        """Return words with at least so many occurrences, the commonest first, then by word."""
        frequent = [(word, count) for word, count in self.counts.items() if count >= least]
        return sorted(frequent, key=lambda pair: (-pair[1], pair[0]))


def count_words(segments: Iterable[Sequence[str]], *, most: int = _MOST_WORDS) -> WordCounts:
    """Count words in bounded memory, as word2vec does: rare words are dropped when there are many.

    >>> count_words([["a", "b"], ["a"]]).ranked(1)
    [('a', 2), ('b', 1)]
    """
    counts: Counter[str] = Counter()
    total = dropped = 0
    for tokens in segments:
        counts.update(tokens)
        total += len(tokens)
        while len(counts) > most:
            dropped += 1
            counts = Counter({word: count for word, count in counts.items() if count > dropped})
    return WordCounts(counts, total, dropped)


def require_words(corpus: Corpus, total: int) -> None:
    """Raise `UnreadableFile` if a corpus that was read has no token."""
    if not total:
        names = ", ".join(file.name for file in corpus.files)
        advice = "Give text in the language, one segment per line."
        raise UnreadableFile(names, "there is no word in the corpus", advice)


def _is_packed(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return compression_of(stream.read(SIGNATURE_BYTES)) is not None
    except OSError:
        return False  # whoever reads the file says what is wrong with it


def check_free(path: str, *, force: bool) -> None:
    """Raise `UsageError` if a file exists and may not be replaced."""
    if Path(path).is_file() and not force:
        raise UsageError(
            f"{path}: there is such a file already. Name another one, or allow it to be replaced "
            "(`force`)."
        )
