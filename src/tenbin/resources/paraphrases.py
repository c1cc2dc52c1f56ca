"""Paraphrase tables, memory-mapped: pairs for METEOR, sets with probabilities for ParaEval.

A table of sets is one safetensors file:

words, word_offsets         uint8, int64   the vocabulary: lower-cased tokens, sorted, end to end
phrase_words, phrase_offsets  int32, int64   the words of each phrase; phrases sorted by word ids
set_phrases, set_offsets      int32, int64   the phrases of each set, ascending
phrase_sets, phrase_set_offsets  int32, int64   the sets of each phrase, ascending
pair_phrases, pair_offsets    int32, int64   the paraphrases of each phrase, the likeliest first ...
pair_probabilities            float32        ... and their probabilities; all empty without pairs
slot_keys, slot_states        int64, int32   the index of the phrases, see `PhraseIndex`
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import UnreadableFile
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.formats.output import whole_file
from tenbin.formats.paraphrases import read_paraphrases
from tenbin.formats.tensor_file import (
    Array,
    TensorFile,
    TensorWriter,
    check_tensors,
    is_tensor_file,
    map_tensors,
)
from tenbin.formats.vectors.stream import Float32Array
from tenbin.kernels.phrases.index import FREE, PhraseIndex, build_phrase_index
from tenbin.resources.store.fingerprints import FingerprintCache, State, state_of
from tenbin.resources.store.store import ResourceStore, default_store
from tenbin.resources.vectors.keys import concatenated

INDEX_FORM = "paraphrase-index-1"  # in tenbin.resources.store.preparation
_INDEX_ARRAYS = ("slot_keys", "slot_states", "paraphrase_offsets", "paraphrases")
_WORDS_FILE = "words.txt"
_INDEX_FILES = (*(f"{name}.npy" for name in _INDEX_ARRAYS), _WORDS_FILE)
SETS_FORMAT = "tenbin-paraphrases-1"
_FACTS = "facts"
_NAMES = (
    "words",
    "word_offsets",
    "phrase_words",
    "phrase_offsets",
    "set_phrases",
    "set_offsets",
    "phrase_sets",
    "phrase_set_offsets",
    "pair_phrases",
    "pair_offsets",
    "pair_probabilities",
    "slot_keys",
    "slot_states",
)
_ADVICE = "Build it with 'tenbin build paraphrases'."
_CONVERT = "Convert lists of sets and tables of METEOR or PPDB with 'tenbin build paraphrases'."
_AGAIN = "Build it again with 'tenbin build paraphrases'."
_START_BYTES = 9
_CHECK = "paraphrase-sets-1"
_KINDS = {
    **dict.fromkeys(_NAMES, "int32"),
    **dict.fromkeys((name for name in _NAMES if name.endswith("_offsets")), "int64"),
    "words": "uint8",
    "pair_probabilities": "float32",
    "slot_keys": "int64",
}


@dataclass(frozen=True, slots=True, eq=False)
class ParaphraseTable:
    """Phrases and their paraphrases.

    Attributes:
        identity: The identity of the data.
        words: Id of each word that a phrase contains.
        index: The phrases.
    """

    identity: ResourceIdentity
    words: dict[str, int]
    index: PhraseIndex

    def numbers(self, vocabulary: tuple[str, ...]) -> IdArray:
        """Return the id of each word of a vocabulary in this table, -1 for others."""
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
    folder = chosen.prepared(name, INDEX_FORM)
    states = tuple(state_of(folder / file) for file in _INDEX_FILES)
    return _opened_index(identity, folder, states)


def prepare_paraphrase_index(source: Path, folder: Path) -> None:
    """Write the index of a table in METEOR's format into a folder."""
    words: dict[str, int] = defaultdict(count().__next__)
    rows: list[int] = []
    lengths: list[int] = []
    for entry in read_paraphrases(str(source)):
        for phrase in entry:
            rows += map(words.__getitem__, phrase)
            lengths.append(len(phrase))
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    numbers = np.arange(len(lengths), dtype=np.int64)
    index = build_phrase_index(
        np.array(rows, dtype=np.int32), offsets, numbers[::2].copy(), numbers[1::2].copy()
    )
    for array in _INDEX_ARRAYS:
        np.save(folder / f"{array}.npy", getattr(index, array))
    (folder / _WORDS_FILE).write_text("\n".join(words), encoding="utf-8", newline="\n")


