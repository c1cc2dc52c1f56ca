"""A judge of translations: a base model with an adapter, loaded when the first pair needs it."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tenbin.annotation.encoders.encoded import FlagArray
from tenbin.annotation.encoders.libraries import library_versions
from tenbin.annotation.encoders.loading import find_model
from tenbin.annotation.encoders.settings import Device, NumberType
from tenbin.annotation.joint.adapter import Adapter
from tenbin.annotation.joint.network import JointNetwork
from tenbin.annotation.joint.pair_cache import Pair
from tenbin.annotation.joint.pairs import PairPart, PairTokenizer
from tenbin.core.arrays import FloatArray, IdArray
from tenbin.core.errors import ResourceError
from tenbin.resources.checkpoints import Checkpoint
from tenbin.resources.store.store import default_store

BEST, WORST = 1.0, 0.0
_DIGITS = 12
# Incremented when the same files would give other scores.
_FORM = "4"
# A model takes hundreds of megabytes; a run uses one or two.
_MOST_CACHED = 2
_cached: "OrderedDict[Hashable, Judge]" = OrderedDict()


class Judge:
    """Judges pairs of a hypothesis and a reference; equal pairs are judged equal, in any company.

    Attributes:
        adapter: What it was trained to.
        checkpoint: The base model.
    """

    def __init__(
        self, checkpoint: Checkpoint, adapter: Adapter, device: Device, number_type: NumberType
    ) -> None:
        self.checkpoint, self.adapter = checkpoint, adapter
        self._device, self._number_type = device, number_type

    @property
    def key(self) -> str:
        """Everything that determines the scores."""
        parts = (
            _FORM,
            "" if self.adapter.identity is None else self.adapter.identity.fingerprint,
            self.checkpoint.identity.fingerprint,
            self._number_type,
            self._device,
            *(f"{name}={number}" for name, number in library_versions()),
        )
        return "|".join(map(str, parts))

    @cached_property
    def pairs(self) -> PairTokenizer:
        """What turns pairs into rows."""
        return PairTokenizer(self.checkpoint)

    @cached_property
    def network(self) -> JointNetwork:
        """The network, with the number type that was chosen."""
        return JointNetwork.of_adapter(
            self.checkpoint, self.adapter, device=self._device, number_type=self._number_type
        )

    @cached_property
    def exact_network(self) -> JointNetwork:
        """The network in float32, through which gradients flow."""
        if self._number_type is NumberType.FLOAT32:
            return self.network
        return JointNetwork.of_adapter(self.checkpoint, self.adapter, device=self._device)

    @property
    def room(self) -> int:
        """How many subwords and special tokens fit into one row."""
        longest = self.pairs.tokenizer.longest
        return self.network.room if longest is None else min(longest, self.network.room)

    def scores(self, pairs: Sequence[Pair]) -> FloatArray:
        """Return the score of each pair, 0 to 1.

        A text that is equal to the reference scores 1, an empty one 0, also if the reference is
        empty. White space around texts is ignored. A pair that is too long for the model is judged
        in parts, whose mean by length is the score.
        """
        found = np.zeros(len(pairs))
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        ids = dict(zip(texts, self.pairs.ids(texts), strict=True))
        rows, places, shares = [], [], []
        for place, (hypothesis, reference) in enumerate(pairs):
            known = settled_score(hypothesis, reference, ids[hypothesis], ids[reference])
            if known is not None:
                found[place] = known
                continue
            for part in self.pairs.parts(ids[reference], ids[hypothesis], self.room):
                rows.append(part.row)
                places.append(place)
                shares.append(part.share)
        if rows:
            np.add.at(found, places, np.array(shares) * self.network.scores(rows))
        # The head adds in another order among other rows, which shows in the sixteenth digit.
        return np.round(found, _DIGITS)

    def prepared(self, hypothesis: str, reference: str) -> "PreparedPair":
        """Return a pair with its subwords and its parts."""
        own, other = self.pairs.tokenize([hypothesis, reference])
        ids = [one.ids[one.before : len(one) - one.after] for one in (own, other)]
        known = settled_score(hypothesis, reference, *ids)
        parts = [] if known is not None else self.pairs.parts(ids[1], ids[0], self.room)
        inner = slice(own.before, len(own) - own.after)
        return PreparedPair(ids[0], own.flags[inner], known, parts)


class PreparedPair(NamedTuple):
    """A pair as it is judged.

    Attributes:
        ids: The subwords of the hypothesis.
        flags: Their flags.
        known: Its score, if no model is asked.
        parts: The rows that the model reads.
    """

    ids: IdArray
    flags: FlagArray
    known: float | None
    parts: list[PairPart]


def settled_score(hypothesis: str, reference: str, own: IdArray, other: IdArray) -> float | None:
    """Return the score of a pair that no model need be asked about.

    Args:
        hypothesis: The text that is judged.
        reference: The text beside it.
        own: The subwords of the hypothesis.
        other: The subwords of the reference.
    """
    if not len(own) or not len(other):
        return WORST
    return BEST if hypothesis.strip() == reference.strip() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeChoice:
    """Everything that determines the scores of a judge, besides the adapter.

    Attributes:
        base: The base model, a resource or a folder; empty: that which the adapter names.
        language: The language of the texts.
        device: CPU or CUDA.
        number_type: The number type of the computation.
    """

    language: str
    base: str = ""
    device: Device = Device.CPU
    number_type: NumberType = NumberType.FLOAT32


def base_of(adapter: Adapter, language: str, base: str = "") -> Checkpoint:
    """Return the base model of an adapter.

    Args:
        adapter: The adapter.
        language: The language of the texts.
        base: A resource or a folder; empty: that which the adapter names.

    Raises:
        ResourceError: The model of that name is another one than the adapter was trained with; and
            the errors of `find_model`.
    """
    card = adapter.card
    checkpoint = find_model(base or card.base, language)
    found = checkpoint.identity.fingerprint
    if found != card.base_fingerprint:
        raise ResourceError(
            f"the adapter {adapter.where!r} was trained with the model {card.base!r} of the hash "
            f"{card.base_fingerprint[:16]}, and {checkpoint.identity.name!r} here has "
            f"{found[:16]}: it cannot be used with another model. Install or name the one that it "
            "was trained with (`base=FOLDER`), or train an adapter with this one ('tenbin build "
            "metric')."
        )
    return checkpoint


def load_judge(adapter: Adapter, choice: JudgeChoice) -> Judge:
    """Return a judge; its model is loaded when the first pair needs it.

    Raises:
        ResourceError: The errors of `base_of`.
    """
    checkpoint = base_of(adapter, choice.language, choice.base)
    identity = adapter.identity or id(adapter)
    key = (str(checkpoint.folder), identity, choice, str(default_store().cache))
    if key not in _cached:
        _cached[key] = Judge(checkpoint, adapter, choice.device, choice.number_type)
    _cached.move_to_end(key)
    while len(_cached) > _MOST_CACHED:
        _cached.popitem(last=False)
    return _cached[key]
