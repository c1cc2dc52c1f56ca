"""``tenbin build bert``."""

import argparse
import sys

from tenbin.api.building import DEFAULT_EPOCHS, build_bert
from tenbin.cli.building.options import (
    add_corpus_options,
    add_device_option,
    add_extent_options,
    add_folder_options,
    add_numbers_option,
    shown_steps,
)
from tenbin.cli.building.step_lines import StepLines
from tenbin.cli.terminal import tell
from tenbin.core.counting import counted

SUMMARY = "pretrain a small BERT on a text, for the metrics that compare subwords in their context"
EPILOG = """\
examples:
  tenbin build bert novels-*.txt.xz -l ja --valid valid.txt.xz -o novel-bert
  tenbin build bert corpus.sw.gz -l sw --vocabulary 8000 --layers 4 --width 256 --heads 4 \\
      --minutes 60 -o sw-bert
  tenbin score -r ref.txt -t out.txt -l ja -m 'bertscore(model="novel-bert", layer=5)'

What an interrupted build had finished lies in FOLDER.work, and the same command goes on from there.
FOLDER/training.json says from what and how the model was made.
"""
_NUMBERS = {
    "--vocabulary": (16_000, "most subwords that text is made of"),
    "--layers": (6, "layers above the embeddings"),
    "--width": (384, "numbers per vector, a multiple of the heads"),
    "--heads": (6, "heads of attention in each layer"),
    "--length": (128, "subwords that are read at once; longer texts are scored in windows"),
    "--batch": (256, "rows of that length in a step"),
    "--seed": (1, "start of all random numbers"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    text = add_corpus_options(parser, auto="the words of the language")
    text.description = (
        "One segment per line, a blank line between documents, UTF-8; .gz, .xz and .bz2 are "
        "unpacked."
    )
    text.add_argument(
        "--valid",
        metavar="FILE",
        default="",
        help="other text, on which the model is tried at the end: loss and share of right guesses",
    )
    group = parser.add_argument_group("model and training")
    for option, (default, meaning) in _NUMBERS.items():
        group.add_argument(
            option, type=int, default=default, metavar="N", help=f"{meaning} (default: {default})"
        )
    group.add_argument(
        "--rate", type=float, default=5e-4, metavar="X", help="learning rate (default: 0.0005)"
    )
    group.add_argument(
        "--dropout",
        type=float,
        default=0.1,
        metavar="X",
        help="share of numbers left out at random; 0 for a short training (default: 0.1)",
    )
    add_extent_options(group, read="the text", epochs=DEFAULT_EPOCHS)
    add_device_option(group)
    add_numbers_option(group, "--numbers")
    add_folder_options(parser)


def run(options: argparse.Namespace) -> int:
    """Train the model and say how well it guesses."""
    built = build_bert(
        options.corpus,
        options.language,
        options.output,
        tokenizer=options.tokenizer,
        valid=options.valid,
        **{option[2:]: getattr(options, option[2:]) for option in _NUMBERS},
        rate=options.rate,
        dropout=options.dropout,
        steps=options.steps,
        epochs=options.epochs,
        minutes=options.minutes,
        device=options.device,
        numbers=options.numbers,
        work=options.work,
        phase=shown_steps(quiet=options.quiet),
        report=StepLines(quiet=options.quiet),
    )
    if built.reused:
        tell([f"already there: {', '.join(built.reused)}"], quiet=options.quiet)
    if not options.quiet:
        card = built.card
        size = f"{card['weights'] / 1e6:.1f} million weights, {counted(card['pieces'], 'subword')}"
        print(f"{options.output}: {size}, {counted(card['steps'], 'step')}", file=sys.stderr)
        if built.guesses is not None:
            loss, share = built.guesses.loss, built.guesses.accuracy
            print(
                f"{options.valid}: loss {loss:.3f}, {share:.1%} of hidden subwords guessed",
                file=sys.stderr,
            )
    return 0
