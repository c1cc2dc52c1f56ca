"""`TranslationModule`: any metric of Tenbin as a module of Hugging Face's evaluate.

    from tenbin.ecosystem.evaluate import load

    module = load("chrf", language="de")
    module.compute(predictions=hypotheses, references=references)

``evaluate.load(str(MODULE_FOLDER), metric="chrf", language="de")`` gives the same: the script in
that folder does nothing but import this module.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tenbin.api.shapes import DEFAULT_SYSTEM
from tenbin.core.errors import ShapeError, UsageError
from tenbin.core.spec import spec_list
from tenbin.core.text import TestSet
from tenbin.ecosystem.collected import corpus_scores, score_texts
from tenbin.ecosystem.packages import joined_class, load_package

MODULE_FOLDER = Path(__file__).parent / "evaluate_module" / "tenbin"
"""What ``evaluate.load`` takes as a path."""

_WHAT = "a module of evaluate"
_DESCRIPTION = "Metrics of machine translation, by Tenbin."
_CITATION = "See 'tenbin metrics NAME' for the publication of each metric."
_INPUTS = """
Args:
    predictions: One translation per segment.
    references: One reference, or one list of references, per segment; None for metrics that read
        none.
    sources: One source text per segment, for metrics that read it.
    metric: Spec such as "chrf", or a list of them; None for those of the language.
    language: The target language.
    segments: Whether to give segment scores too, as "<metric>_segments".
    signatures: Whether to say what the scores mean, as "<metric>_signature".

Returns:
    The corpus score of each metric, by its spec, or by its alias ("short=chrf(word_order=2)").
"""


class CollectedModule:
    """The methods of a module of evaluate that scores by metrics of Tenbin.

    Args:
        config_name: As evaluate has it.
        metric: Spec, a list of them, or a mapping from aliases to specs; None for those of
            the language.
        language: The target language; may be given to `compute` instead.
        **settings: Those of `evaluate.EvaluationModule`, such as ``keep_in_memory``.
    """

    def __init__(
        self,
        config_name: str | None = None,
        *,
        metric: str | Sequence[str] | Mapping[str, str] | None = None,
        language: str | None = None,
        **settings: Any,  # noqa: ANN401 - those of evaluate
    ) -> None:
        self.metric = metric
        self.language = language
        super().__init__(config_name, **settings)  # type: ignore[call-arg] # evaluate's, not object's

    def compute(self, *, predictions: Any = None, references: Any = None, **rest: Any) -> Any:  # noqa: ANN401
        """Score what is given, or all that was added."""
        given = _columns(predictions, references, rest.pop("sources", None))
        return super().compute(**given, **rest)  # type: ignore[misc] # evaluate's

    def add_batch(self, *, predictions: Any = None, references: Any = None, **rest: Any) -> None:  # noqa: ANN401
        """Add a batch of texts."""
        given = _columns(predictions, references, rest.pop("sources", None))
        super().add_batch(**given, **rest)  # type: ignore[misc] # evaluate's

    def add(self, *, prediction: Any = None, reference: Any = None, **rest: Any) -> None:  # noqa: ANN401
        """Add one segment."""
        self.add_batch(
            predictions=[prediction],
            references=None if reference is None else [reference],
            **{name: [value] for name, value in rest.items()},
        )

    def _info(self) -> Any:  # noqa: ANN401 - an evaluate.MetricInfo
        evaluate = load_package("evaluate", _WHAT)
        datasets = load_package("datasets", _WHAT)
        text = datasets.Value("string")
        # Lists, so that there may be none: evaluate refuses what is missing.
        features = {"predictions": text, "references": [text], "sources": [text]}
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features(features),
        )

    def _compute(
        self,
        predictions: Sequence[str],
        references: Sequence[Sequence[str]],
        sources: Sequence[Sequence[str]],
        **asked: Any,  # noqa: ANN401 - what `compute` was asked for
    ) -> dict[str, Any]:
        language = asked.pop("language", None) or self.language
        metric = asked.pop("metric", None) or self.metric
        segments, signatures = asked.pop("segments", False), asked.pop("signatures", False)
        if asked:
            raise UsageError(
                f"compute has no argument {', '.join(asked)}; it takes predictions, references, "
                "sources, metric, language, segments and signatures."
            )
        if language is None:
            raise UsageError(
                'the target language decides how text is cut into words: give language="en".'
            )
        table = score_texts(
            _test_set(predictions, references, sources),
            None if metric is None else spec_list(metric),
            language,
            segments=segments,
        )
        found: dict[str, Any] = dict(corpus_scores(table))
        for result in table.results:
            if segments and result.segments is not None:
                found[f"{result.label}_segments"] = result.segments[0].tolist()
            if signatures:
                found[f"{result.label}_signature"] = str(result.signature)
        return found


def load(
    metric: str | Sequence[str] | Mapping[str, str] | None = None,
    *,
    language: str | None = None,
    **settings: Any,  # noqa: ANN401 - those of evaluate
) -> Any:  # noqa: ANN401 - an evaluate.Metric
    """Return a module of evaluate that scores by metrics of Tenbin.

    Args:
        metric: Spec, a list of them, or a mapping from aliases to specs; None for those of
            the language.
        language: The target language; may be given to `compute` instead.
        **settings: Those of `evaluate.EvaluationModule`, such as ``keep_in_memory=True``.
    """
    return _translation_module()(metric=metric, language=language, **settings)


def _columns(predictions: Any, references: Any, sources: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return columns that one schema fits: lists of references, and nothing where none are."""
    if predictions is None:
        if references is not None or sources is not None:
            raise ShapeError("predictions is missing (None), and other texts are given.")
        return {}
    count = len(predictions)
    return {
        "predictions": predictions,
        "references": _lists(references, count),
        "sources": _lists(sources, count),
    }


def _lists(values: Any, count: int) -> list[list[str]]:  # noqa: ANN401
    if values is None:
        return [[] for _ in range(count)]
    return [[one] if isinstance(one, str) else list(one) for one in values]


def _test_set(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    sources: Sequence[Sequence[str]],
) -> TestSet:
    given = [source for one in sources for source in one]
    if given and len(given) < len(sources):
        raise ShapeError(
            "some segments have a source text and others have not. Give the source with every "
            "batch, or with none."
        )
    return TestSet(
        hypotheses={DEFAULT_SYSTEM: tuple(predictions)},
        references=tuple(tuple(texts) for texts in references),
        source=tuple(given) if given else None,
    )


@cache
def _translation_module() -> type:
    base = load_package("evaluate", _WHAT).Metric
    return joined_class(CollectedModule, base, "TranslationModule", __name__)


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the class, which needs evaluate
    if name != "TranslationModule":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _translation_module()
