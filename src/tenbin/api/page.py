"""The report as an HTML page: one file with scores, texts, explanations and analyses."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from os import PathLike
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from tenbin.annotation.languages import parse_language
from tenbin.api.files import named_folder
from tenbin.api.glossaries import glossary_of_run
from tenbin.api.score_columns import read_columns
from tenbin.core.agreement import MetaTable
from tenbin.core.arrays import FloatArray
from tenbin.core.caching import caching
from tenbin.core.counting import counted
from tenbin.core.errors import TenbinError, UsageError
from tenbin.core.report import (
    ExplainedSegment,
    HumanColumn,
    MetricFacts,
    Report,
    ReportKind,
    SegmentFacts,
    TextLabel,
    TextRole,
)
from tenbin.core.scores import Comparison, MetricScores, ScoreTable
from tenbin.core.text import SegmentSource, TestSet
from tenbin.core.tuning import TuningTable
from tenbin.evaluation.analyses.explained import (
    explainable_metrics,
    explained_count,
    explained_segments,
)
from tenbin.evaluation.analyses.interesting import interesting_segments
from tenbin.evaluation.analyses.ngrams import ngram_contrasts
from tenbin.evaluation.analyses.terms import term_marks
from tenbin.evaluation.analyses.words import mean_frequencies, word_column, word_counts
from tenbin.evaluation.analyses.wrong_parts import wrong_parts
from tenbin.evaluation.imported_scores import compared_with_imported, with_imported
from tenbin.evaluation.run import DEFAULT_SEED, title_of
from tenbin.formats.numerals import whole_number
from tenbin.formats.output import check_target, write_text
from tenbin.formats.score_json import MetricLook, read_score_json
from tenbin.formats.test_files import FileTestSet
from tenbin.meta.human_columns import human_columns
from tenbin.metrics import registry
from tenbin.reports.page.agreement import agreement_payload
from tenbin.reports.page.document import document
from tenbin.reports.page.payload import payload
from tenbin.reports.page.words import DEFAULT_LANGUAGE, load_words, page_languages
from tenbin.reports.render import payload as plain_data
from tenbin.resources.licences import licences_of

__all__ = [
    "DEFAULT_LANGUAGE",
    "Result",
    "build_report",
    "page_languages",
    "page_text",
    "report_file",
    "write_page",
]

Result = ScoreTable | Comparison | MetaTable | TuningTable
_Wording = Callable[[str], str]


def write_page(  # noqa: PLR0913 - every option has a name
    result: Result,
    path: str,
    *,
    test_set: SegmentSource | None = None,
    page_language: str = DEFAULT_LANGUAGE,
    command: str = "",
    title: str = "",
    explained: int | None = None,
    folder: str | None = None,
    pair: str | None = None,
    explain_command: str | None = None,
    cache: bool = True,
    glossary: str | PathLike[str] | None = None,
    wording: _Wording = str,
) -> None:
    """Write the report of a result as one HTML file, whole or not at all.

    Args:
        result: Scores, a comparison, a meta-evaluation or a tuning. Segment scores are shown where
            it has them.
        path: The file.
        test_set: The texts that were scored; without them there are systems, but no segments.
        page_language: The language of the page: ``"en"`` or ``"ja"``.
        command: What was typed, for the reader.
        title: What the page is called; by default a name made of what was done.
        explained: How many segments are explained, the worst and most disputed first; by default as
            many as keep the file small.
        folder: The test set in the mt-metrics-eval layout, for human scores of its systems.
        pair: Its language pair.
        explain_command: A command that explains other segments, with ``{system}``, ``{segment}``
            and ``{metric}`` in it.
        cache: Whether encodings are read from the cache on disk and written there.
        glossary: A file of terms and names, which the page marks in sources and translations.
        wording: How notes are put into the words of the reader.

    Raises:
        UsageError: The page is not written in the language.
        OutputError: The file cannot be written; what was there is untouched.
    """
    load_words(page_language)
    check_target(path)
    with caching(enabled=cache), glossary_of_run(glossary, pair):
        report = build_report(
            result,
            test_set=test_set,
            command=command,
            title=title,
            explained=explained,
            folder=folder,
            pair=pair,
            explain_command=explain_command,
        )
    worded = replace(report, notes=tuple(wording(note) for note in report.notes))
    write_text(path, page_text(worded, page_language))


def report_file(
    scores: str,
    path: str,
    *,
    test_set: SegmentSource | None = None,
    imported: Sequence[str] = (),
    page_language: str = DEFAULT_LANGUAGE,
    **options: Any,  # noqa: ANN401 - those of `write_page`
) -> None:
    """Write the page of scores that were written as JSON.

    Args:
        scores: The JSON file of `score` or `compare`. Without segment scores there is no view of
            segments.
        path: The page.
        test_set: The texts, where the file does not hold them.
        imported: Scores of other programs to set beside them, such as ``comet=out.json``; the texts
            must be there.
        page_language: The language of the page.
        options: Others of `write_page`.

    Raises:
        UnreadableFile: It is not a file of scores.
        UsageError: The texts are not those that were scored.
    """
    load_words(page_language)
    result = read_score_json(scores, metric_looks)
    if test_set is not None:
        _check_same_texts(scores, result, test_set)
    if imported:
        result = _with_columns(result, imported, test_set, scores)
    write_page(result, path, test_set=test_set, page_language=page_language, **options)


def _with_columns(
    result: ScoreTable | Comparison,
    items: Sequence[str],
    test_set: SegmentSource | None,
    file: str,
) -> ScoreTable | Comparison:
    """Return stored scores with columns of other programs, tested as those of the metrics are."""
    table = result.scores if isinstance(result, Comparison) else result
    texts = test_set if test_set is not None else table.texts
    if texts is None:
        raise UsageError(
            f"`scores`: {file} has no texts, which tell whose scores these are. Give the texts "
            "(`systems`, `references`), or score again with `texts`."
        )
    columns = read_columns(items, texts, [scores.label for scores in table.results])
    if isinstance(result, Comparison):
        documents = texts.documents if result.unit == "documents" else None
        return compared_with_imported(result, columns, documents, segments=True)
    drawn = _draws(table)
    by_document = drawn is None or drawn.unit == "documents"
    return with_imported(
        table,
        columns,
        texts.documents if by_document else None,
        segments=True,
        resamples=0 if drawn is None else drawn.resamples,
        seed=DEFAULT_SEED if drawn is None else drawn.seed,
    )


class _Draws(NamedTuple):
    resamples: int
    unit: str
    seed: int


def _draws(table: ScoreTable) -> _Draws | None:
    """Return how the intervals of stored scores were drawn; None where there are none."""
    signature = table.results[0].signature
    resamples, seed = (whole_number(signature.get(key) or "", 2**64) for key in ("bs", "seed"))
    if resamples is None or seed is None or table.results[0].intervals is None:
        return None
    return _Draws(resamples, signature.get("unit") or "segments", seed)


def metric_looks(specs: Sequence[str]) -> list[MetricLook]:
    """Return how tables show the scores of metrics."""
    return [
        MetricLook(title_of(spec, metric), metric.info.higher_is_better, metric.info.decimals)
        for spec, metric in zip(specs, registry.load_all(specs), strict=True)
    ]


def _check_same_texts(path: str, result: ScoreTable | Comparison, test_set: SegmentSource) -> None:
    table = result.scores if isinstance(result, Comparison) else result
    if test_set.systems != table.systems:
        raise UsageError(
            f"{path} has scores of {', '.join(table.systems)}, and the texts are of "
            f"{', '.join(test_set.systems)} (`systems`). Give the same texts, in the same order."
        )
    if test_set.segment_count != table.segment_count:
        raise UsageError(
            f"{path} has scores of {counted(table.segment_count, 'segment')}, and the texts have "
            f"{test_set.segment_count:,}. Give the texts that were scored."
        )


def page_text(report: Report, page_language: str = DEFAULT_LANGUAGE) -> str:
    """Return the HTML file of a report; the same report gives the same text."""
    return document(payload(report), page_language)


def build_report(
    result: Result,
    *,
    test_set: SegmentSource | None = None,
    command: str = "",
    title: str = "",
    explained: int | None = None,
    folder: str | None = None,
    pair: str | None = None,
    explain_command: str | None = None,
) -> Report:
    """Return a result with everything that its page shows; arguments as in `write_page`."""
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = partial(Report, title=title, created=created, command=command)
    if isinstance(result, MetaTable):
        return made(kind=ReportKind.META, notes=result.notes, meta=agreement_payload(result))
    if isinstance(result, TuningTable):
        return made(kind=ReportKind.TUNE, notes=result.notes, tune=plain_data(result))
    is_comparison = isinstance(result, Comparison)
    table = result.scores if isinstance(result, Comparison) else result
    report = made(
        kind=ReportKind.COMPARE if is_comparison else ReportKind.SCORE,
        notes=(*table.notes, *_interval_notes(result)),
        language=table.language,
        scores=table,
        comparison=result if isinstance(result, Comparison) else None,
        metrics=tuple(_metric_facts(scores) for scores in table.results),
        human=_human(folder, pair, table),
        licences=licences_of(scores.signature for scores in table.results),
    )
    source = test_set if test_set is not None else table.texts
    if source is None or not table.results:
        return report
    return _with_texts(report, table, source, pair, explained, explain_command)


def _with_texts(
    report: Report,
    table: ScoreTable,
    source: SegmentSource,
    pair: str | None,
    explained: int | None,
    explain_command: str | None,
) -> Report:
    texts = next(iter(source.chunks(max(source.segment_count, 1))))
    language = table.language
    facts, notes = _segment_facts(texts, language, pair)
    specs = [None if scores.imported else scores.metric for scores in table.results]
    baseline = None if report.comparison is None else report.comparison.baseline
    explanations: tuple[ExplainedSegment, ...] = ()
    try:
        chosen = _chosen_segments(report, table, texts, explained)
        explanations = explained_segments(texts, specs, language, chosen) if chosen else ()
    except TenbinError as error:
        notes = (*notes, f"segments are not explained: {error}")
    return replace(
        report,
        notes=(*report.notes, *notes),
        texts=texts,
        labels=_labels(source, texts, language, pair),
        facts=facts,
        explanations=explanations,
        explain_command=explain_command,
        ngrams=ngram_contrasts(
            texts,
            language,
            _best_first(table.results[0]),
            baseline=None if baseline is None else table.systems.index(baseline),
        ),
    )


def _interval_notes(result: ScoreTable | Comparison) -> tuple[str, ...]:
    """Return where the intervals of scores come from, or that there are none."""
    if isinstance(result, ScoreTable):
        known = any(scores.intervals is not None for scores in result.results)
        return () if known else ("the scores have no confidence intervals (`ci`).",)
    if not result.resamples:
        return ()
    drawn = counted(result.resamples, "bootstrap sample")
    said = (
        f"confidence intervals of the scores: 95 %, {drawn} of {result.unit}, seed {result.seed}."
    )
    return (said,)


def _metric_facts(scores: MetricScores) -> MetricFacts:
    if scores.imported:
        file = scores.signature.get("file")
        where = f", from {file}" if file else ""
        return MetricFacts(summary=f"Scores of another program{where}.", explainable=False)
    (aligns,) = explainable_metrics([scores.metric])
    summary = registry.load(scores.metric).info.summary
    return MetricFacts(summary=summary, explainable=aligns)


def _human(folder: str | None, pair: str | None, table: ScoreTable) -> tuple[HumanColumn, ...]:
    if folder is None or pair is None:
        return ()
    with named_folder(folder) as found:
        return human_columns(found, pair, table.systems, table.segment_count)


def _segment_facts(
    texts: TestSet, language: str, pair: str | None
) -> tuple[SegmentFacts, tuple[str, ...]]:
    if texts.has_references:
        column = word_column([some[0] for some in texts.references], language)
        own = language
    else:
        own = _source_language(pair)
        column = word_column(texts.source or ("",) * texts.segment_count, own)
    wrong = wrong_parts(texts, language)
    terms, notes = term_marks(texts, language)
    facts = SegmentFacts(
        lengths=word_counts(column),
        frequencies=mean_frequencies(column, own),
        has_number=wrong.has_number,
        has_name=wrong.has_name,
        flags=wrong.flags,
        terms=terms,
    )
    return facts, (*wrong.notes, *notes)


def _chosen_segments(
    report: Report, table: ScoreTable, texts: TestSet, explained: int | None
) -> list[int]:
    aligning = sum(facts.explainable for facts in report.metrics)
    if not aligning or explained == 0:
        return []
    count = explained_count(texts, aligning) if explained is None else explained
    found = interesting_segments(table.results, min(count, texts.segment_count))
    return found or list(range(min(count, texts.segment_count)))


def _best_first(scores: MetricScores) -> list[int]:
    signed: FloatArray = -scores.scores if scores.higher_is_better else scores.scores
    order: list[int] = np.argsort(signed, kind="stable").tolist()
    return order


def _labels(
    source: SegmentSource, texts: TestSet, language: str, pair: str | None
) -> tuple[TextLabel, ...]:
    target = parse_language(language)
    rtl = target.right_to_left
    labels = []
    if texts.source is not None:
        tag = _source_language(pair)
        labels.append(
            TextLabel(
                role=TextRole.SOURCE,
                name="",
                language=tag,
                right_to_left=bool(tag) and parse_language(tag).right_to_left,
            )
        )
    names = _reference_names(source, max(texts.reference_counts), pair)
    labels += [
        TextLabel(role=TextRole.REFERENCE, name=name, language=target.tag, right_to_left=rtl)
        for name in names
    ]
    labels += [
        TextLabel(role=TextRole.SYSTEM, name=name, language=target.tag, right_to_left=rtl)
        for name in texts.systems
    ]
    return tuple(labels)


def _source_language(pair: str | None) -> str:
    """Return the tag of the source language of a pair; empty where it is not known."""
    if pair is None:
        return ""
    try:
        return parse_language(pair.partition("-")[0].replace("_", "-")).tag
    except TenbinError:
        return ""


def _reference_names(source: SegmentSource, count: int, pair: str | None) -> list[str]:
    """Return what references are called: the names of their files, else their numbers.

    Where some segments have fewer references, it is not known of which file each one is.
    """
    even = len(source.reference_counts) == 1
    if isinstance(source, FileTestSet) and even and len(source.reference_files) == count:
        prefix = "" if pair is None else f"{pair}."
        names = [PurePath(file.name).name for file in source.reference_files]
        return [name.removeprefix(prefix).removesuffix(".txt") for name in names]
    return [str(number + 1) if count > 1 else "" for number in range(count)]
