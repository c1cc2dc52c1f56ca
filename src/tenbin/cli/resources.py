"""``tenbin resources``."""

import argparse
import sys
from pathlib import Path

from tenbin.api.resources import (
    CACHE_VARIABLE,
    OFFLINE_VARIABLE,
    check_names,
    download_size,
    install_resource,
    list_resources,
    remove_resource,
    resource_path,
    resource_state,
    verify_resources,
)
from tenbin.cli.help_text import add_actions
from tenbin.cli.terminal import emit, progress
from tenbin.cli.wording import in_options
from tenbin.core.errors import FingerprintMismatch
from tenbin.reports.formats import Format
from tenbin.reports.render import render

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
    for name, action in add_actions(parser, _ACTIONS).items():
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
    if options.action == "list":
        emit(render(list_resources(cache=options.cache), options.format))
        return 0
    names = [options.names] if isinstance(options.names, str) else options.names
    check_names(names)
    if options.action == "path":
        emit(f"{resource_path(names[0], cache=options.cache)}\n")
        return 0
    if options.action == "verify":
        return _verify(names, options.cache)
    for name in dict.fromkeys(names):
        if options.action == "install":
            _install(name, options)
        elif remove_resource(name, cache=options.cache):
            _say(f"{name}: removed", quiet=options.quiet)
        else:
            state = resource_state(name, cache=options.cache)
            _say(f"{name}: nothing to remove ({state})", quiet=options.quiet)
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


def _install(name: str, options: argparse.Namespace) -> None:
    with progress(name, download_size(name), quiet=options.quiet) as advance:
        path = install_resource(name, cache=options.cache, offline=options.offline, advance=advance)
    _say(f"{name}: {path}", quiet=options.quiet)


def _verify(names: list[str], cache: Path | None) -> int:
    found = verify_resources(names, cache=cache)
    emit(render(found, Format.TEXT))
    for fault in found.faults:
        print(f"tenbin: error: {in_options(fault)}", file=sys.stderr)
    return FingerprintMismatch.exit_code if found.faults else 0


def _say(text: str, *, quiet: bool) -> None:
    if not quiet:
        print(text, file=sys.stderr)
