"""Messages name parameters of the library; whoever typed a command reads its options."""

import re
from pathlib import Path

import pytest

import tenbin
from tenbin.cli.wording import in_options

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
