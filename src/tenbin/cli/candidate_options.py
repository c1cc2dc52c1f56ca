"""Options that name candidates, for the commands that choose among them."""

import argparse
from collections.abc import Sequence

from tenbin.api.choosing import (
    CandidateForm,
    GivenTexts,
    candidates_of_tables,
    open_texts,
    read_candidates,
)
from tenbin.cli.inputs import chosen_reading
from tenbin.cli.options import (
    add_cache_options,
    add_format_option,
    add_list_option,
    add_table_input_options,
)
from tenbin.cli.terminal import STANDARD_OUTPUT, emit, page_width, tell
from tenbin.core.errors import UsageError
from tenbin.core.selection import Selection
from tenbin.formats.output import check_target
from tenbin.reports.render import render
from tenbin.reports.selection import FORMATS, moses_text

_DEFAULT_METRIC = "chrf"
_MOST_PER_SEGMENT = 100_000


def add_candidate_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options that name candidates, source and language."""
    group = parser.add_argument_group("texts", "UTF-8; .gz, .xz and .bz2 are unpacked; - is stdin.")
    add_list_option(
        group,
        "-t",
        "-i",
        "--candidates",
        metavar="FILE",
        dest="systems",
        help="candidates: several files with one candidate of each segment per line; or one file, "
        "an n-best list ('0 ||| text ||| features ||| score'), a .jsonl file with a list per line, "
        "or plain lines with --per-segment",
    )
    group.add_argument(
        "--per-segment",
        type=int,
        metavar="N",
        help="the first N lines of the one file are candidates of the first segment, and so on",
    )
    group.add_argument(
        "--candidate-form",
        choices=[str(form) for form in CandidateForm],
        help="what the one file is (default: jsonl by its name, moses by its first line)",
    )
    group.add_argument(
        "-s", "--source", metavar="SRC", help="source text, for metrics that read it"
    )
    group.add_argument(
        "-l", "--language", metavar="LANG", help="target language: en, ja, zh, sr-Latn ..."
    )
    return group


def add_metric_option(group: argparse._ArgumentGroup) -> None:
    """Add the option that names the one metric that chooses."""
    group.add_argument(
        "-m",
        "--metric",
        metavar="SPEC",
        default=_DEFAULT_METRIC,
        help=f"any metric that reads references (default: {_DEFAULT_METRIC})",
    )


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name tables of candidates, and say how scores are computed."""
    add_table_input_options(parser, candidates=True)
    add_cache_options(parser.add_argument_group("running"))


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how chosen candidates are given out."""
    group = parser.add_argument_group("output")
    add_format_option(group, [str(form) for form in FORMATS])
    group.add_argument(
        "--all", action="store_true", help="every candidate, best first, as an n-best list"
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the result to a file, whole or not at all"
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no notes and no progress on stderr"
    )


def check_all_option(options: argparse.Namespace) -> None:
    """Raise if an n-best list is wanted in another format."""
    if options.all and options.format != FORMATS[0]:
        raise UsageError(f"--all is an n-best list; -f {options.format} has all candidates anyway.")


def emit_selection(found: Selection, notes: Sequence[str], options: argparse.Namespace) -> None:
    """Print or write chosen candidates, after the notes."""
    tell((*notes, *found.notes), quiet=options.quiet)
    width = page_width(options.output)
    text = moses_text(found) if options.all else render(found, options.format, width=width)
    emit(text, options.output)


def check_choice_options(options: argparse.Namespace) -> None:
    """Raise if candidates or language are missing, or the result has no place to go."""
    missing = [] if options.systems or options.table else ["-t FILE ... (or --input FILE)"]
    missing += [] if options.language else ["-l LANG"]
    if missing:
        raise UsageError(f"missing {' and '.join(missing)}.")
    if options.output is not None and options.output != STANDARD_OUTPUT:
        check_target(options.output)


def given_texts(options: argparse.Namespace) -> GivenTexts:
    """Return the candidates, references and source that the options name."""
    references = getattr(options, "references", None)
    count = options.per_segment
    if options.table:
        beside = {"-t": options.systems, "-r": references, "-s": options.source}
        beside |= {"--per-segment": count, "--candidate-form": options.candidate_form}
        if given := [flag for flag, value in beside.items() if value is not None]:
            raise UsageError(f"{', '.join(given)}: not with --input, whose files hold all texts.")
        return candidates_of_tables(options.table, chosen_reading(options))
    if count is not None and not 1 <= count <= _MOST_PER_SEGMENT:
        raise UsageError(
            f"--per-segment {count}: give a number of lines from 1 to {_MOST_PER_SEGMENT:,}."
        )
    form = None if options.candidate_form is None else CandidateForm(options.candidate_form)
    candidates = read_candidates(options.systems, per_segment=count, form=form)
    read, source = open_texts(references or [], options.source, chosen_reading(options))
    return GivenTexts(candidates=candidates, references=read, source=source)
