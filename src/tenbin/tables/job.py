"""A scoring job on a table: the request, its metrics, and the summary of the scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tenbin.annotation.languages import Language, parse_language
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.metric import Metric
from tenbin.core.progress import Advance
from tenbin.core.scores import ScoreTable
from tenbin.core.signature import Signature
from tenbin.core.spec import Spec
from tenbin.core.text import REFERENCES, TestSet
from tenbin.evaluation.checks import check_texts, unused_notes
from tenbin.evaluation.readiness import told_at_once
from tenbin.evaluation.run import facts_of_run, metric_scores
from tenbin.metrics.registry import load_all
from tenbin.tables.columns import ColumnKind, ColumnNames, TextColumns, find_columns
from tenbin.tables.rows import Sums
from tenbin.tables.validation import RowFacts

# Rows whose texts are checked before scoring: a language does not change within a table.
SAMPLE_ROWS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRequest:
    """A request to score a table.

    Attributes:
        specs: The metrics; a column of scores has the name of its spec.
        language: The target language.
        columns: The columns of texts.
        keep_texts: Whether the result has the texts too.
        jobs: Worker processes, if scored on this machine.
        advance: Called with the numbers of scored rows, times metrics.
    """

    specs: tuple[str, ...]
    language: str
    columns: ColumnNames = field(default_factory=ColumnNames)
    keep_texts: bool = True
    jobs: int = 1
    advance: Advance | None = None


@dataclass(frozen=True, slots=True)
class TableJob:
    """The metrics of a request, ready to score.

    Attributes:
        specs: The metrics as they were given.
        language: The target language.
        metrics: The metrics, bound to it.
    """

    specs: tuple[str, ...]
    language: Language
    metrics: tuple[Metric, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the score columns: aliases, or specs."""
        return tuple(Spec.parse(spec).label for spec in self.specs)

    def columns(
        self, named: ColumnNames, kinds: Mapping[str, ColumnKind], table: str
    ) -> TextColumns:
        """Return the columns of a table that the metrics read; see `find_columns`."""
        metrics = list(zip(self.names, self.metrics, strict=True))
        of_sources = [name for name, metric in metrics if metric.needs.source]
        of_references = [name for name, metric in metrics if metric.needs.references]
        return find_columns(
            named,
            kinds,
            table,
            reads_source=bool(of_sources),
            reads_references=bool(of_references),
            readers={"source_column": of_sources, "reference_column": of_references},
        )

    def signatures(self, facts: RowFacts) -> dict[str, Signature]:
        """Return the signature of each score column."""
        counts = facts.reference_counts
        return {
            name: metric.signature().of_run(*facts_of_run(metric, self.language.tag, counts))
            for name, metric in zip(self.names, self.metrics, strict=True)
        }

    def sample_notes(self, sample: TestSet) -> list[str]:
        """Raise if the first rows do not match the language; return notes on lesser problems."""
        notes = check_texts(sample, self.metrics, self.language)
        return notes + unused_notes(self.specs, self.language)


def table_job(specs: Sequence[str], language: str) -> TableJob:
    """Return the metrics of a request.

    Raises:
        UsageError: A metric learns weights from all references or sources at once.
    """
    target = parse_language(language)
    names = [Spec.parse(spec).label for spec in specs]
    if len(set(names)) < len(names):
        raise UsageError(f"a metric was given twice: {', '.join(names)}.")
    with told_at_once(specs, target.tag):
        metrics = tuple(metric.bind(target.tag) for metric in load_all(specs))
    learning = [
        name for name, metric in zip(names, metrics, strict=True) if metric.needs.collection
    ]
    if learning:
        raise UsageError(
            f"{', '.join(learning)}: the weights are learned from all texts of a test set, "
            "and a table is scored in parts. Score these metrics on text files, or give "
            "weights from elsewhere, or none, if the metric takes them (idf=...)."
        )
    return TableJob(tuple(specs), target, metrics)


def table_scores(
    job: TableJob, specs: Sequence[str], facts: RowFacts, sums: Sums, notes: Sequence[str]
) -> ScoreTable:
    """Return the corpus scores of each system of a table."""
    systems = facts.system_names
    results = tuple(
        metric_scores(
            spec,
            metric,
            facts_of_run(metric, job.language.tag, facts.reference_counts),
            systems=systems,
            scores=metric.score(np.stack([sums[system][place].values() for system in systems])),
        )
        for place, (spec, metric) in enumerate(zip(specs, job.metrics, strict=True))
    )
    counts = {part.rows for part in facts.systems.values()}
    return ScoreTable(
        language=job.language.tag,
        segment_count=counts.pop() if len(counts) == 1 else facts.row_count,
        systems=systems,
        results=results,
        notes=(*_notes(facts), *notes),
    )


def _notes(facts: RowFacts) -> list[str]:
    sizes = {name: facts.systems[name].rows for name in facts.system_names}
    notes = []
    if len(set(sizes.values())) > 1:
        least, most = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
        notes.append(
            f"systems have from {sizes[least]:,} ({least}) to {sizes[most]:,} ({most}) rows; "
            "scores over different segments are not comparable."
        )
    for name, count in facts.empty_counts.items():
        if name == REFERENCES:
            notes.append(
                f"references: {count:,} empty; scored by each metric's definition, which may hide "
                "lost text at corpus level (see the score column)."
            )
        else:
            notes.append(
                f"{name}: {count:,} of {counted(sizes[name], 'row')} empty; scored as empty."
            )
    return notes
