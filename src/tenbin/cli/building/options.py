"""Options that everything which is built from a corpus shares."""

import argparse
from functools import partial
from typing import TYPE_CHECKING

from tenbin.cli.terminal import progress

if TYPE_CHECKING:
    from tenbin.api.building import Phase

_AUTO = "auto"

DEVICES = ("auto", "cpu", "cuda")
"""The values of an enumeration in tenbin.annotation, which is slow to load."""
NUMBER_TYPES = ("auto", "float32", "bfloat16")
"""The values of an enumeration in tenbin.building, which is slow to load."""


def add_corpus_options(parser: argparse.ArgumentParser, *, auto: str) -> argparse._ArgumentGroup:
    """Add the options that name the text; return their group.

    Args:
        parser: The parser of one thing to build.
        auto: What the tokenizer ``auto`` is.
    """
    group = parser.add_argument_group(
        "text", "One segment per line, UTF-8; .gz, .xz and .bz2 are unpacked; - is stdin."
    )
    group.add_argument("corpus", nargs="+", metavar="CORPUS", help="text files in the language")
    group.add_argument(
        "-l",
        "--language",
        metavar="LANG",
        required=True,
        help="language of the text: en, ja, sw, sr-Latn ...",
    )
    group.add_argument(
        "--tokenizer",
        metavar="NAME",
        default=_AUTO,
        help=f"how text is cut into words (default: auto, {auto})",
    )
    return group


def add_target_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the result goes."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="file to write, whole or not at all"
    )
    group.add_argument("--force", action="store_true", help="replace a file that is there")
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no notes and no progress on stderr"
    )


def add_folder_options(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Add the options of a trained model: the folder it goes to, and that of its training.

    Args:
        parser: The parser of one thing to build.
        default: What the folder is called where none is named; None: one must be named.
    """
    group = parser.add_argument_group("output")
    shown = "" if default is None else f" (default {default})"
    group.add_argument(
        "-o",
        "--output",
        metavar="FOLDER",
        required=default is None,
        help=f"folder to make, whole or not at all{shown}",
    )
    group.add_argument(
        "--work",
        metavar="DIR",
        help="folder for what is finished, kept afterwards (default: FOLDER.work, removed at the "
        "end)",
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no notes and no progress on stderr"
    )


def shown_steps(*, quiet: bool) -> "Phase":
    """Return what shows each step of the work as a bar of its own."""
    return partial(progress, quiet=quiet)


def add_device_option(group: argparse._ArgumentGroup, *, default: str = "auto") -> None:
    """Add the option of what a training runs on.

    Args:
        group: The group of the settings of the training.
        default: What it runs on where nothing is said.
    """
    said = {
        "auto": "auto, CUDA where there is a device",
        "cpu": "cpu, where the same seed gives the same model",
    }[default]
    group.add_argument(
        "--device",
        choices=DEVICES,
        default=default,
        help=f"what it runs on (default: {said})",
    )


def add_numbers_option(group: argparse._ArgumentGroup, option: str) -> None:
    """Add the option of what a training computes with.

    Args:
        group: The group of the settings of the training.
        option: What it is called.
    """
    group.add_argument(
        option,
        choices=NUMBER_TYPES,
        default=NUMBER_TYPES[0],
        help="what is computed with (default: auto, bfloat16 on a GPU and on processors that have "
        "instructions for it, which takes a third of the time)",
    )


def add_extent_options(group: argparse._ArgumentGroup, *, read: str, epochs: float) -> None:
    """Add the options of how long a model is trained, one of which may be given.

    Args:
        group: The group of the settings of the training.
        read: What is gone through: ``the text``, ``the pairs``.
        epochs: How often, where nothing is said.
    """
    extent = group.add_mutually_exclusive_group()
    extent.add_argument("--steps", type=int, metavar="N", help="how many steps are trained")
    extent.add_argument(
        "--epochs",
        type=float,
        metavar="X",
        help=f"how often the training goes through {read} (default: {epochs})",
    )
    extent.add_argument(
        "--minutes",
        type=float,
        metavar="X",
        help="how long is trained; another run then gives another model",
    )
