"""From rows of phrases to the arrays of a paraphrase table."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from tenbin.building.paraphrases.extraction import EXTRA
from tenbin.building.paraphrases.pairs import pairs_of_pivot
from tenbin.building.paraphrases.pivot import part_files
from tenbin.core.arrays import IdArray, IntArray
from tenbin.formats.parquet import arrow
from tenbin.formats.vectors.stream import Float32Array
from tenbin.resources.paraphrases import PhraseSets

_SEED = 0x7E4B1


def wanted_phrases(places: Mapping[str, Path]) -> dict[str, IntArray]:
    """Return the numbers of the phrases in the results of `pivot`, sorted.

    Args:
        places: Folders of the results by name.

    Returns:
        Numbers by pivot language; those of the paraphrases are under ``""``.
    """
    rows = _read(places["sets"])
    foreign, names, codes = _pivot_columns(rows)
    wanted = {"": np.unique(rows["e"].to_numpy())}
    return wanted | {name: np.unique(foreign[codes == n]) for n, name in enumerate(names)}


def sets_from_pivot(
    places: Mapping[str, Path], spelled: Mapping[str, list[str]], *, merge: bool = False
) -> PhraseSets:
    """Return the table of the results of `tenbin.building.paraphrases.pivot.pivot`.

    Phrases and sets stand in the order of their words, whatever their numbers are.

    Args:
        places: Folders of the results by name.
        spelled: The words of all phrases that `wanted_phrases` returns, in the same order.
        merge: Whether sets that share a phrase become one.
    """
    phrases, ranks = _sorted(spelled[""])
    numbers, members, bounds = _sets(places["sets"], ranks, spelled)
    if merge:
        members, bounds = _components(members, bounds, len(phrases))
    return assembled(phrases, (members, bounds), pairs_of_pivot(places["pairs"], numbers, ranks))


def _sets(
    folder: Path, ranks: IntArray, spelled: Mapping[str, list[str]]
) -> tuple[IntArray, IdArray, IntArray]:
    """Return the numbers of all phrases, sorted, the sets, and where each begins and ends."""
    rows = _read(folder)
    numbers, codes = np.unique(rows["e"].to_numpy(), return_inverse=True)
    members = ranks[codes].astype(np.int32)
    foreign, names, pivots = _pivot_columns(rows)
    owners: IntArray = np.empty(foreign.size, dtype=np.int64)
    for code, name in enumerate(names):
        own = pivots == code
        owners[own] = _sorted(spelled[name])[1][np.unique(foreign[own], return_inverse=True)[1]]
    order = np.lexsort((members, owners, pivots))
    members, pivots, owners = members[order], pivots[order], owners[order]
    bounds = _bounds((np.diff(pivots) != 0) | (np.diff(owners) != 0), members.size)
    return numbers, *_distinct(members, bounds)


def _read(folder: Path) -> Any:  # noqa: ANN401
    parquet = arrow("parquet", extra=EXTRA)
    tables = [parquet.read_table(path) for path in part_files(folder)]
    return arrow(extra=EXTRA).concat_tables(tables).combine_chunks()


def _sorted(texts: list[str]) -> tuple[list[str], IntArray]:
    """Return texts in order, and the place that each has in it."""
    order = sorted(range(len(texts)), key=texts.__getitem__)
    ranks: IntArray = np.empty(len(texts), dtype=np.int64)
    ranks[order] = np.arange(len(texts))
    return [texts[place] for place in order], ranks


def _pivot_columns(rows: Any) -> tuple[IntArray, list[str], IntArray]:  # noqa: ANN401
    """Return pivot phrases, all languages in order, and which of them each row has."""
    coded = rows["lang"].combine_chunks().dictionary_encode()
    names, ranks = _sorted(coded.dictionary.to_pylist())
    return rows["f"].to_numpy(), names, ranks[coded.indices.to_numpy()]


def _bounds(changes: Any, size: int) -> IntArray:  # noqa: ANN401 - an array of booleans
    inner = np.flatnonzero(changes) + 1
    return np.concatenate([[0], inner, [size]])[: inner.size + 2 if size else 1].astype(np.int64)


def assembled(
    phrases: Sequence[str],
    sets: tuple[IdArray, IntArray],
    pairs: tuple[IntArray, IdArray, Float32Array],
) -> PhraseSets:
    """Return the table of sorted phrases.

    Args:
        phrases: All phrases, sorted, words joined by spaces.
        sets: Phrases of all sets, ascending in each, and where each set begins and ends.
        pairs: Where the pairs of each phrase begin and end, paraphrases, and probabilities.
    """
    # Cut twice rather than kept: millions of lists take more memory than the rest together.
    words = sorted({word for phrase in phrases for word in phrase.split(" ")})
    numbers = {word: number for number, word in enumerate(words)}
    flat = np.fromiter(
        (numbers[word] for phrase in phrases for word in phrase.split(" ")), dtype=np.int32
    )
    lengths = np.fromiter((phrase.count(" ") + 1 for phrase in phrases), dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return PhraseSets(
        words=words,
        phrase_words=flat,
        phrase_offsets=offsets.astype(np.int64),
        set_phrases=sets[0],
        set_offsets=sets[1],
        pair_phrases=pairs[1],
        pair_offsets=pairs[0],
        pair_probabilities=pairs[2],
    )


def sets_from_groups(
    groups: Iterable[Sequence[str]], pairs: Iterable[tuple[str, str, float]] = ()
) -> PhraseSets:
    """Return the table of sets of phrases that somebody else made.

    Sets of one phrase are left out, and equal sets are one.

    >>> table = sets_from_groups([["bombing", "blown up"], ["bombing"]])
    >>> table.words, table.set_offsets.tolist()
    (['blown', 'bombing', 'up'], [0, 2])
    """
    kept = [members for group in groups if len(members := sorted(set(group))) > 1]
    listed = list(pairs)
    phrases = sorted(
        {*chain.from_iterable(kept), *chain.from_iterable(pair[:2] for pair in listed)}
    )
    numbers = {phrase: number for number, phrase in enumerate(phrases)}
    flat = np.array([numbers[phrase] for group in kept for phrase in group], dtype=np.int32)
    bounds = np.cumsum([0, *map(len, kept)]).astype(np.int64)
    rows = sorted((numbers[one], -share, numbers[other]) for one, other, share in listed)
    return assembled(
        phrases,
        _distinct(flat, bounds),
        (
            _offsets(np.array([row[0] for row in rows], dtype=np.int64), len(phrases)),
            np.array([row[2] for row in rows], dtype=np.int32),
            np.array([-row[1] for row in rows], dtype=np.float32),
        ),
    )


def sets_from_pairs(pairs: Iterable[tuple[str, str, float]]) -> PhraseSets:
    """Return the table of pairs of paraphrases that somebody else made, each pair a set of two.

    Of a pair that comes several times the likeliest counts.

    Args:
        pairs: Phrase, paraphrase, p(paraphrase | phrase).
    """
    numbers: dict[str, int] = {}
    # Numbers as they come: millions of tuples of Python would take gigabytes.
    columns = array("i"), array("i"), array("d")
    for phrase, paraphrase, probability in pairs:
        if phrase != paraphrase and probability >= 0:
            columns[0].append(numbers.setdefault(phrase, len(numbers)))
            columns[1].append(numbers.setdefault(paraphrase, len(numbers)))
            columns[2].append(probability)
    phrases, ranks = _sorted(list(numbers))
    del numbers
    one, other = (ranks[np.array(column, dtype=np.int32)] for column in columns[:2])
    keys, first, codes = np.unique(
        one * len(phrases) + other, return_index=True, return_inverse=True
    )
    shares = np.zeros(keys.size)
    np.maximum.at(shares, codes, np.array(columns[2], dtype=np.float64))
    order = np.argsort(first)  # as they first come
    one, other, shares = one[first[order]], other[first[order]], shares[order]
    members = np.sort(np.stack([one, other], axis=1), axis=1).reshape(-1).astype(np.int32)
    sets = _distinct(members, np.arange(0, members.size + 1, 2))
    order = np.lexsort((other, -shares, one))
    ordered = other[order].astype(np.int32), shares[order].astype(np.float32)
    return assembled(phrases, sets, (_offsets(one, len(phrases)), *ordered))


def _offsets(owners: IntArray, phrases: int) -> IntArray:
    """Return where the pairs of each phrase begin and end, once they are in order."""
    counts = np.bincount(owners, minlength=phrases)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _distinct(members: IdArray, bounds: IntArray) -> tuple[IdArray, IntArray]:
    """Return the sets without repetitions, in the order in which they first come."""
    sizes = np.diff(bounds)
    if not sizes.size:
        return members, bounds
    # Two random numbers a phrase, summed: that of all sets two have the same sums is less likely
    # than an error of the disk.
    rng = np.random.default_rng(_SEED)
    random = rng.integers(2**63, size=(2, int(members.max()) + 1), dtype=np.uint64)
    sums = [np.add.reduceat(column[members], bounds[:-1]) for column in random]
    keys = np.stack([*sums, sizes.astype(np.uint64)], axis=1)
    first = np.sort(np.unique(keys, axis=0, return_index=True)[1])
    kept = np.zeros(sizes.size, dtype=np.bool_)
    kept[first] = True
    chosen = members[np.repeat(kept, sizes)]
    return chosen, np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64)


def _components(members: IdArray, bounds: IntArray, phrases: int) -> tuple[IdArray, IntArray]:
    """Return sets that share no phrase: the smallest number spreads until nothing changes."""
    labels = np.arange(phrases, dtype=np.int64)
    sizes = np.diff(bounds)
    while sizes.size:
        least = np.minimum.reduceat(labels[members], bounds[:-1])
        spread = labels.copy()
        np.minimum.at(spread, members, np.repeat(least, sizes))
        spread = spread[spread]
        if (spread == labels).all():
            break
        labels = spread
    used = np.unique(members)
    order = used[np.argsort(labels[used], kind="stable")]
    return order.astype(np.int32), _bounds(np.diff(labels[order]) != 0, order.size)
