"""`TranslationCallback`: any metric of Tenbin, logged by Lightning after each validation.

    from tenbin.ecosystem.lightning import TranslationCallback

    Trainer(callbacks=[TranslationCallback("chrf", language="de")])

The module's ``validation_step`` and ``test_step`` return the texts of the batch:
``{"hypotheses": [...], "references": [...]}``.
"""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from tenbin.core.errors import ShapeError, UsageError
from tenbin.core.spec import spec_list
from tenbin.ecosystem import torchmetrics
from tenbin.ecosystem.packages import joined_class, load_package

_WHAT = "a callback of Lightning"
_NAMES = ("lightning.pytorch", "pytorch_lightning")
"""One code under two names; a Trainer of one takes no callback of the other."""


class CollectedCallback:
    """Collects the texts that steps return, and logs corpus scores at the end of the epoch.

    The scores are called ``val_chrf`` and ``test_chrf``; with several loaders
    ``val_chrf/dataloader_idx_0`` and so on. Processes exchange their texts, so that all of them log
    the score of the whole set.

    Args:
        metrics: Specs such as ``"chrf"``, or a mapping from aliases to specs.
        language: The target language.
        hypotheses: Where the step puts the translations.
        references: Where it puts one reference, or one list of references, per segment.
        source: Where it puts the source texts, for metrics that read them.
        cache: Whether encodings are read from the cache on disk and written there.
    """

    def __init__(
        self,
        metrics: str | Sequence[str] | Mapping[str, str] = "chrf",
        *,
        language: str,
        hypotheses: str = "hypotheses",
        references: str = "references",
        source: str = "source",
        cache: bool = True,
    ) -> None:
        super().__init__()
        specs = spec_list(metrics)
        if not specs:
            raise UsageError("metrics is empty: name at least one metric.")
        self._hypotheses = hypotheses
        self._references = references
        self._source = source
        # Made here, so that a bad name is refused before anything is trained.
        self._scores = [
            torchmetrics.TranslationScore(spec, language=language, cache=cache) for spec in specs
        ]
        self._collected: list[list[Any]] = []

    def on_validation_epoch_start(self, trainer: Any, pl_module: Any) -> None:  # noqa: ANN401
        """Forget the texts of the epoch before."""
        self._begin(len(trainer.num_val_batches), pl_module)

    def on_validation_batch_end(
        self,
        trainer: Any,  # noqa: ANN401, ARG002
        pl_module: Any,  # noqa: ANN401, ARG002
        outputs: Any,  # noqa: ANN401
        batch: Any,  # noqa: ANN401, ARG002
        batch_idx: int,  # noqa: ARG002
        dataloader_idx: int = 0,
    ) -> None:
        """Collect the texts of a batch."""
        self._collect("validation_step", outputs, dataloader_idx)

    def on_validation_epoch_end(self, trainer: Any, pl_module: Any) -> None:  # noqa: ANN401
        """Log the scores."""
        if not trainer.sanity_checking:
            self._log("val", pl_module)

    def on_test_epoch_start(self, trainer: Any, pl_module: Any) -> None:  # noqa: ANN401
        """Forget the texts of the run before."""
        self._begin(len(trainer.num_test_batches), pl_module)

    def on_test_batch_end(
        self,
        trainer: Any,  # noqa: ANN401, ARG002
        pl_module: Any,  # noqa: ANN401, ARG002
        outputs: Any,  # noqa: ANN401
        batch: Any,  # noqa: ANN401, ARG002
        batch_idx: int,  # noqa: ARG002
        dataloader_idx: int = 0,
    ) -> None:
        """Collect the texts of a batch."""
        self._collect("test_step", outputs, dataloader_idx)

    def on_test_epoch_end(self, trainer: Any, pl_module: Any) -> None:  # noqa: ANN401, ARG002
        """Log the scores."""
        self._log("test", pl_module)

    def _begin(self, loaders: int, module: Any) -> None:  # noqa: ANN401
        # On the device of the model, where processes can exchange them.
        self._collected = [
            [score.clone().to(module.device) for score in self._scores] for _ in range(loaders)
        ]

    def _collect(self, step: str, outputs: Any, loader: int) -> None:  # noqa: ANN401
        if not isinstance(outputs, Mapping) or self._hypotheses not in outputs:
            keys = f" with {', '.join(map(str, outputs))}" if isinstance(outputs, Mapping) else ""
            raise ShapeError(
                f"{step} returned {type(outputs).__name__}{keys}, expected a dict with the texts "
                f"of the batch: {{{self._hypotheses!r}: [...], {self._references!r}: [...]}}."
            )
        texts = outputs[self._hypotheses]
        for score in self._collected[loader]:
            score.update(texts, outputs.get(self._references), outputs.get(self._source))

    def _log(self, stage: str, module: Any) -> None:  # noqa: ANN401
        several = len(self._collected) > 1
        for loader, scores in enumerate(self._collected):
            ending = f"/dataloader_idx_{loader}" if several else ""
            for score in scores:
                name = f"{stage}_{score.label}{ending}"
                module.log(name, score.compute(), sync_dist=True, add_dataloader_idx=False)
        self._collected = []


@cache
def _translation_callback(package: str) -> type:
    base = load_package(package, _WHAT).Callback
    return joined_class(CollectedCallback, base, "TranslationCallback", __name__)


def _package() -> str:
    """Return the name that Lightning has here: the one that is in use, or else is installed."""
    used = [name for name in _NAMES if name in sys.modules]
    if used:
        return used[0]
    whole = _NAMES[0].partition(".")[0]
    return _NAMES[1] if find_spec(whole) is None else _NAMES[0]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the class, which needs Lightning
    if name != "TranslationCallback":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _translation_callback(_package())