@lru_cache(maxsize=8)
def _opened_index(
    identity: ResourceIdentity, folder: Path, _states: tuple[State | None, ...]
) -> ParaphraseTable:
    """Open an index once, as long as its files are unchanged."""
    arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in _INDEX_ARRAYS}
    words = (folder / _WORDS_FILE).read_text(encoding="utf-8").split("\n")
    numbers = {word: number for number, word in enumerate(words)}
    return ParaphraseTable(identity, numbers, PhraseIndex(**arrays))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PhraseSets:
    """The content of a table of paraphrase sets, before it is written.

    Attributes:
        words: The vocabulary, sorted, without repetitions.
        phrase_words: Word ids of all phrases, one after the other.
        phrase_offsets: Phrase p is ``phrase_words[phrase_offsets[p] : phrase_offsets[p + 1]]``;
            phrases are sorted by their word ids and all different.
        set_phrases: Phrases of all sets, ascending in each set.
        set_offsets: Where each set begins and ends.
        pair_phrases: Paraphrases of all phrases, in the order in which they are to be preferred.
        pair_offsets: Where those of each phrase begin and end.
        pair_probabilities: p(paraphrase | phrase) of each.
    """

    words: Sequence[str]
    phrase_words: IdArray
    phrase_offsets: IntArray
    set_phrases: IdArray
    set_offsets: IntArray
    pair_phrases: IdArray
    pair_offsets: IntArray
    pair_probabilities: Float32Array


class ParaphraseSets:
    """A table of paraphrase sets, read from disk as it is used.

    Attributes:
        identity: The identity of the data.
        facts: How it was built: language, tokenizer, pivots, filters, counts.
    """

    def __init__(self, identity: ResourceIdentity, file: TensorFile) -> None:
        self.identity = identity
        self.facts: Mapping[str, Any] = json.loads(file.metadata[_FACTS])
        self._tensors = file.tensors

    @property
    def tokenizer(self) -> str:
        """Name of the tokenizer of the phrases; empty if unknown."""
        return str(self.facts.get("tokenizer", ""))

    @property
    def phrase_count(self) -> int:
        """Number of phrases."""
        return int(self._tensors["phrase_offsets"].size - 1)

    @property
    def set_count(self) -> int:
        """Number of sets."""
        return int(self._tensors["set_offsets"].size - 1)

    @property
    def pair_count(self) -> int:
        """Number of pairs with a probability; each direction counts."""
        return int(self._tensors["pair_phrases"].size)

    @cached_property
    def words(self) -> dict[str, int]:
        """The id of each word of the vocabulary."""
        offsets = self._tensors["word_offsets"].tolist()
        data = self._tensors["words"].tobytes()
        return {
            data[offsets[n] : offsets[n + 1]].decode("utf-8"): n for n in range(len(offsets) - 1)
        }

    @property
    def phrases(self) -> tuple[IdArray, IntArray]:
        """Word ids of all phrases, and where each phrase begins and ends."""
        return self._tensors["phrase_words"], self._tensors["phrase_offsets"]

    @property
    def sets(self) -> tuple[IdArray, IntArray]:
        """Phrases of all sets, and where each set begins and ends."""
        return self._tensors["set_phrases"], self._tensors["set_offsets"]

    @property
    def sets_of_phrases(self) -> tuple[IdArray, IntArray]:
        """Sets of all phrases, and where those of each phrase begin and end."""
        return self._tensors["phrase_sets"], self._tensors["phrase_set_offsets"]

    @property
    def pairs(self) -> tuple[IdArray, Float32Array, IntArray]:
        """Paraphrases of all phrases, p(paraphrase | phrase), and where those of each begin."""
        tensors = self._tensors
        return tensors["pair_phrases"], tensors["pair_probabilities"], tensors["pair_offsets"]

    @property
    def index(self) -> PhraseIndex:
        """The phrases, for `tenbin.kernels.phrases.index.phrase_spans`; numbers as here."""
        tensors = self._tensors
        return PhraseIndex(
            slot_keys=tensors["slot_keys"],
            slot_states=tensors["slot_states"],
            paraphrase_offsets=tensors["pair_offsets"],
            paraphrases=tensors["pair_phrases"],
        )

    def numbers(self, vocabulary: Sequence[str]) -> IdArray:
        """Return the id of each word of a vocabulary in this table, -1 for others."""
        return np.array([self.words.get(word, -1) for word in vocabulary], dtype=np.int32)

    @cached_property
    def _spelled(self) -> list[str]:
        return list(self.words)

    def phrase(self, number: int) -> str:
        """Return a phrase, its words joined by spaces."""
        values, offsets = self.phrases
        chosen = values[offsets[number] : offsets[number + 1]].tolist()
        return " ".join(self._spelled[word] for word in chosen)

    def as_paraphrase_table(self) -> ParaphraseTable:
        """Return the pairs as a table for METEOR's paraphrase stage."""
        return ParaphraseTable(self.identity, self.words, self.index)


