"""What a browser can do with the server, and what it cannot."""

import asyncio
import csv
import gzip
import io
import json
import os
import signal
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.unit.serve.visiting import (
    BUSY,
    GOOD,
    OTHER_TAB,
    POOR,
    QUICK,
    REFERENCE,
    TAB,
    Play,
    Visit,
    stand_in,
)

import tenbin
from tenbin.serve.jobs import JobState
from tenbin.serve.limits import Limits

JAPANESE = "日本語の文書です。これは文字コードの試験に使います。\n"
HOSTILE_NAMES = [
    "../../x",
    "/etc/passwd",
    "..\\..\\x",
    "C:\\windows\\x",
    "a\0b",
    "CON",
    "NUL.txt",
    "x" * 5_000,
    "\u202egnp.exe",
    "<script>alert(1)</script>",
    "",
    ".",
    "..",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
]


def test_a_file_past_the_limit_is_refused_politely(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        answer = await visit.add("x" * 1_001)
        assert answer.status_code == 413
        assert "1,000 bytes" in answer.json()["problem"]
        assert "--most-bytes" in answer.json()["problem"]
        assert visit.stored == []
        assert (await visit.add("x" * 1_000)).status_code == 201

    play(scenario, most_bytes=1_000)


def test_a_file_that_unpacks_past_the_limit_is_refused(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        answer = await visit.add(gzip.compress(b"a line\n" * 10_000), "bomb.txt.gz")
        assert answer.status_code == 422
        assert answer.json()["problem"].startswith("bomb.txt.gz: unpacked, the file has more than")
        assert visit.stored == []
        small = await visit.add(gzip.compress(REFERENCE.encode()), "ref.txt.gz")
        assert (small.status_code, small.json()["lines"]) == (201, 3)

    play(scenario, most_bytes=1_000)


def test_old_files_make_room_for_new_ones_unless_a_job_reads_them(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        job = await visit.job()
        await visit.stay("scoring")
        held = sum(path.stat().st_size for path in visit.stored)
        for _ in range(5):
            assert (await visit.add("x" * 300)).status_code == 201
            assert sum(path.stat().st_size for path in visit.stored) <= 1_000
        assert all(Path(path).exists() for path in job.request.files)
        assert (await visit.add("x" * (1_001 - held))).status_code == 413

    play(scenario, command=stand_in(BUSY), most_stored=1_000)


NOT_TEXTS = [
    ((JAPANESE * 5).encode("cp932"), "Shift_JIS"),
    ((JAPANESE * 5).encode("euc_jp"), "EUC-JP"),
    (b"\xff\xfe" + JAPANESE.encode("utf-16-le"), "UTF-16"),
    (JAPANESE.encode() + b"\xe3\x81\n", "line 2: byte 1 of the line (0xe3) is not valid UTF-8"),
    (b"", "the file is empty"),
    (b"PK\x03\x04" + b"x" * 30, "this is a zip archive"),
    (gzip.compress(JAPANESE.encode())[:-9], "damaged or truncated"),
]


def test_what_is_no_text_is_named_beside_its_file(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        for content, expected in NOT_TEXTS:
            answer = await visit.add(content, "my file.txt")
            assert answer.status_code == 422
            problem = answer.json()["problem"]
            assert expected in problem
            assert problem.startswith("my file.txt")
            assert str(visit.folder) not in problem
        assert visit.stored == []

    play(scenario)


def test_names_of_files_are_never_paths(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        for name in HOSTILE_NAMES:
            before = {path for path in visit.folder.parent.rglob("*") if path.is_file()}
            answer = await visit.add(REFERENCE, name)
            assert answer.status_code == 201
            after = {path for path in visit.folder.parent.rglob("*") if path.is_file()}
            (new,) = after - before
            assert new == visit.folder / "files" / answer.json()["id"]
            shown = answer.json()["name"]
            assert 0 < len(shown) <= 120
            assert not set(shown) & set("/\\\0\u202e\n")

    play(scenario)


def test_the_script_of_a_text_suggests_a_language(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        japanese = (await visit.add(JAPANESE)).json()
        assert (japanese["script"], japanese["language"]) == ("Jpan", "ja")
        english = (await visit.add(REFERENCE)).json()
        assert (english["script"], english["language"]) == ("Latn", None)

    play(scenario)


def test_a_full_disk_is_reported(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    usual = Path.open

    def full(path: Path, mode: str = "r", *rest: Any, **options: Any) -> Any:
        return (
            usual(Path("/dev/full"), "wb") if mode == "xb" else usual(path, mode, *rest, **options)
        )

    async def scenario(visit: Visit) -> None:
        monkeypatch.setattr(Path, "open", full)
        answer = await visit.add(REFERENCE)
        assert answer.status_code == 507
        assert "is full" in answer.json()["problem"]
        assert "TMPDIR" in answer.json()["problem"]
        assert visit.stored == []

    play(scenario)


def test_metrics_say_what_they_are_good_for_and_whether_they_run(
    play: Play, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TENBIN_RESOURCES", str(tmp_path / "none"))

    async def scenario(visit: Visit) -> None:
        found = (await visit.client.get("metrics", params={"language": "fr"})).json()["metrics"]
        by_name = {one["metric"]: one for one in found}
        assert [one["metric"] for one in found if one["preselected"]] == ["chrf++"]
        assert by_name["we_wpi"]["recommended"]
        assert "tenbin resources install" in by_name["we_wpi"]["command"]
        assert by_name["bleu"]["lacking"] == ""
        assert all(one["summary"] and one["weaknesses"] for one in found)
        wrong = await visit.client.get("metrics", params={"language": "klingonese"})
        assert wrong.status_code == 400
        assert "is not a language tag" in wrong.json()["problem"]

    play(scenario)


@pytest.mark.slow
def test_two_users_at_once_get_their_own_reports(
    play: Play, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(home))

    async def scenario(visit: Visit) -> None:
        ours, theirs, reference = await visit.add_all(GOOD, POOR, REFERENCE)
        first = await visit.job(
            TAB,
            systems=[{"name": "ours", "file": ours}, {"name": "=1+1", "file": theirs}],
            references=[reference],
            compare=True,
            intervals=True,
            title="<b>first</b>",
        )
        second = await visit.job(
            OTHER_TAB, systems=[{"name": "theirs", "file": theirs}], references=[reference]
        )
        await asyncio.gather(first.over.wait(), second.over.wait())
        assert (first.state, first.message) == (JobState.DONE, "")
        assert (second.state, second.message) == (JobState.DONE, "")
        for tab, job in ((TAB, first), (OTHER_TAB, second)):
            own = (await visit.client.get("jobs", params={"visitor": tab})).json()["jobs"]
            assert [one["id"] for one in own] == [job.id]
        await check_files(visit, first.id)
        other = await visit.client.get(f"reports/{second.id}/scores.json")
        expected = tenbin.score(
            POOR.splitlines(), REFERENCE.splitlines(), metrics=["chrf"], language="en"
        )
        (result,) = other.json()["results"]
        assert result["system"] == "theirs"
        assert result["score"] == pytest.approx(expected["hypotheses", "chrf"], abs=1e-12)

    play(scenario, parallel=2)
    # Nothing is written outside the temporary folder, which is gone.
    assert list(home.iterdir()) == []


async def check_files(visit: Visit, job: str) -> None:
    """Look at every file of a report, whose second system has the name of a formula."""
    page = await visit.client.get(f"reports/{job}/report.html")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts")
    assert "content-disposition" not in page.headers
    assert "<b>first</b>" not in page.text
    saved = await visit.client.get(f"reports/{job}/report.html?download")
    assert "attachment" in saved.headers["content-disposition"]
    table = await visit.client.get(f"reports/{job}/scores.csv")
    rows = list(csv.reader(io.StringIO(table.text.removeprefix("\ufeff"))))
    assert {row[0] for row in rows[1:]} == {"ours", "'=1+1"}
    latex = await visit.client.get(f"reports/{job}/table.tex")
    assert "\\begin{tabular}" in latex.text
    book = await visit.client.get(f"reports/{job}/scores.xlsx")
    with zipfile.ZipFile(io.BytesIO(book.content)) as archive:
        assert "=1+1" in archive.read("xl/worksheets/sheet1.xml").decode()
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
    missing = await visit.client.get(f"reports/{job}/../../files")
    assert missing.status_code in {404, 405}


def test_a_killed_worker_is_reported(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        job = await visit.job()
        await visit.stay("scoring")
        assert job.process is not None
        os.kill(job.process.pid, signal.SIGKILL)
        await job.over.wait()
        assert job.state is JobState.FAILED
        assert "was killed" in job.message
        assert "memory" in job.message
        assert not job.folder.exists()

    play(scenario, command=stand_in(BUSY))


@pytest.mark.parametrize("code", ["import sys; sys.exit(7)", "print('{not json')", "print('[1]')"])
def test_a_worker_that_ends_by_itself_is_reported(play: Play, code: str) -> None:
    async def scenario(visit: Visit) -> None:
        job = await visit.job()
        await job.over.wait()
        assert job.state is JobState.FAILED
        assert "before it was done" in job.message

    play(scenario, command=stand_in(code))


def test_a_worker_that_cannot_start_is_reported(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        job = await visit.job()
        await job.over.wait()
        assert job.state is JobState.FAILED
        assert "could not start" in job.message

    play(scenario, command=("/no/such/program",))


def test_a_closed_tab_cancels_its_jobs_and_no_others(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        own, waiting = await visit.job(), await visit.job()
        other = await visit.job(OTHER_TAB)
        async with visit.client.stream("GET", f"tabs/{OTHER_TAB}/events") as events:
            visit.jobs.limits = Limits(grace_seconds=0.0)
            await visit.stay('"scoring"')
            await own.over.wait()
            await waiting.over.wait()
            assert own.state is waiting.state is JobState.CANCELLED
            assert own.process is not None
            assert own.process.returncode is not None
            async for line in events.aiter_lines():
                if '"scoring"' in line:
                    break
            assert other.state is JobState.RUNNING

    play(scenario, command=stand_in(BUSY))


def test_a_tab_that_is_loaded_again_keeps_its_job(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        job = await visit.job()
        await visit.stay("scoring")
        async with visit.client.stream("GET", f"tabs/{TAB}/events") as events:
            async for line in events.aiter_lines():
                if '"scoring"' in line:
                    break
            assert not visit.jobs.is_away(TAB)
            assert job.state is JobState.RUNNING

    play(scenario, command=stand_in(BUSY))


def test_a_job_is_cancelled_when_asked(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        running, waiting = await visit.job(), await visit.job()
        await visit.stay("scoring")
        for job in (waiting, running):
            answer = await visit.client.post(f"jobs/{job.id}/cancel")
            assert answer.json()["state"] == "cancelled"
            await job.over.wait()
        assert not running.folder.exists()
        assert (await visit.client.post(f"jobs/{'0' * 32}/cancel")).status_code == 404

    play(scenario, command=stand_in(BUSY))


def test_the_time_limit_ends_a_job(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        job = await visit.job()
        await job.over.wait()
        assert job.state is JobState.FAILED
        assert "was ended after" in job.message
        assert "--most-minutes" in job.summary()["message"]
        assert job.process is not None
        assert job.process.returncode is not None

    play(scenario, command=stand_in(BUSY), most_seconds=0.0)


def test_two_hundred_requests_at_once_are_all_answered(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        reference, good = await visit.add_all(REFERENCE, GOOD)
        asked = [
            visit.start(
                f"{number:032x}",
                systems=[{"name": f"system {number}", "file": good}],
                references=[reference],
            )
            for number in range(200)
        ]
        sent = [visit.add(f"text {number}\n") for number in range(200)]
        answers = await asyncio.gather(*asked, *sent)
        assert [answer.status_code for answer in answers] == [202] * 200 + [201] * 200
        jobs = [visit.jobs.get(answer.json()["id"]) for answer in answers[:200]]
        assert None not in jobs
        await asyncio.gather(*(job.over.wait() for job in jobs if job is not None))
        states = [None if job is None else (job.state, job.message) for job in jobs]
        assert set(states) == {(JobState.DONE, "")}

    play(scenario, command=stand_in(QUICK), parallel=4)


def test_a_queue_that_is_full_says_so(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        first = await visit.job()
        await visit.stay("scoring")
        assert (await visit.start()).status_code == 202
        refused = await visit.start()
        assert refused.status_code == 429
        assert "try again later" in refused.json()["problem"]
        assert first.state is JobState.RUNNING

    play(scenario, command=stand_in(BUSY), most_waiting=1)


def test_a_report_can_be_removed(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        job = await visit.job()
        await job.over.wait()
        address = f"reports/{job.id}/report.html"
        assert (await visit.client.get(address)).text == "good poor"
        assert (await visit.client.delete(f"jobs/{job.id}")).status_code == 200
        assert (await visit.client.get(address)).status_code == 404
        assert not job.folder.exists()

    play(scenario, command=stand_in(QUICK))


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"systems": []}, "no system output"),
    ({"metrics": []}, "no metric is chosen"),
    ({"metrics": ['combination(file="/etc/passwd")']}, "not the name of a metric"),
    ({"language": ""}, "language is not chosen"),
    ({"systems": [{"name": "a", "file": "../../etc/passwd"}]}, "not on the server any more"),
    ({"systems": [{"name": "a", "file": None}]}, "not on the server any more"),
    ({"systems": ["a"]}, "has no name"),
    ({"systems": "a"}, "not a list"),
    ({"visitor": "../x"}, "which tab"),
    ({"tab": 7}, "which tab"),
    ({"metrics": ["x"] * 51}, "more than 50"),
    ({"title": "x" * 201}, "longer than 200"),
]


def test_a_request_that_cannot_be_is_refused(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        for changes, expected in IMPOSSIBLE:
            answer = await visit.start(**changes)
            assert answer.status_code == 400, changes
            assert expected in answer.json()["problem"]

    play(scenario, command=stand_in(QUICK))


def test_two_systems_of_one_name_are_refused(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        reference, good, poor = await visit.add_all(REFERENCE, GOOD, POOR)
        systems = [{"name": "a", "file": good}, {"name": " a ", "file": poor}]
        answer = await visit.start(systems=systems, references=[reference])
        assert "two systems are called 'a'" in answer.json()["problem"]

    play(scenario, command=stand_in(QUICK))


def test_a_request_that_is_no_json_is_refused(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        for body in (b"", b"[]", b"{", b"[" * 100_000, b'"x"', b"\xff", b" " * 2**21):
            assert (await visit.client.post("jobs", content=body)).status_code == 400

    play(scenario)


def test_the_page_has_its_words_and_nothing_from_elsewhere(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        page = await visit.client.get("")
        settings = page.text.partition('id="settings">')[2].partition("</script>")[0]
        assert set(json.loads(settings)["words"]) == {"en", "ja"}
        assert "<" not in settings
        assert "//" not in page.text.replace("<!doctype", "")
        for name, kind in (("serve.js", "text/javascript"), ("serve.css", "text/css")):
            part = await visit.client.get(name)
            assert part.headers["content-type"].startswith(kind)
            assert len(part.content) > 1_000
            assert b"innerHTML" not in part.content

    play(scenario)
