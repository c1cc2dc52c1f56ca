"""Runs one command and writes what it took: launcher.py REPORT [NAME=VALUE ...] -- COMMAND.

A program of its own, and a small one; see `benchmarks.timing.run_command`.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path


def main() -> None:
    """Run the command, its output thrown away, and write a JSON report."""
    separator = sys.argv.index("--")
    report = Path(sys.argv[1])
    variables = dict(word.split("=", 1) for word in sys.argv[2:separator])
    errors = report.with_name("errors.txt")
    start = time.perf_counter()
    with errors.open("wb") as sink:
        process = subprocess.Popen(  # noqa: S603 - the command of a benchmark
            sys.argv[separator + 1 :],
            env={**os.environ, **variables},
            stdout=subprocess.DEVNULL,
            stderr=sink,
        )
        _, status, usage = os.wait4(process.pid, 0)
    found = {
        "wall": time.perf_counter() - start,
        "cpu": usage.ru_utime + usage.ru_stime,
        # Linux counts kibibytes, macOS bytes.
        "peak": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
        "code": os.waitstatus_to_exitcode(status),
        "error": errors.read_text(encoding="utf-8", errors="replace"),
    }
    report.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
