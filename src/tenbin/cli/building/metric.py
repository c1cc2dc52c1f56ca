"""``tenbin build metric``."""

import argparse
import sys
from typing import Any

from tenbin.api.building import build_metric
from tenbin.cli.building.options import add_device_option, add_numbers_option, shown_steps
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
_NUMBERS: dict[str, tuple[float, str]] = {
    "--steps": (400, "steps"),
    "--rows": (192, "judged translations of a step"),
    "--pairs-per-step": (96, "pairs of translations of a step"),
    "--damaged": (48, "damaged texts of a step"),
    "--rank": (8, "rank of the adapter matrices"),
    "--alpha": (16.0, "what their product is multiplied by, times the rank"),
    "--rate": (5e-4, "peak learning rate"),
    "--head-rate": (3e-4, "that of the head"),
    "--decay": (0.01, "weight decay"),
    "--warm-up": (0.08, "share of the steps over which the rate rises"),
    "--largest-gradient": (1.0, "a longer gradient is shortened to this"),
    "--pair-weight": (1.0, "what pairs count in the loss, beside rows"),
    "--damage-weight": (0.3, "what damaged texts count"),
    "--width": (256, "size of the hidden layer of the head"),
    "--layers": (0, "layers of the base model that are read, 0: all"),
    "--length": (128, "most subwords of a text; the rest is cut off"),
    "--subword-weight": (0.0, "what the similarities of single subwords count in the loss"),
    "--state-weight": (0.0, "what the vectors of single subwords count"),
    "--every": (40, "steps between two measurements of agreement"),
    "--patience": (5, "measurements without gain after which the training ends"),
    "--subwords": (0, "subwords trained on at once, 0: as the device takes"),
    "--threads": (2, "threads on a CPU; the last digits depend on them"),
    "--seed": (1, "start of all random numbers"),
}
_OTHER_DEFAULTS: dict[str, dict[str, float]] = {
    "--from": {
        "--steps": 60,
        "--rows": 32,
        "--pairs-per-step": 8,
        "--damaged": 4,
        "--rate": 1e-4,
        "--head-rate": 1e-4,
        "--every": 20,
    },
    "--student-of": {
        "--steps": 2_000,
        "--rows": 384,
        "--pairs-per-step": 0,
        "--damaged": 0,
        "--every": 100,
        "--subword-weight": 1.0,
    },
    "--full": {"--rank": 0, "--rate": 3e-5},
}


_DROPOUT = {"on": True, "off": False}


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
        "where they are known, source, segment, system, annotator; with --student-of no scores",
    )
    add_list_option(
        group,
        "--text",
        metavar="FILE",
        dest="texts",
        help="with --student-of: plain text in the language, one segment per line, which is "
        "compared with variants of itself",
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
        "--weights",
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
        "--teacher-share",
        type=float,
        metavar="X",
        help="share of the learned score in what it gives, 0: BERTScore alone (default: as the "
        "adapter says)",
    )
    group.add_argument(
        "--most-texts",
        type=int,
        metavar="N",
        help="most translations that it judges (default: 200000)",
    )
    group.add_argument(
        "--peers",
        type=int,
        metavar="N",
        help="translations of other systems that each is judged against too (default: 0)",
    )
    group.add_argument(
        "--full", action="store_true", help="train all weights of the base model, no adapter"
    )
    group.add_argument(
        "--keep-embeddings",
        action="store_true",
        help="with --full: not those of the embeddings, so that the file has the layers only",
    )
    group.add_argument(
        "--dropout",
        choices=_DROPOUT,
        help="dropout in the layers and in the head (default: on; with --student-of off)",
    )
    for option, (default, meaning) in _NUMBERS.items():
        others = [f"{o} {d[option]:g}" for o, d in _OTHER_DEFAULTS.items() if option in d]
        shown = "; with ".join([f"{default:g}", *others])
        group.add_argument(
            option,
            type=type(default),
            metavar="N" if isinstance(default, int) else "X",
            help=f"{meaning} (default: {shown})",
        )
    add_device_option(group)
    add_numbers_option(group, "--dtype")


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
        type=_share,
        default=0.4,
        metavar="X",
        help="share of the learned score beside BERTScore, or spread: so that both vary as much "
        "(default: 0.4)",
    )
    group.add_argument(
        "--rounded",
        action="store_true",
        help="with --full: store weights as int8, which halves the file",
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


def _share(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def run(options: argparse.Namespace) -> int:
    """Train the metric and say how well it agrees."""
    numbers = {option[2:].replace("-", "_") for option in _NUMBERS}
    built = build_metric(
        options.output,
        test_sets=options.folders or (),
        pairs=options.pairs or (),
        tables=options.tables or (),
        plain_text=options.texts or (),
        language=options.language,
        teachers=options.teachers or (),
        weights=options.weights or (),
        exclude=options.exclude or (),
        hold_out=options.hold_out or (),
        difference=options.difference,
        base_model=options.base,
        start=options.start,
        student_of=options.student_of,
        teacher_base=options.teacher_base,
        teacher_share=options.teacher_share,
        most_texts=options.most_texts,
        peers=options.peers,
        damage=options.damage or (),
        full=options.full,
        keep_embeddings=options.keep_embeddings,
        dropout=_DROPOUT.get(options.dropout),
        name=options.name,
        layer=options.layer,
        share=options.share,
        rounded=options.rounded,
        device=options.device,
        dtype=options.dtype,
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
