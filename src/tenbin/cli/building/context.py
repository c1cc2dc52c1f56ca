"""``tenbin build context``."""

import argparse
import sys

from tenbin.api.building import build_context
from tenbin.cli.building.options import add_device_option, add_folder_options, shown_steps
from tenbin.cli.building.step_lines import StepLines
from tenbin.cli.options import add_list_option
from tenbin.cli.terminal import tell
from tenbin.core.counting import counted
from tenbin.core.errors import UsageError

SUMMARY = "train the context model of we_wpi_attention on the references and sources of a test set"
EPILOG = """\
examples:
  tenbin build context --set wmt20 --pair en-de
  tenbin build context -s src.en -r ref.de -l de -o model
  tenbin score -s src.en -r ref.de -t out.de -l de -m 'we_wpi_attention(context="model")'

The model is for these references alone: the metric refuses it with others. What an interrupted
build had come to lies in FOLDER.work, and the same command goes on from there. FOLDER/training.json
says from what and how the model was made, with the loss of each epoch.
"""
_NUMBERS = {
    "--layers": (1, "GRU layers of encoder and decoder"),
    "--units": (256, "size of a state, and so of a context vector"),
    "--embedding": (256, "size of a word embedding"),
    "--epochs": (10, "most passes; an epoch that gains less than 0.01 nats per word is the last"),
    "--repeats": (10, "how often each pair stands in an epoch"),
    "--batch": (64, "pairs of a step"),
    "--vocabulary": (8_000, "most words of each language"),
    "--seed": (1, "start of all random numbers"),
}
_RATE = 1e-3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group(
        "texts", "One segment per line, UTF-8; .gz, .xz and .bz2 are unpacked."
    )
    group.add_argument(
        "--set",
        metavar="DIR",
        dest="folder",
        help="a test set in the mt-metrics-eval layout, or bundled:example",
    )
    group.add_argument("--pair", metavar="PAIR", help="language pair of the set, such as en-de")
    group.add_argument("-s", "--source", metavar="SRC", help="source text")
    add_list_option(
        group,
        "-r",
        "--references",
        metavar="REF",
        help="reference texts; with --set names such as refA (default there: the first)",
    )
    group.add_argument(
        "-l", "--language", metavar="LANG", help="language of the references (or --pair)"
    )
    group.add_argument(
        "--tokenizer",
        metavar="NAME",
        default="auto",
        help="how references are cut into words (default: auto, the words of the language)",
    )
    group.add_argument(
        "--source-tokenizer",
        metavar="NAME",
        default="auto",
        help="how the source is cut into words (default: auto, by --pair; 13a without)",
    )
    group.add_argument("--lowercase", action="store_true", help="lower-case the texts")
    _add_training_options(parser)
    add_folder_options(parser, default="with --set: SET.PAIR.context")


def _add_training_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model and training")
    for option, (default, meaning) in _NUMBERS.items():
        group.add_argument(
            option, type=int, default=default, metavar="N", help=f"{meaning} (default: {default})"
        )
    group.add_argument(
        "--rate", type=float, default=_RATE, metavar="X", help=f"learning rate (default: {_RATE})"
    )
    add_device_option(group, default="cpu")


def run(options: argparse.Namespace) -> int:
    """Train the model and say how the loss fell."""
    _check(options)
    built = build_context(
        options.output,
        test_set=options.folder,
        pair=options.pair,
        source=options.source,
        references=options.references,
        language=options.language,
        tokenizer=options.tokenizer,
        source_tokenizer=options.source_tokenizer,
        lowercase=options.lowercase,
        **{option[2:]: getattr(options, option[2:]) for option in _NUMBERS},
        rate=options.rate,
        device=options.device,
        work=options.work,
        phase=shown_steps(quiet=options.quiet),
        report=StepLines(quiet=options.quiet),
        tell=lambda note: tell([note], quiet=options.quiet),
    )
    if built.resumed:
        tell([f"went on from {counted(built.resumed, 'step')}"], quiet=options.quiet)
    if not options.quiet:
        card = built.card
        losses = " ".join(f"{loss:.3f}" for loss in card["losses"])
        trained = f"{counted(card['pairs']['count'], 'pair')}, {counted(card['epochs'], 'epoch')}"
        stopped = " (stopped early)" if built.stopped_early else ""
        print(f"{built.folder}: {trained}{stopped}, {card['seconds']:.0f} s", file=sys.stderr)
        print(f"loss per word of each epoch: {losses}", file=sys.stderr)
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.folder is not None:
        if not options.pair:
            raise UsageError("--set needs --pair, for example --set wmt20 --pair en-de.")
        if options.source is not None:
            raise UsageError("-s is not needed with --set, which has its own source text.")
        return
    wanted = {
        "-s SRC": options.source,
        "-r REF": options.references,
        "-l LANG": options.language or options.pair,
        "-o FOLDER": options.output,
    }
    missing = [flag for flag, value in wanted.items() if not value]
    if missing:
        raise UsageError(f"missing {' and '.join(missing)} (or --set DIR --pair en-de).")
