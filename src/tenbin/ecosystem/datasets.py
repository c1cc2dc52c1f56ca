"""Scores as columns of a dataset of Hugging Face's datasets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache as memory
from typing import Any, TypeVar

from tenbin.api.scoring import check_given_texts, score
from tenbin.api.shapes import DEFAULT_SYSTEM
from tenbin.core.caching import caching
from tenbin.core.errors import InputError, UsageError
from tenbin.core.metric import Metric
from tenbin.core.spec import Spec, spec_list
from tenbin.core.text import TestSet
from tenbin.ecosystem.packages import load_package
from tenbin.metrics import registry
from tenbin.metrics.recommended import language_metrics
from tenbin.tables.rows import Rows, row_scores

DEFAULT_BATCH = 1000
_WHAT = "scoring a dataset"

Dataset = TypeVar("Dataset")


def score_dataset(  # noqa: PLR0913 - every option has a name
    dataset: Dataset,
    *,
    hypothesis: str = "hypothesis",
    reference: str | Sequence[str] | None = "reference",
    source: str | None = None,
    metrics: str | Sequence[str] | Mapping[str, str] | None = None,
    language: str,
    prefix: str = "",
    batch_size: int = DEFAULT_BATCH,
    cache: bool = True,
) -> Dataset:
    """Return a dataset with one more column for each metric: the scores of its rows.

    Rows are scored in batches as ``map`` reads them, those of a streamed dataset when they are
    asked for. A metric that learns weights from all texts gets all rows at once.

    Args:
        dataset: A `datasets.Dataset`, `IterableDataset`, `DatasetDict` or `IterableDatasetDict`.
        hypothesis: Column of the translations. ``"translation.de"`` is the entry ``de`` of a column
            of mappings, here and below.
        reference: Column of one reference, or a list of them, per row; or several columns; None for
            metrics that read none.
        source: Column of the source texts, for metrics that read them.
        metrics: Specs such as ``"chrf"``, or a mapping from aliases to specs; None for
            those of `tenbin.language_metrics`.
        language: The target language.
        prefix: What the names of the new columns begin with; the rest is the
            alias or the spec.
        batch_size: How many rows are scored at a time.
        cache: Whether encodings are read from the cache on disk and written there.

    Raises:
        MissingExtra: The package datasets is not installed.
        InputError: A column is missing or has no texts.
        UsageError: A streamed dataset is asked for a metric that needs all texts at once.
    """
    package = load_package("datasets", _WHAT)
    if batch_size < 1:
        raise UsageError(f"`batch_size={batch_size}`: give a number of at least 1.")
    references = [reference] if isinstance(reference, str) else list(reference or ())
    specs = _specs(metrics, language)
    check_given_texts(
        specs, language=language, references=bool(references), source=source is not None
    )
    scorer = _RowScorer(
        hypothesis,
        tuple(references),
        source,
        specs,
        language,
        prefix,
        cache,
    )
    if isinstance(dataset, Mapping):
        parts = {name: _scored(package, one, scorer, batch_size) for name, one in dataset.items()}
        kind: Callable[..., Any] = type(dataset)
        split: Dataset = kind(parts)
        return split
    scored: Dataset = _scored(package, dataset, scorer, batch_size)
    return scored


@dataclass(frozen=True)
class _RowScorer:
    """Scores rows; its fields are what datasets tells one computation from another by."""

    hypothesis: str
    references: tuple[str, ...]
    source: str | None
    specs: tuple[str, ...]
    language: str
    prefix: str
    cache: bool
    signatures: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        # With version and resources, so that datasets keeps no scores that are out of date.
        bound = _bound(self.specs, self.language)
        found = tuple(str(metric.signature()) for metric in bound)
        object.__setattr__(self, "signatures", found)

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns that are read."""
        named = (self.hypothesis, *self.references, self.source)
        return tuple(name for name in named if name is not None)

    @property
    def columns(self) -> tuple[str, ...]:
        """The new column of each metric."""
        return tuple(f"{self.prefix}{Spec.parse(spec).label}" for spec in self.specs)

    @property
    def learning(self) -> list[str]:
        """The metrics that learn from all texts at once."""
        pairs = zip(self.specs, _bound(self.specs, self.language), strict=True)
        return [spec for spec, metric in pairs if metric.needs.collection]

    def __call__(self, batch: Mapping[str, Any], rows: Sequence[int]) -> dict[str, Any]:
        """Return the new columns of a batch."""
        test_set = TestSet(
            hypotheses={DEFAULT_SYSTEM: tuple(self._texts(batch, self.hypothesis, rows))},
            references=self._references(batch, rows),
            source=None if self.source is None else tuple(self._texts(batch, self.source, rows)),
        )
        scores = self._of_all(test_set) if self.learning else self._of_rows(test_set)
        return dict(zip(self.columns, scores, strict=True))

    def _of_all(self, test_set: TestSet) -> list[list[float]]:
        table = score(
            test_set, metrics=self.specs, language=self.language, segments=True, cache=self.cache
        )
        found = [result.segments for result in table.results]
        return [scores[0].tolist() for scores in found if scores is not None]

    def _of_rows(self, test_set: TestSet) -> list[list[float]]:
        # Not by `score`, which looks at whole texts: few rows may have few words with a vector.
        metrics = _bound(self.specs, self.language)
        with caching(enabled=self.cache):
            found = row_scores(Rows(test_set, None), metrics, system=DEFAULT_SYSTEM)
        return [scores.tolist() for scores in found.scores]

    def _references(
        self, batch: Mapping[str, Any], rows: Sequence[int]
    ) -> tuple[tuple[str, ...], ...]:
        columns = [self._lists(batch, name, rows) for name in self.references]
        return tuple(
            tuple(text for one in row for text in one) for row in zip(*columns, strict=True)
        )

    def _lists(self, batch: Mapping[str, Any], name: str, rows: Sequence[int]) -> list[list[str]]:
        found = []
        for row, value in zip(rows, _column(batch, name), strict=True):
            listed = [value] if isinstance(value, str) else value
            if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
                raise _no_text(name, row, value)
            found.append(listed)
        return found

    def _texts(self, batch: Mapping[str, Any], name: str, rows: Sequence[int]) -> list[str]:
        values = _column(batch, name)
        for row, value in zip(rows, values, strict=True):
            if not isinstance(value, str):
                raise _no_text(name, row, value)
        return values


