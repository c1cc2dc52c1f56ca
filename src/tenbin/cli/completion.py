"""``tenbin completion``, and the answers that shells get when somebody presses the tab key."""

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from tenbin.cli.terminal import emit

BUNDLED_SET = "bundled:example"
_EPILOG = """\
examples:
  eval "$(tenbin completion bash)"         # in ~/.bashrc
  tenbin completion zsh > ~/.zfunc/_tenbin  # a folder of $fpath
  tenbin completion fish > ~/.config/fish/completions/tenbin.fish

The tab key then completes commands, options, metrics, languages, test sets, resources and files.
"""


class Shell(StrEnum):
    """Shells that a script is printed for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "shell",
        choices=[str(shell) for shell in Shell],
        metavar="SHELL",
        help=f"the shell that the script is for: {', '.join(Shell)}",
    )


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    from argcomplete.shell_integration import shellcode  # noqa: PLC0415 - of this command alone

    emit(shellcode(["tenbin"], shell=options.shell))
    return 0


def answer_shell() -> None:
    """Print how the line that a shell holds can go on, and end the process."""
    import argcomplete  # noqa: PLC0415 - at the tab key alone
    from argcomplete.lexers import split_line  # noqa: PLC0415

    from tenbin.cli.main import build_parser  # noqa: PLC0415 - names the commands, this one too

    line = os.environ.get("COMP_LINE", "")
    point = int(os.environ.get("COMP_POINT", len(line)))
    _, _, _, words, _ = split_line(line, point)
    parser = build_parser(words[1:])
    for command, name, action in _actions(parser):
        completer = _completer(command, name, action)
        if completer is not None:
            action.completer = completer  # type: ignore[attr-defined] # where argcomplete looks
    argcomplete.autocomplete(parser, always_complete_options="long")


def _metrics(**_line: Any) -> list[str]:  # noqa: ANN401 - what argcomplete tells of the line
    from tenbin.api.scoring import list_metrics  # noqa: PLC0415 - when it is asked for

    return list(list_metrics())


def _languages(**_line: Any) -> list[str]:  # noqa: ANN401
    from tenbin.serve.page import LANGUAGES  # noqa: PLC0415 - when it is asked for

    return list(LANGUAGES)


def _sets(**_line: Any) -> list[str]:  # noqa: ANN401
    from tenbin.api.sets import list_sets  # noqa: PLC0415 - when it is asked for

    return [BUNDLED_SET, *(found.name for found in list_sets().sets)]


def _resources(**_line: Any) -> list[str]:  # noqa: ANN401
    from tenbin.api.resources import list_resources  # noqa: PLC0415 - when it is asked for

    return [listed.entry.name for listed in list_resources().resources]


_BY_VALUE: Mapping[str, Callable[..., list[str]]] = MappingProxyType(
    {"LANG": _languages, "SPEC": _metrics}
)
# Names of what, by command.
_BY_COMMAND: Mapping[str, Callable[..., list[str]]] = MappingProxyType(
    {"metrics": _metrics, "resources": _resources, "sets": _sets}
)


def _completer(command: str, name: str, action: argparse.Action) -> Callable[..., list[str]] | None:
    """Return what completes the value of an option; None for choices and files."""
    if action.choices is not None:
        return None
    if name == "--set":
        return _sets
    if action.metavar == "NAME" and not action.option_strings:
        return _BY_COMMAND.get(command)
    return _BY_VALUE.get(str(action.metavar))


def _actions(
    parser: argparse.ArgumentParser, command: str = ""
) -> Iterator[tuple[str, str, argparse.Action]]:
    """Give the options of a parser and of the commands in it, each with its command and name."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other list of them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for name, part in action.choices.items():
                yield from _actions(part, command or name)
        else:
            yield command, (action.option_strings or [action.dest])[-1], action
