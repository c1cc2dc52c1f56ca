"""Who may ask the server, and what a browser may do with its answers.

Three things are checked before anything else. The *host* that the browser believes it talks to: a
page elsewhere may point its own name at this machine (DNS rebinding), and would then share our
origin. Where the request *comes from*: other sites, and other servers of this machine, may not ask
on behalf of a visitor. The *token* of the address, which only those have who started the server.
"""

import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_TOKEN_BYTES = 24
_SAFE_SITES = {"same-origin", "none"}
_HOST_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What the page may load: its own script, style and answers."""

REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-modals allow-popups; frame-ancestors 'self'"
)
"""A report runs as if from nowhere: not even a hole in it reaches the server in our name."""

_HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_STRICTEST = {"content-security-policy": PAGE_POLICY, "x-frame-options": "DENY"}


def new_token() -> str:
    """Return a token that nobody guesses."""
    return token_urlsafe(_TOKEN_BYTES)


def is_loopback(host: str) -> bool:
    """Return whether an address is this machine's own, which no other machine can reach.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def is_host_name(host: str) -> bool:
    """Return whether a text may be the name or the address of a machine.

    >>> is_host_name("192.168.0.7"), is_host_name("::1"), is_host_name("/dev/null")
    (True, True, False)
    """
    return _address(host) is not None or _HOST_NAME.fullmatch(host.lower()) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doorkeeper:
    """Refuses requests that do not come from the page itself, and adds headers to all answers.

    Attributes:
        app: What answers the others. The token is taken off their path.
        token: The token that addresses begin with.
        host: The interface that the server listens on.
        port: Its port.
        names: Names of this machine that a browser may use beside numbers.
    """

    app: App
    token: str = field(repr=False)
    host: str
    port: int
    names: frozenset[str] = field(default_factory=lambda: frozenset({socket.gethostname().lower()}))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        refusal = self.refusal(headers, scope["path"])
        if refusal is not None:
            await _refuse(send, refusal)
            return
        inner = {**scope, "root_path": f"/{self.token}"}

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _completed(message.get("headers", ()))}
            await send(message)

        await self.app(inner, receive, with_headers)

    def refusal(self, headers: Mapping[str, str], path: str) -> str | None:
        """Return why a request is refused; None if it is not.

        Args:
            headers: Its headers, by names in small letters.
            path: The path of its address.
        """
        if not self._is_own(headers.get("host", "")):
            return "this server does not go by the name that was asked for."
        if headers.get("sec-fetch-site", "none") not in _SAFE_SITES:
            return "requests from other sites are refused; open the address itself."
        origin = headers.get("origin")
        # A report runs as if from nowhere ('null'), and asks for nothing.
        if origin is not None and not self._is_own_origin(origin):
            return "requests from other sites are refused; open the address itself."
        given = path.split("/")[1] if path.startswith("/") else ""
        if not compare_digest(given.encode(), self.token.encode()):
            return "the address lacks its token; open the one that 'tenbin serve' printed."
        return None

    def _is_own_origin(self, origin: str) -> bool:
        if not origin.startswith("http://"):
            return False
        return self._is_own(origin.removeprefix("http://"))

    def _is_own(self, netloc: str) -> bool:
        """Return whether a host and port are those of this server."""
        try:
            parts = urlsplit(f"http://{netloc}")
            host, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if port != self.port or parts.netloc != netloc or "@" in netloc:
            return False
        if is_loopback(host) or host == self.host.lower():
            return True
        # No name but our own: a number cannot be pointed elsewhere, the name of a stranger can.
        return not is_loopback(self.host) and (_address(host) is not None or host in self.names)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _completed(given: Any) -> list[tuple[bytes, bytes]]:  # noqa: ANN401 - any iterable of pairs
    headers = [(bytes(key).lower(), bytes(value)) for key, value in given]
    present = {key for key, _ in headers}
    wanted = {**_HEADERS, **_STRICTEST}
    if b"content-security-policy" in present:
        del wanted["x-frame-options"]  # the policy says who may frame it
    headers += [
        (key.encode(), value.encode())
        for key, value in wanted.items()
        if key.encode() not in present
    ]
    return headers


async def _refuse(send: Send, reason: str) -> None:
    body = f"403: {reason}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(body)),
    ]
    await send({"type": "http.response.start", "status": 403, "headers": _completed(headers)})
    await send({"type": "http.response.body", "body": body})
