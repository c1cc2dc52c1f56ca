"""``tenbin serve``."""

import argparse
import os
import sys
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite

from tenbin.cli.endings import ENDINGS
from tenbin.cli.options import worker_count
from tenbin.core.errors import UsageError
from tenbin.serve.jobs import READ_ONLY
from tenbin.serve.limits import DEFAULT_BYTES, DEFAULT_MINUTES, DEFAULT_PARALLEL, Limits
from tenbin.serve.security import is_loopback
from tenbin.serve.server import Address, serve

_EPILOG = """\
examples:
  open the page in the browser:
    tenbin serve
  on a machine without a browser, at a port of your choice:
    tenbin serve --no-browser --port 8765
  larger files, two jobs at a time, each ended after ten minutes:
    tenbin serve --most-bytes 500000000 --jobs 2 --most-minutes 10

Ctrl-C ends it; files and reports are then gone.
exit codes: 0 ended, 2 wrong usage, 4 something to install.
"""
_LOOPBACK = "127.0.0.1"
_MOST_PORT = 65_535
_MOST_BYTES = 2**40
_STORED_FILES = 20
_MINUTES_OF_A_YEAR = 366 * 24 * 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.usage = "tenbin serve [options]"
    parser.epilog = _EPILOG
    group = parser.add_argument_group("address")
    group.add_argument(
        "--port", type=int, default=0, metavar="N", help="port (default: any that is free)"
    )
    group.add_argument(
        "--host",
        default=_LOOPBACK,
        metavar="HOST",
        help=f"interface to listen on (default: {_LOOPBACK}, which this machine alone can reach)",
    )
    group.add_argument(
        "--no-browser", action="store_true", help="print the address and open no browser"
    )
    limits = parser.add_argument_group("limits")
    limits.add_argument(
        "--most-bytes",
        type=int,
        default=DEFAULT_BYTES,
        metavar="N",
        help=f"size of one file, unpacked (default: {DEFAULT_BYTES:,})",
    )
    limits.add_argument(
        "--most-minutes",
        type=float,
        default=DEFAULT_MINUTES,
        metavar="N",
        help=f"time of one job (default: {DEFAULT_MINUTES:g})",
    )
    limits.add_argument(
        "--jobs",
        type=int,
        default=DEFAULT_PARALLEL,
        metavar="N",
        help=f"jobs that run at a time, others wait (default: {DEFAULT_PARALLEL})",
    )


def run(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C."""
    if not 0 <= options.port <= _MOST_PORT:
        raise UsageError(f"--port is a number from 0 to {_MOST_PORT}.")
    limits = _limits(options)

    def ready(address: Address) -> None:
        if not is_loopback(options.host) and not options.quiet:
            _warn(options.host)
        print(f"Tenbin is at {address.url}", flush=True)
        if address.other_url is not None:
            print(f"from other machines: {address.other_url}", flush=True)
        print("Ctrl-C ends it; files and reports are then gone.", flush=True)
        if not options.no_browser:
            webbrowser.open(address.url)

    # This process lists metrics, for which it looks at resources.
    with _surroundings(READ_ONLY):
        serve(options.host, options.port, limits, ready, signals=tuple(ENDINGS))
    if not options.quiet:
        print("Tenbin has stopped; nothing is left on disk.", file=sys.stderr)
    return 0


@contextmanager
def _surroundings(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment, and put back what was there."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _warn(host: str) -> None:
    print(
        f"warning: listening on {host}: whoever can reach this machine and has the address can "
        "read the texts and use the processor, and the connection is not encrypted. Without --host "
        "only this machine can.",
        file=sys.stderr,
    )


def _limits(options: argparse.Namespace) -> Limits:
    most_bytes = options.most_bytes
    if not 1 <= most_bytes <= _MOST_BYTES:
        raise UsageError(f"--most-bytes is a number from 1 to {_MOST_BYTES:,}.")
    minutes = options.most_minutes
    if not isfinite(minutes) or not 0 < minutes <= _MINUTES_OF_A_YEAR:
        raise UsageError("--most-minutes is a number of minutes above 0, a year at most.")
    return Limits(
        most_bytes=most_bytes,
        most_stored=_STORED_FILES * most_bytes,
        most_seconds=60 * minutes,
        parallel=worker_count(options.jobs),
    )
