"""Runs the examples of a page and updates the outputs that the page shows.

A ``console`` block holds commands after ``$`` and their output. A ``python`` block is run in one
namespace per page; what it prints stands in the ``text`` block right after it. Everything happens
in an empty folder that a page may fill with files of its own.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from tenbin.cli.main import main as tenbin

_BLOCK = re.compile(
    r"^```(?P<kind>console|python)\n(?P<body>.*?)^```\n(?:(?P<gap>\n?)```text\n(?P<output>.*?)^```\n)?",
    re.DOTALL | re.MULTILINE,
)
_SHELL_ONLY = re.compile(r"[|<>&;()]")


def refreshed(page: str) -> str:
    """Return a page with the present output of its examples."""
    namespace: dict[str, object] = {}

    def replacement(block: re.Match[str]) -> str:
        if block["kind"] == "console":
            rest = block[0].removeprefix(f"```console\n{block['body']}```\n")
            return f"```console\n{_session(block['body'])}```\n{rest}"
        return _python(block, namespace)

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return _BLOCK.sub(replacement, page)


def _python(block: re.Match[str], namespace: dict[str, object]) -> str:
    printed = io.StringIO()
    code = compile(block["body"], "example", "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)  # noqa: S102 - examples of our own pages
    output = _trimmed(printed.getvalue())
    source = f"```python\n{block['body']}```\n"
    if not output:
        return source if block["output"] is None else source + block[0].removeprefix(source)
    return f"{source}\n```text\n{output}```\n"


def _session(body: str) -> str:
    shown = []
    for command in re.findall(r"^\$ (?:.*\\\n)*.*\n", body, re.MULTILINE):
        words = command.removeprefix("$ ").replace("\\\n", " ")
        shown.append(command + _trimmed(_output(words.strip())))
    return "".join(shown)


def _output(command: str) -> str:
    # In this process where possible: a new one would spend a second on imports.
    words = shlex.split(command)
    if words[0] != "tenbin" or _SHELL_ONLY.search(re.sub(r"'[^']*'", "", command)):
        return _shell(command)
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        contextlib.suppress(SystemExit),
    ):
        # By a clock that stands still nothing takes long enough for a bar.
        tenbin(words[1:], clock=lambda: 0.0)
    return printed.getvalue()


def _shell(command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(  # noqa: S602 - examples of our own pages
        command,
        shell=True,
        check=False,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # How long a command takes here is nothing to the reader.
        env={**os.environ, "PATH": path, "TENBIN_PROGRESS": "never"},
    )
    return done.stdout


def _trimmed(output: str) -> str:
    lines = [line.rstrip() for line in output.splitlines()]
    text = "\n".join(lines).strip("\n")
    return f"{text}\n" if text else ""
