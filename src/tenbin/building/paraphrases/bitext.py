"""A tokenized bitext, packed into arrays."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from tenbin.annotation.languages import TokenizerFamily, parse_language
from tenbin.annotation.tokenizers import Tokenizer, canonical_tokenizer, load_tokenizer
from tenbin.building.corpus import Advance
from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.counting import counted
from tenbin.core.errors import UnreadableFile
from tenbin.core.metric import AUTO
from tenbin.formats.bitext import read_bitext
from tenbin.formats.tensor_file import TensorWriter, map_tensors
from tenbin.resources.vectors.keys import concatenated

_MOST_CUT_WORDS = 500_000
# Control characters are not words, and sort before the space that joins the words of a phrase.
_CONTROLS = dict.fromkeys([*range(0x20), 0x7F], " ")


@dataclass(frozen=True, slots=True)
class BitextFile:
    """The files of a bitext and of its word links, if any.

    Attributes:
        path: A file of two columns, or the text in one language.
        pivot: The language on the other side.
        other: The text in the pivot language, if it has a file of its own.
        links: Word links in Pharaoh format, if there are any.
        reverse_links: Links of the other direction, if ``links`` are those of one direction.
        pivot_first: Whether the pivot language is in the first column, and first in links.
    """

    path: str
    pivot: str
    other: str = ""
    links: str = ""
    reverse_links: str = ""
    pivot_first: bool = False

    @property
    def inputs(self) -> tuple[str, ...]:
        """The files of text."""
        return (self.path, self.other) if self.other else (self.path,)


@dataclass(frozen=True, slots=True, eq=False)
class PackedSide:
    """Segments of one language.

    Attributes:
        values: Word numbers of all segments, one segment after the other.
        offsets: Where each segment begins and ends.
        words: The words, by number.
    """

    values: IdArray
    offsets: IntArray
    words: tuple[str, ...]

    @property
    def lengths(self) -> IntArray:
        """Words of each segment."""
        return np.diff(self.offsets)


@dataclass(frozen=True, slots=True, eq=False)
class PackedBitext:
    """Segments of both languages.

    Attributes:
        target: The language whose paraphrases are wanted.
        pivot: The other one.
        lines: Number of the line that each segment comes from, from 0; some are left out.
        line_count: Number of lines.
    """

    target: PackedSide
    pivot: PackedSide
    lines: IntArray
    line_count: int


def words_of(language: str, tokenizer: str = AUTO) -> Tokenizer:
    """Return the word tokenizer of a language.

    Raises:
        UsageError: No such language or tokenizer.
        MissingExtra: It needs a package that is not installed.
    """
    if tokenizer == AUTO:
        tokenizer = parse_language(language).tokenizer(TokenizerFamily.WORDS)
    return load_tokenizer(canonical_tokenizer(tokenizer))


def pack_bitext(
    file: BitextFile,
    target: Tokenizer,
    pivot: Tokenizer,
    *,
    most_words: int,
    advance: Advance | None = None,
) -> PackedBitext:
    """Read a bitext, lower-case and tokenize it.

    Segments that are empty on a side, or longer than ``most_words``, are left out.

    Raises:
        UnreadableFile: There is no segment left; also if the file cannot be read.
        MalformedLine: A line does not have two columns.
        LengthMismatch: Two files have different numbers of lines.
    """
    sides = _Side(target), _Side(pivot)
    lines = array("q")
    number = -1
    for number, pair in enumerate(read_bitext(file.path, file.other)):
        texts = pair[::-1] if file.pivot_first else pair
        cut = [side.tokenize(text) for side, text in zip(sides, texts, strict=True)]
        if all(0 < len(tokens) <= most_words for tokens in cut):
            for side, tokens in zip(sides, cut, strict=True):
                side.add(tokens)
            lines.append(number)
        if advance is not None:
            advance(1)
    if not lines:
        problem = f"no segment has 1 to {counted(most_words, 'word')} on both sides"
        raise UnreadableFile(file.path, problem, "Give text in two languages, or a larger limit.")
    return PackedBitext(sides[0].packed(), sides[1].packed(), _int64(lines), number + 1)


class _Side:
    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenize: Callable[[str], list[str]] = _cutter(tokenizer)
        self._words: dict[str, int] = {}
        self._values = array("i")
        self._offsets = array("q", [0])

    def add(self, tokens: Sequence[str]) -> None:
        words = self._words
        self._values.extend([words.setdefault(token, len(words)) for token in tokens])
        self._offsets.append(len(self._values))

    def packed(self) -> PackedSide:
        values = np.array(self._values, dtype=np.int32)
        return PackedSide(values, _int64(self._offsets), tuple(self._words))


def _cutter(tokenizer: Tokenizer) -> Callable[[str], list[str]]:
    if not tokenizer.by_word:
        return lambda line: _without_spaces(tokenizer.tokenize(line.translate(_CONTROLS).lower()))
    cut = lru_cache(maxsize=_MOST_CUT_WORDS)(lambda word: tuple(tokenizer.tokenize(word)))
    return lambda line: [
        token for word in line.translate(_CONTROLS).lower().split() for token in cut(word)
    ]


def _without_spaces(tokens: Sequence[str]) -> list[str]:
    # A dictionary may have words with spaces; in phrases spaces separate words.
    return [part for token in tokens for part in token.split()]


def _int64(numbers: "array[int]") -> IntArray:
    return np.array(numbers, dtype=np.int64)


def write_packed(path: Path, bitext: PackedBitext) -> None:
    """Write a packed bitext to a file."""
    with TensorWriter(path) as writer:
        for name, side in (("target", bitext.target), ("pivot", bitext.pivot)):
            data, offsets = concatenated(side.words)
            writer.extend(f"{name}_offsets", side.offsets)
            writer.extend(f"{name}_word_offsets", offsets)
            writer.extend(f"{name}_values", side.values)
            writer.extend(f"{name}_words", data)
        writer.extend("lines", bitext.lines)
        writer.finish({"line_count": str(bitext.line_count)})


def read_packed(path: Path) -> PackedBitext:
    """Return the packed bitext of a file."""
    file = map_tensors(path)
    sides = []
    for name in ("target", "pivot"):
        data = file.tensors[f"{name}_words"].tobytes()
        bounds = file.tensors[f"{name}_word_offsets"].tolist()
        words = tuple(data[a:b].decode("utf-8") for a, b in pairwise(bounds))
        values, offsets = file.tensors[f"{name}_values"], file.tensors[f"{name}_offsets"]
        sides.append(PackedSide(values, offsets, words))
    lines = file.tensors["lines"]
    return PackedBitext(sides[0], sides[1], lines, int(file.metadata["line_count"]))
