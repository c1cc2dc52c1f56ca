"""Every default has an entry in the table that says where it comes from and which test holds it.

The table is `tests/oracles/data/defaults/pins.tsv`; docs/reference/defaults.md is made from it.
`python -m benchmarks.mutants.pins` changes each default and runs the test that is named.
"""

import argparse
import ast
from collections import Counter
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tenbin.cli.main import COMMANDS, build_parser
from tenbin.core.metric import signature_value
from tenbin.metrics.registry import ALIASES, metric_class, metric_names

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path("tests/oracles/data/defaults/pins.tsv")
KINDS = {
    *("paper", "program", "measured", "choice"),
    *("neutral", "language", "machine", "user"),
}
# What is printed and how fast, not what is computed.
PRESENTATION = {"--format", "--jobs"}


class Default(NamedTuple):
    """A parameter of a metric or a preset, or an option of a command."""

    where: str
    parameter: str
    value: str


class Pin(NamedTuple):
    """What holds a default."""

    kind: str
    source: str
    test: str


@cache
def pins() -> dict[Default, Pin]:
    heading, *lines = (ROOT / TABLE).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert heading.split("\t") == ["where", "parameter", "default", "kind", "source", "test"]
    found: dict[Default, Pin] = {}
    for line in lines:
        where, parameter, value, *rest = line.split("\t")
        # A space within the name of a command is written as a hyphen where several are named.
        places = [where] if where.startswith("build ") else where.split(" ")
        for place in places:
            default = Default(place.replace("study-", "study "), parameter, value)
            assert default not in found, f"{default} is listed twice"
            found[default] = Pin(*rest)
    return found


def of_metrics() -> list[Default]:
    return [
        Default(name, field.name, signature_value(field.default))
        for name in metric_names()
        for field in fields(metric_class(name))  # type: ignore[arg-type]
        if metric_class(name).__module__.startswith("tenbin.")
    ]


def of_presets() -> list[Default]:
    return [
        Default(name, parameter, signature_value(value))
        for name, spec in ALIASES.items()
        for parameter, value in spec.parameters
    ]


def _options(parser: argparse.ArgumentParser, command: str) -> list[Default]:
    found = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                found += _options(inner, f"{command} {name}")
        elif action.option_strings:
            option = action.option_strings[-1]
            # Switches that are off, and options without a value, change nothing unless given.
            told = not (action.default is None or action.default in (False, [], argparse.SUPPRESS))
            number = isinstance(action.default, int | float) and action.type is not None
            shown = option in PRESENTATION and not command.startswith("build")
            if (told or (number and action.default is not False)) and not shown:
                found.append(Default(command, option, str(action.default)))
    return found


def of_commands() -> list[Default]:
    found = []
    for command in COMMANDS:
        for action in build_parser([command])._actions:
            if isinstance(action, argparse._SubParsersAction):
                found += _options(action.choices[command], command)
    return found


def everything() -> list[Default]:
    return [*of_metrics(), *of_presets(), *of_commands()]


def test_every_default_has_an_entry() -> None:
    missing = [default for default in everything() if default not in pins()]
    assert not missing, (
        f"{TABLE} has no line for {missing}. Write where the value comes from and which test fails "
        "if it, or what it does, changes; a value without a source is measured, by a test."
    )


def test_no_entry_is_stale() -> None:
    there = set(everything())
    stale = [default for default in pins() if default not in there]
    assert not stale, f"{TABLE} lists what is not a default: {stale}. Remove or correct the line."


@cache
def _functions(path: str) -> set[str]:
    file = ROOT / path
    if not file.is_file():
        return set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("test", sorted({pin.test for pin in pins().values()}))
def test_the_named_test_exists(test: str) -> None:
    path, _, name = test.partition("::")
    assert name.startswith("test_")
    assert name in _functions(path), f"{TABLE} names {test}, which is not there"
    # Stored outputs follow what the program says; they hold nothing.
    assert not path.startswith(("tests/golden", "tests/exact"))


def test_every_entry_says_what_it_is() -> None:
    assert {pin.kind for pin in pins().values()} == KINDS
    assert all(pin.source for pin in pins().values())


def test_numbers_have_a_source_or_a_measurement() -> None:
    """A number that is a choice is one of few, each explained in a decision record."""
    chosen = Counter(
        (default.parameter, default.value)
        for default, pin in pins().items()
        if pin.kind == "choice" and default.value.replace(".", "").isdigit()
    )
    allowed = {("min_coverage", "0.1"), ("threshold", "0"), ("--vocabulary", "16000")}
    assert set(chosen) <= allowed | {("--jobs", "1")}
