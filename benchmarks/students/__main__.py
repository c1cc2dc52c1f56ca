"""Students of all years and without each year: python -m benchmarks.students.

`translate` sends texts of test sets on round trips, for `collect --set-trips`. `collect` reads test
sets and plain text, and writes all that a training needs. `train` trains teachers and students in
so many minutes on one GPU, with torch and numpy alone: tenbin need not be there. `adapters` writes
what `learned(adapter=...)` takes. What is there already is not made again.
"""

import argparse
import signal
from collections.abc import Callable
from pathlib import Path

from benchmarks.students.plan import WorkFolder
from benchmarks.students.run import Run, train
from benchmarks.students.stages import Stage, Task

# What needs tenbin or torch is imported where it is used: no machine needs to have both.
_ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Collect, train, or write adapters."""
    options = _parse()
    if options.action == "translate":
        _with_tenbin(_translate, options)
        return
    work = WorkFolder(options.folder.resolve())
    if options.action != "collect" and not work.plan.is_file():
        raise SystemExit(f"{work.folder}: nothing is collected there; run 'collect' before")
    if options.action == "collect":
        _with_tenbin(_collect, options)
    elif options.action == "adapters":
        _with_tenbin(_write_adapters, options)
    elif options.action == "task":
        _run_task(work, options)
    else:
        # Stopped from outside, it stops its processes, as after Ctrl-C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        run = Run(work, options.minutes, options.layers, options.trial)
        train(run, [Stage(one) for one in options.stages])


def _with_tenbin(run: Callable[[argparse.Namespace], None], options: argparse.Namespace) -> None:
    from tenbin.core.errors import TenbinError  # noqa: PLC0415

    try:
        run(options)
    except TenbinError as error:
        raise SystemExit(str(error)) from error


def _translate(options: argparse.Namespace) -> None:
    from benchmarks.students.judged_sets import read_texts  # noqa: PLC0415
    from benchmarks.students.set_trips import write_set_trips  # noqa: PLC0415

    print(write_set_trips(read_texts(options.data), options.output))


def _collect(options: argparse.Namespace) -> None:
    from benchmarks.students.collecting import collect  # noqa: PLC0415

    work = WorkFolder(options.folder.resolve())
    collect(work, options.data, options.text, options.round_trips, options.set_trips)


def _write_adapters(options: argparse.Namespace) -> None:
    from benchmarks.students.adapters import write_adapters  # noqa: PLC0415

    for path in write_adapters(WorkFolder(options.folder.resolve()), options.output):
        print(path)


def _run_task(work: WorkFolder, options: argparse.Namespace) -> None:
    from benchmarks.students.material import Material  # noqa: PLC0415
    from benchmarks.students.sizes import TRIAL, USUAL  # noqa: PLC0415
    from benchmarks.students.training import run_task  # noqa: PLC0415

    stage, name = options.task
    material = Material(work, options.layers, TRIAL if options.trial else USUAL)
    run_task(Task(Stage(stage), name), material, options.seconds)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.students",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    collecting = actions.add_parser("collect", help="read test sets and plain text")
    collecting.add_argument(
        "--text", type=Path, nargs="+", required=True, help="plain English, a sentence a line"
    )
    collecting.add_argument(
        "--round-trips",
        type=Path,
        nargs="+",
        default=[],
        metavar="FILE",
        help="sentences and, after tabs, translations of each",
    )
    collecting.add_argument("--set-trips", type=Path, metavar="FILE", help="what 'translate' wrote")
    translating = actions.add_parser("translate", help="send texts of test sets on round trips")
    translating.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    for one in (translating, collecting):
        one.add_argument("--data", type=Path, default=_ROOT.parent / "shared" / "data")
    training = actions.add_parser("train", help="train teachers and students on one GPU")
    training.add_argument("--minutes", type=float, default=25.0)
    training.add_argument(
        "--stages", nargs="+", choices=[str(one) for one in Stage], default=[*map(str, Stage)]
    )
    adapting = actions.add_parser("adapters", help="write what was trained as adapters")
    adapting.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    task = actions.add_parser("task")  # what `train` runs, in a process of its own
    task.add_argument("--task", nargs=2, required=True, metavar=("STAGE", "NAME"))
    task.add_argument("--seconds", type=float, required=True)
    for one in (training, task):
        one.add_argument("--layers", type=int, default=5, help="of the students")
        one.add_argument("--trial", action="store_true", help="small; what it gives is worthless")
    for one in (collecting, training, adapting, task):
        one.add_argument("folder", type=Path, metavar="DIR")
    return parser.parse_args()


if __name__ == "__main__":
    main()