def write_paraphrase_sets(path: str, table: PhraseSets, facts: Mapping[str, Any]) -> None:
    """Write a table atomically.

    Args:
        path: The file.
        table: Phrases, sets and pairs.
        facts: How it was built; short, since it is part of the header of the file.

    Raises:
        ValueError: Phrases or sets violate what `PhraseSets` requires.
        OutputError: The file cannot be written.
    """
    phrases = table.phrase_offsets.size - 1
    rows = np.arange(phrases, dtype=np.int64)
    index = build_phrase_index(table.phrase_words, table.phrase_offsets, rows[:0], rows[:0])
    if index.phrase_count not in {phrases, 0} or table.set_phrases.max(initial=-1) >= phrases:
        raise ValueError("a phrase occurs twice, or a set has a phrase that does not exist")
    data, word_offsets = concatenated(table.words)
    order = np.argsort(table.set_phrases, kind="stable")
    owners = np.repeat(np.arange(table.set_offsets.size - 1), np.diff(table.set_offsets))
    counts = np.bincount(table.set_phrases, minlength=phrases)
    arrays: dict[str, Array] = {
        "slot_keys": index.slot_keys,
        "word_offsets": word_offsets,
        "phrase_offsets": table.phrase_offsets,
        "set_offsets": table.set_offsets,
        "phrase_set_offsets": np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        "pair_offsets": table.pair_offsets,
        "slot_states": index.slot_states,
        "phrase_words": table.phrase_words,
        "set_phrases": table.set_phrases,
        "phrase_sets": owners[order].astype(np.int32),
        "pair_phrases": table.pair_phrases,
        "pair_probabilities": table.pair_probabilities,
        "words": data,
    }
    with whole_file(path) as temporary, TensorWriter(temporary) as writer:
        for name, array in arrays.items():
            writer.extend(name, array)
        writer.finish({"format": SETS_FORMAT, _FACTS: json.dumps(facts, ensure_ascii=False)})


def load_paraphrase_sets(
    name: str, language: str, store: ResourceStore | None = None
) -> ParaphraseSets:
    """Open a table of paraphrase sets: a resource of the manifest or a file.

    Raises:
        UnreadableFile: The file is missing, damaged, or not a table of sets.
        MissingResource: It is not installed; the message is the command that installs it.
    """
    chosen = default_store() if store is None else store
    identity = chosen.identity(name, kind=ResourceKind.PARAPHRASES, language=language)
    path = chosen.path(name)
    return _opened_sets(identity, path, chosen.fingerprints, state_of(path))


