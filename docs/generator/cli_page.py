"""The reference of the command line, generated from the parsers."""

import argparse
import re

from tenbin.cli.main import COMMANDS, build_parser

_NOTICE = "<!-- Written by docs/generate.py; edit the options in src/tenbin/cli. -->\n"


def cli_page() -> str:
    """Return the page of all commands and options."""
    parser = build_parser([])
    parts = [
        f"# Command line\n\n{_NOTICE}\n{parser.description}",
        f"## tenbin\n\n{_options(parser)}",
    ]
    if parser.epilog:
        parts.append(_verbatim(parser.epilog))
    parts += [_command(name) for name in COMMANDS]
    return "\n\n".join(parts) + "\n"


def command_parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of one command, with all its options."""
    for action in build_parser([name])._actions:  # noqa: SLF001 - argparse has no other way in
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            found: argparse.ArgumentParser = action.choices[name]
            return found
    raise LookupError(name)


def _command(name: str) -> str:
    parser = command_parser(name)
    parts = [f"## tenbin {name}", f"{parser.description}", _options(parser)]
    if parser.epilog:
        parts.append(_verbatim(parser.epilog))
    for action, inner in _actions(parser).items():
        parts += [f"### tenbin {name} {action}", f"{inner.description}", _options(inner)]
        if inner.epilog:
            parts.append(_verbatim(inner.epilog))
    return "\n\n".join(parts)


def _actions(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            return dict(action.choices)
    return {}


def _options(parser: argparse.ArgumentParser) -> str:
    tables = []
    for group in parser._action_groups:  # noqa: SLF001
        rows = [
            f"| {_names(action)} | {_help(action, parser)} |"
            for action in group._group_actions  # noqa: SLF001
            if action.help != argparse.SUPPRESS
        ]
        if rows:
            tables.append(
                f"**{_capitalized(group.title or '')}**\n\n| option | meaning |\n|---|---|\n"
                + "\n".join(rows)
            )
    return "\n\n".join(tables)


def _names(action: argparse.Action) -> str:
    if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
        return f"`{action.metavar}`"
    value = _value(action)
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    if not names:
        return f"`{value}`"
    return f"{names} `{value}`" if value else names


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    if action.metavar is None and action.choices is not None:
        # Not with bars: they end a cell in some readers of Markdown, even in code.
        name = "{" + ",".join(map(str, action.choices)) + "}"
    else:
        name = str(action.metavar or action.dest.upper())
    forms = {"+": f"{name} [{name} ...]", "?": f"[{name}]", "*": f"[{name} ...]"}
    return forms.get(str(action.nargs), name)


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
        place = parser.prog.replace(" ", "-")
        return ", ".join(f"[`{name}`](#{place}-{name})" for name in action.choices)
    text = (action.help or "") % {**vars(action), "prog": parser.prog}
    return _cell(" ".join(text.split()))


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _verbatim(text: str) -> str:
    return f"```text\n{re.sub(r' +$', '', text, flags=re.MULTILINE).strip()}\n```"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
