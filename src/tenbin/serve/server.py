"""One server from its start to its end: socket, temporary folder, jobs, and nothing left behind."""

import asyncio
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from tenbin.core.errors import MissingExtra, UsageError
from tenbin.formats.output import unfinished
from tenbin.serve.app import build_app
from tenbin.serve.jobs import WORKER, Job, JobQueue
from tenbin.serve.limits import Limits
from tenbin.serve.security import Doorkeeper, is_host_name, is_loopback, new_token
from tenbin.serve.uploads import Uploads

if TYPE_CHECKING:
    import uvicorn

# All interfaces, and which of them is this machine's own.
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - recognized, not chosen
_MOST_CONNECTIONS = 2_048


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a server is found.

    Attributes:
        host: The interface that it listens on.
        port: Its port.
        token: What its paths begin with.
    """

    host: str
    port: int
    token: str

    @property
    def url(self) -> str:
        """The address to open; one of this machine even if others may ask too."""
        return self._url(_ANY.get(self.host, self.host))

    @property
    def other_url(self) -> str | None:
        """The address for other machines, if there are any that may ask."""
        if is_loopback(self.host):
            return None
        return self._url(socket.gethostname() if self.host in _ANY else self.host)

    def _url(self, host: str) -> str:
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}/{self.token}/"


def serve(
    host: str,
    port: int,
    limits: Limits,
    ready: Callable[[Address], None],
    *,
    signals: Sequence[int] = (),
    command: Sequence[str] = WORKER,
) -> None:
    """Serve the page until one of some signals arrives; then nothing is left on disk.

    Args:
        host: The interface to listen on.
        port: The port; 0 for any that is free.
        limits: What visitors may use up.
        ready: Called with the address when the server answers.
        signals: What ends it.
        command: Starts the process of a job.

    Raises:
        MissingExtra: The extra ``serve`` is not installed.
        UsageError: The interface or the port cannot be used.
    """
    _check_extra()
    with _listening(host, port) as listener, temporary_folder() as folder:
        bound = listener.getsockname()[1]
        address = Address(host=host, port=bound, token=new_token())
        asyncio.run(_served(listener, address, folder, limits, ready, signals, command))


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Give a folder that only this user can read, and remove it in the end, whatever ends it."""
    folder = Path(tempfile.mkdtemp(prefix="tenbin-serve-"))
    try:
        with unfinished(folder):
            (folder / "files").mkdir()
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def assemble(
    folder: Path, limits: Limits, address: Address, command: Sequence[str] = WORKER
) -> tuple[Doorkeeper, JobQueue]:
    """Return the application behind its doorkeeper, and its queue."""
    uploads = Uploads(folder / "files", limits.most_bytes, limits.most_stored)

    def ended(job: Job) -> None:
        uploads.release([Path(path).name for path in job.request.files])

    jobs = JobQueue(folder, limits, command=command, ended=ended)
    app = build_app(folder, jobs, uploads)
    keeper = Doorkeeper(app=app, token=address.token, host=address.host, port=address.port)
    return keeper, jobs


def quiet_server(app: Doorkeeper) -> "uvicorn.Server":
    """Return a server that prints nothing and leaves signals alone."""
    import uvicorn  # noqa: PLC0415 - the extra

    class QuietServer(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        ws="none",
        http="h11",
        loop="asyncio",
        limit_concurrency=None,
        backlog=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    return QuietServer(config)


async def _served(
    listener: socket.socket,
    address: Address,
    folder: Path,
    limits: Limits,
    ready: Callable[[Address], None],
    signals: Sequence[int],
    command: Sequence[str],
) -> None:
    keeper, jobs = assemble(folder, limits, address, command)
    server = quiet_server(keeper)
    loop = asyncio.get_running_loop()
    ending = asyncio.Event()
    with _handled(signals, lambda: loop.call_soon_threadsafe(ending.set)):
        running = asyncio.create_task(server.serve(sockets=[listener]))
        # The socket listens already: whoever comes before the server is there waits a moment.
        threading.Thread(target=ready, args=(address,), daemon=True).start()
        stopped = asyncio.create_task(ending.wait())
        await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
        # First the jobs, so that the tabs that wait for them are told and let go.
        await jobs.close()
        server.should_exit = True
        await running
        stopped.cancel()


@contextmanager
def _handled(signals: Sequence[int], end: Callable[[], object]) -> Iterator[None]:
    """Let signals ask for the end; a second one of them does what it did before."""
    before = {number: signal.getsignal(number) for number in signals}

    def asked(number: int, frame: FrameType | None) -> None:
        restore()
        end()
        del number, frame

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, asked)
    try:
        yield
    finally:
        restore()


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    if not is_host_name(host):
        raise UsageError(
            f"{host[:60]!r} is no name and no address of a machine; leave `host` out for this "
            "machine alone, or give 0.0.0.0 for all its interfaces."
        )
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = found[0]
        listener = socket.create_server(place[:2], family=family, backlog=_MOST_CONNECTIONS)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"port {port} of {host} cannot be listened on ({reason}); choose another, or "
            "`port=0` for any that is free."
        ) from error
    with listener:
        yield listener


def _check_extra() -> None:
    try:
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError as error:
        raise MissingExtra("the local page", "serve") from error
