"""Translated text for vectors of two languages: pairs of segments, and links between words."""

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path

import numpy as np

from tenbin.annotation.fitness import check_segmentation, script_share
from tenbin.building.corpus import Advance
from tenbin.building.tokenization import Tokenization
from tenbin.building.vectors.numbered_text import NumberedText
from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import LengthMismatch, ScriptMismatch, UnreadableFile
from tenbin.formats.bitext import Link, link_out_of_range, read_bitext, read_links
from tenbin.formats.lines import TextFile
from tenbin.kernels.training.word_prediction import WordLinks
from tenbin.resources.store.fingerprints import file_sha256

_SAMPLE_LINES = 2_000
_LEAST_SHARE = 0.1  # of letters in the script of the language


@dataclass(frozen=True, slots=True)
class BitextFiles:
    """The files of a bitext.

    Attributes:
        path: A file of two columns, or the text in one language.
        other: The text in the other language, if it has a file of its own.
        links: Word links in Pharaoh format, if there are any; the first number is of the first
            column or file.
        source_first: Whether the source language is in the first column or file.
    """

    path: str
    other: str = ""
    links: str = ""
    source_first: bool = False


class _OpenBitext:
    """The files of a bitext, each opened once: a pipe has its text only then."""

    def __init__(self, files: BitextFiles) -> None:
        self.text = TextFile(files.path)
        self.links = TextFile(files.links) if files.links else None
        self.source_first = files.source_first
        self._other = TextFile(files.other) if files.other else None

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield source and target of each line."""
        for first, second in read_bitext(self.text, self._other or ""):
            yield (first, second) if self.source_first else (second, first)

    def lines(self) -> Iterator[tuple[int, tuple[str, str], list[Link] | None]]:
        """Yield the number of each line, source and target, and the links if there are any."""
        if self.links is None:
            for line, pair in enumerate(self.pairs(), start=1):
                yield line, pair, None
            return
        together = zip_longest(self.pairs(), read_links(self.links))
        for line, (pair, links) in enumerate(together, start=1):
            if pair is None or links is None:
                texts = self.text, self.links
                raise LengthMismatch({text.name: sum(1 for _ in text.lines()) for text in texts})
            yield line, pair, links

    def facts(self, lines: int) -> Iterator["BitextFileFacts"]:
        """Yield what the card says about each file."""
        for text in filter(None, (self.text, self._other, self.links)):
            if Path(text.path).is_file():
                yield BitextFileFacts(Path(text.name).name, file_sha256(Path(text.path)), lines)
                continue
            digest = hashlib.sha256()
            for line in text.lines():
                digest.update(line.encode("utf-8") + b"\n")
            yield BitextFileFacts("<pipe>", digest.hexdigest(), lines)


@dataclass(frozen=True, slots=True)
class BitextFileFacts:
    """What was read from a file; the hash of a pipe is that of its text with LF line ends."""

    name: str
    sha256: str
    lines: int


@dataclass(frozen=True, slots=True, eq=False)
class ReadBitext:
    """What was read.

    Attributes:
        files: The files.
        pairs: Number of pairs of segments.
        left_out: Number of lines with an empty side, which are left out.
        first_left_out: File and line of the first of them.
        links: Links between words; None if there are none.
    """

    files: tuple[BitextFileFacts, ...]
    pairs: int
    left_out: int
    first_left_out: str
    links: WordLinks | None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user."""
        if not self.left_out:
            return ()
        lines = f"{self.left_out:,} of {counted(self.pairs + self.left_out, 'line')}"
        left_out = f"without words on a side {agreeing(self.left_out, 'was')} left out"
        return (f"{lines} {left_out}, the first at {self.first_left_out}.",)


