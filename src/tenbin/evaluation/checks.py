"""Checks before scoring, and notes for the reader of the scores."""

from collections.abc import Sequence
from itertools import chain

from tenbin.annotation.fitness import check_script, check_segmentation, is_uncut, script_share
from tenbin.annotation.languages import Language
from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.batch import AnnotationKind
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.metric import CheckingMetric, ExtendableMetric, Metric
from tenbin.core.spec import Spec
from tenbin.core.text import REFERENCES, SegmentSource, TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.lengths import check_batch_lengths, check_lengths
from tenbin.metrics.registry import load

_WARNED_SHARE = 0.5
# Segments whose words metrics may look at beforehand; enough for a share to a percent.
_METRIC_SAMPLE = 200
_FEW_UNITS = 10
# Metrics whose own definition splits at spaces; the number stays what sacrebleu gives, its meaning
# is noted.
_SPLIT_BY_DEFINITION = {
    "tercom": "TER compares whole sentences as single words in {tag}, which is written without "
    "spaces; ter(normalized=True, asian_support=True) cuts it into characters.",
    "chrf-words": "chrF++ takes whole sentences for words in {tag}, which is written without "
    "spaces, so that its word n-grams hardly ever match and lower the score; chrf compares "
    "characters alone.",
}


def check_request(source: SegmentSource, metrics: Sequence[Metric], specs: Sequence[str]) -> None:
    """Raise `UsageError` if a metric needs a text that was not given."""
    for metric, spec in zip(metrics, specs, strict=True):
        if metric.needs.source and not source.has_source:
            raise UsageError(
                f"the metric {spec!r} reads the source text, which is missing (`source`)."
            )


def check_texts(sample: TestSet, metrics: Sequence[Metric], language: Language) -> list[str]:
    """Raise if the references do not fit the language; return notes on lesser oddities."""
    return script_notes(sample, metrics, language) + _metric_notes(sample, metrics)


def script_notes(sample: TestSet, metrics: Sequence[Metric], language: Language) -> list[str]:
    """Do the part of `check_texts` that runs no metric: script, and words of unspaced text."""
    # First, as what follows tokenizes the texts.
    check_lengths(sample, metrics)
    references = list(chain.from_iterable(sample.references))
    check_script(language, references)
    notes: list[str] = []
    read = [metric.needs.annotations - metric.needs.source_annotations for metric in metrics]
    for annotation in sorted(set(chain.from_iterable(read))):
        if annotation.kind is not AnnotationKind.TOKENS:
            continue
        tokenizer = load_tokenizer(annotation.method)
        note = _SPLIT_BY_DEFINITION.get(annotation.method.partition("+")[0])
        if note is None:
            check_segmentation(language, tokenizer, references)
        elif is_uncut(language, tokenizer, references):
            notes.append(note.format(tag=language.tag))
    for system, texts in sample.hypotheses.items():
        share = script_share(language, texts)
        if share is not None and share < _WARNED_SHARE < (script_share(language, references) or 0):
            notes.append(
                f"{system}: only {share:.0%} of its letters are in the script of {language.tag}; "
                "is it the right file?"
            )
    return list(dict.fromkeys(notes))


def _metric_notes(sample: TestSet, metrics: Sequence[Metric]) -> list[str]:
    """Return what the metrics themselves say about the texts, each thing once."""
    checking = [
        metric
        for metric in metrics
        if isinstance(metric, CheckingMetric) and getattr(metric, "looks_at_texts", True)
    ]
    if not checking:
        return []
    few = sample.part(0, min(sample.segment_count, _METRIC_SAMPLE))
    annotations = {a for metric in checking for a in metric.needs.annotations}
    sources = any(metric.needs.source for metric in checking)
    batch = build_batch(few, sorted(annotations), sources=sources)
    for metric in checking:
        check_batch_lengths(few, batch, metric)
    notes = chain.from_iterable(metric.check_batch(batch) for metric in checking)
    return list(dict.fromkeys(notes))


def empty_notes(source: SegmentSource) -> list[str]:
    """Return a sentence per text with empty segments."""
    empty = dict(source.empty_counts)
    references = empty.pop(REFERENCES, 0)
    notes = [
        f"{name}: {counted(count, 'segment')} of {source.segment_count:,} empty; scored as empty."
        for name, count in empty.items()
    ]
    if references:
        notes.append(
            f"references: {counted(references, 'segment')} empty; scored by each metric's "
            "definition, which "
            "may hide lost text at corpus level (see the segment scores)."
        )
    return notes


def collection_notes(source: SegmentSource, metrics: Sequence[Metric]) -> list[str]:
    """Return a note if weights meant for a test set were learned from one segment."""
    titles = [metric.info.title for metric in metrics if metric.needs.collection]
    if source.segment_count > 1 or not titles:
        return []
    advice = "score it as part of its test set for comparable numbers."
    return [f"{', '.join(titles)}: the weights were learned from this one segment; {advice}"]


def system_weight_notes(metrics: Sequence[Metric]) -> list[str]:
    """Return a note if the weights of a translation depend on its system."""
    titles = [metric.info.title for metric in metrics if metric.needs.system_weights]
    if not titles:
        return []
    effect = "equal segments of two systems may score differently."
    named = ", ".join(dict.fromkeys(titles))
    return [f"{named}: the weights of each system are its own; {effect}"]


def unused_notes(specs: Sequence[str], language: Language) -> list[str]:
    """Return a note for each resource that is installed, would add to a metric and is not used.

    Defaults do not depend on what is installed, or scores would differ between machines.
    """
    notes = []
    for text in specs:
        metric, spec = load(text), Spec.parse(text)
        if not isinstance(metric, ExtendableMetric):
            continue
        for parameter, name in metric.unused_resources(language.tag).items():
            rest = tuple(one for one in spec.parameters if one[0] != parameter)
            fuller = Spec(spec.name, (*rest, (parameter, name)))
            notes.append(f"{spec}: {name} is installed and not used; to use it write {fuller}")
    return notes


def few_units_notes(units: int, unit: str) -> list[str]:
    """Return a note if resampling draws from so few units that it shows little."""
    if units >= _FEW_UNITS:
        return []
    way_out = (
        ' Single segments can be drawn instead (`by="segments"`).' if unit == "documents" else ""
    )
    drawn = counted(units, unit.removesuffix("s"))
    return [f"resampling draws from {drawn} only, which proves little.{way_out}"]
