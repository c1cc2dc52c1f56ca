"""A trained context model: texts as one vector each, beside their source."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from tenbin.annotation.context.network import ContextNetwork, Tensor, one_thread
from tenbin.annotation.context.pairs import ContextPairs
from tenbin.annotation.context.recipe import ContextRecipe
from tenbin.annotation.context.training import ContextTraining
from tenbin.annotation.context.vocabulary import Special, Vocabulary
from tenbin.core.arrays import FloatArray, IdArray

# Texts that are run together, fewer where they are long; words of the texts whose states are in
# memory.
_GROUP, _GROUP_WORDS = 32, 2_048
_WORDS_AT_ONCE = 100_000


class ContextVector(StrEnum):
    """Which vector stands for a text.

    ATTENTION: the mean of c(t) over the steps of the decoder, which reads the source. ENCODER_LAST:
    the last state of the encoder.
    """

    ATTENTION = "attention"
    ENCODER_LAST = "encoder_last"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextFacts:
    """What a model was made from.

    Attributes:
        recipe: The settings.
        pairs: sha256 of the references and sources; see `ContextPairs`.
        pair_count: Their number.
        losses: The mean loss per word of each epoch, in nats.
    """

    recipe: ContextRecipe
    pairs: str
    pair_count: int
    losses: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ContextModel:
    """A network and its words.

    Attributes:
        network: The network.
        text_words: The words of the encoder.
        source_words: The words of the decoder.
        facts: What it was made from.
    """

    network: ContextNetwork
    text_words: Vocabulary
    source_words: Vocabulary
    facts: ContextFacts

    @classmethod
    def of_training(
        cls, training: ContextTraining, pairs: ContextPairs, recipe: ContextRecipe
    ) -> "ContextModel":
        """Return the model of a training that is done."""
        losses = tuple(training.position.losses)
        facts = ContextFacts(
            recipe=recipe, pairs=pairs.digest, pair_count=len(pairs), losses=losses
        )
        training.network.modules.to("cpu")
        return cls(training.network, training.text_words, training.source_words, facts)

    def vectors(
        self, texts: Sequence[IdArray], sources: Sequence[IdArray], kind: ContextVector
    ) -> FloatArray:
        """Return the vector of each text beside its source, of length 1.

        No text is padded, and all groups of a length have one size, so that the vector of a text
        does not depend on the other texts of a run.

        Args:
            texts: Ids of the words of each text, at least one.
            sources: Ids of the words of its source, possibly none.
            kind: Which vector stands for it.
        """
        found: FloatArray = np.zeros((len(texts), self.facts.recipe.units))
        with one_thread(), self.network.torch.no_grad():
            for places in _parts(
                [len(text) + len(source) for text, source in zip(texts, sources, strict=True)]
            ):
                some = [texts[place] for place in places]
                states, last = self._encoded(some)
                if kind is ContextVector.ENCODER_LAST:
                    found[places] = [one[-1, 0].double().numpy() for one in last]
                    continue
                hidden = self._decoded([sources[place] for place in places], last)
                found[places] = [
                    self._mean_context(own, other)
                    for own, other in zip(states, hidden, strict=True)
                ]
        lengths = np.sqrt(np.square(found).sum(axis=1, keepdims=True))
        return np.divide(found, lengths, out=np.zeros_like(found), where=lengths > 0)

    def _mean_context(self, states: Tensor, hidden: Tensor) -> FloatArray:
        """Return the mean of c(t), which is that of the states by their mean attention."""
        weights = self.network.attention(states, hidden).double().mean(dim=0)
        mean: FloatArray = (weights @ states.double()).numpy()
        return mean

    def _encoded(self, texts: Sequence[IdArray]) -> tuple[list[Tensor], list[Tensor]]:
        """Return the states of each text, and the last ones of all layers."""
        states: list[Tensor] = [None] * len(texts)
        last: list[Tensor] = [None] * len(texts)
        for group in _groups(texts):
            every, ends = self.network.encoded(self._rows([texts[place] for place in group]))
            for row, place in enumerate(group):
                states[place], last[place] = every[row], ends[:, row : row + 1]
        return states, last

    def _decoded(self, sources: Sequence[IdArray], last: Sequence[Tensor]) -> list[Tensor]:
        """Return the states of the decoder that reads each source."""
        start = np.array([Special.START], dtype=np.int32)
        inputs = [np.concatenate([start, source]) for source in sources]
        hidden: list[Tensor] = [None] * len(sources)
        for group in _groups(inputs):
            first = self.network.torch.cat([last[place] for place in group], dim=1).contiguous()
            every = self.network.decoded(self._rows([inputs[place] for place in group]), first)
            for row, place in enumerate(group):
                hidden[place] = every[row]
        return hidden

    def _rows(self, rows: Sequence[IdArray]) -> Tensor:
        return self.network.torch.from_numpy(np.stack(rows).astype(np.int64))


def _groups(rows: Sequence[IdArray]) -> Iterator[list[int]]:
    """Yield groups of rows of equal length, as positions.

    All groups of a length have the same size, the last one filled up with repeated positions: a
    matrix product of another shape may add in another order.

    >>> [len(group) for group in _groups([np.zeros(3)] * 33)]
    [32, 32]
    """
    places: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(len(row), []).append(place)
    for length, found in places.items():
        size = max(min(_GROUP, _GROUP_WORDS // length), 1)
        for start in range(0, len(found), size):
            some = found[start : start + size]
            yield [*some, *[some[-1]] * (size - len(some))]


def _parts(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield texts in parts whose states fit into memory, those of like lengths together.

    >>> [len(part) for part in _parts([60_000, 1, 60_000])]
    [2, 1]
    """
    part: list[int] = []
    held = 0
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if part and held + lengths[place] > _WORDS_AT_ONCE:
            yield part
            part, held = [], 0
        part.append(place)
        held += lengths[place]
    if part:
        yield part
