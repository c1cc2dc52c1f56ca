"""Help that helps, without loading what only scoring needs."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from tenbin.cli.main import COMMANDS
from tenbin.version import __version__

Cli = Callable[..., subprocess.CompletedProcess[str]]
NOT_FOR_HELP = ["langcodes", "numba", "pandas", "pyarrow", "regex", "rich", "sacrebleu"]


def test_help_names_every_command(cli: Cli) -> None:
    for words in ((), ("--help",)):
        done = cli(*words)
        assert done.returncode == 0
        for name, summary in COMMANDS.items():
            assert f"{name} " in done.stdout
            assert summary in done.stdout
        assert "exit codes:" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("columns", ["80", "200"])
def test_every_command_has_help_with_examples(
    cli: Cli, command: str, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = cli(command, "--help")
    assert done.returncode == 0
    assert f"usage: tenbin {command}" in done.stdout
    before, _, examples = done.stdout.partition("\nexamples:\n")
    assert f"tenbin {command}" in examples
    assert max(map(len, before.splitlines())) <= int(columns)


def test_options_of_score_have_their_names(cli: Cli) -> None:
    text = cli("score", "--help").stdout
    for option in (
        "-r, --references REF ...",
        "-t, -i, --systems SYS ...",
        "-s, --source SRC",
        "-l, --language LANG",
        "-m, --metrics SPEC ...",
        "--ci ",
        "--segments",
        "-f, --format FORM",
        "-o, --output FILE",
        "--seed N",
        "--jobs N",
        "-q, --quiet",
        "--set DIR",
        "--pair PAIR",
    ):
        assert option in text
    assert "text, json, tsv, markdown, latex" in " ".join(text.split())


def test_the_version(cli: Cli) -> None:
    assert cli("--version").stdout == f"tenbin {__version__}\n"


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["score", "--help"]])
def test_help_loads_little(words: list[str]) -> None:
    code = (
        "import sys; from tenbin.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print([n for n in {NOT_FOR_HELP} if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("[]\n")
