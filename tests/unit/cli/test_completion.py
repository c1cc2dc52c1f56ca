"""The tab key, in the shells that are there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tenbin
from tenbin.cli.main import COMMANDS, main

SHELLS = ["bash", "zsh", "fish"]

# What a shell does at the tab key: it calls the function of the script with the line.
BASH = """\
eval "$(tenbin completion bash)"
[[ $(complete -p tenbin) == *-F\\ _python_argcomplete\\ tenbin ]] || exit 9
COMP_LINE="$1"
COMP_POINT=${#COMP_LINE}
COMP_TYPE=9
read -ra COMP_WORDS <<< "$COMP_LINE"
[[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_python_argcomplete tenbin "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """\
autoload -Uz compinit && compinit -D -u
eval "$(tenbin completion zsh)"
[[ $_comps[tenbin] == _python_argcomplete ]] || exit 9
# In the place of the list that is drawn.
_describe() { print -l -- ${(P)2} }
BUFFER="$1" CURSOR=${#1} words=(${(z)1})
_python_argcomplete
"""
FISH = """\
tenbin completion fish | source
complete --do-complete $argv[1]
"""
SCRIPTS = {"bash": ["bash", "-c", BASH, "-"], "zsh": ["zsh", "-f", "-c", ZSH, "-"]}


@pytest.fixture
def completed(tmp_path: Path) -> "Completed":
    return Completed(tmp_path)


class Completed:
    """Asks a shell how a line can go on."""

    def __init__(self, folder: Path) -> None:
        programs = folder / "bin"
        programs.mkdir()
        command = programs / "tenbin"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tenbin "$@"\n', encoding="utf-8")
        command.chmod(0o755)
        self.folder = folder
        paths = [str(Path(tenbin.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        self.environment = {
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(paths),
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
        }

    def __call__(self, shell: str, line: str) -> set[str]:
        if sys.platform == "win32" or shutil.which(shell) is None:
            pytest.skip(f"there is no {shell}")
        words = SCRIPTS.get(shell, ["fish", "--no-config", "-c", FISH])
        done = subprocess.run(
            [*words, line],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        # Some shells have the help of an option beside it; zsh quotes colons.
        lines = [one.partition("\t")[0].replace("\\:", "\0") for one in done.stdout.splitlines()]
        return {one.partition(":")[0].replace("\0", ":").strip() for one in lines if one.strip()}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("tenbin comp", {"compare", "completion"}),
        ("tenbin score --resa", {"--resamples"}),
        ("tenbin score -m chr", {"chrf", "chrf+", "chrf++"}),
        ("tenbin score -m chrf ri", {"ribes"}),
        ("tenbin score -l zh", {"zh", "zh-Hant"}),
        ("tenbin score --empty-references ", {"keep", "absent"}),
        ("tenbin resources install mpnet", {"mpnet-en"}),
        ("tenbin metrics ribe", {"ribes"}),
        ("tenbin score -r tex", {"texts.txt"}),
    ],
)
def test_a_shell_completes(completed: Completed, shell: str, line: str, found: set[str]) -> None:
    (completed.folder / "texts.txt").write_text("a\n", encoding="utf-8")
    assert completed(shell, line) == found


def test_bash_completes_after_words_that_are_not_ascii(completed: Completed) -> None:
    assert completed("bash", "tenbin score -r 参照.txt -m rib") == {"ribes"}


def test_bash_lists_every_command(completed: Completed) -> None:
    assert completed("bash", "tenbin ") >= set(COMMANDS)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert "tenbin" in printed
    assert "_ARGCOMPLETE" in printed


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["completion", "tcsh"])
    assert stopped.value.code == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err
