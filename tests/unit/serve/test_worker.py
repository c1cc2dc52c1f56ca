"""The process of a job: what it writes, and what it says when it cannot."""

import errno
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tenbin.api.table_parts import GivenTable
from tenbin.core.errors import OutputError
from tenbin.serve.requests import ScoreRequest
from tenbin.serve.worker import FILES, _guarded

REFERENCE = "The cat sat on the mat.\nRain fell all night.\n"
# A process that needs no server, whose input would have to stay open.
ALONE = "import tenbin.serve.worker as worker\nworker._end_with_server = lambda stream: None\n"
SYSTEM = "A cat sat on the mat.\nRain fell at night.\n"


def request(folder: Path, **changes: Any) -> ScoreRequest:
    paths = {name: folder / name for name in ("r", "s")}
    for name, text in (("r", REFERENCE), ("s", SYSTEM)):
        if not paths[name].exists():
            paths[name].write_text(text, encoding="utf-8")
    fields: dict[str, Any] = {
        "systems": {"mine": str(paths["s"])},
        "references": (str(paths["r"]),),
        "source": None,
        "source_language": "",
        "shown": {str(paths["r"]): "ref.txt", str(paths["s"]): "sys.txt"},
        "tables": {},
        "language": "en",
        "metrics": ("chrf",),
        "intervals": False,
        "compare": False,
        "page_language": "en",
        "title": "",
    }
    return ScoreRequest(**{**fields, **changes})


def said(wanted: ScoreRequest, folder: Path) -> tuple[int, list[dict[str, Any]]]:
    """Return the code of a job, and what it said."""
    lines: list[dict[str, Any]] = []
    target = folder / "out"
    target.mkdir()
    code = _guarded(wanted, target, lambda **what: lines.append(what))
    return code, lines


def test_a_job_says_how_far_it_is_and_writes_every_file(tmp_path: Path) -> None:
    code, lines = said(request(tmp_path), tmp_path)
    assert code == 0
    stages = list(dict.fromkeys(line["stage"] for line in lines))
    assert stages == ["reading", "scoring", "writing", "done"]
    assert [line["progress"] for line in lines if "progress" in line][-1] == 1.0
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(FILES.values())


def test_a_comparison_has_intervals_and_segments(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("Cat.\nRain.\n", encoding="utf-8")
    base = request(tmp_path)
    wanted = request(
        tmp_path,
        systems={**base.systems, "other": str(other)},
        shown={**base.shown, str(other): "other.txt"},
        compare=True,
        intervals=True,
    )
    code, _ = said(wanted, tmp_path)
    assert code == 0
    data = json.loads((tmp_path / "out" / "scores.json").read_text("utf-8"))
    assert {"mine", "other"} <= {one["system"] for one in data["results"]}
    rows = (tmp_path / "out" / "scores.csv").read_text("utf-8-sig").splitlines()[1:]
    assert sum(",corpus," in row for row in rows) == 2
    assert sum(",segment," in row for row in rows) == 4
    assert all(row.split(",")[5] for row in rows if ",corpus," in row)


def test_unequal_texts_are_named_as_their_owner_calls_them(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("One line.\n", encoding="utf-8")
    code, lines = said(request(tmp_path), tmp_path)
    assert code == 1
    assert "ref.txt: 2, sys.txt: 1" in lines[-1]["error"]
    assert lines[-1]["files"] == ["ref.txt", "sys.txt"]
    assert str(tmp_path) not in lines[-1]["error"]


def test_a_wrong_script_is_told_in_the_words_of_the_page(tmp_path: Path) -> None:
    code, lines = said(request(tmp_path, language="ja"), tmp_path)
    assert code == 1
    assert "en as the target language" in lines[-1]["error"]
    assert "`" not in lines[-1]["error"]


def test_a_missing_resource_comes_with_its_command(tmp_path: Path) -> None:
    for name in ("r", "s"):
        (tmp_path / name).write_text("Le chat dort.\nIl pleut.\n", encoding="utf-8")
    wanted = request(tmp_path, language="fr", metrics=("we_wpi",))
    none = {"TENBIN_RESOURCES": str(tmp_path / "none"), "TENBIN_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", f"{ALONE}raise SystemExit(worker.main())", str(tmp_path)],
        input=wanted.to_text() + "\n",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **none},
    )
    assert done.returncode == 1
    assert "tenbin resources install" in json.loads(done.stdout.splitlines()[-1])["error"]


def test_texts_that_a_metric_lacks_are_asked_for(tmp_path: Path) -> None:
    code, lines = said(request(tmp_path, references=()), tmp_path)
    assert code == 1
    assert "(a reference)" in lines[-1]["error"]


