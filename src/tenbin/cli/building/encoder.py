"""``tenbin build encoder``."""

import argparse
import sys

from tenbin.api.building import DEFAULT_ENCODER_EPOCHS, build_encoder
from tenbin.cli.building.options import (
    add_device_option,
    add_extent_options,
    add_folder_options,
    add_numbers_option,
    shown_steps,
)
from tenbin.cli.building.step_lines import StepLines
from tenbin.cli.terminal import tell
from tenbin.core.counting import counted

SUMMARY = "train a small encoder of many languages on translated text, with an English teacher"
EPILOG = """\
examples:
  tenbin build encoder en-de.tsv.xz en-ja.tsv.xz --languages de ja -o encoder
  tenbin build encoder en-de.tsv.xz en-ru.tsv.xz --languages de ru --second-teacher mpnet-en \\
      --text novels.txt.xz --minutes 15 --device cuda --dtype float16 -o encoder
  tenbin build encoder text.en --other text.sw --languages sw --vocabulary 16000 -o sw-encoder
  tenbin score -r ref.txt -t out.txt -l de -m 'bertscore(model="encoder", layer=4)'

What an interrupted build had finished lies in FOLDER.work, and the same command goes on from there.
FOLDER/training.json says from what and how the model was made.
"""
# The values of enumerations in tenbin.annotation and tenbin.building, which are slow to load.
_EMBEDDINGS = ("teacher", "random")
_TYPES = ("float32", "float16")
_NUMBERS = {
    "--vocabulary": (48_000, "most subwords that text is made of"),
    "--length": (128, "most subwords of a text; the rest is cut off"),
    "--batch": (512, "pairs in a step"),
    "--held-out": (200, "pairs of each language that are not trained on, but tried on"),
    "--seed": (1, "start of all random numbers"),
}
_RATES = {
    "--rate": (5e-4, "learning rate of the embeddings, which are new"),
    "--layer-rate": (1e-4, "learning rate of the layers, which are the teacher's"),
    "--dropout": (0.0, "share of numbers left out at random"),
    "--temperature": (5.0, "how equal languages are: 1 leaves them as they are, 5 nearly so"),
}
_WEIGHTS = {
    "--contrast": (0.1, "weight of telling a translation from the other texts of a step"),
    "--masked": (0.1, "weight of guessing masked subwords"),
    "--matching": (0.0, "weight of the match of single subwords with those of the teacher"),
    "--second": (0.5, "weight of the second teacher"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    _add_text_options(parser)
    _add_teacher_options(parser)
    group = parser.add_argument_group("model and training")
    for option, (default, meaning) in _NUMBERS.items():
        group.add_argument(
            option, type=int, default=default, metavar="N", help=f"{meaning} (default: {default})"
        )
    group.add_argument(
        "--tokenizer",
        metavar="MODEL",
        default="",
        help="folder of an encoder, or a tokenizer.json, whose vocabulary is taken (default: one "
        "is learned)",
    )
    group.add_argument(
        "--cased", action="store_true", help="text keeps its case (default: lower-cased)"
    )
    for option, (number, meaning) in {**_RATES, **_WEIGHTS}.items():
        group.add_argument(
            option,
            type=float,
            default=number,
            metavar="X",
            help=f"{meaning} (default: {number:g})",
        )
    add_extent_options(group, read="the pairs", epochs=DEFAULT_ENCODER_EPOCHS)
    add_device_option(group)
    add_numbers_option(group, "--numbers")
    group.add_argument(
        "--dtype",
        choices=_TYPES,
        default=_TYPES[0],
        help="number type of the written weights; float16 takes half the space (default: float32)",
    )
    add_folder_options(parser)


def _add_text_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "text",
        "English and another language with a tab between them, one segment per line, UTF-8; .gz, "
        ".xz and .bz2 are unpacked.",
    )
    group.add_argument("bitext", nargs="+", metavar="BITEXT", help="translated text")
    group.add_argument(
        "--languages",
        nargs="+",
        metavar="LANG",
        required=True,
        help="the other language of each BITEXT, or of all",
    )
    group.add_argument(
        "--teacher-second",
        action="store_true",
        help="the language of the teacher is in the second column",
    )
    group.add_argument(
        "--other",
        nargs="+",
        metavar="FILE",
        default=[],
        help="text in the other language, if each BITEXT has one language only",
    )
    group.add_argument(
        "--text",
        nargs="+",
        metavar="FILE",
        default=[],
        help="more text in any of the languages, in which masked subwords are guessed",
    )


def _add_teacher_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("teacher")
    group.add_argument(
        "--teacher",
        metavar="MODEL",
        default="minilm-en",
        help="resource or folder, a BERT, whose layers the new one begins with (default: "
        "minilm-en)",
    )
    group.add_argument(
        "-l",
        "--language",
        metavar="LANG",
        default="en",
        help="language of the teacher (default: en)",
    )
    group.add_argument(
        "--second-teacher",
        metavar="MODEL",
        default="",
        help="another encoder of that language, such as mpnet-en",
    )
    group.add_argument(
        "--layers",
        type=int,
        nargs="+",
        metavar="N",
        default=[4, 6],
        help="layers whose mean vectors are learned (default: 4 6)",
    )
    group.add_argument(
        "--embeddings",
        choices=_EMBEDDINGS,
        default=_EMBEDDINGS[0],
        help="what the embeddings of subwords begin with: those of the teacher for the same text "
        "(default), or random numbers",
    )


def run(options: argparse.Namespace) -> int:
    """Train the encoder and say how well it finds translations."""
    settings = {**_NUMBERS, **_RATES}
    built = build_encoder(
        options.bitext,
        options.languages,
        options.output,
        other=options.other,
        teacher_second=options.teacher_second,
        text=options.text,
        language=options.language,
        teacher=options.teacher,
        second_teacher=options.second_teacher,
        tokenizer=options.tokenizer,
        layers=options.layers,
        embeddings=options.embeddings,
        weights={option[2:]: getattr(options, option[2:]) for option in _WEIGHTS},
        settings={
            "cased": options.cased,
            **{_name(option): getattr(options, _name(option)) for option in settings},
        },
        steps=options.steps,
        epochs=options.epochs,
        minutes=options.minutes,
        device=options.device,
        numbers=options.numbers,
        dtype=options.dtype,
        work=options.work,
        phase=shown_steps(quiet=options.quiet),
        report=StepLines(quiet=options.quiet),
    )
    tell(built.notes, quiet=options.quiet)
    if built.reused:
        tell([f"already there: {', '.join(built.reused)}"], quiet=options.quiet)
    if not options.quiet:
        card = built.card
        size = f"{card['weights'] / 1e6:.1f} million weights, {counted(card['pieces'], 'subword')}"
        print(f"{options.output}: {size}, {counted(card['steps'], 'step')}", file=sys.stderr)
        held_out = card["curve"][-1]["held out"] if card["curve"] else {}
        for language, found in held_out.items():
            said = f"{found['found']:.1%} of held-out translations found"
            print(f"{language}: {said}", file=sys.stderr)
    return 0


def _name(option: str) -> str:
    return option[2:].replace("-", "_")
