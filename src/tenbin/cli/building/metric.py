"""``tenbin build metric``."""

import argparse
import sys
from typing import Any

from tenbin.api.building import build_metric
from tenbin.cli.building.options import shown_steps
from tenbin.cli.building.step_lines import StepLines
from tenbin.cli.options import add_list_option
from tenbin.cli.terminal import tell
from tenbin.core.counting import counted

SUMMARY = "train a learned metric on human judgments"
EPILOG = """\
examples:
  tenbin build metric --table judgments.csv -l en --from tenbin-large --hold-out 0.1 \\
      -o ours.safetensors
  tenbin build metric --set wmt14 wmt15.daseg wmt16.daseg wmt23 --pair '*-en' \\
      --teacher metric-scores --hold-out wmt16 --device cuda -o metric.safetensors
  tenbin build metric --set wmt14 wmt21 wmt22 --pair '*-en' --student-of metric.safetensors \\
      --base minilm-en -o small.safetensors
  tenbin score -r ref.en -t out.en -l en -m 'learned(adapter="ours.safetensors")'

What an interrupted build had come to lies in FILE.work, and the same command goes on from there.
The card inside the file says from what and how it was made, with the curve of the training.
"""
# The values of an enumeration in tenbin.annotation, which is slow to load.
_DEVICES = ("auto", "cpu", "cuda")
_NUMBERS: dict[str, tuple[type, str]] = {
    "--steps": (int, "steps (default: 400; with --from 60, with --student-of 2000)"),
    "--rows": (int, "judged translations of a step (192; --from 32, --student-of 384)"),
    "--pairs-per-step": (int, "pairs of translations of a step (96; --from 8, --student-of 0)"),
    "--damaged": (int, "damaged texts of a step (48; --from 4, --student-of 0)"),
    "--rank": (int, "rank of the adapter matrices (8)"),
    "--alpha": (float, "what their product is multiplied by, times the rank (16)"),
    "--rate": (float, "peak learning rate (0.0005; --from 0.0001, --full 0.00003)"),
    "--head-rate": (float, "that of the head (0.0003; --from 0.0001)"),
    "--decay": (float, "weight decay (0.01)"),
    "--warm-up": (float, "share of the steps over which the rate rises (0.08)"),
    "--largest-gradient": (float, "a longer gradient is shortened to this (1)"),
    "--pair-weight": (float, "what pairs count in the loss, beside rows (1)"),
    "--damage-weight": (float, "what damaged texts count (0.3)"),
    "--width": (int, "size of the hidden layer of the head (256)"),
    "--length": (int, "most subwords of a text; the rest is cut off (128)"),
    "--every": (int, "steps between two measurements (40; --from 20, --student-of 100)"),
    "--patience": (int, "measurements without gain after which the training ends (5)"),
    "--subwords": (int, "subwords that are trained on at once (CPU 2048, CUDA 16384)"),
    "--threads": (int, "threads on a CPU; the last digits depend on them (2)"),
    "--seed": (int, "start of all random numbers (1)"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("judgments")
    add_list_option(
        group,
        "--set",
        metavar="DIR",
        dest="folders",
        help="test sets in the mt-metrics-eval layout",
    )
    add_list_option(
        group,
        "--pair",
        metavar="PAIR",
        dest="pairs",
        help="language pairs of them, such as de-en or '*-en' (default: all that are judged)",
    )
    add_list_option(
        group,
        "--table",
        metavar="FILE",
        dest="tables",
        help="tables (.csv, .tsv, .jsonl, .parquet) with columns hypothesis, reference, score and, "
        "where they are known, source, segment, system, annotator",
    )
    group.add_argument(
        "-l", "--language", metavar="LANG", default="", help="language of the translations"
    )
    add_list_option(
        group,
        "--teacher",
        metavar="NAME",
        dest="teachers",
        help="metrics whose published scores are labels too, or a file NAME.seg.score; "
        "metric-scores: the best ones of each set",
    )
    add_list_option(
        group,
        "--weight",
        metavar="NAME=X",
        dest="weights",
        help="what a judgment counts, by set or kind: wmt16=6, mqm=1.5, wmt21:darr=0.3",
    )
    add_list_option(
        group,
        "--exclude",
        metavar="NAME",
        help="sets to leave out, by the beginning of their names: wmt23",
    )
    add_list_option(
        group,
        "--hold-out",
        metavar="SET[:PAIR]",
        help="sets, or a share of the segments such as 0.1, to measure agreement on; the best step "
        "is taken",
    )
    group.add_argument(
        "--difference",
        type=float,
        default=0.15,
        metavar="X",
        help="how far two z-scores of a segment must be apart to make a pair (default: 0.15)",
    )
    add_list_option(
        group,
        "--damage",
        metavar="KIND=X",
        help="share of each kind of damaged text: negation=0.2; none: no damage",
    )
    _add_model_options(parser)
    _add_target_options(parser)


def _add_model_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model and training")
    group.add_argument(
        "--base",
        metavar="MODEL",
        default="",
        help="base model, a resource or a folder (default: mpnet-en, or that of --from)",
    )
    group.add_argument(
        "--from",
        metavar="ADAPTER",
        dest="start",
        default="",
        help="train an adapter further: a file, or one that comes with Tenbin",
    )
    group.add_argument(
        "--student-of",
        metavar="ADAPTER",
        default="",
        help="learn the scores of another adapter, on the texts of the sets and damaged ones",
    )
    group.add_argument(
        "--teacher-base",
        metavar="MODEL",
        default="",
        help="base model of that adapter, if it was a folder",
    )
    group.add_argument(
        "--most-texts",
        type=int,
        metavar="N",
        help="most translations that it judges (default: 200000)",
    )
    group.add_argument(
        "--full", action="store_true", help="train all weights of the base model, no adapter"
    )
    for option, (kind, meaning) in _NUMBERS.items():
        metavar = "N" if kind is int else "X"
        group.add_argument(option, type=kind, metavar=metavar, help=meaning)
    group.add_argument(
        "--device",
        choices=_DEVICES,
        default=_DEVICES[0],
        help="what it runs on (default: auto, CUDA where there is a device)",
    )


def _add_target_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        help="adapter to write (.safetensors), whole or not at all",
    )
    group.add_argument("--name", metavar="NAME", default="", help="its name (default: of the file)")
    group.add_argument(
        "--layer",
        type=int,
        metavar="N",
        help="layer of the base model that BERTScore compares (default: that of the model)",
    )
    group.add_argument(
        "--share",
        type=float,
        metavar="X",
        help="share of the learned score beside BERTScore (default: so that both vary as much)",
    )
    group.add_argument("--force", action="store_true", help="replace a file that is there")
    group.add_argument(
        "--work",
        metavar="DIR",
        help="folder for what is finished, kept afterwards (default: FILE.work, removed at the "
        "end)",
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="no notes and no progress on stderr"
    )


def run(options: argparse.Namespace) -> int:
    """Train the metric and say how well it agrees."""
    numbers = {option[2:].replace("-", "_") for option in _NUMBERS}
    built = build_metric(
        options.output,
        test_sets=options.folders or (),
        pairs=options.pairs or (),
        tables=options.tables or (),
        language=options.language,
        teachers=options.teachers or (),
        weights=options.weights or (),
        exclude=options.exclude or (),
        hold_out=options.hold_out or (),
        difference=options.difference,
        base=options.base,
        start=options.start,
        student_of=options.student_of,
        teacher_base=options.teacher_base,
        most_texts=options.most_texts,
        damage=options.damage or (),
        full=options.full,
        name=options.name,
        layer=options.layer,
        share=options.share,
        device=options.device,
        work=options.work,
        force=options.force,
        phase=shown_steps(quiet=options.quiet),
        report=StepLines(quiet=options.quiet),
        tell=lambda note: tell([note], quiet=options.quiet),
        **{name: getattr(options, name) for name in numbers},
    )
    if built.resumed:
        tell([f"went on from {counted(built.resumed, 'step')}"], quiet=options.quiet)
    if not options.quiet:
        print(_summary(built.path, built.card, stopped=built.stopped_early), file=sys.stderr)
    return 0


def _summary(path: str, card: dict[str, Any], *, stopped: bool) -> str:
    training = card["training"]
    steps = f"{counted(training['steps'], 'step')}{' (stopped early)' if stopped else ''}"
    size, share = f"{training['numbers'] / 1e6:.2f} million numbers", card["bertscore"]["share"]
    lines = [f"{path}: {size}, {steps}, {training['seconds']:.0f} s, share {share:.3f}"]
    held = training["held_out"]
    if held and held["best"]:
        first = training["curves"][0].get("agreement")
        lines.append(
            f"agreement with what was held out: {first:.3f} at first, "
            f"{held['best']['agreement']:.3f} at step {held['best']['step']}, which is taken"
        )
    return "\n".join(lines)