@pytest.mark.parametrize("kind", [OSError, OutputError])
def test_a_full_disk_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def full(*_given: object, **_options: object) -> None:
        error = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if kind is OSError:
            raise error
        raise OutputError("x: could not be written") from error

    monkeypatch.setattr("tenbin.api.downloads.write_downloads", full)
    code, lines = said(request(tmp_path), tmp_path)
    assert code == 1
    assert "the disk of the temporary folder is full" in lines[-1]["error"]


def test_a_fault_of_tenbin_is_called_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object, **_options: object) -> None:
        raise KeyError("nonsense")

    monkeypatch.setattr("tenbin.api.downloads.write_downloads", broken)
    lines: list[dict[str, Any]] = []
    with pytest.raises(KeyError):
        _guarded(request(tmp_path), tmp_path, lambda **what: lines.append(what))
    assert "a fault of Tenbin: KeyError" in lines[-1]["error"]


def test_the_process_ends_when_its_server_does(tmp_path: Path) -> None:
    script = (
        "import sys, threading, tenbin.serve.worker as worker\n"
        "worker._guarded = lambda *given: threading.Event().wait()\n"
        "worker.main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(request(tmp_path).to_text() + "\n")
    process.stdin.close()  # as the end of a server does, even by force
    assert process.wait() == 1


def test_what_libraries_print_is_not_taken_for_progress(tmp_path: Path) -> None:
    script = (
        f"{ALONE}import os\n"
        "def chatty(request, folder, say):\n"
        "    print('hello', flush=True); os.write(1, b'hello'); say(stage='done'); return 0\n"
        "worker._guarded = chatty\n"
        "worker.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        input=request(tmp_path).to_text() + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert [json.loads(line) for line in io.StringIO(done.stdout)] == [{"stage": "done"}]


def test_a_request_reads_back(tmp_path: Path) -> None:
    wanted = request(tmp_path, title="日本 \u2028 x")
    assert "\n" not in wanted.to_text()
    assert ScoreRequest.from_text(wanted.to_text()) == wanted


def test_the_command_names_files_as_their_owner_does(tmp_path: Path) -> None:
    base = request(tmp_path)
    shown = {**base.shown, base.references[0]: "my ref; rm -rf.txt"}
    assert request(tmp_path, shown=shown, intervals=True).command() == (
        "tenbin score -r 'my ref; rm -rf.txt' -t sys.txt -l en -m chrf --ci"
    )
    explaining = base.explaining_command()
    assert explaining is not None
    assert explaining.endswith(" -l en -n {segment} -m '{metric}'")


def tabular(folder: Path, **changes: Any) -> ScoreRequest:
    """Return a request for the texts of a table with a reference and two systems."""
    facts: dict[str, Any] = {
        "id": "1",
        "name": "all.csv",
        "segments": "",
        "size": 0,
        "notes": ("a note",),
        "texts": {"references": 1, "systems": 2},
        "as_whole": True,
        "by_role": True,
    }
    table = GivenTable(**{**facts, **changes.pop("table", {})})
    texts = {name: str(folder / name) for name in ("r", "s", "t")}
    references, systems = changes.get("references", ("r",)), changes.get("systems", ("s", "t"))
    return request(
        folder,
        references=tuple(texts[name] for name in references),
        systems={name: texts[name] for name in systems},
        tables=dict.fromkeys(texts.values(), table),
    )


def test_the_command_names_a_table_as_a_whole(tmp_path: Path) -> None:
    wanted = tabular(tmp_path)
    assert wanted.command() == "tenbin score --input all.csv -l en -m chrf"
    assert (wanted.explaining_command() or "").startswith("tenbin explain --input all.csv -l en -n")
    assert ScoreRequest.from_text(wanted.to_text()) == wanted


def test_the_command_names_a_table_by_what_it_was_given_as(tmp_path: Path) -> None:
    whole = tabular(tmp_path)
    plain = str(tmp_path / "plain")
    wanted = replace(whole, references=(plain,), shown={plain: "ref.txt"})
    assert wanted.command() == "tenbin score -r ref.txt -t all.csv -l en -m chrf"
    assert tabular(tmp_path, table={"as_whole": False}).command() == (
        "tenbin score -r all.csv -t all.csv -l en -m chrf"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"systems": ("s",)},  # the other one is left out, which no option says
        {"references": ("s", "t"), "systems": ("r",)},
        {"table": {"as_whole": False, "by_role": False}},
        {"table": {"texts": {"systems": 3}}},
    ],
)
def test_no_command_is_shown_where_none_has_the_same_texts(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    wanted = tabular(tmp_path, **changes)
    assert wanted.command() == ""
    assert wanted.explaining_command() is None
