"""Tenbin weighs a machine translation against its reference by meaning.

Public names only; each is imported on first use, so that ``import tenbin`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tenbin.moved import find_moved_modules
from tenbin.version import __version__

if TYPE_CHECKING:
    from tenbin.api.building.metric import build_metric
    from tenbin.api.catalog import language_metrics
    from tenbin.api.choosing import mbr, oracle, rerank
    from tenbin.api.files import read_texts
    from tenbin.api.judged_texts import read_judged_texts
    from tenbin.api.loaded_metric import LoadedMetric, MetricScore, load_metric
    from tenbin.api.meta import fit_curves, meta_evaluate
    from tenbin.api.scoring import compare, explain, list_metrics, score
    from tenbin.api.tables import score_table
    from tenbin.api.tuning import tune
    from tenbin.core.agreement import MetaTable
    from tenbin.core.errors import (
        InputError,
        OutputError,
        ResourceError,
        SpecError,
        TenbinError,
        UsageError,
    )
    from tenbin.core.explanation import Explanation
    from tenbin.core.scores import ScoreTable
    from tenbin.core.signature import Signature
    from tenbin.core.spec import Spec
    from tenbin.core.text import TestSet
    from tenbin.core.tuning import TuningTable
    from tenbin.ecosystem.datasets import score_dataset

_HOMES = {
    "Explanation": "tenbin.core.explanation",
    "InputError": "tenbin.core.errors",
    "LoadedMetric": "tenbin.api.loaded_metric",
    "MetaTable": "tenbin.core.agreement",
    "MetricScore": "tenbin.api.loaded_metric",
    "OutputError": "tenbin.core.errors",
    "ResourceError": "tenbin.core.errors",
    "ScoreTable": "tenbin.core.scores",
    "Signature": "tenbin.core.signature",
    "Spec": "tenbin.core.spec",
    "SpecError": "tenbin.core.errors",
    "TenbinError": "tenbin.core.errors",
    "TestSet": "tenbin.core.text",
    "TuningTable": "tenbin.core.tuning",
    "UsageError": "tenbin.core.errors",
    "build_metric": "tenbin.api.building.metric",
    "compare": "tenbin.api.scoring",
    "explain": "tenbin.api.scoring",
    "fit_curves": "tenbin.api.meta",
    "language_metrics": "tenbin.api.catalog",
    "load_metric": "tenbin.api.loaded_metric",
    "list_metrics": "tenbin.api.scoring",
    "mbr": "tenbin.api.choosing",
    "meta_evaluate": "tenbin.api.meta",
    "oracle": "tenbin.api.choosing",
    "rerank": "tenbin.api.choosing",
    "read_judged_texts": "tenbin.api.judged_texts",
    "read_texts": "tenbin.api.files",
    "score": "tenbin.api.scoring",
    "score_dataset": "tenbin.ecosystem.datasets",
    "score_table": "tenbin.api.tables",
    "tune": "tenbin.api.tuning",
}

__all__ = [
    "Explanation",
    "InputError",
    "LoadedMetric",
    "MetaTable",
    "MetricScore",
    "OutputError",
    "ResourceError",
    "ScoreTable",
    "Signature",
    "Spec",
    "SpecError",
    "TenbinError",
    "TestSet",
    "TuningTable",
    "UsageError",
    "__version__",
    "build_metric",
    "compare",
    "explain",
    "fit_curves",
    "language_metrics",
    "list_metrics",
    "load_metric",
    "mbr",
    "meta_evaluate",
    "oracle",
    "read_judged_texts",
    "read_texts",
    "rerank",
    "score",
    "score_dataset",
    "score_table",
    "tune",
]

find_moved_modules()


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    if name not in _HOMES:
        raise AttributeError(f"module 'tenbin' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
