"""Word vectors as metrics use them: unit vectors, looked up by word."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import UsageError
from tenbin.core.resource import ResourceIdentity
from tenbin.formats.vectors.fasttext import subword_buckets
from tenbin.formats.vectors.stream import Float32Array
from tenbin.resources.store.fingerprints import FingerprintCache, State, state_of
from tenbin.resources.store.store import ResourceStore, default_store
from tenbin.resources.vectors.conversion import FoundVectors, find_vectors
from tenbin.resources.vectors.precision import Precision, unit_length
from tenbin.resources.vectors.table import VectorTable, check_vector_table, open_vector_table

ABSENT = -1
COMPOSED = -2
_WORDS_AT_ONCE = 256
_MOST_GROUPS = 5
_MOST_SHOWN = 4
_CHECK = "vector-table-1"


@dataclass(frozen=True, slots=True, eq=False)
class KnownVectors:
    """The vectors of some words.

    Attributes:
        rows: The row of each word in its table; -1 for a word without a vector or with a zero
            vector; -2 for a vector composed of subwords.
        units: Unit vectors, shape (words, dimensions); zero where there is none.
        forms: What each word was found as; the last form that was tried where it has no vector.
        shared: Whether the table gives the row of a word to other words too.
        fold: The last form in which a word is looked for.
    """

    rows: IdArray
    units: Float32Array
    forms: tuple[str, ...]
    shared: npt.NDArray[np.bool_]
    fold: Callable[[str], str]

    @property
    def present(self) -> npt.NDArray[np.bool_]:
        """Whether a word has a vector."""
        return np.not_equal(self.rows, ABSENT)

    @property
    def classes(self) -> IdArray:
        """A number for each word; words that were looked for in one form have the same.

        Words of one class are the same word: they have one vector, or all have none.
        """
        first: dict[str, int] = {}
        numbers = [first.setdefault(form, place) for place, form in enumerate(self.forms)]
        return np.array(numbers, dtype=np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorCheck:
    """Facts about a table to check before it is trusted.

    Attributes:
        words: Number of words in the table.
        rows: Number of vectors; fewer than words in a pruned table.
        sharing: Number of words that share their row with another word: their cosine is 1.
        groups: Some such words, as examples; none if the table does not store its words.
        null_vectors: Number of zero vectors.
        duplicates: Number of repeated words in the source; the first one is used.
        loss_max: The largest change of the cosines of 10,000 random pairs by rounding.
        loss_mean: The mean change.
    """

    words: int
    rows: int
    sharing: int
    groups: tuple[tuple[str, ...], ...]
    null_vectors: int
    duplicates: int
    loss_max: float
    loss_mean: float


class WordVectors:
    """Word vectors in a memory-mapped file, read as they are looked up."""

    def __init__(self, identity: ResourceIdentity, table: VectorTable) -> None:
        self.identity = identity
        self._table = table

    @property
    def precision(self) -> Precision:
        """Number type of the table."""
        return self._table.precision

    @property
    def dimensions(self) -> int:
        """Numbers per vector."""
        return self._table.dimensions

    @property
    def word_count(self) -> int:
        """Number of words in the table."""
        return int(self._table.keys.size)

    @property
    def has_subwords(self) -> bool:
        """Whether vectors of unknown words can be composed."""
        return self._table.bucket_count > 0

    def look_up(
        self,
        words: Sequence[str],
        *,
        lowercase: bool = True,
        subwords: bool = False,
        other_form: Callable[[str], str] | None = None,
    ) -> KnownVectors:
        """Return the vectors of words.

        A word is looked up unchanged; if it is not found, in its other form, then lower-cased, then
        in its other form lower-cased, and then composed of its subwords.

        Args:
            words: The words.
            lowercase: Whether to look for the lower-cased form.
            subwords: Whether to compose the vectors of unknown words from character n-grams.
            other_form: Another form of a word, such as Sudachi's normalized form for Japanese.

        Raises:
            UsageError: Subwords are requested and the file has none.
        """
        if subwords and not self.has_subwords:
            raise UsageError(
                f"the vectors {self.identity.name!r} have no subwords. Give the .bin file of a "
                "fastText model, or choose another policy for unknown words."
            )
        rows = self._table.rows_of(words)
        found_as = list(words)
        tried_forms = _tried_forms(other_form, lowercase=lowercase)
        for form in tried_forms:
            missing = np.flatnonzero(rows == ABSENT)
            forms = [form(words[place]) for place in missing.tolist()]
            rows[missing] = self._table.rows_of(forms)
            for place, tried in zip(missing.tolist(), forms, strict=True):
                found_as[place] = tried
        units = self._table.units(rows)
        if self._fact("null_vectors"):
            rows[~units.any(axis=1)] = ABSENT
        shared = self._table.is_shared(rows)
        if subwords:
            self._compose(words, rows, units)
            for place in np.flatnonzero(rows == COMPOSED).tolist():
                found_as[place] = words[place]
        fold = tried_forms[-1] if tried_forms else str
        return KnownVectors(rows, units, tuple(found_as), shared, fold)

    def check(self) -> VectorCheck:
        """Return facts about the table; all its words are read, but no vectors."""
        rows = np.asarray(self._table.rows)
        sharers = np.bincount(rows, minlength=len(self._table.vectors))
        facts = self._table.file.metadata
        return VectorCheck(
            words=self.word_count,
            rows=len(self._table.vectors),
            sharing=int(sharers[sharers > 1].sum()),
            groups=self._groups(rows, np.flatnonzero(sharers > 1)[:_MOST_GROUPS]),
            null_vectors=self._fact("null_vectors"),
            duplicates=self._fact("duplicates"),
            loss_max=float(facts.get("loss_max", 0)),
            loss_mean=float(facts.get("loss_mean", 0)),
        )

    def _fact(self, name: str) -> int:
        return int(self._table.file.metadata.get(name, 0))

    def _groups(self, rows: IdArray, shared: IntArray) -> tuple[tuple[str, ...], ...]:
        groups = []
        for row in shared.tolist():
            words = self._table.words(np.flatnonzero(rows == row)[:_MOST_SHOWN])
            if words is None:
                return ()
            groups.append(tuple(sorted(words)))
        return tuple(groups)

    def _compose(self, words: Sequence[str], rows: IdArray, units: Float32Array) -> None:
        """Fill in the vectors of unknown words: the means of those of their n-grams."""
        missing = np.flatnonzero(rows == ABSENT)
        shortest, longest = self._fact("shortest_subword"), self._fact("longest_subword")
        for first in range(0, missing.size, _WORDS_AT_ONCE):
            places = missing[first : first + _WORDS_AT_ONCE]
            spelled = [words[place] for place in places.tolist()]
            buckets, offsets = subword_buckets(spelled, shortest, longest, self._table.bucket_count)
            counts = np.diff(offsets)
            has_any = counts > 0
            if not has_any.any():
                continue
            vectors = self._table.buckets(buckets)
            sums = np.add.reduceat(vectors, offsets[:-1][has_any], axis=0)
            means = np.divide(sums, counts[has_any, None].astype(np.float32), dtype=np.float32)
            composed = unit_length(means)
            units[places[has_any]] = composed
            rows[places[has_any]] = np.where(composed.any(axis=1), COMPOSED, ABSENT)


def _tried_forms(
    other_form: Callable[[str], str] | None, *, lowercase: bool
) -> list[Callable[[str], str]]:
    """Return the forms in which a word is looked for, one after the other."""
    forms = [] if other_form is None else [other_form]
    if lowercase:
        forms.append(str.lower)
        if other_form is not None:
            forms.append(lambda word: other_form(word).lower())
    return forms


def sharing_notes(name: str, share: float) -> list[str]:
    """Return what a reader should know if words of the texts share their vectors with others.

    >>> sharing_notes("vectors-ja", 0.25)[0].partition(";")[0]
    "25 % of the words share their vector in 'vectors-ja' with other words"
    """
    if not share:
        return []
    amount = f"{100 * share:.0f} %" if share >= 0.01 else "less than 1 %"  # noqa: PLR2004
    told = f"{amount} of the words share their vector in {name!r} with other words"
    return [f"{told}; two different words with one vector are compared by their spelling."]


def load_vectors(name: str, language: str, store: ResourceStore | None = None) -> WordVectors:
    """Open word vectors: a resource of the manifest, or a file or folder in a known format.

    The first use of a file converts it into a table, which is cached; the formats are those of
    `tenbin.formats.vectors.detection`. Of repeated words the first vector is used;
    `WordVectors.check` counts them.

    Args:
        name: A name of the manifest, or a path.
        language: The language of a file.
        store: The resource store; default: the user's.

    Raises:
        MissingResource: It is not installed; the message is the command that installs it.
        InputError: The file cannot be read; the message has the position.
        UnknownResource: No resource and no file has that name.
        OutputError: The cache folder cannot be written, or is full.
    """
    chosen = default_store() if store is None else store
    found = find_vectors(name, language, chosen)
    return _opened(found, chosen.fingerprints, state_of(found.table))


@lru_cache(maxsize=16)
def _opened(found: FoundVectors, checks: FingerprintCache, _state: State | None) -> WordVectors:
    """Open a table once, as long as the file is unchanged."""
    checks.check_once(found.table, _CHECK, check_vector_table)
    return WordVectors(found.identity, open_vector_table(found.table))