@lru_cache(maxsize=8)
def _opened_sets(
    identity: ResourceIdentity, path: Path, checks: FingerprintCache, _state: State | None
) -> ParaphraseSets:
    """Open a table once, as long as the file is unchanged."""
    with path.open("rb") as stream:
        start = stream.read(_START_BYTES)
    # For an empty or truncated file the reader raises a more precise error.
    if start and not is_tensor_file(start):
        raise UnreadableFile(
            str(path), f"this is not a table of the format {SETS_FORMAT}", _CONVERT
        )
    file = map_tensors(path)
    if file.metadata.get("format") != SETS_FORMAT or not set(_NAMES) <= file.tensors.keys():
        raise UnreadableFile(str(path), f"this is not a table of the format {SETS_FORMAT}", _ADVICE)
    checks.check_once(path, _CHECK, check_paraphrase_sets)
    return ParaphraseSets(identity, file)


def check_paraphrase_sets(path: Path) -> None:
    """Raise `UnreadableFile` if a table of sets is damaged; all of it is read.

    Beside the checksum, which older tables lack: types, offsets in ascending order, numbers of
    words, phrases and sets that exist, and probabilities.
    """
    check_tensors(path, _AGAIN)
    file = map_tensors(path)
    if not _has_facts(file.metadata) or not _fits_together(file.tensors):
        raise UnreadableFile(str(path), "the paraphrase table is damaged", _AGAIN)


def _has_facts(metadata: Mapping[str, str]) -> bool:
    try:
        return isinstance(json.loads(metadata.get(_FACTS, "")), dict)
    except (ValueError, RecursionError):
        return False


def _fits_together(tensors: Mapping[str, Array]) -> bool:
    kinds = {name: (tensors[name].dtype.name, tensors[name].ndim) for name in _NAMES}
    if any(kinds[name] != (kind, 1) for name, kind in _KINDS.items()):
        return False
    words = tensors["word_offsets"].size - 1
    phrases = tensors["phrase_offsets"].size - 1
    sets = tensors["set_offsets"].size - 1
    sound = (
        _are_offsets(tensors["word_offsets"], tensors["words"].size)
        and _are_offsets(tensors["phrase_offsets"], tensors["phrase_words"].size)
        and _are_offsets(tensors["set_offsets"], tensors["set_phrases"].size)
        and _are_offsets(tensors["phrase_set_offsets"], tensors["phrase_sets"].size)
        and _are_offsets(tensors["pair_offsets"], tensors["pair_phrases"].size)
        and tensors["phrase_set_offsets"].size == phrases + 1
        and tensors["pair_offsets"].size == phrases + 1
        and tensors["pair_probabilities"].size == tensors["pair_phrases"].size
        and _are_numbers(tensors["phrase_words"], words)
        and _are_numbers(tensors["set_phrases"], phrases)
        and _are_numbers(tensors["phrase_sets"], sets)
        and _are_numbers(tensors["pair_phrases"], phrases)
    )
    shares = tensors["pair_probabilities"]
    sound = sound and bool((np.isfinite(shares) & (shares >= 0)).all())
    return (
        sound and _are_slots(tensors["slot_keys"], tensors["slot_states"]) and _are_words(tensors)
    )


def _are_offsets(offsets: IntArray, total: int) -> bool:
    if not offsets.size or int(offsets[0]) != 0 or int(offsets[-1]) != total:
        return False
    return not bool((np.diff(offsets) < 0).any())


def _are_numbers(numbers: IdArray, count: int) -> bool:
    return not numbers.size or (int(numbers.min()) >= 0 and int(numbers.max()) < count)


def _are_slots(keys: IntArray, states: IdArray) -> bool:
    # A search ends at a free slot: without one it would never end.
    return keys.size == states.size and bool((keys == FREE).any()) and int(states.min()) >= 0


def _are_words(tensors: Mapping[str, Array]) -> bool:
    offsets, data = tensors["word_offsets"].tolist(), tensors["words"].tobytes()
    try:
        spelled = {data[first:end].decode("utf-8") for first, end in pairwise(offsets)}
    except UnicodeDecodeError:
        return False
    return len(spelled) == len(offsets) - 1
