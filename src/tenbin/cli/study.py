"""``tenbin study``."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from tenbin.api.files import named_folder
from tenbin.api.studies import (
    LENGTHS,
    RANKED,
    STEPS,
    ParaEvalMeasure,
    SamplingUnit,
    Study,
    StudyOptions,
    study_decomposition,
    study_humans,
    study_lengths,
    study_ranking,
    study_references,
)
from tenbin.cli.options import (
    add_cache_options,
    add_list_option,
    add_output_options,
    add_set_options,
    check_run_options,
    positive,
    worker_count,
)
from tenbin.cli.studies import agreement, grid
from tenbin.cli.studies.agreement import add_sampling_options
from tenbin.cli.terminal import emit, page_width, progress, tell
from tenbin.core.errors import UsageError
from tenbin.core.study import CorrelationTable, TranslationTable
from tenbin.reports.formats import Format
from tenbin.reports.render import render

_Call = Callable[[Sequence[str], Sequence[str], StudyOptions], CorrelationTable | TranslationTable]

_CALLS: Mapping[Study, _Call] = {
    Study.RANKING: study_ranking,
    Study.REFERENCES: study_references,
    Study.LENGTHS: study_lengths,
    Study.HUMANS: study_humans,
    Study.DECOMPOSITION: study_decomposition,
}
_SUMMARIES = {
    Study.RANKING: "rank systems by ParaEval and other metrics, and compare with the human ranking",
    Study.REFERENCES: "rank systems with each reference alone, and with all together",
    Study.LENGTHS: "allow paraphrases of at least so many words only",
    Study.HUMANS: "score references against each other, beside the machines",
    Study.DECOMPOSITION: "take BLEU apart, with each reference alone and with all together",
}
_EXAMPLES = {
    Study.RANKING: (
        "--set wmt14 --pair fr-en --table en.paraphrases",
        "--set wmt14 wmt21 --pair de-en --table en.paraphrases -m bleu chrf -f markdown",
    ),
    Study.REFERENCES: (
        "--set wmt21 --pair de-en --table en.paraphrases",
        "--set wmt21 --pair all --table en.paraphrases --measure recall -m bleu",
    ),
    Study.LENGTHS: (
        "--set wmt21 --pair de-en --table en.paraphrases",
        "--set wmt21 --pair de-en --table en.paraphrases --lengths 1 3 5 --measure recall",
    ),
    Study.HUMANS: (
        "--set wmt21 --pair de-en --table en.paraphrases",
        "--set bundled:example --pair ja-en --table none -m bleu chrf",
    ),
    Study.DECOMPOSITION: (
        "--set wmt21 --pair de-en",
        "--set wmt22 --pair cs-en -r refB refC -f tsv -o steps.tsv",
    ),
}
_GRID = "grid"
_GROUPED = (Study.REFERENCES, Study.DECOMPOSITION)
_MEASURES = {
    Study.RANKING: tuple(ParaEvalMeasure),
    Study.REFERENCES: tuple(ParaEvalMeasure),
    Study.LENGTHS: (ParaEvalMeasure.PRECISION,),
    Study.HUMANS: (ParaEvalMeasure.PRECISION,),
}
_METRICS = {
    Study.RANKING: RANKED,
    Study.REFERENCES: RANKED,
    Study.HUMANS: (),
    Study.DECOMPOSITION: STEPS,
}
_EPILOG = """\
examples:
  tenbin study ranking --set wmt14 --pair fr-en --table en.paraphrases
  tenbin study decomposition --set wmt21 --pair de-en
  tenbin study vectors --set wmt14 --pair fr-en de-en --vectors mono=en50.bin
  tenbin study humans --help
  tenbin study grid --set wmt24 --pair en-ja --model static:vectors-ja --idf wordfreq

