"""Messages name parameters of the library; whoever typed a command reads its options."""

import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import isfunction, signature
from pathlib import Path
from pkgutil import walk_packages

import pytest

import tenbin
import tenbin.api
from tenbin.building.metric.recipe import MetricRecipe
from tenbin.cli.wording import _OPTIONS, in_options
from tenbin.metrics.registry import load, metric_names
from tenbin.serve.server import serve

ROOT = Path(tenbin.__file__).parent
OPTION = re.compile(r"""(?<![\w`-])--[a-z][a-z-]+""")
# Options of other programs, and of Tenbin's in docstrings of its own modules.
OTHERS = {
    "api/sets.py",  # options of other programs
    "ecosystem/pytest_plugin.py",  # options of pytest
    "ecosystem/translation_check.py",
    "resources/hub_cache.py",  # options of another program
    "resources/store/providers.py",
    "resources/store/lookup.py",
    "resources/store/archives.py",
}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ('for example `language="ja"`.', "for example -l ja."),
        ("which is missing (`source`).", "which is missing (-s)."),
        ('(`human_systems="include"`)', "(--human-systems include)"),
        ("`list_measures()` lists all.", "'tenbin meta --list' lists all."),
        ("`nothing_known` stays, as does `a=b c`.", "`nothing_known` stays, as does `a=b c`."),
        ("no parameter at all", "no parameter at all"),
    ],
)
def test_parameters_become_options(message: str, expected: str) -> None:
    assert in_options(message) == expected


def test_words_stand_for_parameters_of_the_library() -> None:
    known = {*MetricRecipe.__slots__, *signature(serve).parameters}
    for name in (one.name for one in walk_packages(tenbin.api.__path__, "tenbin.api.")):
        public = vars(import_module(name)).values()
        functions = [one for one in public if isfunction(one)]
        known |= {word for one in functions for word in signature(one).parameters}
        known |= {one.__name__ for one in functions}
        known |= {field.name for one in public if is_dataclass(one) for field in fields(one)}
    known |= {field.name for name in metric_names() for field in fields(load(name))}  # type: ignore[arg-type]
    known.add("format")  # in the library a method for each: to_json, to_latex ...
    assert {word for word in _OPTIONS if not word.endswith("()")} <= known


def test_no_message_below_the_command_line_names_an_option() -> None:
    guilty = [
        f"{path.relative_to(ROOT).as_posix()}:{number}: {line.strip()}"
        for path in sorted(ROOT.rglob("*.py"))
        # The local page names commands and their options too, with words of its own.
        if not {"cli", "serve"} & set(path.relative_to(ROOT).parts)
        and path.relative_to(ROOT).as_posix() not in OTHERS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if OPTION.search(line)
    ]
    assert guilty == []
