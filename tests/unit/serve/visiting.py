"""A real server on a free port, in the event loop of the test, and processes that stand in."""

import asyncio
import json
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tenbin.serve.jobs import Job, JobQueue
from tenbin.serve.limits import Limits
from tenbin.serve.server import Address, assemble, quiet_server

REFERENCE = "The cat sat on the mat.\nRain fell all night.\nNobody knew where the key was.\n"
GOOD = "The cat sat on a mat.\nRain fell all night.\nNobody knew where the key had gone.\n"
POOR = "Cat on carpet.\nAll night it rained.\nThe key nobody was knowing.\n"
TAB = "a" * 32
OTHER_TAB = "b" * 32

_START = "import json, os, sys\nrequest = json.loads(sys.stdin.readline())\n"
# A process that is at work until it is ended.
BUSY = (
    f"{_START}"
    "print(json.dumps({'stage': 'scoring', 'progress': 0.5}), flush=True)\n"
    "sys.stdin.read()"
)
# A process that is done at once; its report names the systems.
QUICK = (
    f"{_START}"
    "open(sys.argv[1] + '/report.html', 'w').write(' '.join(request['systems']))\n"
    "print(json.dumps({'stage': 'done'}), flush=True)"
)


def stand_in(code: str) -> Sequence[str]:
    """Return the command of a process in the place of the one that scores."""
    return (sys.executable, "-I", "-S", "-c", code)


@dataclass
class Visit:
    """What a test has of a server: a browser's view of it, and its inside."""

    client: Any
    jobs: JobQueue
    folder: Path
    address: Address

    async def add(self, content: str | bytes, name: str = "text.txt") -> Any:
        data = content.encode() if isinstance(content, str) else content
        return await self.client.post("files", params={"name": name}, content=data)

    async def add_all(self, *contents: str) -> list[str]:
        return [
            (await self.add(one, f"{place}.txt")).json()["id"] for place, one in enumerate(contents)
        ]

    async def start(self, tab: str = TAB, **changes: Any) -> Any:
        """Ask for a job with three small files; other fields as given."""
        fields: dict[str, Any] = {"visitor": tab, "tab": tab, "language": "en", "metrics": ["chrf"]}
        if "systems" not in changes:
            reference, good, poor = await self.add_all(REFERENCE, GOOD, POOR)
            fields["references"] = [reference]
            fields["systems"] = [{"name": "good", "file": good}, {"name": "poor", "file": poor}]
        return await self.client.post("jobs", json={**fields, **changes})

    async def job(self, tab: str = TAB, **changes: Any) -> Job:
        answer = await self.start(tab, **changes)
        assert answer.status_code == 202, answer.text
        found = self.jobs.get(answer.json()["id"])
        assert found is not None
        return found

    async def stay(self, until: str, tab: str = TAB) -> None:
        """Keep a tab open until an event holds some text, then close it."""
        async with self.client.stream("GET", f"tabs/{tab}/events") as events:
            async for line in events.aiter_lines():
                if until in line:
                    return
        pytest.fail(f"the events ended without {until}")

    @property
    def stored(self) -> list[Path]:
        return [path for path in (self.folder / "files").rglob("*") if path.is_file()]


Scenario = Callable[[Visit], Awaitable[None]]
Play = Callable[..., None]


async def played(
    scenario: Scenario, folder: Path, limits: Limits, command: Sequence[str], host: str
) -> None:
    """Run a scenario against a server."""
    import httpx2  # noqa: PLC0415 - its tests are skipped where it is not installed

    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = Address(host=host, port=listener.getsockname()[1], token="the-token")  # noqa: S106
        keeper, jobs = assemble(folder, limits, address, command)
        server = quiet_server(keeper)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        url = f"http://127.0.0.1:{address.port}/{address.token}/"
        connections = httpx2.Limits(max_connections=None)
        try:
            async with httpx2.AsyncClient(base_url=url, timeout=None, limits=connections) as client:
                await scenario(Visit(client, jobs, folder, address))
        finally:
            await jobs.close()
            server.should_exit = True
            await running


def events_of(text: str) -> list[dict[str, Any]]:
    """Return the data of server-sent events."""
    lines = [line for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]
