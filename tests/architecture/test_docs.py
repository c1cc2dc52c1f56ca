"""The documentation names everything there is, and everything it shows is run."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tenbin
from tenbin.cli.main import COMMANDS, main
from tenbin.metrics.catalogue import describe_all, describe_metric
from tenbin.metrics.registry import ALIASES
from tenbin.reports.catalog import range_text

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OWN_METRICS = [one.name for one in describe_all() if one.package == "tenbin"]
CLI_PAGE = DOCS / "reference" / "cli.md"
PLUGIN = DOCS / "examples" / "tenbin-length-ratio"

sys.path.insert(0, str(ROOT))
generate: ModuleType = import_module("docs.generate")
cli_page: ModuleType = import_module("docs.generator.cli_page")
live_blocks: ModuleType = import_module("docs.generator.live_blocks")


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def section(command: str) -> str:
    found = re.search(
        rf"^## tenbin {command}\n(.*?)(?=^## |\Z)", CLI_PAGE.read_text("utf-8"), re.M | re.S
    )
    assert found, f"docs/reference/cli.md has no section on tenbin {command}"
    return found[1]


@pytest.mark.parametrize("page", generate.page_names())
def test_page_is_up_to_date_and_its_examples_run(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate.main(["--check", page]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_documented(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    listed = re.findall(r"^ {2}(-.*?)(?: {2}|$)", capsys.readouterr().out, re.M)
    options = {name for line in listed for name in re.findall(r"(?<!\S)--?[\w-]+", line)}
    assert "--help" in options
    assert [name for name in sorted(options) if f"`{name}`" not in section(command)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_a_help_text(command: str) -> None:
    actions = cli_page.command_parser(command)._actions
    assert [action.dest for action in actions if not action.help] == []


@pytest.mark.parametrize("name", OWN_METRICS)
def test_every_metric_has_a_page_and_stands_in_the_readme(name: str) -> None:
    page = f"reference/metrics/{name}.md"
    assert (DOCS / page).is_file()
    assert page in text("mkdocs.yml"), f"add {page} to the navigation in mkdocs.yml"
    assert f"`{name}`" in text("README.md")


def readme_ranges() -> dict[str, str]:
    """Return what the README's table says of the range of each metric."""
    rows = re.findall(r"^\| (`[^|]+`) \| [^|]+ \| [↑↓] \| ([^|]+) \|$", text("README.md"), re.M)
    found: dict[str, str] = {}
    for names, ranges in rows:
        own, given = re.findall(r"`([^`]+)`", names), ranges.split(", ")
        assert len(given) in {1, len(own)}, names
        found |= dict(zip(own, given * (len(own) if len(given) == 1 else 1), strict=True))
    return found


@pytest.mark.parametrize("name", OWN_METRICS)
def test_the_range_is_the_same_in_readme_page_and_command(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = range_text(describe_metric(name))
    assert readme_ranges()[name] == expected
    assert f"\n- range {expected}, " in text(f"docs/reference/metrics/{name}.md")
    main(["metrics", name])
    printed = capsys.readouterr().out
    assert f"Range\n  {expected}, " in printed
    definition = describe_metric(name).definition.partition(".")[0]
    assert set(re.findall(r"-?\d+ to \d+", definition)) <= {expected}


PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def shown_commands(page: Path) -> list[str]:
    """Return the commands of Tenbin in the blocks of a page, comments and pipes cut off."""
    found = []
    for block in re.findall(r"```(?:bash|sh|console)\n(.*?)```", page.read_text("utf-8"), re.S):
        joined = re.sub(r"\\\n\s*", " ", block)
        for line in re.findall(r"^(?:\$ )?(tenbin .*)$", joined, re.M):
            words = shlex.split(line, comments=True)
            ends = [words.index(mark) for mark in ("|", ">", "<", "&&", ";", "2>") if mark in words]
            found.append(shlex.join(words[: min(ends, default=len(words))]))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_on_pages_have_options_that_exist(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in shown_commands(page):
        _, name, *words = shlex.split(command)
        if name.startswith("-") or {"--help", "-h"} & set(words) or {"...", "…"} & set(words):
            continue
        try:
            cli_page.command_parser(name).parse_args(words)
        except SystemExit:
            pytest.fail(f"{command}: {capsys.readouterr().err}")


# What installs or trains takes a network or minutes; their options are checked above.
NOT_RUN = ("tenbin resources install", "tenbin build vectors")


def test_commands_of_the_readme_work_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arrow = pytest.importorskip("pyarrow", reason="the extra 'tables' is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    openpyxl = pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
    lines = [f"Der Hund Nummer {number} schläft im Haus." for number in range(1, 21)]
    for name, texts in (("ref", lines), ("a", lines), ("b", [line[:-8] for line in lines])):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    table = arrow.table({"hypothesis": ["The dog sleeps."], "reference": ["The dog sleeps."]})
    parquet.write_table(table, tmp_path / "pairs.parquet")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    book = openpyxl.Workbook()
    for row in (("ref", "mt"), *((line, line[:-8]) for line in lines)):
        book.active.append(row)
    book.save("pairs.xlsx")
    Path("nbest.txt").write_text("0 ||| Der Hund. ||| lm= -4 ||| -1.2\n", encoding="utf-8")
    baseline = "check --write-baseline base.json -r ref.txt -t a.txt -l de -m chrf"
    assert main(baseline.split()) == 0
    commands = [one for one in shown_commands(ROOT / "README.md") if not one.startswith(NOT_RUN)]
    assert len(commands) > 5
    for command in commands:
        code = main(shlex.split(command)[1:])
        assert code == 0, f"{command}: {capsys.readouterr().err}"


@pytest.mark.parametrize("name", ALIASES)
def test_every_short_name_is_listed(name: str) -> None:
    assert f"`{name} = " in text("docs/reference/metrics/index.md")


def test_every_public_name_is_in_the_reference() -> None:
    documented = set(re.findall(r"^::: tenbin\.(\w+)$", text("docs/reference/api.md"), re.M))
    assert documented == set(tenbin.__all__) - {"__version__"}


def test_every_decision_is_listed_and_has_its_three_parts() -> None:
    records = sorted((DOCS / "decisions").glob("0*.md"))
    assert [record.name[:4] for record in records] == [
        f"{number:04}" for number in range(1, len(records) + 1)
    ]
    for record in records:
        assert f"({record.name})" in text("docs/decisions/index.md")
        headings = re.findall(r"^## (.+)$", record.read_text("utf-8"), re.M)
        assert headings == ["Context", "Choice", "Price"], record.name


def test_make_targets_in_texts_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.M))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]
    for page in pages:
        named = set(re.findall(r"`make (\w+)`", page.read_text("utf-8")))
        named |= set(re.findall(r"^make (\w+)(?= *#| *$)", page.read_text("utf-8"), re.M))
        assert named <= targets, page


