"""The options of ``tenbin study``."""

import argparse

from tenbin.cli.options import (
    add_kept_score_options,
    add_list_option,
    add_output_options,
    add_seed_option,
    add_set_options,
)
from tenbin.library.calls import DEFAULT_RESAMPLES
from tenbin.library.meta_options import Unit
from tenbin.library.studies_options import LENGTHS, RANKED, STEPS
from tenbin.metrics.paraeval.choices import ParaEvalMeasure
from tenbin.reports.study_rows import Study

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


def add_study_options(parser: argparse.ArgumentParser, study: Study) -> None:
    """Add the options of one experiment."""
    _add_data_options(parser, study)
    _add_metric_options(parser, study)
    _add_sampling_options(parser)
    add_output_options(parser)


def _add_data_options(parser: argparse.ArgumentParser, study: Study) -> None:
    group = parser.add_argument_group("texts and judgements")
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
        help="kinds of judgement: da-z, mqm, esa, trueskill ... (default: the best one there is)",
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
    add_kept_score_options(group)


def _add_sampling_options(parser: argparse.ArgumentParser) -> None:
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
        choices=(str(Unit.DOCUMENTS), str(Unit.SEGMENTS)),
        default=str(Unit.DOCUMENTS),
        help="what they draw: whole documents where they are known (default), or segments",
    )
    add_seed_option(group)