class Bitext:
    """Translated text of any length; never more than a line of it is in memory.

    Attributes:
        source: How source segments become tokens.
        target: How target segments become tokens.
    """

    def __init__(
        self, files: Sequence[BitextFiles], source: Tokenization, target: Tokenization
    ) -> None:
        """Name the text; nothing is read yet."""
        self.source = source
        self.target = target
        self._files = tuple(map(_OpenBitext, files))

    @property
    def has_links(self) -> bool:
        """Whether there are links of another aligner."""
        return any(file.links is not None for file in self._files)

    def check(self) -> None:
        """Raise if a text cannot be read at all, or its tokenizer cannot cut it.

        Raises:
            InputError: A file is missing, damaged or not translated text, or its language is
                written without spaces and its tokenizer needs them.
        """
        starts = [list(islice(file.pairs(), _SAMPLE_LINES)) for file in self._files]
        sample = list(islice(chain.from_iterable(starts), _SAMPLE_LINES))
        for number, side in enumerate((self.source, self.target)):
            texts = [pair[number] for pair in sample]
            share = script_share(side.language, texts)
            if share is not None and share < _LEAST_SHARE:
                raise ScriptMismatch(
                    f"the {('source', 'target')[number]} side of {self._files[0].text.name} is not "
                    f"in the script of {side.language.tag!r}. Expected the language of the vectors "
                    "first and the source language second; the other way round with `source_first`."
                )
            check_segmentation(side.language, side.tokenizer, texts)

    def read(
        self, source: NumberedText, target: NumberedText, advance: Advance | None
    ) -> ReadBitext:
        """Tokenize and store both sides.

        Args:
            source: Where source segments go.
            target: Where target segments go.
            advance: Called with the number of lines that are done.

        Raises:
            LengthMismatch: Two files have different numbers of lines.
            MalformedLine: A line has not two columns, or a link leads to a word that is not there.
            UnreadableFile: A side has no words at all; also if a file cannot be read.
        """
        tokenize = self.source.function(), self.target.function()
        links = _Links()
        facts: list[BitextFileFacts] = []
        left_out, first_left_out = 0, ""
        for file in self._files:
            lines = 0
            for line, pair, given in file.lines():
                lines = line
                tokens = tokenize[0](pair[0]), tokenize[1](pair[1])
                if advance is not None:
                    advance(1)
                found = _oriented(file, line, given or [], (len(tokens[0]), len(tokens[1])))
                if not all(tokens):
                    left_out += 1
                    first_left_out = first_left_out or f"{file.text.name}, line {line}"
                    continue
                source.add(tokens[0])
                target.add(tokens[1])
                links.add(found)
            facts += file.facts(lines)
        self._require_words(source.total)
        pairs = source.offsets.size - 1
        packed = links.packed() if self.has_links else None
        return ReadBitext(tuple(facts), pairs, left_out, first_left_out, packed)

    def _require_words(self, total: int) -> None:
        if not total:
            names = ", ".join(file.text.name for file in self._files)
            advice = "Give text in two languages, one pair of segments per line."
            raise UnreadableFile(names, "no line has words on both sides", advice)


class _Links:
    def __init__(self) -> None:
        self._sources, self._targets = array("i"), array("i")
        self._offsets = array("q", [0])

    def add(self, links: Sequence[Link]) -> None:
        self._sources.extend(source for source, _ in links)
        self._targets.extend(target for _, target in links)
        self._offsets.append(len(self._sources))

    def packed(self) -> WordLinks:
        return WordLinks(
            np.array(self._sources, dtype=np.int32),
            np.array(self._targets, dtype=np.int32),
            np.array(self._offsets, dtype=np.int64),
        )


def _oriented(
    file: _OpenBitext, line: int, links: list[Link], sizes: tuple[int, int]
) -> list[Link]:
    """Return links from source to target, each once."""
    written = sizes if file.source_first else sizes[::-1]
    for link in links:
        if link[0] >= written[0] or link[1] >= written[1]:
            name = "" if file.links is None else file.links.name
            raise link_out_of_range(name, line, link, written)
    return sorted({link if file.source_first else link[::-1] for link in links})