def test_readme_opens_with_the_two_commands() -> None:
    block = re.search(r"```bash\n(.*?)```", text("README.md"), re.S)
    assert block
    assert [line.split("#")[0].split() for line in block[1].splitlines()] == [
        ["make", "demo"],
        ["make", "test"],
    ]


def test_readme_shows_what_make_demo_scores() -> None:
    shown = re.search(r"^\$ (tenbin score .*)$", text("README.md"), re.M)
    assert shown
    assert f"$(RUN){shown[1]}" in text("Makefile")


def test_changelog_has_this_version_and_what_moved() -> None:
    release = re.search(
        rf"^## \[{re.escape(tenbin.__version__)}\].*?(?=^## |\Z)", text("CHANGELOG.md"), re.M | re.S
    )
    assert release, f"CHANGELOG.md has no heading [{tenbin.__version__}]"
    assert "\n### Scores\n" in release[0]


def test_citation_names_this_version() -> None:
    yaml = pytest.importorskip("yaml")
    citation: dict[str, Any] = yaml.safe_load(text("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert str(citation["version"]) == tenbin.__version__
    # The citation is of the program; the distribution also has data under other licences.
    licences = tomllib.loads(text("pyproject.toml"))["project"]["license"].split(" AND ")
    assert citation["license"] == licences[0]


def test_pages_fetch_nothing_from_elsewhere() -> None:
    assert "font: false" in text("mkdocs.yml")
    assert not re.search(r"https?://", text("mkdocs.yml"))


def test_stale_output_is_noticed() -> None:
    page = '```python\nprint("new")\n```\n\n```text\nold\n```\n'
    assert live_blocks.refreshed(page) == page.replace("old", "new")
    session = "```console\n$ tenbin --version\nold\n```\n"
    assert live_blocks.refreshed(session) == session.replace("old", f"tenbin {tenbin.__version__}")


@pytest.mark.slow
def test_plugin_of_the_how_to_works_once_installed(tmp_path: Path) -> None:
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text("utf-8"))["project"]
    (group, points) = next(iter(project["entry-points"].items()))
    # What an installer leaves behind, without asking a package index for a build back end.
    info = tmp_path / "tenbin_length_ratio-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = "".join(f"{name} = {target}\n" for name, target in points.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{entries}")
    (tmp_path / "tenbin_length_ratio").symlink_to(PLUGIN / "tenbin_length_ratio")
    texts = ["--set", "bundled:example", "--pair", "ja-en"]
    options = ["-f", "json", "--ci", "-m", "bleu", "length-ratio(power=2)"]
    done = subprocess.run(
        [sys.executable, "-m", "tenbin", "score", *texts, *options],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    results = [
        one for one in json.loads(done.stdout)["results"] if one["metric"].startswith("length")
    ]
    scores = {one["system"]: one["score"] for one in results}
    assert scores["careful"] > scores["gloss"]
    assert all(0 <= one["ci"][0] <= one["score"] <= one["ci"][1] <= 1 for one in results)
    assert "power:2|" in results[0]["signature"]
    assert "|version:tenbin-length-ratio=1.0|" in results[0]["signature"]
