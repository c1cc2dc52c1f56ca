"""The queue: each job is a process of its own, which can be cancelled and may be killed.

Nothing here is ever lost: a job waits, runs, or is over with a report or with the reason why there
is none. A job belongs to a tab; when the tab has been closed for a while, its jobs are cancelled.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from secrets import token_hex
from typing import Any

from tenbin.core.counting import counted
from tenbin.serve.limits import Limits
from tenbin.serve.requests import ScoreRequest
from tenbin.serve.wording import in_fields

_MOST_REPORTS = 50
_LONGEST_LINE = 2**20
_MINUTE = 60

READ_ONLY = {"TENBIN_READ_ONLY": "1"}
"""Lets the store of resources be read and not written, not even its notes on unchanged files."""

# Without the folder that the server was started in, where modules of any name may lie.
WORKER = (sys.executable, "-P", "-m", "tenbin.serve.worker")
"""Starts the process of a job; the folder of its report follows."""


class JobState(StrEnum):
    """Where a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OVER = {JobState.DONE, JobState.FAILED, JobState.CANCELLED}


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """A scoring run of a visitor.

    Attributes:
        id: Its name.
        request: What is to be done.
        visitor: Whose it is.
        tab: The tab that waits for it.
        folder: Where its report is written.
        created: When it was asked for.
        state: Where it is.
        stage: What it does: ``reading``, ``scoring``, ``writing``.
        progress: The share of the scoring that is done.
        message: Why there is no report.
        files: The names of files that the message is about.
        notes: What a reader of the scores should know.
        over: Set when nothing more will happen.
        changes: How often anything of it has changed.
    """

    id: str
    request: ScoreRequest
    visitor: str
    tab: str
    folder: Path
    created: str
    state: JobState = JobState.WAITING
    stage: str = ""
    progress: float = 0.0
    message: str = ""
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    over: asyncio.Event = field(default_factory=asyncio.Event)
    changes: int = 0
    process: asyncio.subprocess.Process | None = None

    def summary(self) -> dict[str, Any]:
        """Return what the page is told about it."""
        return {
            "id": self.id,
            "tab": self.tab,
            "state": str(self.state),
            "stage": self.stage,
            "progress": round(self.progress, 4),
            "message": in_fields(self.message),
            "files": list(self.files),
            "notes": list(self.notes),
            "created": self.created,
            "title": self.request.title,
            "systems": list(self.request.systems),
            "metrics": list(self.request.metrics),
            "language": self.request.language,
        }


