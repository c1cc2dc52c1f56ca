"""``tenbin serve`` as a program: its address, its warning and its end."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra 'serve' is not installed")
pytest.importorskip("uvicorn", reason="the extra 'serve' is not installed")
httpx2 = pytest.importorskip("httpx2", reason="the tests of the local page need httpx2")

Cli = Callable[..., subprocess.CompletedProcess[str]]
SHORT = "One line.\n"


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start the program with its temporary files in a folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "tenbin", "serve", "--no-browser", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def address(process: subprocess.Popen[str]) -> str:
    """Return the address that the program prints."""
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    return found[0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_ended_and_leaves_nothing(tmp_path: Path, number: int) -> None:
    process = started(tmp_path)
    url = address(process)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", url)
    assert httpx2.get(url).status_code == 200
    assert httpx2.get(url[:-2] + "/").status_code == 403
    assert httpx2.post(f"{url}files?name=a.txt", content=SHORT).status_code == 201
    assert len(list(tmp_path.rglob("*"))) > 1
    process.send_signal(number)
    _, told = process.communicate()
    assert process.returncode == 0
    assert told == "Tenbin has stopped; nothing is left on disk.\n"
    assert list(tmp_path.iterdir()) == []


def test_its_workers_end_with_it(tmp_path: Path) -> None:
    process = started(tmp_path)
    url = address(process)
    text = httpx2.post(f"{url}files?name=a.txt", content=SHORT).json()["id"]
    tab = "a" * 32
    wanted = {
        "visitor": tab,
        "tab": tab,
        "systems": [{"name": "a", "file": text}],
        "references": [text],
        "language": "en",
        "metrics": ["chrf"],
    }
    assert httpx2.post(f"{url}jobs", json=wanted).status_code == 202
    with httpx2.stream("GET", f"{url}tabs/{tab}/events", timeout=None) as events:
        lines = events.iter_lines()
        next(line for line in lines if '"running"' in line)
        process.send_signal(signal.SIGINT)
        told = "".join(lines)
    assert process.wait() == 0
    assert "event: end" in told
    assert list(tmp_path.iterdir()) == []
    for stream in (process.stdout, process.stderr):
        assert stream is not None
        stream.close()


def test_another_interface_is_taken_when_asked_with_a_warning(tmp_path: Path) -> None:
    process = started(tmp_path, "--host", "0.0.0.0")  # noqa: S104 - what is tested
    url = address(process)
    assert url.startswith("http://127.0.0.1:")
    assert httpx2.get(url).status_code == 200
    assert process.stdout is not None
    assert process.stdout.readline().startswith("from other machines: http://")
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert told.startswith("warning: listening on 0.0.0.0: whoever can reach this machine")
    assert "not encrypted" in told


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--port", "-1"), "--port is a number from 0 to 65535"),
        (("--port", "70000"), "--port is a number from 0 to 65535"),
        (("--host", ""), "--host"),
        (("--host", "/dev/null"), "is no name and no address of a machine"),
        (("--host", "192.0.2.1"), "cannot be listened on"),
        (("--most-bytes", "0"), "--most-bytes is a number from 1"),
        (("--most-minutes", "nan"), "--most-minutes is a number of minutes above 0"),
        (("--jobs", "-1"), "--jobs -1"),
    ],
)
def test_what_cannot_be_served_is_refused(cli: Cli, words: tuple[str, ...], expected: str) -> None:
    done = cli("serve", "--no-browser", *words)
    assert done.returncode == 2
    assert expected in done.stderr


def test_a_port_that_is_taken_is_named(cli: Cli, tmp_path: Path) -> None:
    process = started(tmp_path)
    port = re.search(r":(\d+)/", address(process))
    assert port
    done = cli("serve", "--no-browser", "--port", port[1])
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert done.returncode == 2
    assert f"port {port[1]} of 127.0.0.1 cannot be listened on" in done.stderr
    assert "--port 0 for any that is free" in done.stderr


def test_without_its_extra_the_command_says_how_to_install_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = cli("serve", "--no-browser")
    assert done.returncode == 4
    assert "pip install 'tenbin[serve]'" in done.stderr
