"""jieba: Chinese words and their parts of speech, from its own dictionary."""

import logging
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tenbin.core.errors import MissingExtra, UnreadableFile
from tenbin.resources.store.fingerprints import FingerprintCache
from tenbin.resources.store.lookup import cache_folder

_LOGGER = "jieba"


@dataclass(frozen=True, slots=True)
class TaggedWords:
    """A segmenter of text into words with part-of-speech tags.

    Attributes:
        cut: Returns pairs of a word and its tag; the words concatenate to the text.
        listed: The tag of each word of the dictionary; the tags of other words are guessed.
        versions: The version of jieba.
    """

    cut: Callable[[str], list[tuple[str, str]]]
    listed: dict[str, str]
    versions: tuple[tuple[str, str], ...]


def load_segmenter() -> Any:  # noqa: ANN401 - jieba ships no types
    """Return a segmenter with jieba's own dictionary, independent of its global one.

    Raises:
        ImportError: jieba is not installed.
    """
    with warnings.catch_warnings():
        # Its source has invalid escapes, and it reads its dictionary through pkg_resources:
        # each of them warns, in some version of Python or of setuptools.
        warnings.simplefilter("ignore")
        segmenter = import_module("jieba").Tokenizer()
        # jieba caches its dictionary in the folder for temporary files, where others may write, and
        # reads it back without checking which version wrote it. Here the cache is in a folder of
        # the user, under a name with the version; without such a folder nothing is cached.
        folder = cache_folder(None) / "jieba"
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        segmenter.tmp_dir = str(folder)
        segmenter.cache_file = f"jieba-{version('jieba')}.cache"
        cached = folder / segmenter.cache_file
        _remove_damaged(cached)
        logger = logging.getLogger(_LOGGER)
        level = logger.level
        logger.setLevel(logging.CRITICAL + 1)  # it logs four lines to stderr
        try:
            segmenter.initialize()
        finally:
            logger.setLevel(level)
        _record(cached)
    return segmenter


def _remove_damaged(cached: Path) -> None:
    """Remove jieba's cache unless it is as jieba wrote it: jieba does not check what it reads."""
    with suppress(OSError, UnicodeDecodeError, UnreadableFile):
        if not cached.exists():
            return
        if _record_of(cached).read_text(encoding="utf-8") == _hashes().fingerprint(cached):
            return
    with suppress(OSError):
        cached.unlink(missing_ok=True)
        _record_of(cached).unlink(missing_ok=True)


def _record(cached: Path) -> None:
    with suppress(OSError):
        if cached.is_file() and not _record_of(cached).exists():
            _record_of(cached).write_text(_hashes().recomputed(cached), encoding="utf-8")


def _record_of(cached: Path) -> Path:
    return cached.with_name(f"{cached.name}.sha256")


def _hashes() -> FingerprintCache:
    return FingerprintCache(cache_folder(None) / ".fingerprints")


@cache
def load_tagged_words() -> TaggedWords:
    """Return the segmenter and tagger of Chinese.

    Raises:
        MissingExtra: jieba is not installed.
    """
    try:
        segmenter = load_segmenter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tagger = import_module("jieba.posseg").POSTokenizer(segmenter)
            tagger.initialize()
    except ImportError as error:
        raise MissingExtra(
            "distinguishing names from words in Chinese",
            "zh",
            "Or leave names out (penalty=numbers).",
        ) from error

    def cut(text: str) -> list[tuple[str, str]]:
        return [(pair.word, pair.flag) for pair in tagger.cut(text, HMM=True)]

    return TaggedWords(cut, dict(tagger.word_tag_tab), (("jieba", version("jieba")),))
