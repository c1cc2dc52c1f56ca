"""Options that several commands share, and the test set they describe."""

import argparse
import os
from collections.abc import Sequence
from importlib.resources import as_file, files

from tenbin.annotation.languages import target_language
from tenbin.core.errors import UsageError
from tenbin.formats.test_files import FileTestSet, open_test_set, system_names
from tenbin.formats.wmt_layout import open_wmt_set
from tenbin.library.calls import DEFAULT_METRICS, DEFAULT_SEED
from tenbin.reports.render import Format

BUNDLED_PREFIX = "bundled:"


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name texts and language."""
    group = parser.add_argument_group("texts (one segment per line; .gz, .xz and - are read too)")
    group.add_argument(
        "-r",
        "--references",
        nargs="+",
        metavar="REF",
        help="reference texts; with --set: names such as refA",
    )
    group.add_argument(
        "-t",
        "-i",
        "--systems",
        nargs="+",
        metavar="SYS",
        dest="systems",
        help="system outputs; with --set: names of systems (default: all)",
    )
    group.add_argument(
        "-s", "--source", metavar="SRC", help="source text, for metrics that read it"
    )
    group.add_argument(
        "-l",
        "--language",
        metavar="LANG",
        help="target language: en, ja, zh, sr-Latn ... (or take it from --pair)",
    )
    group.add_argument(
        "--set",
        metavar="DIR",
        dest="folder",
        help="a test set in the mt-metrics-eval layout, or bundled:example",
    )
    group.add_argument("--pair", metavar="PAIR", help="language pair, such as de-en")
    group.add_argument(
        "--empty-references",
        choices=("keep", "absent"),
        default="keep",
        help="what an empty reference line means: an empty reference, or none for this segment",
    )


def add_metric_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose metrics and how they run."""
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        metavar="SPEC",
        default=list(DEFAULT_METRICS),
        help=f"metrics: bleu, chrf++, 'chrf(word_order=2)' (default: {' '.join(DEFAULT_METRICS)})",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=DEFAULT_SEED,
        metavar="N",
        help=f"seed of every random draw (default: {DEFAULT_SEED})",
    )
    group.add_argument(
        "--by",
        choices=("documents", "segments"),
        default="documents",
        help="what resampling draws: whole documents where they are known, or segments",
    )
    group.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="worker processes; 0 for one per core (default: 1)",
    )


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where results go."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-f",
        "--format",
        choices=[str(form) for form in Format],
        default=str(Format.TEXT),
        help="form of the result (default: text)",
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the result to a file, whole or not at all"
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no notes and no progress on stderr"
    )


def open_inputs(options: argparse.Namespace) -> tuple[FileTestSet, str]:
    """Return the test set and the target language that the options describe."""
    language = options.language or (target_language(options.pair) if options.pair else None)
    if language is None:
        raise UsageError(
            "the target language is missing: it decides how text is cut into words. Give -l en "
            "(or ja, zh, ...), or --pair de-en."
        )
    absent = options.empty_references == "absent"
    if options.folder is not None:
        return _open_folder(options, empty_means_absent=absent), language
    missing = [
        flag
        for flag, value in (("-r REF", options.references), ("-t SYS", options.systems))
        if not value
    ]
    if missing:
        raise UsageError(f"missing {' and '.join(missing)} (or --set DIR --pair de-en).")
    systems = system_names(options.systems)
    opened = open_test_set(systems, options.references, options.source, empty_means_absent=absent)
    return opened, language


def worker_count(jobs: int) -> int:
    """Return the number of worker processes."""
    if jobs < 0:
        raise UsageError(f"--jobs {jobs}: give a number of processes, or 0 for one per core.")
    return jobs or os.cpu_count() or 1


def positive(value: int, option: str) -> int:
    """Return a number that must be at least 1."""
    if value < 1:
        raise UsageError(f"{option} {value}: give a number of at least 1.")
    return value


def _open_folder(options: argparse.Namespace, *, empty_means_absent: bool) -> FileTestSet:
    if not options.pair:
        raise UsageError("--set needs --pair, for example --set wmt20 --pair en-de.")
    if options.source:
        raise UsageError("-s is not needed with --set, which has its own source text.")
    name: str = options.folder
    if not name.startswith(BUNDLED_PREFIX):
        return _open_wmt(name, options, empty_means_absent=empty_means_absent)
    bundled = files("tenbin.resources") / "bundled" / name.removeprefix(BUNDLED_PREFIX)
    with as_file(bundled) as folder:
        return _open_wmt(str(folder), options, empty_means_absent=empty_means_absent)


def _open_wmt(folder: str, options: argparse.Namespace, *, empty_means_absent: bool) -> FileTestSet:
    references: Sequence[str] | None = options.references
    return open_wmt_set(
        folder,
        options.pair,
        references=references,
        systems=options.systems,
        empty_means_absent=empty_means_absent,
    )
