"""The addresses of the server, and what each answers.

Behind the token: the page with its script and style, ``metrics`` of a language, ``files``,
``jobs``, the ``events`` of a tab, and the files of ``reports``.
"""

import asyncio
import json
from asyncio import to_thread
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenbin.api.choices import MetricChoice, metric_choices
from tenbin.api.table_parts import PARTS, TextPart, is_table
from tenbin.core.counting import counted
from tenbin.core.errors import TenbinError, UsageError
from tenbin.serve.jobs import Job, JobQueue, JobState
from tenbin.serve.page import SCRIPT, STYLE, bundled_file, page_html
from tenbin.serve.requests import ScoreRequest
from tenbin.serve.security import REPORT_POLICY, Receive, Scope, Send
from tenbin.serve.uploads import Refusal, Upload, Uploads, is_id
from tenbin.serve.wording import in_fields
from tenbin.serve.worker import FILES

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

_MOST_JSON = 2**20
_MEDIA = {
    "html": "text/html; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "latex": "application/x-tex; charset=utf-8",
}
_FORMAT_OF = {name: form for form, name in FILES.items()}


@dataclass(frozen=True, slots=True)
class Desk:
    """Answers the requests of the page.

    Attributes:
        uploads: The files of visitors.
        jobs: Their jobs.
    """

    uploads: Uploads
    jobs: JobQueue

    async def page(self, _request: "Request") -> "Response":
        """Answer with the page."""
        limits = self.jobs.limits
        settings = {"mostBytes": limits.most_bytes, "mostMinutes": limits.most_seconds / 60}
        return _answer(page_html(settings), "text/html; charset=utf-8")

    async def script(self, _request: "Request") -> "Response":
        """Answer with the script of the page."""
        return _answer(bundled_file(SCRIPT), "text/javascript; charset=utf-8")

    async def style(self, _request: "Request") -> "Response":
        """Answer with the style of the page."""
        return _answer(bundled_file(STYLE), "text/css; charset=utf-8")

    async def metrics(self, request: "Request") -> "Response":
        """Answer with the metrics to pick from for a language."""
        try:
            found = await to_thread(metric_choices, request.query_params.get("language", ""))
        except TenbinError as error:
            return _problem(400, in_fields(str(error)))
        return _json({"metrics": [_choice(one) for one in found]})

    async def add_file(self, request: "Request") -> "Response":
        """Store a file: the body of the request; a table as the plain texts that it holds."""
        from starlette.requests import ClientDisconnect  # noqa: PLC0415 - the extra

        name, role = (request.query_params.get(one, "") for one in ("name", "role"))
        try:
            if role in PARTS and is_table(name):
                parts = await self.uploads.take_table(request.stream(), name, role)
                if not isinstance(parts, Refusal):
                    return _json({"parts": [_part(*one) for one in parts]}, 201)
                return _problem(parts.status, in_fields(parts.message))
            found = await self.uploads.take(request.stream(), name)
        except ClientDisconnect:
            return _problem(400, "the file did not arrive in full.")  # nobody is left to read it
        if isinstance(found, Refusal):
            return _problem(found.status, in_fields(found.message))
        return _json(found.summary(), 201)

    async def remove_file(self, request: "Request") -> "Response":
        """Forget a file."""
        self.uploads.remove(request.path_params["id"])
        return _json({})

    async def add_job(self, request: "Request") -> "Response":
        """Let a job wait for its turn."""
        data = await _body(request)
        visitor, tab = data.get("visitor"), data.get("tab")
        if not is_id(visitor) or not is_id(tab):
            return _problem(400, "the request does not say which tab it comes from.")
        most = self.jobs.limits.most_waiting
        if self.jobs.waiting >= most:
            return _problem(429, f"{counted(most, 'job')} are waiting already; try again later.")
        try:
            wanted = ScoreRequest.from_page(data, self.uploads.get)
        except UsageError as error:
            return _problem(400, in_fields(str(error)))
        job = self.jobs.add(wanted, visitor=str(visitor), tab=str(tab))
        self.uploads.hold(_ids(job))
        return _json(job.summary(), 202)

    async def list_jobs(self, request: "Request") -> "Response":
        """Answer with the jobs of a visitor."""
        own = self.jobs.of_visitor(request.query_params.get("visitor", ""))
        return _json({"jobs": [job.summary() for job in own]})

    async def cancel_job(self, request: "Request") -> "Response":
        """Cancel a job."""
        job = self.jobs.get(request.path_params["id"])
        if job is None:
            return _no_job()
        self.jobs.cancel(job)
        return _json(job.summary())

    async def remove_job(self, request: "Request") -> "Response":
        """Cancel a job and remove its report."""
        job = self.jobs.get(request.path_params["id"])
        if job is None:
            return _no_job()
        self.jobs.remove(job)
        return _json({})

    async def events(self, request: "Request") -> "Response":
        """Tell a tab what happens to its jobs, until all are over or the tab is closed."""
        tab = request.path_params["tab"]
        if not is_id(tab):
            return _problem(400, "the request does not say which tab it comes from.")
        return _event_stream(self.jobs, tab)

    async def report(self, request: "Request") -> "Response":
        """Answer with a file of a report."""
        from starlette.responses import FileResponse  # noqa: PLC0415 - the extra

        job = self.jobs.get(request.path_params["id"])
        form = _FORMAT_OF.get(request.path_params["name"])
        if job is None or form is None or job.state is not JobState.DONE:
            return _no_job()
        path = Path(job.folder, FILES[form])
        download = "download" in request.query_params or form != "html"
        return FileResponse(
            path,
            media_type=_MEDIA[form],
            filename=f"tenbin-{FILES[form]}" if download else None,
            headers={"content-security-policy": REPORT_POLICY},
        )


