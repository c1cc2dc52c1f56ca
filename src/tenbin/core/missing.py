"""Everything that is missing, told at once, with one command that installs it."""

import re
from collections.abc import Iterable, Sequence

from tenbin.core.counting import agreeing, counted
from tenbin.core.errors import (
    MissingExtra,
    MissingParts,
    MissingResource,
    ResourceError,
    TenbinError,
    UnusableMetrics,
    shortened,
)

Lack = tuple[str, TenbinError]
"""The metric that lacks something, and the error that says what; no metric where all do."""

_EXTRA = re.compile(r"pip install 'tenbin\[([\w,]+)\]'")
_PACKAGES = re.compile(r"pip install ([\w.-]+)")
_PROGRAMS = ("hf ",)
_MOST_OWNER = 80


def flattened(lacks: Iterable[Lack]) -> tuple[Lack, ...]:
    """Return single lacks, each once: those of the members of a combination are its own."""
    found: dict[tuple[str, str], Lack] = {}
    for owner, error in lacks:
        inner = error.lacks if isinstance(error, MissingParts | UnusableMetrics) else (("", error),)
        for member, one in inner:
            name = f"{owner} ({member})" if owner and member else owner or member
            found.setdefault((name, str(one)), (name, one))
    return tuple(found.values())


def install_command(errors: Iterable[TenbinError]) -> str:
    """Return one command that installs all that some errors lack; empty if nothing can be.

    >>> install_command([MissingExtra("a tokenizer", "ja"), MissingResource("vectors-ja")])
    "pip install 'tenbin[ja]' && tenbin resources install vectors-ja"
    """
    extras: dict[str, None] = {}
    packages: dict[str, None] = {}
    resources: dict[str, None] = {}
    others: dict[str, None] = {}
    for error in errors:
        if isinstance(error, MissingExtra):
            extras |= dict.fromkeys(error.extra.split(","))
        elif isinstance(error, MissingResource):
            if error.command == f"tenbin resources install {error.name}":
                resources[error.name] = None
            elif extra := _EXTRA.fullmatch(error.command):
                extras |= dict.fromkeys(extra[1].split(","))
            elif package := _PACKAGES.fullmatch(error.command):
                packages[package[1]] = None
            elif error.command.startswith(_PROGRAMS):
                others[error.command] = None
    wanted = [*([f"'tenbin[{','.join(extras)}]'"] if extras else []), *packages]
    commands = [f"pip install {' '.join(wanted)}"] if wanted else []
    commands += [f"tenbin resources install {' '.join(resources)}"] if resources else []
    return " && ".join([*commands, *others])


def missing_parts(lacks: Sequence[Lack]) -> ResourceError:
    """Return the one error for things that are not installed."""
    single = flattened(lacks)
    if len(single) == 1 and not single[0][0] and isinstance(single[0][1], ResourceError):
        return single[0][1]
    found = counted(len(single), "thing")
    message = f"{found} {agreeing(len(single), 'is')} missing:"
    return MissingParts(*_told(message, single))


def unready_metrics(lacks: Sequence[Lack], asked: int) -> TenbinError:
    """Return the one error for metrics that cannot run.

    Args:
        lacks: What each of them lacks.
        asked: How many metrics were asked for.
    """
    single = flattened(lacks)
    owners = {name.partition(" (")[0] for name, _ in single if name}
    message = f"{len(owners)} of {counted(asked, 'metric')} cannot run:"
    if not all(name for name, _ in single):  # texts, whose sentence names the metrics itself
        message = f"not all of {counted(asked, 'metric')} can run:"
    if asked == 1:
        message = f"{next(iter(owners), 'the metric')} cannot run:"
        single = tuple((name.partition(" (")[2].removesuffix(")"), error) for name, error in single)
    if all(isinstance(error, ResourceError) for _, error in single):
        return MissingParts(*_told(message, single))
    return UnusableMetrics(*_told(message, single))


def _told(beginning: str, lacks: Sequence[Lack]) -> tuple[str, Sequence[Lack], str]:
    """Return message, lacks and command."""
    command = install_command(error for _, error in lacks)
    # What several metrics lack is said once, of all of them.
    owners: dict[str, dict[str, None]] = {}
    for owner, error in lacks:
        said = _problem(error, command).replace("\n", "\n    ")
        owners.setdefault(said, {})[shortened(owner, _MOST_OWNER)] = None
    lines = [beginning]
    for said, names in owners.items():
        named = ", ".join(filter(None, names))
        lines.append(f"  {named}: {said}" if named else f"  {said}")
    if command:
        lines.append(f"To install all that can be installed: {command}")
    return "\n".join(lines), lacks, command


def _problem(error: TenbinError, command: str) -> str:
    """Return what is wrong; with its own command only where the one for all does not have it."""
    if isinstance(error, ResourceError) and install_command([error]) and command:
        return error.problem
    return str(error)
