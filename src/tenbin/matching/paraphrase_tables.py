"""The paraphrase table of METEOR's stage, in METEOR's format or of 'tenbin build paraphrases'.

A table and the texts must have the same tokens. METEOR has a tokenizer of its own, which splits
*don't*; phrases are tokenized again by it where their text is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tenbin.annotation.languages import parse_language
from tenbin.annotation.tokenizers import (
    METEOR_TOKENIZERS,
    Tokenizer,
    load_tokenizer,
    plain_tokenizer,
)
from tenbin.core.arrays import IdArray, IntArray
from tenbin.core.errors import UsageError
from tenbin.formats.tensor_file import is_tensor_file
from tenbin.kernels.phrases.index import build_phrase_index
from tenbin.resources.paraphrases import (
    ParaphraseSets,
    ParaphraseTable,
    load_paraphrase_sets,
    load_paraphrases,
)
from tenbin.resources.store.store import ResourceStore, default_store

BoolArray = npt.NDArray[np.bool_]

_START_BYTES = 9
_UNKNOWN = frozenset({"", "und"})
# Tokenizers that remove nothing and split at spaces and punctuation, so that the tokens of a phrase
# joined by spaces are its text.
_TEXT_LIKE = frozenset({"", "none", "13a", "intl", *METEOR_TOKENIZERS})


@dataclass(frozen=True, slots=True, eq=False)
class PhraseWords:
    """Phrases as rows of words.

    Attributes:
        words: The vocabulary.
        values: Word ids of all phrases, one after the other.
        offsets: Where each phrase begins and ends.
    """

    words: Sequence[str]
    values: IdArray
    offsets: IntArray

    def phrase(self, number: int) -> list[str]:
        """Return the words of a phrase."""
        chosen = self.values[self.offsets[number] : self.offsets[number + 1]].tolist()
        return [self.words[word] for word in chosen]


def paraphrases_for(
    name: str, language: str, tokenizer: str, store: ResourceStore | None = None
) -> ParaphraseTable:
    """Open a paraphrase table for texts that are tokenized by a tokenizer.

    Args:
        name: A resource of the manifest; a file in METEOR's format, or of 'tenbin build
            paraphrases'.
        language: The language of the texts.
        tokenizer: Their tokenizer.
        store: The resource store.

    Raises:
        UsageError: The table is of another language or of other words.
        UnreadableFile: The file is missing or damaged.
        MissingResource: It is not installed; the message is the command that installs it.
    """
    chosen = default_store() if store is None else store
    with chosen.path(name).open("rb") as stream:
        start = stream.read(_START_BYTES)
    if not start or not is_tensor_file(start):
        return load_paraphrases(name, language, store)
    table = load_paraphrase_sets(name, language, store)
    check_language(table, language)
    if table.tokenizer == plain_tokenizer(tokenizer):
        return table.as_paraphrase_table()
    if tokenizer not in METEOR_TOKENIZERS or table.tokenizer not in _TEXT_LIKE:
        raise UsageError(
            f"the table {table.identity.name!r} was tokenized by {table.tokenizer!r}, and the "
            f"texts are tokenized by {tokenizer!r}: few phrases would be found. Choose "
            f'tokenizer="{table.tokenizer}", or build the table with another tokenizer.'
        )
    return _cut_for_meteor(table, f"{tokenizer}:{parse_language(language).code}")


def check_language(table: ParaphraseSets, language: str) -> None:
    """Raise `UsageError` if a table has paraphrases of another language."""
    made_for = str(table.facts.get("language", ""))
    if made_for in _UNKNOWN:
        return
    ours, theirs = parse_language(language).code, parse_language(made_for).code
    if ours != theirs:
        raise UsageError(
            f"the table {table.identity.name!r} has paraphrases in {theirs!r}, and the target "
            f"language is {ours!r}. Name a table of that language."
        )


@lru_cache(maxsize=4)
def _cut_for_meteor(table: ParaphraseSets, tokenizer: str) -> ParaphraseTable:
    paraphrases, _, bounds = table.pairs
    phrases = PhraseWords(list(table.words), *table.phrases)
    sources = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
    cut, valid = retokenized(phrases, (sources, paraphrases), load_tokenizer(tokenizer))
    index = build_phrase_index(
        cut.values, cut.offsets, sources[valid], paraphrases[valid].astype(np.int64)
    )
    numbers = {word: number for number, word in enumerate(cut.words)}
    return ParaphraseTable(table.identity, numbers, index)


def retokenized(
    phrases: PhraseWords, pairs: tuple[IntArray, IdArray], tokenizer: Tokenizer
) -> tuple[PhraseWords, BoolArray]:
    """Tokenize phrases again; return them, and which pairs are still pairs of paraphrases.

    A phrase of which no token is left stays as it was, without any pair; two phrases that have
    become equal are not a pair.

    Args:
        phrases: The phrases.
        pairs: Phrase and paraphrase of each pair.
        tokenizer: The tokenizer.
    """
    changing = ~_fixed_words(phrases.words, tokenizer)
    sizes = np.diff(phrases.offsets)
    before = np.concatenate([[0], np.cumsum(changing[phrases.values])])[phrases.offsets]
    affected = np.diff(before) > 0
    numbers = {word: number for number, word in enumerate(phrases.words)}
    rows, alive = [], np.ones(sizes.size, dtype=np.bool_)
    for number in np.flatnonzero(affected).tolist():
        spelled = phrases.phrase(number)
        tokens = tokenizer.tokenize(" ".join(spelled))
        alive[number] = bool(tokens)
        rows.append([numbers.setdefault(token, len(numbers)) for token in tokens or spelled])
    lengths = sizes.copy()
    lengths[affected] = [len(row) for row in rows]
    values = np.empty(int(lengths.sum()), dtype=np.int32)
    moved = np.repeat(affected, lengths)
    values[~moved] = phrases.values[np.repeat(~affected, sizes)]
    values[moved] = np.array([word for row in rows for word in row], dtype=np.int32)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    cut = PhraseWords(tuple(numbers), values, offsets)
    one, other = pairs
    valid = alive[one] & alive[other]
    near = valid & (affected[one] | affected[other]) & (lengths[one] == lengths[other])
    for place in np.flatnonzero(near).tolist():
        a, b = offsets[one[place]], offsets[other[place]]
        size = lengths[one[place]]
        valid[place] = not np.array_equal(values[a : a + size], values[b : b + size])
    return cut, valid


def _fixed_words(words: Sequence[str], tokenizer: Tokenizer) -> BoolArray:
    """Return which words a tokenizer does not change, in any context."""
    if tokenizer.by_field is None:
        return np.zeros(len(words), dtype=np.bool_)
    same = [
        word == tokens
        for word, tokens in zip(words, tokenizer.by_field.field_tokens(words), strict=True)
    ]
    free = tokenizer.by_field.context_free(words)
    fixed: BoolArray = np.logical_and.reduce([same, *free])
    return fixed
