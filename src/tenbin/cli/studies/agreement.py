"""``tenbin study vectors``, ``lexicons`` and ``attention``: agreement beside tables of papers."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tenbin.api.agreement_studies import (
    DEFAULT_FOLDS,
    DEFAULT_RESAMPLES,
    METRICS,
    PAPER_THRESHOLD,
    RANKING_TAU,
    AgreementOptions,
    AttentionData,
    SamplingUnit,
    Study,
    VectorVariant,
    parse_thresholds,
    study_attention,
    study_lexicons,
    study_vectors,
    train_study_vectors,
)
from tenbin.cli.building.options import shown_steps
from tenbin.cli.options import (
    add_cache_options,
    add_list_option,
    add_output_options,
    add_seed_option,
    add_set_options,
    positive,
    worker_count,
)
from tenbin.cli.terminal import emit, page_width, progress, tell
from tenbin.cli.wording import in_options
from tenbin.core.agreement_study import AgreementStudy
from tenbin.core.errors import UsageError
from tenbin.reports.formats import Format
from tenbin.reports.render import render

_THRESHOLDS = "0.70:1.00:0.05"
_SUMMARIES = {
    Study.VECTORS: "compare vectors in METEOR Vector, with the paper's threshold and a chosen one",
    Study.LEXICONS: "compare METEOR with DBnary, with vectors and with both",
    Study.ATTENTION: "compare WE_WPI-Attention with WE_WPI, IMPACT and other metrics",
}
_EXAMPLES = {
    Study.VECTORS: (
        "--set wmt14 --pair fr-en de-en --vectors mono=en50.bin bi=en-bi.bin",
        "--set wmt14 --pair fr-en --work vectors --bitext en-fr=en-fr.tsv.xz",
    ),
    Study.LEXICONS: (
        "--set wmt14 --pair fr-en de-en --lexicon dbnary/en.synsets --vectors en50.bin",
        "--set wmt14 --pair all --lexicon 'dbnary/{language}.synsets' -f markdown",
    ),
    Study.ATTENTION: (
        "--set wmt20 --pair en-de --vectors de.bin --import-scores wmt20",
        "--set wmt21 wmt22 --pair de-en ja-en -m we_wpi_attention we_wpi impact",
    ),
}
_PLACEHOLDERS = "{pair} and {language} stand for those of a language pair"


def add_studies(studies: Any) -> None:  # noqa: ANN401 - argparse names no type for it
    """Add the experiments, and the options of each."""
    for study, summary in _SUMMARIES.items():
        examples = "".join(f"  tenbin study {study} {words}\n" for words in _EXAMPLES[study])
        one = studies.add_parser(
            str(study),
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=f"examples:\n{examples}",
        )
        one.allow_abbrev = False
        _add_text_options(one)
        if study is Study.ATTENTION:
            _add_attention_options(one)
        else:
            _add_meteor_options(one, study)
            _add_threshold_options(one)
        add_sampling_options(one)
        add_output_options(one)


def run(study: Study, options: argparse.Namespace) -> int:
    """Run an experiment and print what it found."""
    folders = list(dict.fromkeys(options.folders))
    chosen: Sequence[Any] = ()
    if study is Study.VECTORS:
        chosen = train_study_vectors(
            folders,
            options.pairs,
            options.vectors or (),
            options.bitext or (),
            variants=options.variants or (),
            work=options.work,
            phase=shown_steps(quiet=options.quiet),
        )
    with progress(f"{study}: scoring", None, quiet=options.quiet):
        table = _study(study, folders, options, chosen, _agreement_options(options))
    tell(table.notes, quiet=options.quiet)
    missing = tuple(replace(one, reason=in_options(one.reason)) for one in table.missing)
    table = replace(table, missing=missing)
    form, width = Format(options.format), page_width(options.output)
    emit(render(table, form, width=width), options.output)
    return 0


def _study(
    study: Study,
    folders: Sequence[str],
    options: argparse.Namespace,
    vectors: Sequence[Any],
    chosen: AgreementOptions,
) -> AgreementStudy:
    if study is Study.VECTORS:
        return study_vectors(
            folders, options.pairs, chosen, vectors=vectors, paraphrases=options.paraphrases
        )
    if study is Study.LEXICONS:
        return study_lexicons(
            folders,
            options.pairs,
            chosen,
            lexicon=options.lexicon,
            vectors=options.vectors,
            paraphrases=options.paraphrases,
        )
    data = AttentionData(
        vectors=options.vectors,
        source_vectors=options.source_vectors,
        context=options.context,
        metrics=None if options.metrics is None else tuple(dict.fromkeys(options.metrics)),
        measures=None if options.measures is None else tuple(dict.fromkeys(options.measures)),
        import_scores=options.import_scores,
        imported=tuple(options.imported or ()),
    )
    return study_attention(folders, options.pairs, chosen, data)


def _agreement_options(options: argparse.Namespace) -> AgreementOptions:
    # The experiment on attention has no thresholds.
    given = vars(options)
    folds = given.get("folds")
    if folds is not None and folds < 0:
        raise UsageError(f"--folds {folds}: give a number of folds, or 0 for none.")
    return AgreementOptions(
        measure=given.get("measure", RANKING_TAU),
        thresholds=parse_thresholds(given.get("thresholds", _THRESHOLDS)),
        folds=folds,
        human=options.human,
        references=None if options.references is None else tuple(dict.fromkeys(options.references)),
        unit=SamplingUnit(options.by),
        resamples=positive(options.resamples, "--resamples"),
        seed=options.seed,
        cache=not options.no_cache,
        jobs=worker_count(options.jobs),
    )


def _add_text_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("texts and judgments")
    add_set_options(
        group,
        sets="test sets in the mt-metrics-eval layout",
        pairs="language pairs, such as de-en; 'all' for all that will do",
    )
    add_list_option(
        group,
        "-r",
        "--references",
        metavar="NAME",
        help="references to score against, such as refA (default: the first)",
    )
    group.add_argument(
        "--human",
        metavar="KIND",
        help="kind of judgment: rr, darr, da-z, mqm, esa ... (default: the most reliable one)",
    )


def _add_meteor_options(parser: argparse.ArgumentParser, study: Study) -> None:
    group = parser.add_argument_group("data of METEOR", f"In names {_PLACEHOLDERS}.")
    if study is Study.VECTORS:
        add_list_option(
            group,
            "--vectors",
            metavar="VARIANT=FILE",
            help=f"vectors of a variant ({', '.join(VectorVariant)}), or of any other name: "
            "NAME=FILE:surface, or NAME=FILE:lemma if words are looked up by lemma",
        )
        add_list_option(
            group,
            "--bitext",
            metavar="PAIR=FILE",
            help="text of two columns to train the other variants on, such as en-fr=FILE",
        )
        add_list_option(
            group,
            "--variants",
            metavar="VARIANT",
            help="variants to train (default: all six)",
        )
        group.add_argument(
            "--work", metavar="DIR", help="folder for trained vectors, which are used again"
        )
    else:
        group.add_argument(
            "--lexicon", metavar="FILE", help="DBnary's synonyms of the language, or others"
        )
        group.add_argument(
            "--vectors",
            metavar="FILE",
            help="word vectors; FILE:lemma if words are looked up by lemma",
        )
    group.add_argument(
        "--paraphrases",
        metavar="FILE",
        help="METEOR's paraphrases, or 'none' (default: its own, where they are installed)",
    )
    add_cache_options(group)


def _add_threshold_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("thresholds")
    group.add_argument(
        "--measure",
        metavar="NAME",
        default=RANKING_TAU,
        help=f"measure of segments (default: {RANKING_TAU})",
    )
    group.add_argument(
        "--thresholds",
        metavar="VALUES",
        default=_THRESHOLDS,
        help="what cross-validation chooses from, START:STOP:STEP or VALUE,VALUE,...; that of the "
        f"paper, {PAPER_THRESHOLD:.2f}, is always among them (default: {_THRESHOLDS})",
    )
    group.add_argument(
        "--folds",
        type=int,
        metavar="N",
        help=f"folds of cross-validation, 0 for none (default: {DEFAULT_FOLDS}, or as many as "
        "there can be)",
    )


def _add_attention_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("metrics", f"In names of files {_PLACEHOLDERS}.")
    add_list_option(
        group,
        "-m",
        "--metrics",
        metavar="SPEC",
        help=f"metrics (default: {' '.join(METRICS)}, as far as their data are there)",
    )
    group.add_argument(
        "--vectors", metavar="FILE", help="word vectors (default: those of the language)"
    )
    group.add_argument(
        "--source-vectors",
        metavar="FILE",
        help="vectors of the source language in the same space, for YiSi-2",
    )
    group.add_argument(
        "--context",
        metavar="DIR",
        help="folder of 'tenbin build context' (default: train on the texts of each pair)",
    )
    group.add_argument(
        "--import-scores",
        metavar="DIR",
        help="scores of other metrics, in the layout of mt-metrics-eval",
    )
    add_list_option(
        group,
        "--imported",
        metavar="NAME",
        help="which of them, such as 'COMET*' (default: all against the same reference)",
    )
    add_list_option(
        group,
        "--measure",
        metavar="NAME",
        dest="measures",
        help="measures (default: darr-tau, or acc-eq where there is no DARR, and system-pearson)",
    )
    add_cache_options(group)


def add_sampling_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a bootstrap."""
    group = parser.add_argument_group("bootstrap")
    group.add_argument(
        "--resamples",
        type=int,
        default=DEFAULT_RESAMPLES,
        metavar="N",
        help=f"samples (default: {DEFAULT_RESAMPLES:,})",
    )
    group.add_argument(
        "--by",
        choices=(str(SamplingUnit.DOCUMENTS), str(SamplingUnit.SEGMENTS)),
        default=str(SamplingUnit.DOCUMENTS),
        help="what they draw: whole documents where they are known (default), or segments",
    )
    add_seed_option(group)
