"""Checks before scoring, and notes for the reader of the scores."""

from collections.abc import Sequence
from itertools import chain
from pathlib import PurePath

from tenbin.annotation.fitness import check_script, check_segmentation, is_uncut, script_share
from tenbin.annotation.languages import Language
from tenbin.annotation.tokenizers import load_tokenizer, plain_tokenizer
from tenbin.core.arrays import FloatArray
from tenbin.core.batch import AnnotationKind
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError
from tenbin.core.metric import CheckingMetric, ExtendableMetric, Metric, NotingMetric
from tenbin.core.run_glossary import run_glossary
from tenbin.core.shared_statistics import seen_by, with_members
from tenbin.core.spec import Spec
from tenbin.core.text import REFERENCES, SegmentSource, TestSet
from tenbin.evaluation.batching import batch_for
from tenbin.evaluation.lengths import check_batch_lengths, check_lengths
from tenbin.metrics.registry import load, metric_names

_WARNED_SHARE = 0.5
# Segments whose words metrics may look at beforehand; enough for a share to a percent.
_METRIC_SAMPLE = 200
_FEW_UNITS = 10
# Metrics whose own definition splits at spaces; the number stays what sacrebleu gives, its meaning
# is noted.
_SPLIT_BY_DEFINITION = {
    "tercom": "TER compares whole sentences as single words in {tag}, which is written without "
    "spaces; {advice}.",
    "chrf-words": "chrF++ takes whole sentences for words in {tag}, which is written without "
    "spaces, so that its word n-grams hardly ever match and lower the score; chrf compares "
    "characters alone.",
}


def check_request(source: SegmentSource, metrics: Sequence[Metric], specs: Sequence[str]) -> None:
    """Raise `UsageError` if metrics need texts that were not given; all are named at once."""
    check_needs(metrics, specs, has_references=source.has_references, has_source=source.has_source)


def check_needs(
    metrics: Sequence[Metric], specs: Sequence[str], *, has_references: bool, has_source: bool
) -> None:
    """Raise `UsageError` if metrics need texts that are not there; all are named at once.

    Args:
        metrics: The metrics.
        specs: How the user wrote them.
        has_references: Whether there are references.
        has_source: Whether there are source texts.
    """
    problems = text_problems(metrics, specs, has_references=has_references, has_source=has_source)
    if problems:
        raise UsageError("\n".join(problems))


def text_problems(
    metrics: Sequence[Metric], specs: Sequence[str], *, has_references: bool, has_source: bool
) -> list[str]:
    """Return a sentence for each kind of text that is not there and that metrics need.

    Args:
        metrics: The metrics.
        specs: How the user wrote them.
        has_references: Whether there are references.
        has_source: Whether there are source texts.
    """
    named = list(zip(metrics, specs, strict=True))
    lacking = [] if has_references else [spec for one, spec in named if one.needs.references]
    problems = []
    if lacking:
        free = ", ".join(name for name in metric_names() if not load(name).needs.references)
        problems.append(
            f"{_reading(lacking, 'references')}, and there are none. Give some (`references`), "
            f"or choose metrics that need no reference: {free}."
        )
    lacking = [] if has_source else [spec for one, spec in named if one.needs.source]
    if lacking:
        problems.append(f"{_reading(lacking, 'the source text')}, which is missing (`source`).")
    return problems


def _reading(specs: Sequence[str], texts: str) -> str:
    """Return the beginning of a sentence on what metrics read.

    >>> _reading(["bleu"], "references")
    "the metric 'bleu' reads references"
    >>> _reading(["bleu", "chrf"], "references")
    "the metrics 'bleu', 'chrf' read references"
    """
    listed = ", ".join(repr(spec) for spec in specs)
    if len(specs) == 1:
        return f"the metric {listed} reads {texts}"
    return f"the metrics {listed} read {texts}"


def check_texts(sample: TestSet, metrics: Sequence[Metric], language: Language) -> list[str]:
    """Raise if the references do not fit the language; return notes on lesser oddities."""
    return script_notes(sample, metrics, language) + _metric_notes(sample, metrics)


