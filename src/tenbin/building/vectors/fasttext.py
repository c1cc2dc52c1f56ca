"""Trains fastText models with gensim: skip-gram over words and their character n-grams."""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zlib import crc32

from tenbin.building.corpus import Advance, Corpus, Phase, count_words, require_words
from tenbin.building.vectors.numbered_text import NumberedVocabulary, frequent_words
from tenbin.building.vectors.recipe import VectorTraining
from tenbin.core.errors import MissingExtra
from tenbin.formats.output import whole_file, write_errors

# gensim reads no more than this of a segment; longer ones are split.
LONGEST_SEGMENT = 10_000
# fastText's default, which takes 2.4 GB at 300 dimensions; a small vocabulary gets a smaller
# table. A word has some twenty n-grams of 3 to 6 characters.
_MOST_BUCKETS = 2_000_000
_BUCKETS_PER_WORD = 20
_LONGEST_NGRAM = 6
_SHORTEST_NGRAM = 3


class TokenSpool:
    """A temporary file with one segment per line, for several passes over a corpus.

    Attributes:
        segments: Number of segments as `__iter__` yields them.
        advance: Called with the number of tokens of each segment that is read, if not None.
    """

    def __init__(self, folder: Path) -> None:
        """Create the file in a folder, which must have room for the whole corpus."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by __exit__
        self._failure: Exception | None = None
        self.segments = 0
        self.advance: Advance | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def fill(self, segments: Iterator[list[str]]) -> Iterator[list[str]]:
        """Store segments, and yield them."""
        for tokens in segments:
            for start in range(0, len(tokens), LONGEST_SEGMENT):
                part = tokens[start : start + LONGEST_SEGMENT]
                self._file.write(" ".join(part).encode("utf-8") + b"\n")
                self.segments += 1
            yield tokens
        self._file.flush()

    def __iter__(self) -> Iterator[list[str]]:
        # gensim reads in a thread of its own, and would wait forever for one that raised.
        try:
            self._file.seek(0)
            for line in self._file:
                tokens = line.decode("utf-8").removesuffix("\n").split(" ")
                yield tokens
                if self.advance is not None:
                    self.advance(len(tokens))
        except (
            OSError,
            ValueError,
        ) as error:  # ValueError: closed, for the main thread has gone on
            self._failure = error

    def raise_failure(self) -> None:
        """Raise the error of the reading thread, if there was one."""
        if self._failure is not None:
            raise self._failure


def require_gensim() -> Any:  # noqa: ANN401 - gensim ships no types
    """Return gensim's models.

    Raises:
        MissingExtra: gensim is not installed.
    """
    try:
        return import_module("gensim.models")
    except ImportError as error:
        raise MissingExtra("training fastText vectors", "build") from error


def train_fasttext(
    corpus: Corpus, output: str, training: VectorTraining, phase: Phase
) -> NumberedVocabulary:
    """Train a model and write it in the format of Facebook's program; return its words.

    Args:
        corpus: The text.
        output: The file to write, whole or not at all.
        training: The parameters.
        phase: Shows the progress.

    Raises:
        MissingExtra: gensim is not installed.
        InputError: The corpus is empty, or no word is frequent enough.
        OutputError: The file cannot be written.
    """
    models = require_gensim()
    # Cut once: every epoch goes through the tokens again. Beside the output, where there is room.
    with write_errors(output), TokenSpool(Path(output).resolve().parent) as spool:
        with phase("tokenizing", corpus.size) as advance:
            counted = count_words(spool.fill(corpus.segments(advance)))
        require_words(corpus, counted.total)
        ranked = counted.ranked(1)
        frequent = frequent_words(ranked, training.min_count, counted.total)
        with _quiet_gensim(), phase("training", training.epochs * counted.total) as advance:
            model = _new_model(models, training, len(frequent))
            model.build_vocab_from_freq(dict(frequent), corpus_count=spool.segments)
            model.corpus_total_words = (
                counted.total
            )  # gensim forgets it, and fastText's file has it
            spool.advance = advance
            model.train(spool, total_examples=spool.segments, epochs=training.epochs)
            spool.raise_failure()
    with whole_file(output) as temporary:
        models.fasttext.save_facebook_model(model, str(temporary))
    return NumberedVocabulary.of(frequent, counted.total, counted.dropped_up_to)


def fasttext_facts(words: int) -> dict[str, Any]:
    """Return what a card says about a model of so many words."""
    return {"parameters": _ngram_options(words), "versions": {"gensim": version("gensim")}}


@contextmanager
def _quiet_gensim() -> Iterator[None]:
    # It logs advice about batches that users can do nothing about.
    logger = logging.getLogger("gensim")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _new_model(models: Any, training: VectorTraining, words: int) -> Any:  # noqa: ANN401 - no types
    options: dict[str, Any] = {
        "vector_size": training.dimensions,
        "window": training.window,
        "min_count": training.min_count,
        "negative": training.negative,
        "seed": training.seed,
        "workers": training.jobs,
        "epochs": training.epochs,
        "sg": 1,
        "sample": training.sample,
        "alpha": training.first_rate,
        # The words are sorted already; gensim would sort equal counts in any order.
        "sorted_vocab": 0,
        "hashfxn": _stable_hash,
    }
    return models.FastText(**options, **_ngram_options(words))


def _ngram_options(words: int) -> dict[str, int]:
    buckets = min(_MOST_BUCKETS, _BUCKETS_PER_WORD * words)
    return {"min_n": _SHORTEST_NGRAM, "max_n": _LONGEST_NGRAM, "bucket": buckets}


def _stable_hash(text: object) -> int:
    """Return a hash that is the same in every process, which Python's own is not."""
    return crc32(str(text).encode("utf-8"))
