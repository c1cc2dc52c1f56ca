"""``tenbin study``."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from tenbin.cli.inputs import named_folder
from tenbin.cli.options import check_run_options, positive, worker_count
from tenbin.cli.study_options import add_study_options
from tenbin.cli.terminal import Advance, emit, page_width, progress, tell
from tenbin.core.errors import UsageError
from tenbin.library.meta_options import Unit
from tenbin.library.studies_call import (
    study_decomposition,
    study_humans,
    study_lengths,
    study_ranking,
    study_references,
)
from tenbin.library.studies_options import LENGTHS, StudyOptions
from tenbin.metrics.paraeval.choices import ParaEvalMeasure
from tenbin.reports.formats import Format
from tenbin.reports.study_rows import Study
from tenbin.reports.study_table import CorrelationTable, TranslationTable, render_study

_Call = Callable[[Sequence[str], Sequence[str], StudyOptions], CorrelationTable | TranslationTable]

_CALLS: Mapping[Study, _Call] = {
    Study.RANKING: study_ranking,
    Study.REFERENCES: study_references,
    Study.LENGTHS: study_lengths,
    Study.HUMANS: study_humans,
    Study.DECOMPOSITION: study_decomposition,
}
_SUMMARIES = {
    Study.RANKING: "rank systems by ParaEval and other metrics, and compare with people",
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
_EPILOG = """\
examples:
  tenbin study ranking --set wmt14 --pair fr-en --table en.paraphrases
  tenbin study decomposition --set wmt21 --pair de-en
  tenbin study humans --help

The experiments are those of Zhou, Lin and Hovy (2006), Re-evaluating Machine Translation Results
with Paraphrase Support.
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
        add_study_options(one, study)


def run(options: argparse.Namespace) -> int:
    """Run an experiment and print what it found."""
    check_run_options(options)
    if not options.folders or not options.pairs:
        raise UsageError("a study needs texts: give --set DIR --pair PAIR (or --pair all).")
    study = Study(options.study)
    with (
        ExitStack() as opened,
        progress(f"{study}: scoring", None, quiet=options.quiet) as advance,
    ):
        folders = [
            opened.enter_context(named_folder(name)) for name in dict.fromkeys(options.folders)
        ]
        table = _CALLS[study](folders, options.pairs, _study_options(options, advance))
    tell(table.notes, quiet=options.quiet)
    emit(render_study(table, Format(options.format), page_width(options.output)), options.output)
    return 0


def _study_options(options: argparse.Namespace, advance: Advance | None) -> StudyOptions:
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
        unit=Unit(options.by),
        resamples=positive(options.resamples, "--resamples"),
        seed=options.seed,
        cached=not options.no_cache,
        jobs=worker_count(options.jobs),
        advance=advance,
    )