def _scored(package: Any, dataset: Any, scorer: _RowScorer, batch_size: int) -> Any:  # noqa: ANN401
    if not isinstance(dataset, package.Dataset | package.IterableDataset):
        raise UsageError(
            f"dataset is of type {type(dataset).__name__}, expected one of the package datasets, "
            "such as datasets.load_dataset gives."
        )
    streamed = isinstance(dataset, package.IterableDataset)
    # A stream may not know its columns before it is read.
    if dataset.column_names is not None:
        _check_columns(dataset.column_names, scorer)
    if not streamed:
        whole = bool(scorer.learning)
        plain = dataset.with_format(None).map(
            scorer,
            batched=True,
            batch_size=None if whole else batch_size,
            with_indices=True,
        )
        return plain.with_format(**_kept_format(dataset, scorer))
    if scorer.learning:
        raise UsageError(
            f"{', '.join(scorer.learning)}: the weights are learned from all texts, and a "
            "streamed dataset is scored in parts. Load it without streaming, or give weights from "
            "elsewhere, or none, if the metric takes them (idf=...)."
        )
    return dataset.map(scorer, batched=True, batch_size=batch_size, with_indices=True)


def _kept_format(dataset: Any, scorer: _RowScorer) -> dict[str, Any]:  # noqa: ANN401
    kept = dict(dataset.format)
    shown = kept.pop("columns")
    return {
        **kept.pop("format_kwargs"),
        "type": kept["type"],
        "columns": [*shown, *scorer.columns],
        "output_all_columns": kept["output_all_columns"],
    }


def _check_columns(names: Sequence[str], scorer: _RowScorer) -> None:
    missing = [name for name in scorer.texts if _home(name, names) not in names]
    if missing:
        listed = ", ".join(repr(name) for name in missing)
        raise InputError(
            f"the dataset has no column {listed}; its columns are {', '.join(names)}. Name the "
            "columns of texts (`hypothesis`, `reference`, `source`)."
        )
    taken = [name for name in scorer.columns if name in names]
    if taken:
        raise InputError(
            f"the dataset already has a column {', '.join(repr(name) for name in taken)}. Give the "
            'new ones another name (`prefix="new_"`), or remove the old ones.'
        )


def _home(name: str, names: Sequence[str]) -> str:
    return name if name in names else name.partition(".")[0]


def _column(batch: Mapping[str, Any], name: str) -> list[Any]:
    if name in batch:
        return list(batch[name])
    outer, _, inner = name.partition(".")
    if outer not in batch:
        raise InputError(f"the dataset has no column {name!r}; its columns are {', '.join(batch)}.")
    values = list(batch[outer])
    if not inner or not all(isinstance(value, Mapping) and inner in value for value in values):
        raise InputError(f"the column {outer!r} has no entry {inner!r} in every row.")
    return [value[inner] for value in values]


def _no_text(name: str, row: int, value: object) -> InputError:
    found = "missing (None)" if value is None else f"of type {type(value).__name__}"
    return InputError(
        f"column {name!r}, row {row + 1}: the text is {found}, expected a text. Filter such rows "
        "out, or put '' where a system gave no translation."
    )


@memory
def _bound(specs: tuple[str, ...], language: str) -> tuple[Metric, ...]:
    return tuple(metric.bind(language) for metric in registry.load_all(specs))


def _specs(
    metrics: str | Sequence[str] | Mapping[str, str] | None, language: str
) -> tuple[str, ...]:
    if metrics is None:
        return tuple(language_metrics(language).chosen)
    # By what columns are called, so that none is there twice.
    return tuple({Spec.parse(spec).label: spec for spec in spec_list(metrics)}.values())
