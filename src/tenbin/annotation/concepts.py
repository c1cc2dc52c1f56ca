"""The concepts of a vocabulary: the sets of a lexicon that each word and its lemma are in."""

from collections.abc import Callable, Sequence

from tenbin.core.arrays import Ragged
from tenbin.resources.lexicons.lexicon import Lexicon


def concept_rows(
    vocabulary: Sequence[str], lexicon: Lexicon, lemma_of: Callable[[str], str] | None = None
) -> Ragged:
    """Return the numbers of the sets of each word, ascending, one row per word.

    Args:
        vocabulary: The words.
        lexicon: The lexicon.
        lemma_of: Returns the lemma of a word, whose sets are added to those of the word, as in
            METEOR-E; without it only the word is looked up, as in METEOR 1.5.
    """
    if lemma_of is None:
        return Ragged.from_rows([lexicon.concepts(word) for word in vocabulary])
    rows: list[Sequence[int]] = []
    for word in vocabulary:
        own = lexicon.concepts(word)
        lemma = lemma_of(word)
        if lemma == word:
            rows.append(own)
        else:
            rows.append(sorted({*own, *lexicon.concepts(lemma)}))
    return Ragged.from_rows(rows)
