"""YiSi's weights of tokens: rare ones weigh more, by the texts that are scored."""

import numpy as np

from tenbin.core.arrays import FloatArray, IdArray, IntArray, Ragged
from tenbin.core.batch import Batch, Column
from tenbin.metrics.representations.collected_texts import (
    hypothesis_collections,
    reference_collection,
    segment_frequencies,
    source_collection,
)
from tenbin.metrics.representations.representation import (
    OtherSide,
    PlaceWeights,
    Representation,
    TokenWeights,
)

_ASCII_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


def lexical_weights(rows: Ragged, strings: IntArray, vocabulary: tuple[str, ...]) -> FloatArray:
    """Return YiSi's weight of each word: log2(1 + (N + 1) / (c + 1)).

    N strings form the collection, c of them have the word; where none has it, those count that have
    the word with its letters A to Z in lower case.
    """
    counts = segment_frequencies(rows, strings, len(vocabulary))
    places = {word: place for place, word in enumerate(vocabulary)}
    for place in np.flatnonzero(counts == 0).tolist():
        lower = places.get(vocabulary[place].translate(_ASCII_LOWER), place)
        # A form that is unseen itself has the count 0 already.
        counts[place] = counts[lower]
    return np.log2(1 + (len(strings) + 1) / (counts + 1))


def ascii_lower_classes(words: tuple[str, ...]) -> IdArray:
    """Return one number for words that differ only in the case of letters A to Z.

    >>> ascii_lower_classes(("The", "the", "É", "é")).tolist()
    [0, 0, 2, 3]
    """
    first: dict[str, int] = {}
    classes = [first.setdefault(word.translate(_ASCII_LOWER), n) for n, word in enumerate(words)]
    return np.array(classes, dtype=np.int32)


def learned_weights(
    representation: Representation,
    batch: Batch,
    column: Column,
    spellings: IdArray | None = None,
    *,
    by_system: bool = False,
) -> TokenWeights:
    """Return the weight of each place of the rows of a representation.

    Both sides are weighted by all texts of the side that translations are compared with: the
    references, or the sources.

    Args:
        representation: What gives the rows.
        batch: The whole test set.
        column: The tokens of the pool as they stand.
        spellings: The token of each unit of the rows; None where units are tokens.
        by_system: Whether translations are weighted by those of their system, as in YiSi-2.
    """

    def learned() -> TokenWeights:
        rows = representation.tokens(batch).rows
        places = rows.values if spellings is None else spellings[rows.values]

        def weigh(strings: IntArray) -> FloatArray:
            return lexical_weights(column.rows, strings, column.vocabulary)[places]

        of_references = representation.compared_with is OtherSide.REFERENCE
        right = weigh(reference_collection(batch) if of_references else source_collection(batch))
        if not by_system:
            return PlaceWeights(rows, right[np.newaxis], right)
        own = [weigh(strings) for strings in hypothesis_collections(batch)]
        return PlaceWeights(rows, np.stack(own), right)

    return batch.once(("lexical weights", *representation.key(), by_system), learned)
