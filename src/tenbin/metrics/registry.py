"""The one table from names to metrics; classes are imported when they are asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from tenbin.core.errors import SpecError, TrainedMetric, UnknownMetric, UnknownParameter
from tenbin.core.metric import Metric
from tenbin.core.spec import Spec, SpecValue
from tenbin.resources.trained_metrics import trained_metric

_METRICS = {
    "bertscore": "tenbin.metrics.bertscore:BertScore",
    "bleu": "tenbin.metrics.bleu:Bleu",
    "bp-bleu": "tenbin.metrics.bleu_steps:PenalizedGeometricMean",
    "character": "tenbin.metrics.character:CharacTer",
    "chrf": "tenbin.metrics.chrf:ChrF",
    "combination": "tenbin.metrics.combination.metric:Combination",
    "eed": "tenbin.metrics.eed:Eed",
    "gm": "tenbin.metrics.bleu_steps:GeometricMean",
    "has": "tenbin.metrics.was_mas_has:Has",
    "impact": "tenbin.metrics.impact:Impact",
    "learned": "tenbin.metrics.learned:Learned",
    "mas": "tenbin.metrics.was_mas_has:Mas",
    "mee": "tenbin.metrics.mee:Mee",
    "meteor": "tenbin.metrics.meteor.metric:Meteor",
    "moverscore": "tenbin.metrics.earth_movers:MoverScore",
    "mup": "tenbin.metrics.bleu_steps:ModifiedUnigramPrecision",
    "nist": "tenbin.metrics.nist:Nist",
    "onehot": "tenbin.metrics.text_cosines:OneHot",
    "paraeval": "tenbin.metrics.paraeval.metric:ParaEval",
    "per": "tenbin.metrics.error_rates:PositionIndependentErrorRate",
    "ribes": "tenbin.metrics.ribes:Ribes",
    "sentbleu": "tenbin.metrics.sentbleu:SentBleu",
    "sentence": "tenbin.metrics.sentence:SentenceCosine",
    "sentence-source": "tenbin.metrics.sentence:SourceCosine",
    "sv": "tenbin.metrics.text_cosines:AveragedVectors",
    "tenbin": "tenbin.metrics.tenbin_score:TenbinScore",
    "ter": "tenbin.metrics.ter:Ter",
    "terms": "tenbin.metrics.terms:Terms",
    "was": "tenbin.metrics.was_mas_has:Was",
    "we_wpi": "tenbin.metrics.earth_movers:WeWpi",
    "we_wpi_attention": "tenbin.metrics.attention:WeWpiAttention",
    "wer": "tenbin.metrics.error_rates:WordErrorRate",
    "wmd": "tenbin.metrics.earth_movers:WordMovers",
    "yisi0": "tenbin.metrics.yisi:Yisi0",
    "yisi1": "tenbin.metrics.yisi:Yisi1",
    "yisi1-context": "tenbin.metrics.yisi:ContextYisi1",
    "yisi2": "tenbin.metrics.yisi:Yisi2",
    "yisi2-context": "tenbin.metrics.yisi:ContextYisi2",
}

_ALL_STAGES: tuple[tuple[str, SpecValue], ...] = (
    ("stages", ("exact", "stem", "synonym", "paraphrase", "vector")),
    ("weights", (1.0, 0.4, 0.8, 0.6, 0.8)),
    ("drop_missing", True),
)

_VECTOR_STAGES: tuple[tuple[str, SpecValue], ...] = (
    ("stages", ("exact", "vector", "paraphrase")),
    ("weights", (1.0, 0.8, 0.6)),
    ("drop_missing", True),
)

_OF_THE_PAPER: tuple[tuple[str, SpecValue], ...] = (("vectors", "required"), ("threshold", 0.80))

ALIASES = {
    "chrf+": Spec("chrf", (("word_order", 1),)),
    "chrf++": Spec("chrf", (("word_order", 2),)),
    # Bundled for languages in which they agree better with people than each of their members, on
    # test sets that were left out.
    "combination-es": Spec("combination", (("file", "combination-es"),)),
    "combination-ja": Spec("combination", (("file", "combination-ja"),)),
    # Servan et al. (2016) and their program METEOR-E; stages without data are left out. Vectors and
    # threshold are those that agree best with people; -paper has the threshold of the paper, .80,
    # which was set for vectors like theirs.
    "meteor+vector": Spec("meteor", (*_ALL_STAGES, ("vectors", "auto"))),
    "meteor+vector-paper": Spec("meteor", (*_ALL_STAGES, *_OF_THE_PAPER)),
    "meteor-dbnary": Spec("meteor", (("lexicon", "required"),)),
    "meteor-dbnary+vector": Spec(
        "meteor", (*_ALL_STAGES, ("lexicon", "required"), ("vectors", "auto"))
    ),
    "meteor-dbnary+vector-paper": Spec(
        "meteor", (*_ALL_STAGES, ("lexicon", "required"), *_OF_THE_PAPER)
    ),
    "meteor-vector": Spec("meteor", (*_VECTOR_STAGES, ("vectors", "auto"))),
    "meteor-vector-paper": Spec("meteor", (*_VECTOR_STAGES, *_OF_THE_PAPER)),
    # Adapters that come with Tenbin, for texts in English.
    "tenbin-fast": Spec(
        "learned", (("adapter", "tenbin-fast"), ("dtype", "int8"), ("letters", 0.22))
    ),
    "tenbin-large": Spec("learned", (("adapter", "tenbin-large"), ("dtype", "int8"))),
    # Matsuo et al. (2017), equation 3: every pair of words counts.
    "was-paper": Spec("was", (("threshold", 0.0),)),
}

ALIAS_TITLES = {
    "chrf+": "chrF+",
    "chrf++": "chrF++",
    "combination-es": "Combination (Spanish)",
    "combination-ja": "Combination (Japanese)",
    "meteor+vector": "METEOR+Vector",
    "meteor+vector-paper": "METEOR+Vector (paper)",
    "meteor-dbnary": "METEOR DBnary",
    "meteor-dbnary+vector": "METEOR DBnary+Vector",
    "meteor-dbnary+vector-paper": "METEOR DBnary+Vector (paper)",
    "meteor-vector": "METEOR Vector",
    "meteor-vector-paper": "METEOR Vector (paper)",
    "tenbin-fast": "Tenbin Fast",
    "tenbin-large": "Tenbin Large",
    "was-paper": "WAS (paper)",
}

ENTRY_POINT_GROUP = "tenbin.metrics"


def metric_names() -> tuple[str, ...]:
    """Return the names of all metrics, those of other packages included, without aliases."""
    return tuple(sorted({*_METRICS, *_third_party()}))


def metric_class(name: str) -> type[Metric]:
    """Return the class behind a name that is not an alias."""
    if name in _METRICS:
        module, _, attribute = _METRICS[name].partition(":")
        return cast("type[Metric]", getattr(import_module(module), attribute))
    plugins = _third_party()
    if name not in plugins:
        trained = trained_metric(name)
        if trained is not None:
            raise TrainedMetric(name, trained)
        raise UnknownMetric(name, {*metric_names(), *ALIASES})
    try:
        loaded = plugins[name].load()
    except (ImportError, AttributeError) as error:
        raise SpecError(
            f"the metric {name!r} of package {plugins[name].value!r} cannot be imported: {error}. "
            "Reinstall that package, or uninstall it."
        ) from error
    if not (isinstance(loaded, type) and is_dataclass(loaded)):
        raise SpecError(
            f"the metric {name!r} of package {plugins[name].value!r} is not a dataclass; ask its "
            "authors, or uninstall it."
        )
    return cast("type[Metric]", loaded)


def load(spec: Spec | str) -> Metric:
    """Return the metric a spec names, with its parameters checked.

    >>> load("chrf++").word_order
    2
    """
    spec = _parsed(spec) if isinstance(spec, str) else spec
    if spec.alias:
        check_free_name(spec.alias, unless=spec.name)
    # The field writes chrF++ and sentBLEU as often as chrf++.
    name = spec.name.lower()
    alias = ALIASES.get(name)
    parameters = dict(spec.parameters)
    if alias is not None:
        name, parameters = alias.name, {**dict(alias.parameters), **parameters}
    chosen = metric_class(name)
    known = [field.name for field in fields(chosen)]  # type: ignore[arg-type]
    for parameter in parameters:
        if parameter not in known:
            raise UnknownParameter(spec.name, parameter, known)
    return chosen(**parameters)


def _parsed(text: str) -> Spec:
    try:
        return Spec.parse(text)
    except SpecError as error:
        # Models have names that a spec may not have: Unbabel/wmt22-comet-da.
        trained = trained_metric(text.partition("(")[0])
        if trained is None:
            raise
        raise TrainedMetric(text, trained) from error


def check_free_name(name: str, *, unless: str = "") -> None:
    """Raise `SpecError` if a name of the user's own is that of another metric.

    Args:
        name: The name.
        unless: The metric that it is given to, whose own name it may be.
    """
    folded = name.lower()
    if folded != unless.lower() and folded in {*_METRICS, *ALIASES, *_third_party()}:
        raise SpecError(
            f"{name!r} is the name of another metric; choose a name that says what is meant, such "
            f"as {name}-2."
        )


def check_labels(specs: Sequence[str]) -> None:
    """Raise `SpecError` if two metrics of a run would have one name, or one metric two.

    Runs without aliases are left alone: a metric that stands twice is scored twice.
    """
    parsed = [Spec.parse(spec) for spec in specs]
    if not any(spec.alias for spec in parsed):
        return
    seen: dict[str, Spec] = {}
    metrics: dict[str, Spec] = {}
    for spec in parsed:
        other = seen.setdefault(spec.label.lower(), spec)
        if other is not spec and (other.alias or spec.alias):
            raise SpecError(
                f"two metrics are called {spec.label!r}: {other} and {spec}. Give each a name of "
                "its own."
            )
        other = metrics.setdefault(str(spec), spec)
        if other is not spec and other.label != spec.label:
            raise SpecError(
                f"{spec} is given twice, as {other.label!r} and as {spec.label!r}. Name it once."
            )


def load_all(specs: Iterable[str]) -> list[Metric]:
    """Return many metrics; every bad spec is reported, not just the first."""
    loaded: list[Metric] = []
    faults: list[SpecError] = []
    specs = list(specs)
    for spec in specs:
        try:
            loaded.append(load(spec))
        except SpecError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise SpecError("\n".join(str(fault) for fault in faults))
    check_labels(specs)
    return loaded


@cache
def _third_party() -> dict[str, EntryPoint]:
    # A package may add names, not change what an existing name means.
    found = entry_points(group=ENTRY_POINT_GROUP)
    plugins = {point.name.lower(): point for point in found}
    return {name: point for name, point in plugins.items() if name not in {*_METRICS, *ALIASES}}
