"""How help is laid out and printed."""

import argparse
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from tenbin.core.errors import shortened

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_WIDEST = 100
_OPTION_COLUMN = 30


class HelpLayout(argparse.RawDescriptionHelpFormatter):
    """One line per option (``-r, --references REF ...``), examples as they are written."""

    def __init__(self, prog: str) -> None:
        width = min(shutil.get_terminal_size().columns - 2, _WIDEST)
        super().__init__(prog, max_help_position=_OPTION_COLUMN, width=width)

    def _format_action(self, action: argparse.Action) -> str:
        text = super()._format_action(action)
        # The commands stand under a title of their own; a line 'COMMAND' says nothing new.
        has_own_line = isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
        return text.partition("\n")[2] if has_own_line else text

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        default = self._get_default_metavar_for_optional(action)
        value = self._format_args(action, default)
        return f"{', '.join(action.option_strings)} {value}"

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        # argparse writes 'REF [REF ...]'; the second naming says nothing new.
        if action.nargs == argparse.ONE_OR_MORE and isinstance(action.metavar, str):
            return f"{action.metavar} ..."
        return super()._format_args(action, default_metavar)


def complete_quiet(parser: argparse.ArgumentParser) -> None:
    """Give a command, or each of its actions, the option ``--quiet`` where it has none."""
    below = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]  # noqa: SLF001
    for action in below:
        for one in action.choices.values():
            complete_quiet(one)
    known = {name for one in parser._actions for name in one.option_strings}  # noqa: SLF001
    if not below and "--quiet" not in known:
        parser.add_argument(
            "-q", "--quiet", action="store_true", help="no notes and no progress on stderr"
        )


class CommandParser(argparse.ArgumentParser):
    """A parser with this layout that does not hide a full disk or a closed pipe."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - those of argparse
        super().__init__(**options, formatter_class=HelpLayout, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """End with usage and a message, which says what is wrong and not a megabyte of it."""
        super().error(shortened(message))

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        stream = file or sys.stderr
        if message and stream is not None:
            stream.write(message)


def add_actions(
    parser: argparse.ArgumentParser, summaries: Mapping[str, str]
) -> dict[str, argparse.ArgumentParser]:
    """Add the actions of a command, and return the parser of each.

    Args:
        parser: That of the command.
        summaries: What each action does.
    """
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, title="actions", help="what to do"
    )
    found = {}
    for name, summary in summaries.items():
        described = f"{summary[0].upper()}{summary[1:]}."
        found[name] = actions.add_parser(name, help=summary, description=described)
        found[name].allow_abbrev = False
    return found
