"""Workflows, hooks and templates say what is true of the project."""

import re
import runpy
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

import tenbin

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

pytestmark = pytest.mark.skipif(not GITHUB.is_dir(), reason="not a checkout of the repository")


def read(path: Path) -> dict[str, Any]:
    found = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_tests_run_on_every_python_that_the_package_names() -> None:
    matrix = read(GITHUB / "workflows" / "test.yml")["jobs"]["matrix"]["strategy"]["matrix"]
    pattern = re.compile(r"Programming Language :: Python :: (\d\.\d+)")
    named = [found[1] for line in PROJECT["classifiers"] if (found := pattern.fullmatch(line))]
    assert matrix["python"] == named
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}


def test_extras_of_the_workflows_exist() -> None:
    matrix = read(GITHUB / "workflows" / "test.yml")["jobs"]["matrix"]["strategy"]["matrix"]
    for cell in matrix["include"]:
        assert set(cell["extras"].split(",")) <= set(PROJECT["optional-dependencies"])
    assert {cell["system"] for cell in matrix["include"]} == set(matrix["system"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_few_rights_and_one_run_at_a_time(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "group" in workflow["concurrency"]
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())
    for step in steps(workflow):
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@(release/)?v\d+", step["uses"])
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_targets_and_files_of_workflows_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    for command in filter(None, (step.get("run") for step in steps(read(path)))):
        assert set(re.findall(r"^make (\w+)", command, re.M)) <= targets
        for file in re.findall(r"(?<!\S)(?:\.github|tests|docs|src)/[\w./-]+", command):
            assert (ROOT / file).exists(), file


def test_hooks_name_no_place() -> None:
    hooks = [
        hook for repo in read(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]
    ]
    entries = [hook["entry"] for hook in hooks if hook["language"] == "system"]
    assert entries
    assert {entry.split()[0] for entry in entries} == {"python", "lint-imports"}


@pytest.mark.parametrize("path", sorted((GITHUB / "ISSUE_TEMPLATE").glob("[!c]*.yml")), ids=str)
def test_forms_of_issues_can_be_read(path: Path) -> None:
    form = read(path)
    assert {"name", "description", "labels", "body"} <= form.keys()
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)


@pytest.fixture
def check_release() -> dict[str, Any]:
    return runpy.run_path(str(GITHUB / "check_release.py"))


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The files that say which version this is."""
    (tmp_path / "src" / "tenbin").mkdir(parents=True)
    for name in ("src/tenbin/version.py", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_this_version_could_be_tagged(check_release: dict[str, Any], tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    assert check_release["main"]([f"v{tenbin.__version__}", "--notes", str(notes)]) == 0
    assert "\n### Scores\n" in notes.read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "src/tenbin/version.py",
            tenbin.__version__,
            "9.9.9",
            "but src/tenbin/version.py says 9.9",
        ),
        ("CITATION.cff", f"version: {tenbin.__version__}", "version: 9.9.9", "CITATION.cff says 9"),
        ("CHANGELOG.md", f"## [{tenbin.__version__}]", "## [9.9.9]", "has no section"),
        ("CHANGELOG.md", "### Scores", "### Fixed", "does not say which scores moved"),
    ],
)
def test_a_tag_that_does_not_fit_is_refused(
    check_release: dict[str, Any], release: Path, file: str, old: str, new: str, message: str
) -> None:
    text = (release / file).read_text("utf-8")
    assert old in text
    (release / file).write_text(text.replace(old, new), "utf-8")
    problems = check_release["problems"](f"v{tenbin.__version__}", release)
    assert message in " ".join(problems)


def test_no_test_looks_at_a_clock() -> None:
    clock = re.compile(r"\b(?:monotonic|perf_counter|process_time|Timer)\(|\btime\.time\(")
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text("utf-8")
        assert not clock.search(text), f"{path}: provoke the moment, do not wait for it"
        # A limit is there for tests that would hang.
        assert all(int(limit) >= 300 for limit in re.findall(r"\btimeout=(\d+)", text)), path


def test_hypothesis_looks_at_no_clock() -> None:
    for path in {*(ROOT / "tests").rglob("*.py")} - {Path(__file__).resolve()}:
        text = path.read_text("utf-8")
        for call in re.findall(r"register_profile\((.*?)\n?\)\n", text, re.S):
            assert "deadline=None" in call, path
            assert "HealthCheck.too_slow" in call, path
        # What a test suppresses takes the place of what its profile does.
        for given in re.findall(r"suppress_health_check=(\[[^\]]*\]|\w+)", text):
            listed = re.search(rf"^{given} = (.*)$", text, re.M) if given[0] != "[" else None
            assert "too_slow" in (given if listed is None else listed[1]), path
        assert not re.search(r"deadline=(?!None)", text), path


def test_ginza_has_a_job_of_its_own() -> None:
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert "run: make ginza" in workflow
    makefile = (ROOT / "Makefile").read_text("utf-8")
    pins = re.search(r"^GINZA_PACKAGES = (.*)$", makefile, re.M)
    assert pins
    # The message of a failed import names the same pair.
    source = (ROOT / "src/tenbin/penalty/names/recognition.py").read_text("utf-8")
    dictionary = re.search(r"sudachidict-core==\d+", source)
    assert dictionary
    assert dictionary[0] in pins[1]
