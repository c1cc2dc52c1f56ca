"""References with their sources, as a context model is trained on them."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from tenbin.core.batch import Column

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContextPairs:
    """The pairs of a reference and its source that both have words, in an order of their own.

    Attributes:
        references: The words of each reference.
        sources: The words of its source.
        digest: sha256 of the texts, whatever their order.
    """

    references: tuple[Words, ...]
    sources: tuple[Words, ...]
    digest: str

    def __len__(self) -> int:
        return len(self.references)

    @classmethod
    def of_columns(
        cls,
        strings: Sequence[str],
        references: Column,
        sources: Column,
        pairs: Iterable[tuple[int, int]],
    ) -> Self:
        """Return the pairs of some strings, sorted by their texts.

        Args:
            strings: The texts.
            references: Their words as references.
            sources: Their words as sources.
            pairs: The places of each reference and of its source among the strings.
        """
        own, other = references.rows.lengths, sources.rows.lengths
        chosen = [(one, two) for one, two in pairs if own[one] and other[two]]
        chosen.sort(key=lambda pair: (strings[pair[0]], strings[pair[1]]))
        return cls(
            tuple(tuple(references.tokens(one)) for one, _ in chosen),
            tuple(tuple(sources.tokens(two)) for _, two in chosen),
            _digest(text for pair in chosen for text in (strings[pair[0]], strings[pair[1]])),
        )

    def words_digest(self) -> str:
        """Return the sha256 of the words of all pairs."""
        sides = (self.references, self.sources)
        return _digest("\n".join(words) for side in sides for words in side)


def _digest(texts: Iterable[str]) -> str:
    found = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        # The length tells 'a', 'b' from 'a b': a text may hold any character.
        found.update(b"%d " % len(encoded) + encoded)
    return found.hexdigest()
