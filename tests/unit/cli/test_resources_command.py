"""``tenbin resources``: every action, its output, its exit code."""

import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.cli.main import main
from tenbin.resources.store import store as store_module
from tenbin.resources.store.lookup import CACHE_VARIABLE, OFFLINE_VARIABLE
from tenbin.resources.store.manifest import parse_manifest

CONTENT = b"house|home\n"
Run = Callable[..., tuple[int, str, str]]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def entry(name: str, *providers: str) -> str:
    listed = "".join(f"[[{name}.providers]]\n{one}\n" for one in providers)
    return (
        f'[{name}]\nkind = "lexicon"\nversion = "1"\nlanguage = "en"\nlicence = "CC0-1.0"\n'
        f'description = "words"\nsha256 = "{hashlib.sha256(CONTENT).hexdigest()}"\n'
        f"size = {len(CONTENT)}\n{listed}"
    )


@pytest.fixture
def system_file(tmp_path: Path) -> Path:
    path = tmp_path / "system" / "words.dat"
    path.parent.mkdir()
    path.write_bytes(CONTENT)
    return path


@pytest.fixture(autouse=True)
def _own_resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system_file: Path) -> None:
    """Let the command see two resources: one that is at hand, one to be had from pip."""
    wheel = 'type = "wheel"\ndistribution = "words"\nversion = "1"\nmember = "words.dat"'
    text = entry("at-hand", f'type = "file"\npath = "{system_file}"') + entry("far-off", wheel)
    manifest = parse_manifest(text, "manifest.toml")
    monkeypatch.setattr(store_module, "bundled_manifest", lambda: manifest)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.delenv(OFFLINE_VARIABLE, raising=False)
    programs = tmp_path / "bin"
    programs.mkdir()
    wheel_maker = (
        f"#!{sys.executable}\nimport zipfile\n"
        f'zipfile.ZipFile("words.whl", "w").writestr("words.dat", {CONTENT!r})\n'
    )
    (programs / "pip").write_text(wheel_maker)
    (programs / "pip").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str, str]:
        code = main(["resources", *words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def test_list(run: Run, tmp_path: Path) -> None:
    code, out, err = run("list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["Resource", "Kind", "Language"]
    assert [line.split()[0] for line in lines[2:4]] == ["at-hand", "far-off"]
    assert "on this system" in lines[2]
    assert "not installed" in lines[3]
    assert f"Installed into {tmp_path / 'cache'}" in out


def test_list_as_data(run: Run, tmp_path: Path, system_file: Path) -> None:
    _, out, _ = run("list", "-f", "json")
    payload = json.loads(out)
    assert payload["cache"] == str(tmp_path / "cache")
    first, second = payload["resources"]
    assert first["name"] == "at-hand"
    assert first["path"] == str(system_file)
    assert first["sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert first["providers"] == [{"type": "file", "path": str(system_file)}]
    assert (second["state"], second["path"], second["prepare"]) == ("not installed", None, None)


def test_install_path_verify_remove(run: Run) -> None:
    code, out, err = run("install", "far-off", "at-hand", "far-off")
    assert (code, out) == (0, "")
    assert [line.split(":")[0] for line in err.splitlines()] == ["far-off", "at-hand"]
    code, out, _ = run("path", "far-off")
    assert Path(out.rstrip("\n")).read_bytes() == CONTENT
    code, out, err = run("verify")
    assert (code, err) == (0, "")
    assert [line.split() for line in out.splitlines()[2:]] == [["at-hand", "ok"], ["far-off", "ok"]]
    assert run("remove", "far-off") == (0, "", "far-off: removed\n")
    assert run("remove", "far-off") == (0, "", "far-off: nothing to remove (not installed)\n")
    assert run("remove", "at-hand", "-q") == (0, "", "")
    assert run("path", "far-off")[0] == 4


def test_quiet(run: Run) -> None:
    assert run("install", "-q", "far-off") == (0, "", "")


def test_another_cache_folder(run: Run, tmp_path: Path) -> None:
    run("install", "--cache", str(tmp_path / "other"), "far-off")
    assert run("path", "far-off")[0] == 4
    code, out, _ = run("path", "--cache", str(tmp_path / "other"), "far-off")
    assert code == 0
    assert out.startswith(str(tmp_path / "other"))


def test_missing_says_the_command(run: Run) -> None:
    code, out, err = run("path", "far-off")
    assert (code, out) == (4, "")
    assert err.endswith("Run: tenbin resources install far-off\n")
    assert run("verify", "far-off")[0] == 4


def test_all_unknown_names_at_once(run: Run) -> None:
    code, _, err = run("install", "far-of", "zzz", "at-hand")
    assert code == 2
    assert "'far-of'" in err
    assert "Did you mean far-off?" in err
    assert "'zzz'" in err


@pytest.mark.parametrize("how", ["option", "environment"])
def test_offline(run: Run, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    words = ["--offline"] if how == "option" else []
    monkeypatch.setenv(OFFLINE_VARIABLE, "1" if how == "environment" else "")
    code, _, err = run("install", *words, "far-off")
    assert code == 4
    assert "offline" in err
    assert run("install", *words, "at-hand")[0] == 0


def test_a_changed_file(run: Run) -> None:
    run("install", "far-off")
    path = Path(run("path", "far-off")[1].rstrip("\n"))
    path.write_bytes(b"changed")
    code, out, err = run("verify")
    assert code == 4
    assert out.splitlines()[-1].split() == ["far-off", "changed"]
    assert err.count("sha256") == 2
    assert "damaged" in run("list")[1]
    assert run("install", "far-off")[0] == 0
    assert run("verify", "far-off", "at-hand")[0] == 0


def test_nothing_to_verify(run: Run, system_file: Path) -> None:
    system_file.unlink()
    code, out, _ = run("verify")
    assert code == 0
    assert out.startswith("Resource")


def test_progress_is_shown_to_a_person_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run("install", "far-off")[:2] == (0, "")
    assert "far-off" in terminal.getvalue()


@pytest.mark.parametrize("words", [[], ["fetch"], ["install"], ["path"], ["path", "a", "b"]])
def test_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["resources", *words])
    assert stopped.value.code == 2
    assert "usage: tenbin" in capsys.readouterr().err


def test_help_of_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    for action in ("list", "install", "verify", "path", "remove"):
        with pytest.raises(SystemExit) as stopped:
            main(["resources", action, "--help"])
        assert stopped.value.code == 0
        assert "--cache" in capsys.readouterr().out


def test_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tenbin", "resources", "path", "meteor-paraphrases-fr"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "Did you mean meteor-paraphrases-en" in done.stderr
