"""BERTScore by model, idf dictionary and penalty (Tanahashi et al. 2020, section 4.3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tenbin.annotation.languages import target_language
from tenbin.core.agreement import SamplingUnit
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.caching import caching
from tenbin.core.counting import counted
from tenbin.core.errors import InputError, TenbinError, UsageError
from tenbin.core.judgments import HumanScores
from tenbin.core.model_grid import GridColumn, GridRow, GridValue, PlaceGrid
from tenbin.core.spec import Spec, SpecValue
from tenbin.core.study import Difference
from tenbin.evaluation.run import DEFAULT_RESAMPLES, DEFAULT_SEED
from tenbin.meta.data import JudgedPair, MetricSources, judged_pair
from tenbin.meta.measures.catalog import find_measure, prepare
from tenbin.meta.measures.measurement import Measurement, Prepared, Settings
from tenbin.meta.measures.scores import MetricTables
from tenbin.meta.planning import MetaOptions, MetaTask
from tenbin.meta.significance.bootstrap import bootstrap, uncertainty
from tenbin.metrics.registry import load, load_all
from tenbin.penalty.choices import NameSource, Penalty
from tenbin.studies.places import StudyPlace

MEASURES = ("segment-pearson",)
"""The measure of the paper."""
BASELINES = ("sentbleu",)
"""What the paper compares with; Quick-Thought needs a model that is not free to load here."""
NAMES = (NameSource.RARE,)
"""The penalty of the paper: names are what is rare in the dictionary."""
IDFS: Mapping[str, bool | str] = {"none": False, "references": True, "wordfreq": "wordfreq"}
"""Dictionaries that need no file, by the name that they have in the grid."""
_MODEL = "{model}"
_METRIC = "bertscore"
_MOST_LISTED = 2
# What is drawn are segments, whatever the judgments are.
_BY_SEGMENT = Settings(by_segment=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridOptions:
    """What the grid is made of, and how it is measured.

    Attributes:
        models: Models by the name that they have in the grid.
        layers: The layer of some of them; the others take the usual one.
        idfs: Dictionaries by their names: a file, in which ``{model}`` stands for the name of the
            model (a dictionary has the subwords of one model), or a value of `IDFS`.
        names: What is taken for names by the penalties that are compared with none.
        metrics: Specs of other metrics, beside the grid.
        measures: Measures of agreement.
        by_domain: Whether every domain has a column of its own, beside all together.
        references: Names of references; None for all.
        human: Kinds of judgment; none takes the most reliable one.
        unit: What a bootstrap draws: documents where they are known, or segments.
        resamples: Bootstrap samples; 0 for none.
        seed: Seed of every random draw.
        cache: Whether scores and encodings are read from the caches on disk and written there.
        jobs: Worker processes.
        advance: Called with the number of segments done, times metrics.
    """

    models: Mapping[str, str]
    layers: Mapping[str, int] = field(default_factory=dict)
    idfs: Mapping[str, bool | str] = field(default_factory=lambda: {"none": False})
    names: tuple[NameSource, ...] = NAMES
    metrics: tuple[str, ...] = BASELINES
    measures: tuple[str, ...] = MEASURES
    by_domain: bool = False
    references: tuple[str, ...] | None = None
    human: tuple[str, ...] = ()
    unit: SamplingUnit = SamplingUnit.DOCUMENTS
    resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED
    cache: bool = True
    jobs: int = 1
    advance: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        if not self.models or not self.idfs:
            raise UsageError("a grid needs a model and an idf dictionary; 'none' is one.")
        if unknown := [name for name in self.layers if name not in self.models]:
            known = ", ".join(self.models)
            raise UsageError(f"no model is called {', '.join(unknown)}. There are: {known}.")
        if self.unit is SamplingUnit.JUDGMENTS:
            raise UsageError("a study draws documents or segments, not judgments.")
        if self.resamples < 0:
            raise UsageError(f"resamples={self.resamples}: give a number of samples, or 0.")
        for name in self.measures:
            if find_measure(name).info.mean_of is not None:
                raise UsageError(f"{name} is a mean over samples; name what it is a mean of.")
        load_all(self.metrics)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCell:
    """A setting of the grid.

    Attributes:
        model: What the model is called.
        idf: What the dictionary is called.
        penalty: The kind of names that is penalized, or ``none``.
        spec: The metric.
    """

    model: str
    idf: str
    penalty: str
    spec: str


def grid_cells(options: GridOptions) -> list[GridCell]:
    """Return all settings, models first, then dictionaries, without a penalty first."""
    return [
        GridCell(
            model=model,
            idf=idf,
            penalty=Penalty.NONE if names is None else str(names),
            spec=_spec(options, model, idf, names),
        )
        for model in options.models
        for idf in options.idfs
        for names in (None, *options.names)
    ]


def _spec(options: GridOptions, model: str, idf: str, names: NameSource | None) -> str:
    dictionary = options.idfs[idf]
    parameters: dict[str, SpecValue] = {"model": options.models[model]}
    if model in options.layers:
        parameters["layer"] = options.layers[model]
    if isinstance(dictionary, str):
        dictionary = dictionary.replace(_MODEL, model)
    if dictionary is not False:
        parameters["idf"] = dictionary
    if names is not None:
        parameters |= {"penalty": str(Penalty.NAMES), "names": str(names)}
    return str(Spec(_METRIC, tuple(parameters.items())))


def lacks(spec: str, language: str) -> str | None:
    """Return why a metric cannot score a language; None if it can."""
    try:
        load(spec).bind(language)
    except TenbinError as error:
        return str(error)
    return None


def place_grid(
    place: StudyPlace, options: GridOptions, *, is_alone: bool
) -> tuple[PlaceGrid | None, list[str]]:
    """Return the grid of a language pair and notes; None if the pair lacks what it takes.

    Args:
        place: The language pair.
        options: What the grid is made of.
        is_alone: Whether there is no other place: what this one lacks is an error, else a note.

    Raises:
        InputError: No setting can be scored, or nothing was judged; the message says why.
    """
    cells = grid_cells(options)
    language = target_language(place.pair)
    missing = {cell.spec: lacks(cell.spec, language) for cell in cells}
    specs = [spec for spec, reason in missing.items() if reason is None]
    if not specs:
        reasons = " ".join(dict.fromkeys(reason for reason in missing.values() if reason))
        raise InputError(f"{place.label}: no setting of the grid can be scored. {reasons}")
    beside = [str(Spec.parse(spec)) for spec in options.metrics]
    judged = _judged(place, [*specs, *beside], options, is_alone=is_alone)
    kinds = {task.measure: task.human for task in judged.tasks}
    if lacking := [name for name, kind in kinds.items() if kind is None or not judged.metrics]:
        lack = f"no human judgments that {', '.join(lacking)} could be computed from."
        if is_alone:
            raise InputError(f"{place.label}: {lack}")
        return None, [f"left out: {lack}"]
    drawn = _Drawn.of(judged, options)
    found = {spec: drawn.numbers(spec, judged) for spec in [*specs, *beside]}
    human = tuple(str(kinds[name]) for name in dict.fromkeys(options.measures))
    rows = []
    for cell in cells:
        reason = missing[cell.spec]
        base = _without_penalty(cell, cells, missing)
        rows.append(
            GridRow(
                test_set=judged.test_set,
                pair=place.pair,
                human=() if reason else human,
                model=cell.model,
                idf=cell.idf,
                penalty=cell.penalty,
                spec=cell.spec,
                signature=None if reason else judged.signatures[cell.spec],
                values=() if reason else _values(drawn, found[cell.spec], found.get(base or "")),
                missing=reason,
            )
        )
    rows += [
        GridRow(
            test_set=judged.test_set,
            pair=place.pair,
            human=human,
            model=spec,
            idf=None,
            penalty=None,
            spec=spec,
            signature=judged.signatures[spec],
            values=_values(drawn, found[spec], None),
        )
        for spec in dict.fromkeys(beside)
    ]
    notes = [*judged.notes, *_missing_notes(rows)]
    columns = tuple(column for column, _ in drawn.columns)
    grid = PlaceGrid(test_set=judged.test_set, pair=place.pair, columns=columns, rows=tuple(rows))
    return grid, notes


def _judged(
    place: StudyPlace, specs: Sequence[str], options: GridOptions, *, is_alone: bool
) -> JudgedPair:
    sources = MetricSources(
        specs=tuple(dict.fromkeys(specs)),
        references=place.references,
        jobs=options.jobs,
        advance=options.advance,
    )
    wanted = MetaOptions(
        measures=tuple(dict.fromkeys(options.measures)),
        human=options.human,
        intervals=True,
        seed=options.seed,
    )
    with caching(enabled=options.cache):
        return judged_pair(place.folder, place.pair, sources, wanted, is_alone=is_alone)


def _without_penalty(
    cell: GridCell, cells: Sequence[GridCell], missing: Mapping[str, str | None]
) -> str | None:
    """Return what a setting with a penalty is compared with, if that could be scored."""
    if cell.penalty == Penalty.NONE:
        return None
    same = (cell.model, cell.idf, str(Penalty.NONE))
    (base,) = (one for one in cells if (one.model, one.idf, one.penalty) == same)
    return base.spec if missing[base.spec] is None else None


def _missing_notes(rows: Sequence[GridRow]) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        if row.missing is not None:
            setting = f"{row.model}, idf {row.idf}, penalty {row.penalty}"
            by_reason.setdefault(row.missing, []).append(setting)
    return [f"missing: {_first_of(found)}: {reason}" for reason, found in by_reason.items()]


def _first_of(settings: Sequence[str]) -> str:
    shown = "; ".join(settings[:_MOST_LISTED])
    more = len(settings) - _MOST_LISTED
    return f"{shown} and {counted(more, 'more setting')}" if more > 0 else shown


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A measure on some of the segments alone."""

    whole: Prepared
    members: IntArray

    @property
    def units(self) -> int:
        """How many segments there are."""
        return len(self.members)

    def value(self) -> Measurement:
        """Return the measure on these segments."""
        if self.units == self.whole.units:
            return self.whole.value()
        return Measurement(value=float(self.resampled(np.ones((1, self.units)))[0]), n=self.units)

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the measure from how often each of these segments was drawn."""
        weights = np.zeros((len(counts), self.whole.units))
        weights[:, self.members] = counts
        return self.whole.resampled(weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbers:
    """What a metric has in one column: its value, and that of each sample."""

    value: float
    samples: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Drawn:
    """The columns of a language pair, and what a bootstrap draws for them."""

    columns: tuple[tuple[GridColumn, IntArray], ...]
    tasks: Mapping[str, MetaTask]
    documents: tuple[str, ...] | None
    resamples: int
    seed: int

    @classmethod
    def of(cls, judged: JudgedPair, options: GridOptions) -> "_Drawn":
        """Return the columns, and the documents if they are to be drawn."""
        first = next(iter(judged.metrics.values()))
        tasks = {task.measure: task for task in judged.tasks}
        everything = np.arange(_prepared(judged, judged.tasks[0], first).units)
        parts: dict[str | None, IntArray] = {None: everything}
        if options.by_domain:
            parts |= _domains(judged)
        columns = [
            (GridColumn(measure, domain), members)
            for measure in dict.fromkeys(options.measures)
            for domain, members in parts.items()
        ]
        documents = judged.documents if options.unit is SamplingUnit.DOCUMENTS else None
        if documents is not None and len(set(documents)) == 1:
            documents = None  # every sample would be the whole text
        return cls(
            columns=tuple(columns),
            tasks=tasks,
            documents=documents,
            resamples=options.resamples,
            seed=options.seed,
        )

    def numbers(self, spec: str, judged: JudgedPair) -> list[_Numbers]:
        """Return what a metric has in each column."""
        found = []
        for column, members in self.columns:
            whole = _prepared(judged, self.tasks[column.measure], judged.metrics[spec])
            part = _Part(whole, members)
            samples = np.empty(0)
            if self.resamples:
                # The same draws for all metrics, so that differences are paired.
                rng = np.random.default_rng(self.seed)
                documents = [self.documents[n] for n in members] if self.documents else None
                samples = bootstrap([part], rng=rng, resamples=self.resamples, documents=documents)[
                    0
                ]
            found.append(_Numbers(value=part.value().value, samples=samples))
        return found


def _prepared(judged: JudgedPair, task: MetaTask, metric: MetricTables) -> Prepared:
    human: HumanScores = judged.human[str(task.human)]
    return prepare(task.measure, human, metric, _BY_SEGMENT)


def _domains(judged: JudgedPair) -> dict[str | None, IntArray]:
    """Return the segments of each domain, in the order of the text."""
    if judged.documents is None:
        raise InputError(f"{judged.test_set} {judged.pair}: domains are not known.")
    named = np.array([document.partition("\t")[0] for document in judged.documents])
    return {name: np.flatnonzero(named == name) for name in dict.fromkeys(named.tolist())}


def _values(
    drawn: _Drawn, own: Sequence[_Numbers], base: Sequence[_Numbers] | None
) -> tuple[GridValue, ...]:
    found = []
    for place, ((_, members), one) in enumerate(zip(drawn.columns, own, strict=True)):
        gap = None
        if base is not None:
            value = one.value - base[place].value
            spread = uncertainty(one.samples - base[place].samples) if drawn.resamples else None
            nowhere = (float("nan"), float("nan"))
            gap = Difference(value=value, ci=spread.percentile if spread else nowhere)
        interval = uncertainty(one.samples).percentile if drawn.resamples else None
        found.append(GridValue(value=one.value, ci=interval, segments=len(members), difference=gap))
    return tuple(found)