The first five are those of Zhou, Lin and Hovy (2006), Re-evaluating Machine Translation Results
with Paraphrase Support; vectors and lexicons are tables of Servan et al. (2016), Word2Vec vs
DBnary; attention has those of the paper on WE_WPI-Attention; the grid is that of Tanahashi et al.
(2020), Improving Semantic Similarity Calculation of Japanese Text for MT Evaluation.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the experiments, and the options of each."""
    parser.epilog = _EPILOG
    studies = parser.add_subparsers(
        dest="study", metavar="STUDY", required=True, title="experiments", help="the experiment"
    )
    for study, summary in _SUMMARIES.items():
        examples = "".join(f"  tenbin study {study} {words}\n" for words in _EXAMPLES[study])
        one = studies.add_parser(
            str(study),
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=f"examples:\n{examples}",
        )
        one.allow_abbrev = False
        _add_data_options(one, study)
        _add_metric_options(one, study)
        add_sampling_options(one)
        add_output_options(one)
    agreement.add_studies(studies)
    one = studies.add_parser(
        _GRID,
        help=grid.SUMMARY,
        description=f"{grid.SUMMARY[0].upper()}{grid.SUMMARY[1:]}.",
        epilog=grid.EPILOG,
    )
    one.allow_abbrev = False
    grid.add_arguments(one)
    add_sampling_options(one)
    add_output_options(one)


def run(options: argparse.Namespace) -> int:
    """Run an experiment and print what it found."""
    if options.study == _GRID:
        return grid.run(options)
    check_run_options(options)
    if not options.folders or not options.pairs:
        raise UsageError("a study needs texts: give --set DIR --pair PAIR (or --pair all).")
    study = Study(options.study)
    if study not in _CALLS:
        return agreement.run(study, options)
    with (
        ExitStack() as opened,
        progress(f"{study}: scoring", None, quiet=options.quiet),
    ):
        folders = [
            opened.enter_context(named_folder(name)) for name in dict.fromkeys(options.folders)
        ]
        table = _CALLS[study](folders, options.pairs, _study_options(options))
    tell(table.notes, quiet=options.quiet)
    form, width = Format(options.format), page_width(options.output)
    emit(render(table, form, width=width), options.output)
    return 0


def _study_options(options: argparse.Namespace) -> StudyOptions:
    # Not every experiment has every option.
    given = vars(options)
    lengths = [positive(length, "--lengths") for length in given.get("lengths", LENGTHS)]
    metrics = given.get("metrics")
    return StudyOptions(
        table=given.get("table"),
        measures=tuple(ParaEvalMeasure(name) for name in given.get("measures") or ()),
        min_length=positive(given.get("min_length", 1), "--min-length"),
        lengths=tuple(lengths),
        metrics=None if metrics is None else tuple(dict.fromkeys(metrics)),
        references=None if options.references is None else tuple(dict.fromkeys(options.references)),
        subsets=given.get("subsets", False),
        human=tuple(dict.fromkeys(options.human or ())),
        unit=SamplingUnit(options.by),
        resamples=positive(options.resamples, "--resamples"),
        seed=options.seed,
        cache=not options.no_cache,
        jobs=worker_count(options.jobs),
    )


def _add_data_options(parser: argparse.ArgumentParser, study: Study) -> None:
    group = parser.add_argument_group("texts and judgments")
    add_set_options(
        group,
        sets="test sets in the mt-metrics-eval layout"
        + (", or bundled:example" if study is Study.HUMANS else ""),
        pairs="language pairs, such as de-en; 'all' for all that will do",
    )
    add_list_option(
        group,
        "-r",
        "--references",
        metavar="NAME",
        help="references that take part, such as refA refB (default: all)",
    )
    if study in _GROUPED:
        group.add_argument(
            "--subsets",
            action="store_true",
            help="every combination of references, not only single ones and all together",
        )
    add_list_option(
        group,
        "--human",
        metavar="KIND",
        help="kinds of judgment: da-z, mqm, esa, trueskill ... (default: the most reliable one)",
    )


def _add_metric_options(parser: argparse.ArgumentParser, study: Study) -> None:
    group = parser.add_argument_group("metrics")
    if study is not Study.DECOMPOSITION:
        group.add_argument(
            "--table",
            metavar="FILE",
            help="paraphrases of the target language: a file of 'tenbin build paraphrases', or a "
            "resource" + ("" if study is Study.LENGTHS else "; 'none' for single words alone"),
        )
        shown = " ".join(_MEASURES[study])
        add_list_option(
            group,
            "--measure",
            choices=[str(measure) for measure in ParaEvalMeasure],
            metavar="NAME",
            dest="measures",
            help=f"of ParaEval: precision, recall, f (default: {shown})",
        )
    if study is Study.LENGTHS:
        group.add_argument(
            "--lengths",
            nargs="+",
            type=int,
            metavar="N",
            default=list(LENGTHS),
            help=f"least numbers of words of a paraphrase (default: {' '.join(map(str, LENGTHS))})",
        )
    elif study is not Study.DECOMPOSITION:
        group.add_argument(
            "--min-length",
            type=int,
            metavar="N",
            default=1,
            help="least number of words of a paraphrase (default: 1)",
        )
    if study is not Study.LENGTHS:
        instead = "" if study is Study.DECOMPOSITION else " beside ParaEval"
        add_list_option(
            group,
            "-m",
            "--metrics",
            metavar="SPEC",
            help=f"metrics{instead} (default: {' '.join(_METRICS[study]) or 'none'})",
        )
    add_cache_options(group)
