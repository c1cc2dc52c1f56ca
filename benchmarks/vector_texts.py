"""The pairs of segments and the vectors that everything about word vectors is timed on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.text import TestSet
from tenbin.resources.vectors.table import write_vector_table
from tenbin.resources.vectors.word_vectors import load_vectors

_SET, _PAIR, _REFERENCE = "wmt14", "fr-en", "refA"
_LENGTHS = range(18, 25)
_TABLE = "glove-en-small"
_TIMES = 3  # 100 dimensions thrice are the 300 that most tables have

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Texts:
    """Hypotheses and references of about 21 tokens, and vectors of 300 dimensions for them.

    Attributes:
        raw: Hypothesis and reference of each pair, as people would give them.
        tokens: The same in lower case, cut into tokens and joined by blanks.
        words: The words of the table.
        units: Their vectors, of length 1.
        table: The file of the table.
    """

    raw: tuple[Pair, ...]
    tokens: tuple[Pair, ...]
    words: tuple[str, ...]
    units: npt.NDArray[np.float32]
    table: Path

    def sides(self, *, tokenized: bool) -> tuple[list[str], list[str]]:
        """Return hypotheses and references."""
        chosen = self.tokens if tokenized else self.raw
        return [pair[0] for pair in chosen], [pair[1] for pair in chosen]

    def test_set(self, *, tokenized: bool) -> TestSet:
        """Return the same as one system."""
        hypotheses, references = self.sides(tokenized=tokenized)
        return TestSet(
            hypotheses={"all": tuple(hypotheses)}, references=tuple((one,) for one in references)
        )

    @property
    def description(self) -> str:
        """What a reader of the results should know about the texts and the vectors."""
        lengths = [len(text.split()) for pair in self.tokens for text in pair]
        dimensions = self.units.shape[1]
        return (
            f"{_SET} {_PAIR}, outputs of all systems: the {len(self.raw):,} distinct pairs whose "
            f"two sides have {_LENGTHS[0]} to {_LENGTHS[-1]} tokens ({np.mean(lengths):.1f} on "
            f"average); vectors of {dimensions} dimensions, those of {_TABLE} written "
            f"{_TIMES} times, for the {len(self.words):,} words of the texts that have one"
        )


def load_texts(data: Path, folder: Path) -> Texts:
    """Read the texts from a folder of test sets and write a table of vectors for them."""
    raw, tokens = _pairs(data)
    seen = sorted({word for pair in tokens for text in pair for word in text.split()})
    found = load_vectors(_TABLE, "en").look_up(seen)
    words = tuple(word for word, known in zip(seen, found.present, strict=True) if known)
    units = np.tile(found.units[found.present], (1, _TIMES)) / np.sqrt(np.float32(_TIMES))
    table = folder / "glove-300.safetensors"
    write_vector_table(table, words, units)
    return Texts(raw=tuple(raw), tokens=tuple(tokens), words=words, units=units, table=table)


def _pairs(data: Path) -> tuple[list[Pair], list[Pair]]:
    tokenize = load_tokenizer("13a").tokenize
    outputs = sorted((data / _SET / "system-outputs" / _PAIR).glob("*.txt"))
    if not outputs:
        raise SystemExit(f"{data}: there is no {_SET} {_PAIR}; name a folder with --data.")
    references = _lines(data / _SET / "references" / f"{_PAIR}.{_REFERENCE}.txt")
    # Every distinct pair once: Tenbin would score another copy for nothing.
    chosen: dict[Pair, Pair] = {}
    for path in outputs:
        for raw in zip(_lines(path), references, strict=True):
            tokens = (" ".join(tokenize(raw[0].lower())), " ".join(tokenize(raw[1].lower())))
            if all(len(text.split()) in _LENGTHS for text in tokens):
                chosen.setdefault(tokens, raw)
    return list(chosen.values()), list(chosen)


def _lines(path: Path) -> Sequence[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
