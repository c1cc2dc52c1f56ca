"""The image and the conda package say what pyproject.toml says, and their steps work."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import tenbin
from tenbin.cli.main import build_parser

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "Dockerfile"
RECIPE = ROOT / "recipe" / "recipe.yaml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TRY = "TENBIN_TRY_DOCKERFILE"

pytestmark = pytest.mark.skipif(not DOCKERFILE.is_file(), reason="not a checkout of the repository")


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile, each with its words on one line."""
    lines = [
        line
        for line in DOCKERFILE.read_text("utf-8").splitlines()
        if line.strip() and not line.lstrip().startswith("#")
    ]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, words) for name, _, words in (one.partition(" ") for one in joined.split("\n"))]


def of_kind(name: str) -> list[str]:
    return [words for found, words in instructions() if found == name]


def test_the_image_has_a_small_base_of_the_python_that_versions_are_pinned_for() -> None:
    bases = {words.partition(" ")[0] for words in of_kind("FROM")}
    (base,) = bases
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    (python,) = [
        step["with"]["python-version"]
        for step in workflow["jobs"]["whole"]["steps"]
        if "setup-python" in step.get("uses", "")
    ]
    assert base == f"python:{python}-slim"


def test_the_image_runs_as_nobody_in_particular_and_offline() -> None:
    last = [words for name, words in instructions()][-4:]
    assert "TENBIN_OFFLINE=1" in last
    assert of_kind("ENTRYPOINT") == ['["tenbin"]']
    names = [name for name, _ in instructions()]
    (user,) = of_kind("USER")
    assert int(user) >= 1000
    assert f"--uid {user}" in " ".join(of_kind("RUN"))
    assert names.index("USER") < names.index("ENTRYPOINT")
    # What is fetched is fetched by pip and by 'tenbin resources', which check hashes.
    assert not of_kind("ADD")
    assert not re.search(r"\b(?:curl|wget|sudo)\b", " ".join(of_kind("RUN")))


def test_what_the_image_copies_is_there_and_is_sent_to_the_builder() -> None:
    kept = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert kept[1] == "*"
    copied = [
        name
        for words in of_kind("COPY")
        if not words.startswith("--from")
        for name in words.split()[:-1]
    ]
    assert {f"!{name}" for name in copied} == {line for line in kept if line.startswith("!")}
    assert all((ROOT / name).exists() for name in copied)
    # hatchling reads these.
    assert {PROJECT["readme"], "LICENSE", "src"} <= set(copied)


def test_commands_of_the_image_have_options_that_exist() -> None:
    commands = re.findall(r"tenbin (score [^&;]*|resources [^&;]*)", " ".join(of_kind("RUN")))
    assert len(commands) == 2
    for command in commands:
        words = command.replace("$RESOURCES", "vectors-ja").split()
        assert build_parser(words).parse_args(words).command == words[0]


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint is not installed")
def test_hadolint_finds_nothing() -> None:
    done = subprocess.run(
        ["hadolint", str(DOCKERFILE)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.skipif(TRY not in os.environ, reason=f"takes an index of packages: {TRY}=1 runs it")
def test_the_steps_of_the_image_work_in_a_folder(tmp_path: Path) -> None:
    source, installed, home = (tmp_path / name for name in ("source", "opt", "home"))
    source.mkdir()
    for words in of_kind("COPY"):
        if not words.startswith("--from"):
            *names, _ = words.split()
            for name in names:
                one = ROOT / name
                ignored = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
                if one.is_dir():
                    shutil.copytree(one, source / name, ignore=ignored)
                else:
                    shutil.copy(one, source)
    pip, own = [step for step in of_kind("RUN") if "useradd" not in step]
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        "HOME": str(home),
        "EXTRAS": "zh",
        "RESOURCES": "",
        "PATH": f"{installed}/bin:{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    home.mkdir()
    printed = ""
    for step, folder in ((pip, source), (own, tmp_path)):
        placed = step.replace("/opt/tenbin", str(installed)).replace("/home/tenbin", str(home))
        done = subprocess.run(
            ["sh", "-e", "-c", placed],  # noqa: S607
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        printed = done.stdout
    assert "BLEU" in printed
    # And pytest has the plugin, once both are installed together.
    finder = "from importlib.metadata import entry_points as e; print(*e(group='pytest11'))"
    done = subprocess.run(
        [str(installed / "bin" / "python"), "-c", finder],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "tenbin.ecosystem.pytest_plugin" in done.stdout


@pytest.fixture
def recipe() -> dict[str, Any]:
    found = yaml.safe_load(RECIPE.read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def as_conda(requirement: str) -> str:
    name, limits, _ = re.split(r"([<>=!~].*)", requirement)
    return f"{name.strip().lower()} {limits}"


def test_the_recipe_has_the_version_and_the_dependencies(recipe: dict[str, Any]) -> None:
    assert recipe["context"]["version"] == tenbin.__version__
    lowest = recipe["context"]["python_min"]
    assert PROJECT["requires-python"] == f">={lowest}"
    needed = recipe["requirements"]["run"]
    assert needed[0] == "python >=${{ python_min }}"
    assert needed[1:] == sorted(as_conda(one) for one in PROJECT["dependencies"])
    backend = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]
    assert {as_conda(one) for one in backend["requires"]} <= set(recipe["requirements"]["host"])


def test_the_recipe_has_the_command_and_the_licences(recipe: dict[str, Any]) -> None:
    points = recipe["build"]["python"]["entry_points"]
    assert points == [f"{name} = {home}" for name, home in PROJECT["scripts"].items()]
    assert recipe["about"]["license"] == PROJECT["license"]
    summary = PROJECT["description"].replace(":", ",").lower()
    assert recipe["about"]["summary"].lower() == summary
    licences = {
        path.relative_to(ROOT).as_posix()
        for pattern in PROJECT["license-files"]
        for path in ROOT.glob(pattern)
    }
    assert set(recipe["about"]["license_file"]) == licences


def test_the_recipe_tries_commands_that_exist(recipe: dict[str, Any]) -> None:
    (script,) = [one["script"] for one in recipe["tests"] if "script" in one]
    for line in script:
        words = line.split()[1:]
        if words[0].startswith("-"):
            continue
        assert build_parser(words).parse_args(words).command == words[0]


def test_rattler_build_renders_the_recipe() -> None:
    package = pytest.importorskip("rattler_build", reason="py-rattler-build is not installed")
    rendered = package.Stage0Recipe.from_file(str(RECIPE)).render(package.VariantConfig())
    (variant,) = rendered
    assert variant.recipe.to_dict()["package"] == {"name": "tenbin", "version": tenbin.__version__}
