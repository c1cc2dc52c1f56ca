"""Every command and every option of the command line says what it does."""

import argparse
import importlib
import pkgutil

import pytest

import tenbin.cli
from tenbin.cli.main import COMMANDS, build_parser


def parser_of(command: str) -> argparse.ArgumentParser:
    """Return the parser of one command, filled in."""
    for action in build_parser([command])._actions:
        if isinstance(action, argparse._SubParsersAction):
            parser: argparse.ArgumentParser = action.choices[command]
            return parser
    pytest.fail("the parser has no commands")


def test_every_command_module_is_listed() -> None:
    modules = [module.name for module in pkgutil.iter_modules(tenbin.cli.__path__)]
    commands = [
        name
        for name in modules
        if hasattr(importlib.import_module(f"tenbin.cli.{name}"), "add_arguments")
    ]
    assert sorted(commands) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    assert len(COMMANDS[command].split()) > 2
    assert COMMANDS[command] in build_parser([]).format_help()
    parser = parser_of(command)
    assert parser.description
    assert parser.format_help().startswith(f"usage: tenbin {command}")
    assert callable(parser.get_default("run"))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_help(command: str) -> None:
    silent = [
        action.option_strings or action.dest
        for action in parser_of(command)._actions
        if not (action.help or "").strip()
    ]
    assert silent == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_long_option_is_in_words(command: str) -> None:
    options = [text for action in parser_of(command)._actions for text in action.option_strings]
    long = [text for text in options if text.startswith("--")]
    assert all(text == text.lower() and "_" not in text for text in long)


def test_the_help_of_each_command_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            build_parser([command]).parse_args([command, "--help"])
        assert stopped.value.code == 0
        assert COMMANDS[command][1:] in capsys.readouterr().out
