"""``tenbin resources``."""

import argparse
import sys
from pathlib import Path

from tenbin.cli.terminal import emit, progress
from tenbin.core.errors import FingerprintMismatch, UnknownResource
from tenbin.core.resource import ResourceKind
from tenbin.reports.formats import Format
from tenbin.reports.resource_listing import (
    render_resources,
    render_resources_json,
    render_states,
)
from tenbin.resources.store.lookup import CACHE_VARIABLE, OFFLINE_VARIABLE, State
from tenbin.resources.store.manifest import LOCAL, Entry
from tenbin.resources.store.store import ResourceStore

_EPILOG = f"""\
examples:
  tenbin resources list
  tenbin resources install meteor-paraphrases-en
  tenbin resources verify
  tenbin resources path mythes-de

{CACHE_VARIABLE}=DIR and {OFFLINE_VARIABLE}=1 in the environment do the same as --cache DIR and
--offline, for every command.
"""
_ACTIONS = {
    "list": "list the resources and where they are",
    "install": "obtain resources, whole and with the right hash, or not at all",
    "verify": "compute the hashes of resources anew",
    "path": "print where the file of a resource is",
    "remove": "delete installed resources",
}
_NAMES = {"install": "+", "verify": "*", "path": None, "remove": "+"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions of the command and their options."""
    parser.epilog = _EPILOG
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, title="actions", help="what to do"
    )
    for name, summary in _ACTIONS.items():
        action = actions.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        action.allow_abbrev = False
        if name in _NAMES:
            of_what = "all that are there" if name == "verify" else None
            note = f" (default: {of_what})" if of_what else ""
            action.add_argument(
                "names",
                nargs=_NAMES[name],
                metavar="NAME",
                help=f"name in 'tenbin resources list'{note}",
            )
        _add_options(action, name)


def run(options: argparse.Namespace) -> int:
    """Do what the action says."""
    store = ResourceStore(options.cache, offline=getattr(options, "offline", False))
    if options.action == "list":
        return _list(store, Format(options.format))
    names = [options.names] if isinstance(options.names, str) else options.names
    unknown = [name for name in names if name not in {one.name for one in store.entries()}]
    if unknown:
        raise UnknownResource(unknown, (one.name for one in store.entries()))
    if options.action == "path":
        emit(f"{store.path(names[0])}\n", None)
        return 0
    if options.action == "verify":
        return _verify(store, names)
    for name in dict.fromkeys(names):
        if options.action == "install":
            _install(store, name, quiet=options.quiet)
        elif store.remove(name):
            _say(f"{name}: removed", quiet=options.quiet)
        else:
            _say(f"{name}: nothing to remove ({store.state(name)[0]})", quiet=options.quiet)
    return 0


def _add_options(parser: argparse.ArgumentParser, action: str) -> None:
    if action == "list":
        parser.add_argument(
            "-f",
            "--format",
            choices=[str(Format.TEXT), str(Format.JSON)],
            default=str(Format.TEXT),
            help="form of the result (default: text)",
        )
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help=f"folder of installed resources (default: ${CACHE_VARIABLE}, or your cache folder)",
    )
    if action == "install":
        parser.add_argument("--offline", action="store_true", help="never use a network")
    if action in {"install", "remove"}:
        parser.add_argument(
            "-q", "--quiet", action="store_true", help="no notes and no progress on stderr"
        )


def _list(store: ResourceStore, form: Format) -> int:
    rows = [(entry, *store.state(entry.name)) for entry in store.entries()]
    render = render_resources_json if form is Format.JSON else render_resources
    emit(render(rows, store.cache), None)
    return 0


def _install(store: ResourceStore, name: str, *, quiet: bool) -> None:
    with progress(name, _bytes_to_come(store.entry(name)), quiet=quiet) as advance:
        path = store.install(name, advance=advance)
    _say(f"{name}: {path}", quiet=quiet)


def _verify(store: ResourceStore, names: list[str]) -> int:
    rows: list[tuple[str, str]] = []
    changed: list[FingerprintMismatch] = []
    chosen = names or [
        entry.name for entry in store.entries() if store.state(entry.name)[0] is not State.MISSING
    ]
    for name in dict.fromkeys(chosen):
        try:
            store.verify(name)
            rows.append((name, "ok"))
        except FingerprintMismatch as error:
            rows.append((name, "changed"))
            changed.append(error)
    emit(render_states(rows), None)
    for one in changed:
        print(f"tenbin: error: {one}", file=sys.stderr)
    return FingerprintMismatch.exit_code if changed else 0


def _bytes_to_come(entry: Entry) -> int:
    fetched = [one.archive_size for one in entry.providers if one.type not in LOCAL]
    converted = entry.size if entry.prepare and entry.kind is ResourceKind.VECTORS else 0
    return entry.size + (fetched[0] if fetched else 0) + converted


def _say(text: str, *, quiet: bool) -> None:
    if not quiet:
        print(text, file=sys.stderr)