def script_notes(sample: TestSet, metrics: Sequence[Metric], language: Language) -> list[str]:
    """Do the part of `check_texts` that runs no metric: script, and words of unspaced text."""
    # First, as what follows tokenizes the texts.
    check_lengths(sample, metrics)
    trusted = list(chain.from_iterable(sample.references))
    check_script(language, trusted)
    # Without references translations alone can show what a tokenizer makes of the language.
    texts = trusted or list(chain.from_iterable(sample.hypotheses.values()))
    notes: list[str] = []
    read = [metric.needs.annotations - metric.needs.source_annotations for metric in metrics]
    for annotation in sorted(set(chain.from_iterable(read))):
        if annotation.kind is not AnnotationKind.TOKENS:
            continue
        tokenizer = load_tokenizer(annotation.method)
        note = _SPLIT_BY_DEFINITION.get(annotation.method.partition("+")[0])
        if note is None:
            check_segmentation(language, tokenizer, texts)
        elif is_uncut(language, tokenizer, texts):
            notes.append(note.format(tag=language.tag, advice=_ter_advice(language)))
    share = script_share(language, trusted)
    if share is not None and share < _WARNED_SHARE:
        notes.append(
            f"only {share:.0%} of the letters of the references are in the script of "
            f"{language.tag}; is that their language (`language`)?"
        )
    for system, own in sample.hypotheses.items():
        share = script_share(language, own)
        if share is None or share >= _WARNED_SHARE:
            continue
        if not trusted or (script_share(language, trusted) or 0) > _WARNED_SHARE:
            notes.append(
                f"{system}: only {share:.0%} of its letters are in the script of {language.tag}; "
                "is it the right file?"
            )
    return list(dict.fromkeys(notes))


def _ter_advice(language: Language) -> str:
    # What tercom cuts into characters: Han and kana.
    if language.script_code in {"Hans", "Hant", "Jpan"}:
        return "ter(normalized=True, asian_support=True) cuts it into characters"
    return "wer and chrf do not"


def _metric_notes(sample: TestSet, metrics: Sequence[Metric]) -> list[str]:
    """Return what the metrics themselves say about the texts, each thing once."""
    checking = [
        metric
        for metric in with_members(metrics)
        if isinstance(metric, CheckingMetric) and getattr(metric, "looks_at_texts", True)
    ]
    if not checking:
        return []
    few = sample.part(0, min(sample.segment_count, _METRIC_SAMPLE))
    batch = batch_for(checking, few)
    for metric in checking:
        check_batch_lengths(few, batch, metric)
    notes = chain.from_iterable(metric.check_batch(seen_by(metric, batch)) for metric in checking)
    return list(dict.fromkeys(notes))


def empty_notes(source: SegmentSource, metrics: Sequence[Metric]) -> list[str]:
    """Return a sentence per text with empty segments that a metric reads."""
    empty = dict(source.empty_counts)
    references = empty.pop(REFERENCES, 0)
    if not any(metric.needs.references for metric in metrics):
        references = 0
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


def corpus_notes(metrics: Sequence[Metric], totals: Sequence[FloatArray]) -> list[str]:
    """Return what metrics say about the statistics of all systems, each thing once.

    Args:
        metrics: The metrics.
        totals: The statistics of each metric, shape (systems, K).
    """
    notes = [
        metric.corpus_notes(sums)
        for metric, sums in zip(metrics, totals, strict=True)
        if isinstance(metric, NotingMetric)
    ]
    return list(dict.fromkeys(chain.from_iterable(notes)))


def glossary_notes(metrics: Sequence[Metric]) -> list[str]:
    """Return a note if there is a glossary that no metric reads."""
    file = run_glossary().file
    used = with_members(metrics)
    if not file or any(getattr(one, "glossary", None) == file for one in used):
        return []
    words = (column.method for one in used for column in one.needs.annotations)
    if any(plain_tokenizer(method) != method for method in words):
        return []  # its names are words of Japanese
    named = PurePath(file).name
    readers = 'the metric terms, and those that penalize wrong names: meteor(penalty="names")'
    return [f"no score depends on the glossary {named}; it is read by {readers}."]


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