def _event_stream(jobs: JobQueue, tab: str) -> "Response":
    """Return server-sent events about the jobs of a tab; the end of the connection is noticed."""
    from starlette.responses import Response  # noqa: PLC0415 - the extra

    class EventStream(Response):
        media_type = "text/event-stream"

        async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
            headers = [(key, value) for key, value in self.raw_headers if key != b"content-length"]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            telling = asyncio.create_task(_tell(jobs, tab, send))
            leaving = asyncio.create_task(_gone(receive))
            await asyncio.wait({telling, leaving}, return_when=asyncio.FIRST_COMPLETED)
            for task in (telling, leaving):
                task.cancel()
            await asyncio.gather(telling, leaving, return_exceptions=True)

    return EventStream()


async def _tell(jobs: JobQueue, tab: str, send: Send) -> None:
    async def say(text: str, *, more: bool = True) -> None:
        await send({"type": "http.response.body", "body": text.encode(), "more_body": more})

    async with aclosing(jobs.watch(tab)) as changes:
        # At once, so that the page knows that it is heard.
        await say(": hello\n\n")
        async for summary in changes:
            await say(f"data: {json.dumps(summary)}\n\n")
    await say("event: end\ndata: {}\n\n", more=False)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def build_app(folder: Path, jobs: JobQueue, uploads: Uploads) -> "Starlette":
    """Return the application; `Doorkeeper` stands before it.

    Args:
        folder: The temporary folder, with a folder ``files`` for those of visitors.
        jobs: The queue.
        uploads: The files.
    """
    from starlette.applications import Starlette  # noqa: PLC0415 - the extra
    from starlette.routing import Route  # noqa: PLC0415

    for name in ("reports", "cache"):
        (folder / name).mkdir(exist_ok=True)
    desk = Desk(uploads, jobs)
    return Starlette(
        routes=[
            Route("/", desk.page),
            Route(f"/{SCRIPT}", desk.script),
            Route(f"/{STYLE}", desk.style),
            Route("/metrics", desk.metrics),
            Route("/files", desk.add_file, methods=["POST"]),
            Route("/files/{id}", desk.remove_file, methods=["DELETE"]),
            Route("/jobs", desk.list_jobs),
            Route("/jobs", desk.add_job, methods=["POST"]),
            Route("/jobs/{id}", desk.remove_job, methods=["DELETE"]),
            Route("/jobs/{id}/cancel", desk.cancel_job, methods=["POST"]),
            Route("/tabs/{tab}/events", desk.events),
            Route("/reports/{id}/{name}", desk.report),
        ],
    )


def _part(part: TextPart, upload: Upload) -> dict[str, Any]:
    return {**upload.summary(), "role": part.role, "system": part.system}


def _choice(one: MetricChoice) -> dict[str, Any]:
    return {
        "metric": one.metric,
        "title": one.title,
        "summary": one.info.summary,
        "weaknesses": one.info.weaknesses,
        "higherIsBetter": one.info.higher_is_better,
        "needsSource": one.needs.source,
        "needsReferences": one.needs.references,
        "resources": sorted(str(kind) for kind in one.needs.resources),
        "agreement": one.agreement,
        "recommended": one.recommended,
        "preselected": one.preselected,
        "lacking": in_fields(one.lacking),
        "command": one.command,
    }


def _ids(job: Job) -> list[str]:
    return [Path(path).name for path in job.request.files]


async def _body(request: "Request") -> dict[str, Any]:
    """Return the JSON object of a request; an empty one for anything else."""
    content = bytearray()
    async for block in request.stream():
        content += block
        if len(content) > _MOST_JSON:
            return {}
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _answer(content: str | bytes, media_type: str) -> "Response":
    from starlette.responses import Response  # noqa: PLC0415 - the extra

    return Response(content, media_type=media_type)


def _json(data: dict[str, Any], status: int = 200) -> "Response":
    from starlette.responses import JSONResponse  # noqa: PLC0415 - the extra

    return JSONResponse(data, status)


def _problem(status: int, message: str) -> "Response":
    return _json({"problem": message}, status)


def _no_job() -> "Response":
    return _problem(404, "there is no such report; it may have been removed.")
