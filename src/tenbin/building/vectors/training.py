"""Trains word vectors on any text: CBOW and skip-gram of word2vec, and fastText, with gensim."""

import json
import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zlib import crc32

from tenbin.building.corpus import (
    Advance,
    Corpus,
    Phase,
    WordCounts,
    check_free,
    count_words,
    no_progress,
    require_words,
)
from tenbin.core.errors import InputError, MissingExtra, UsageError
from tenbin.formats.output import check_target, whole_file, write_errors, write_text
from tenbin.resources.store.fingerprints import file_sha256
from tenbin.version import __version__

# gensim reads no more than this of a segment; longer ones are split.
LONGEST_SEGMENT = 10_000
CARD_ENDING = ".card.json"
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


class Method(StrEnum):
    """How vectors are learned.

    CBOW predicts a word from its context, SKIPGRAM the context from a word (Mikolov et al.
    2013); FASTTEXT is skip-gram over the character n-grams of words too, so that unknown words get
    a vector (Bojanowski et al. 2017).
    """

    CBOW = "cbow"
    SKIPGRAM = "skipgram"
    FASTTEXT = "fasttext"


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTraining:
    """The parameters of a training.

    Attributes:
        method: How vectors are learned.
        dimensions: Dimension of the vectors.
        window: Maximum number of context words on each side.
        min_count: Rarer words get no vector.
        epochs: Number of passes over the corpus.
        negative: Number of negative samples.
        seed: Random seed.
        jobs: Number of threads; results are reproducible with one thread only.
    """

    method: Method = Method.CBOW
    dimensions: int = 300
    window: int = 5
    min_count: int = 5
    epochs: int = 5
    negative: int = 5
    seed: int = 1
    jobs: int = 1

    def __post_init__(self) -> None:
        for name in ("dimensions", "window", "min_count", "epochs", "negative", "jobs"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name}={getattr(self, name)}: give a number of at least 1.")
        if not 0 <= self.seed < 2**32:
            raise UsageError(f"seed={self.seed}: give a number from 0 to {2**32 - 1}.")


def build_word_vectors(
    corpus: Corpus,
    output: str,
    training: VectorTraining,
    *,
    force: bool = False,
    phase: Phase = no_progress,
) -> dict[str, Any]:
    """Train vectors, write them and their card, and return the card.

    CBOW and skip-gram are written in word2vec's binary format, fastText as a model of Facebook's
    program (``.bin``). The card beside it, ``OUTPUT.card.json``, says from which text, with which
    parameters and programs they were made. With one job, both are the same when it is done again.

    Args:
        corpus: The text.
        output: The file to write, whole or not at all.
        training: The parameters.
        force: Whether files that are there may be replaced.
        phase: Shows the progress.

    Raises:
        MissingExtra: gensim is not installed.
        InputError: The corpus cannot be read, is empty, or no word is frequent enough.
        UsageError: A file would be overwritten.
        OutputError: The files cannot be written.
    """
    models = _gensim_models()
    for path in (output, output + CARD_ENDING):
        check_target(path)
        check_free(path, force=force)
    corpus.check()
    # Cut once: every epoch goes through the tokens again. Beside the output, where there is room.
    with write_errors(output), TokenSpool(Path(output).resolve().parent) as spool:
        with phase("tokenizing", corpus.size) as advance:
            counted = count_words(spool.fill(corpus.segments(advance)))
        require_words(corpus, counted.total)
        vocabulary = _vocabulary(counted, training.min_count)
        with _quiet_gensim(), phase("training", training.epochs * counted.total) as advance:
            model = _new_model(models, training, len(vocabulary))
            model.build_vocab_from_freq(vocabulary, corpus_count=spool.segments)
            model.corpus_total_words = (
                counted.total
            )  # gensim forgets it, and fastText's file has it
            spool.advance = advance
            model.train(spool, total_examples=spool.segments, epochs=training.epochs)
            spool.raise_failure()
    with whole_file(output) as temporary:
        if training.method is Method.FASTTEXT:
            models.fasttext.save_facebook_model(model, str(temporary))
        else:
            model.wv.save_word2vec_format(str(temporary), binary=True)
    card = _card(corpus, output, training, counted, vocabulary)
    write_text(output + CARD_ENDING, json.dumps(card, ensure_ascii=False, indent=2) + "\n")
    return card


def _gensim_models() -> Any:  # noqa: ANN401 - gensim ships no types
    try:
        return import_module("gensim.models")
    except ImportError as error:
        raise MissingExtra("training word vectors", "build") from error


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


def _vocabulary(counted: WordCounts, least: int) -> dict[str, int]:
    """Return the words that get a vector, in the order of their rows."""
    frequent = dict(counted.ranked(least))
    if not frequent:
        word, count = counted.ranked(1)[0]
        raise InputError(
            f"no word occurs {least} times among all tokens ({counted.total:,}); the "
            f"commonest, {word!r}, occurs {count} times. Give more text, or a smaller min_count."
        )
    return frequent


def _new_model(models: Any, training: VectorTraining, words: int) -> Any:  # noqa: ANN401 - no types
    options: dict[str, Any] = {
        "vector_size": training.dimensions,
        "window": training.window,
        "min_count": training.min_count,
        "negative": training.negative,
        "seed": training.seed,
        "workers": training.jobs,
        "epochs": training.epochs,
        "sg": 0 if training.method is Method.CBOW else 1,
        # The words are sorted already; gensim would sort equal counts in any order.
        "sorted_vocab": 0,
        "hashfxn": _stable_hash,
    }
    if training.method is Method.FASTTEXT:
        return models.FastText(**options, **_ngram_options(words))
    return models.Word2Vec(**options)


def _ngram_options(words: int) -> dict[str, int]:
    buckets = min(_MOST_BUCKETS, _BUCKETS_PER_WORD * words)
    return {"min_n": _SHORTEST_NGRAM, "max_n": _LONGEST_NGRAM, "bucket": buckets}


def _stable_hash(text: object) -> int:
    """Return a hash that is the same in every process, which Python's own is not."""
    return crc32(str(text).encode("utf-8"))


def _card(
    corpus: Corpus,
    output: str,
    training: VectorTraining,
    counted: WordCounts,
    vocabulary: dict[str, int],
) -> dict[str, Any]:
    fasttext = training.method is Method.FASTTEXT
    parameters = asdict(training) | (_ngram_options(len(vocabulary)) if fasttext else {})
    programs = {name: version(name) for name in ("gensim", "numpy")}
    return {
        "kind": "word vectors",
        "file": Path(output).name,
        "sha256": file_sha256(Path(output)),
        "format": "fastText model" if fasttext else "word2vec binary",
        "language": corpus.language.tag,
        "unit": "lemmas" if corpus.lemmas else "tokens",
        "tokenizer": corpus.tokenizer.name,
        "lowercase": corpus.lowercase,
        "parameters": parameters,
        "reproducible": training.jobs == 1,
        "corpus": [asdict(file) for file in corpus.files],
        "lines": sum(file.lines for file in corpus.files),
        "tokens": counted.total,
        "vocabulary": len(vocabulary),
        "tokens_with_vector": sum(vocabulary.values()),
        "dropped_up_to": counted.dropped_up_to,
        "versions": {"tenbin": __version__, **programs, **corpus.versions},
    }
