"""Test sets of this machine: list them, describe one, install them from an archive."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from tenbin.building.output_folder import whole_folder
from tenbin.core.counting import counted
from tenbin.core.errors import ResourceError, UsageError
from tenbin.formats.set_archive import sets_in_archive, unpack_sets
from tenbin.resources.test_sets import (
    SETS_VARIABLE,
    ListedSet,
    SetListing,
    found_set,
    installed_sets,
    listed_sets,
)

__all__ = [
    "SETS_VARIABLE",
    "ListedSet",
    "SetListing",
    "describe_set",
    "install_sets",
    "list_sets",
]

_HOW = """\
nothing was installed: test sets come from others, and this command uses no network. On a machine \
with one:
  all of WMT with human judgments (about 1 GB):
    pip install mt-metrics-eval && python -m mt_metrics_eval.mtme --download
  source and references of one test set, by sacrebleu:
    sacrebleu -t wmt20 -l en-de --echo src > /dev/null
Both are found where these programs put them: ~/.mt-metrics-eval and ~/.sacrebleu, which may be \
copied from another machine. An archive of mt-metrics-eval is unpacked here with `archive=FILE`, \
and folders elsewhere are named in TENBIN_SETS."""


def list_sets() -> SetListing:
    """Return the test sets of this machine, and where they were looked for."""
    return listed_sets()


def describe_set(name: str) -> ListedSet:
    """Return what a test set has.

    Raises:
        UsageError: There is none of this name.
    """
    found = found_set(name)
    if found is None:
        raise UsageError(_unknown(name))
    return found


def install_sets(
    names: Sequence[str] = (), *, archive: str | None = None, folder: Path | None = None
) -> list[Path]:
    """Unpack test sets of an archive; each is there whole, or not at all.

    Args:
        names: Which ones; all of the archive by default.
        archive: The archive, as mt-metrics-eval publishes it.
        folder: Where to; by default a folder that is searched.

    Raises:
        ResourceError: No archive was given; the message says how to fetch test sets.
    """
    if archive is None:
        raise ResourceError(_HOW)
    there = sets_in_archive(archive)
    missing = [name for name in names if name not in there]
    if missing:
        raise UsageError(f"{archive} has no {', '.join(missing)}; it has {', '.join(there)}.")
    target = folder or installed_sets()
    target.mkdir(parents=True, exist_ok=True)
    wanted = list(dict.fromkeys(names)) or there
    taken = [name for name in wanted if (target / name).exists()]
    if taken:
        listed = ", ".join(str(target / name) for name in taken)
        raise UsageError(
            f"{listed}: {counted(len(taken), 'test set')} installed already. Remove it first, or "
            "name the others."
        )
    for name in wanted:
        with whole_folder(target / name) as making:
            unpack_sets(archive, making, {name})
            for part in list((making / name).iterdir()):
                part.rename(making / part.name)
            (making / name).rmdir()
    return [target / name for name in wanted]


def _unknown(name: str) -> str:
    known = list(dict.fromkeys(one.name for one in listed_sets().sets))
    near = get_close_matches(name, known, n=3)
    hint = f" Did you mean {', '.join(near)}?" if near else ""
    return (
        f"there is no test set {name!r} on this machine.{hint} See tenbin sets list for those that "
        "there are, and tenbin sets install for how to get others."
    )
