"""Paraphrase tables, indexed once and mapped into memory when they are opened."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from tenbin.core.arrays import IdArray
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.bitext.paraphrases import read_paraphrases
from tenbin.kernels.phrases.index import PhraseIndex, build_phrase_index
from tenbin.resources.store.store import ResourceStore, default_store

FORM = "paraphrase-index-1"  # in tenbin.resources.store.preparation
_ARRAYS = ("slot_keys", "slot_states", "paraphrase_offsets", "paraphrases")
_WORDS = "words.txt"


@dataclass(frozen=True, slots=True, eq=False)
class ParaphraseTable:
    """Phrases and their paraphrases.

    Attributes:
        identity: Which data it is.
        words: Number of each word that a phrase contains.
        index: The phrases.
    """

    identity: ResourceIdentity
    words: dict[str, int]
    index: PhraseIndex

    def numbers(self, vocabulary: tuple[str, ...]) -> IdArray:
        """Return the number of each word of a vocabulary in this table, -1 for others."""
        found = [self.words.get(word, -1) for word in vocabulary]
        return np.array(found, dtype=np.int32)


def load_paraphrases(
    name: str, language: str, store: ResourceStore | None = None
) -> ParaphraseTable:
    """Open a paraphrase table of the manifest, or a file in METEOR's format.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
    """
    chosen = default_store() if store is None else store
    identity = chosen.identity(name, kind=ResourceKind.PARAPHRASES, language=language)
    return _opened(identity, chosen.prepared(name, FORM))


def prepare_paraphrase_index(source: Path, folder: Path) -> None:
    """Write the index of a table in METEOR's format into a folder."""
    words: dict[str, int] = {}
    rows: list[int] = []
    lengths: list[int] = []
    for entry in read_paraphrases(str(source)):
        for phrase in entry:
            rows += [words.setdefault(word, len(words)) for word in phrase]
            lengths.append(len(phrase))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    numbers = np.arange(len(lengths), dtype=np.int64)
    index = build_phrase_index(
        np.array(rows, dtype=np.int32), offsets, numbers[::2].copy(), numbers[1::2].copy()
    )
    for array in _ARRAYS:
        np.save(folder / f"{array}.npy", getattr(index, array))
    (folder / _WORDS).write_text("\n".join(words), encoding="utf-8", newline="\n")


@cache
def _opened(identity: ResourceIdentity, folder: Path) -> ParaphraseTable:
    arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in _ARRAYS}
    words = (folder / _WORDS).read_text(encoding="utf-8").split("\n")
    numbers = {word: number for number, word in enumerate(words)}
    return ParaphraseTable(identity, numbers, PhraseIndex(**arrays))
