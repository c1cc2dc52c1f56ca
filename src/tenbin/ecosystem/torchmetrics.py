"""`TranslationScore`: any metric of Tenbin as a metric of torchmetrics.

    from tenbin.ecosystem.torchmetrics import TranslationScore

    score = TranslationScore("chrf", language="de")
    score.update(hypotheses, references)
    score.compute()

The state is the texts themselves, as bytes, so that the result is the corpus score that
`tenbin.score` gives for all texts of all processes, whatever the metric.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from tenbin.api.loaded_metric import load_metric
from tenbin.ecosystem.collected import (
    corpus_scores,
    decode_texts,
    encode_texts,
    score_texts,
)
from tenbin.ecosystem.packages import joined_class, load_package

_WHAT = "a metric of torchmetrics"


class CollectedScore:
    """The corpus score of collected texts by one metric.

    Args:
        metric: Spec, such as ``"chrf"`` or ``"bleu(smoothing='floor')"``.
        language: The target language.
        cache: Whether encodings are read from the cache on disk and written there.
        **settings: Those of `torchmetrics.Metric`, such as ``dist_sync_on_step``.
    """

    is_differentiable = False
    full_state_update = False

    # What the class of torchmetrics brings.
    device: Any
    texts: Any
    add_state: Callable[..., None]
    set_dtype: Callable[..., Any]

    def __init__(
        self,
        metric: str = "chrf",
        *,
        language: str,
        cache: bool = True,
        **settings: Any,  # noqa: ANN401 - those of torchmetrics
    ) -> None:
        loaded = load_metric(metric, language=language)
        super().__init__(**settings)
        torch = load_package("torch", _WHAT)
        self.metric = str(loaded.spec)
        self.label = loaded.spec.label
        self.language = language
        self.signature = str(loaded.signature)
        self._better = loaded.higher_is_better
        self._cache = cache
        self.add_state("texts", default=[], dist_reduce_fx="cat")
        # Also the kind of the empty state that a process without texts sends to the others.
        self.set_dtype(torch.uint8)

    @property
    def higher_is_better(self) -> bool:
        """The direction of the scores."""
        return self._better

    def update(self, preds: Any, target: Any = None, source: Any = None) -> None:  # noqa: ANN401
        """Add a batch.

        Args:
            preds: One translation per segment; a single text is a batch of one segment.
            target: One reference, or one list of references, per segment; None for metrics that
                read none.
            source: One source text per segment, for metrics that read it.
        """
        if isinstance(preds, str):
            preds = [preds]
            target = None if target is None else [target]
            source = None if source is None else [source]
        if not preds:
            return
        torch = load_package("torch", _WHAT)
        encoded = bytearray(encode_texts(preds, target, source))
        self.texts.append(torch.frombuffer(encoded, dtype=torch.uint8).to(self.device))

    def compute(self) -> Any:  # noqa: ANN401 - a tensor
        """Return the corpus score of all texts, as a tensor without dimensions."""
        torch = load_package("torch", _WHAT)
        table = score_texts(
            decode_texts(self._encoded()), [self.metric], self.language, cache=self._cache
        )
        # Apple's GPUs have no numbers of 64 bits.
        kind = torch.float32 if self.device.type == "mps" else torch.float64
        return torch.tensor(corpus_scores(table)[self.metric], dtype=kind, device=self.device)

    def _encoded(self) -> bytes:
        # Joined to one tensor once the processes have exchanged their texts.
        states = self.texts if isinstance(self.texts, list) else [self.texts]
        return b"".join(state.cpu().numpy().tobytes() for state in states)


@cache
def _translation_score() -> type:
    base = load_package("torchmetrics", _WHAT).Metric
    return joined_class(CollectedScore, base, "TranslationScore", __name__)


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the class, which needs torchmetrics
    if name != "TranslationScore":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _translation_score()