class JobQueue:
    """All jobs of a server.

    Args:
        folder: The temporary folder of the server.
        limits: What jobs may use up.
        command: Starts the process of a job; the folder of its report is its argument.
        ended: Called with each job that is over.
    """

    def __init__(
        self,
        folder: Path,
        limits: Limits,
        *,
        command: Sequence[str] = WORKER,
        ended: Callable[[Job], None] | None = None,
    ) -> None:
        self.limits = limits
        self._folder = folder
        self._command = tuple(command)
        self._ended = ended
        self._jobs: dict[str, Job] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._free = asyncio.Semaphore(limits.parallel)
        self._watchers: dict[str, set[asyncio.Event]] = {}
        self._absences: dict[str, asyncio.TimerHandle] = {}
        self._closed = False

    def get(self, wanted: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(wanted)

    def of_visitor(self, visitor: str) -> list[Job]:
        """Return the jobs of a visitor, the newest first."""
        return [job for job in reversed(self._jobs.values()) if job.visitor == visitor]

    @property
    def waiting(self) -> int:
        """How many jobs wait for others."""
        return sum(job.state is JobState.WAITING for job in self._jobs.values())

    def add(self, request: ScoreRequest, *, visitor: str, tab: str) -> Job:
        """Let a job wait for its turn."""
        number = token_hex(16)
        job = Job(
            id=number,
            request=request,
            visitor=visitor,
            tab=tab,
            folder=self._folder / "reports" / number,
            created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        self._jobs[number] = job
        self._tasks[number] = asyncio.create_task(self._live(job))
        self._look_for(tab)
        return job

    def cancel(self, job: Job) -> None:
        """End a job without a report; nothing happens to one that is over."""
        self._end(job, JobState.CANCELLED)
        if job.process is None and job.id in self._tasks:
            self._tasks[job.id].cancel()

    def remove(self, job: Job) -> None:
        """Cancel a job, and remove what it has written."""
        self.cancel(job)
        self._jobs.pop(job.id, None)
        shutil.rmtree(job.folder, ignore_errors=True)

    async def watch(self, tab: str) -> AsyncGenerator[dict[str, Any], None]:
        """Yield what changes in the jobs of a tab until all are over; the tab is there so long."""
        changed = asyncio.Event()
        self._watchers.setdefault(tab, set()).add(changed)
        self._look_for(tab)
        seen: dict[str, int] = {}
        try:
            while True:
                changed.clear()
                own = [job for job in self._jobs.values() if job.tab == tab]
                for job in own:
                    if seen.get(job.id) != job.changes:
                        seen[job.id] = job.changes
                        yield job.summary()
                if self._closed or all(job.state in OVER for job in own):
                    return
                await changed.wait()
        finally:
            self._watchers[tab].discard(changed)
            if not self._watchers[tab]:
                del self._watchers[tab]
            self._look_for(tab)

    def is_away(self, tab: str) -> bool:
        """Return whether a tab is away whose jobs will be cancelled soon."""
        return tab in self._absences

    async def close(self) -> None:
        """Cancel everything, and wait until no process is left."""
        self._closed = True
        for timer in self._absences.values():
            timer.cancel()
        for job in list(self._jobs.values()):
            self.cancel(job)
        for watchers in self._watchers.values():
            for one in watchers:
                one.set()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _look_for(self, tab: str) -> None:
        """Begin to wait for a tab that has jobs and is not there; stop if it is."""
        timer = self._absences.pop(tab, None)
        if timer is not None:
            timer.cancel()
        busy = any(job.tab == tab and job.state not in OVER for job in self._jobs.values())
        if busy and tab not in self._watchers and not self._closed:
            later = asyncio.get_running_loop().call_later
            self._absences[tab] = later(self.limits.grace_seconds, self._give_up, tab)

    def _give_up(self, tab: str) -> None:
        self._absences.pop(tab, None)
        for job in list(self._jobs.values()):
            if job.tab == tab:
                self.cancel(job)

    async def _live(self, job: Job) -> None:
        try:
            async with self._free:
                if job.state is JobState.WAITING:
                    await self._run(job)
        except asyncio.CancelledError:
            self._end(job, JobState.CANCELLED)
        except OSError as error:
            reason = error.strerror or str(error)
            self._end(job, JobState.FAILED, f"the process that scores could not start: {reason}.")
        except ValueError as error:
            self._end(job, JobState.FAILED, f"the process that scores said what is none: {error}.")
        finally:
            self._kill(job)
            self._tasks.pop(job.id, None)
            self._clean(job)
            job.over.set()
            if self._ended is not None:
                self._ended(job)
            self._tell(job)
            self._look_for(job.tab)

    async def _run(self, job: Job) -> None:
        job.folder.mkdir(parents=True)
        job.state = JobState.RUNNING
        self._tell(job)
        process = await asyncio.create_subprocess_exec(
            *self._command,
            str(job.folder),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=_surroundings(self._folder),
            limit=_LONGEST_LINE,
            # So that an interrupt of the terminal, and the end of a job, reach one of them alone.
            start_new_session=True,
        )
        job.process = process
        try:
            if job.state is not JobState.RUNNING:  # cancelled while it was being started
                return
            async with asyncio.timeout(self.limits.most_seconds):
                await self._follow(job, process)
        except TimeoutError:
            minutes = counted(round(self.limits.most_seconds / _MINUTE), "minute")
            self._end(
                job,
                JobState.FAILED,
                f"the job was ended after {minutes}, the longest that this server takes. Score "
                "fewer systems or metrics, or allow more (`most_minutes`).",
            )
        finally:
            self._kill(job)
            await process.wait()

    async def _follow(self, job: Job, process: asyncio.subprocess.Process) -> None:
        """Read what the process says until its end."""
        if process.stdin is None or process.stdout is None:
            return
        # It stays open: the process ends when this one does, even by force.
        with suppress(ConnectionError):
            process.stdin.write((job.request.to_text() + "\n").encode())
            await process.stdin.drain()
        finished = False
        async for line in process.stdout:
            said = _said(line)
            finished = said.get("stage") == "done" or finished
            self._hear(job, said)
        code = await process.wait()
        if job.state is JobState.RUNNING:
            if finished and code == 0:
                self._end(job, JobState.DONE)
            else:
                self._end(job, JobState.FAILED, _sudden_end(code))

    def _hear(self, job: Job, said: dict[str, Any]) -> None:
        if "error" in said:
            job.files = tuple(map(str, said.get("files", ())))
            self._end(job, JobState.FAILED, str(said["error"]))
            return
        job.stage = str(said.get("stage", job.stage))
        job.progress = float(said.get("progress", job.progress))
        job.notes = tuple(map(str, said.get("notes", job.notes)))
        self._tell(job)

    def _end(self, job: Job, state: JobState, message: str = "") -> None:
        if job.state in OVER:
            return
        job.state, job.message = state, message
        self._kill(job)
        self._tell(job)

    def _kill(self, job: Job) -> None:
        process = job.process
        if process is None or process.returncode is not None or job.state is JobState.DONE:
            return
        with suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()

    def _clean(self, job: Job) -> None:
        """Remove what is left of a job without a report, and reports that are no longer recent."""
        if job.state is not JobState.DONE:
            shutil.rmtree(job.folder, ignore_errors=True)
        over = [one for one in self._jobs.values() if one.state in OVER]
        for old in over[:-_MOST_REPORTS]:
            self.remove(old)

    def _tell(self, job: Job) -> None:
        job.changes += 1
        for watcher in self._watchers.get(job.tab, ()):
            watcher.set()


def _surroundings(folder: Path) -> dict[str, str]:
    """Return the variables of a process that writes nothing outside the temporary folder."""
    cache = folder / "cache"
    return {
        **os.environ,
        "TENBIN_SCORES": str(cache / "scores"),
        "TENBIN_ENCODINGS": str(cache / "encodings"),
        "TENBIN_CONTEXT_MODELS": str(cache / "context"),
        # What is missing is named, with the command that installs it.
        "TENBIN_OFFLINE": "1",
        **READ_ONLY,
        "TMPDIR": str(cache),
        "TEMP": str(cache),
        "TMP": str(cache),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _said(line: bytes) -> dict[str, Any]:
    """Return what a process says; nothing if that is not understood."""
    try:
        data = json.loads(line)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _sudden_end(code: int) -> str:
    if code == -int(getattr(signal, "SIGKILL", 9)):
        return (
            "the process that scores was killed. Most often the machine had no memory left: score "
            "fewer systems or metrics at a time."
        )
    how = f"by signal {-code}" if code < 0 else f"with code {code}"
    return (
        f"the process that scores ended {how} before it was done. The terminal of 'tenbin serve' "
        "may say why; try 'tenbin score' with the same files."
    )
