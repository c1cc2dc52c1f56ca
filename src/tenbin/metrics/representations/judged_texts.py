"""Texts as subwords of a base model, and what the same model with an adapter says of pairs."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from tenbin.annotation.encoders.context_encoder import unknown_share_notes
from tenbin.annotation.encoders.settings import Device, NumberType, settled_device
from tenbin.annotation.joint.adapter import Adapter, find_adapter
from tenbin.annotation.joint.judge import Judge, JudgeChoice, load_judge
from tenbin.annotation.joint.pair_cache import PairCache, default_pair_cache
from tenbin.annotation.languages import parse_language
from tenbin.core.batch import Batch
from tenbin.core.caching import is_caching
from tenbin.core.errors import UsageError
from tenbin.core.metric import AUTO, Needs
from tenbin.core.part import SignatureFacts
from tenbin.core.resource import ResourceIdentity, ResourceKind
from tenbin.metrics.choices import REQUIRED
from tenbin.metrics.representations.contextual_subwords import ContextualSubwords


@dataclass(frozen=True, kw_only=True)
class JudgedTexts(ContextualSubwords):
    """Subwords of a layer of the base model of an adapter, and a judge of pairs of texts.

    Attributes:
        adapter: What the base model was trained to: an adapter that comes with Tenbin, or a file
            of ``tenbin build metric``.
        base: The base model, a resource or a folder; ``auto``: that which the adapter names. It
            must be the one that the adapter was trained with.
        share: The share of the learned score; the rest is BERTScore. None: as the adapter says.
    """

    reading: ClassVar[str] = "judged"

    adapter: str
    base: str
    share: float | None
    # Settled by the adapter.
    model: str = AUTO
    layer: int | None = None
    idf: bool | str = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language != AUTO and self.adapter != REQUIRED:
            card = self.found().card
            object.__setattr__(self, "model", card.base if self.base == AUTO else self.base)
            object.__setattr__(self, "layer", card.layer)

    def found(self) -> Adapter:
        """Return the adapter."""
        return find_adapter(self.adapter)

    def bind(self, language: str, metric: str) -> Self:
        """Return the part with base model, share and device settled.

        Raises:
            UsageError: No adapter was named, or it is of another language.
            UnreadableFile: The adapter is damaged.
            ResourceError: The base model is not installed, or is another one.
        """
        if self.adapter == REQUIRED:
            raise UsageError(
                f"{metric} has no adapter of its own. Name a file of 'tenbin build metric' "
                '(`adapter=FILE`), or score with a preset (`metrics=["tenbin-large"]`).'
            )
        adapter, tag = self.found(), parse_language(language).tag
        card = adapter.card
        if parse_language(card.language).code != parse_language(tag).code:
            raise UsageError(
                f"{metric}: the adapter {card.name!r} is for {card.language!r}, and the target "
                f"language is {tag!r}. Train one for that language with 'tenbin build "
                "metric', or take another metric: 'tenbin metrics' lists them."
            )
        device = self.device
        if device is Device.AUTO and self.dtype is NumberType.INT8:
            device = Device.CPU  # the only one that computes so
        share = card.share if self.share is None else self.share
        base = card.base if self.base == AUTO else self.base
        bound = replace(self, language=tag, base=base, share=share, device=settled_device(device))
        bound.identities()  # what is missing is told now
        return bound

    @property
    def is_bound(self) -> bool:
        """Whether everything is settled that depends on language and adapter."""
        return AUTO not in (self.language, self.model, self.device) and self.share is not None

    @property
    def compares(self) -> bool:
        """Whether texts are compared by BERTScore too, which takes half of the time."""
        return self.share is None or self.share < 1

    @property
    def needs(self) -> Needs:
        """An encoder and an adapter."""
        missing = frozenset({"adapter"} if self.adapter == REQUIRED else ())
        kinds = frozenset({ResourceKind.ENCODER, ResourceKind.ADAPTER})
        return replace(super().needs, resources=kinds, parameters=missing)

    def judge(self) -> Judge:
        """Return what judges pairs."""
        choice = JudgeChoice(
            language=self.language,
            base="" if self.base == AUTO else self.base,
            device=self.device,
            number_type=self.dtype,
        )
        return load_judge(self.found(), choice)

    def pair_cache(self) -> PairCache | None:
        """Return the cache of pairs; None if nothing is to be cached."""
        key = f"{self.judge().key}|{self.view()}{'' if self.compares else '|learned'}"
        return default_pair_cache(key) if is_caching() else None

    def identities(self) -> list[ResourceIdentity]:
        """Return the adapter and the base model."""
        if not self.is_bound:
            return []
        adapter = self.judge().adapter.identity
        # The encoder knows whether the model has the layer.
        return [*([] if adapter is None else [adapter]), self.encoder().identity]

    def signature_facts(self) -> SignatureFacts:
        """Return the names of adapter and base model, and the layer that BERTScore compares."""
        if not self.is_bound:
            return SignatureFacts()
        adapter, *_, base = (one.name for one in self.identities())
        named = {"adapter": adapter, "base": base}
        return SignatureFacts(names=named, last=(("layer", str(self.layer)),))

    def key(self) -> tuple[Hashable, ...]:
        """Return all that the subwords and what the judge says of them depend on."""
        return (self.reading, self.adapter, self.base, self.compares, *super().key())

    def notes(self, batch: Batch) -> list[str]:
        """Return notes on texts that the base model reads in parts, or hardly at all."""
        if self.compares:
            return self.encoder().notes(self.texts(batch))
        judge = self.judge()
        texts = [text.strip() for text in self.compared_strings(batch)]
        return unknown_share_notes(
            judge.checkpoint.identity.name, judge.pairs.unknown(list(dict.fromkeys(texts)))
        )
