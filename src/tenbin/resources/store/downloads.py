"""Fetches a file by https."""

import http.client
import ssl
from email.message import Message
from pathlib import Path
from typing import IO
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from tenbin.core.errors import ProviderFailed
from tenbin.resources.store.archives import Advance
from tenbin.version import __version__

_TIMEOUT_SECONDS = 60
_BLOCK = 1 << 18


def download(url: str, target: Path, *, limit: int, advance: Advance | None = None) -> None:
    """Write what is at an https address to a new file.

    Args:
        url: The address; the proxies of the environment are used.
        target: Where it is written.
        limit: The most bytes that will be read.
        advance: Called with the number of bytes after every block.

    Raises:
        ProviderFailed: Another scheme (also after being sent elsewhere), no answer, an error page,
            a certificate that does not hold, more bytes than the limit, or an early end.
    """
    _check_scheme(url)
    request = Request(url, headers={"User-Agent": f"tenbin/{__version__}"})  # noqa: S310 - https
    try:
        with _opener().open(request, timeout=_TIMEOUT_SECONDS) as answer:
            announced = answer.headers.get("Content-Length", "")
            if announced.isdigit() and int(announced) > limit:
                raise ProviderFailed(f"{url} has {int(announced):,} bytes, expected {limit:,}")
            done = _copy(answer, target, url, limit, advance)
    except (URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        raise ProviderFailed(f"{url} could not be fetched ({error})") from error
    if announced.isdigit() and done < int(announced):
        raise ProviderFailed(f"{url} ended after {done:,} of {int(announced):,} bytes")


def _copy(answer: IO[bytes], target: Path, url: str, limit: int, advance: Advance | None) -> int:
    done = 0
    with target.open("xb") as stream:
        while block := answer.read(_BLOCK):
            done += len(block)
            if done > limit:
                raise ProviderFailed(f"{url} has more than the {limit:,} bytes expected")
            stream.write(block)
            if advance is not None:
                advance(len(block))
    return done


class _OnlyHttps(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Request | None:
        _check_scheme(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def _opener() -> OpenerDirector:
    return build_opener(_OnlyHttps(), HTTPSHandler(context=ssl.create_default_context()))


def _check_scheme(url: str) -> None:
    if urlsplit(url).scheme != "https":
        raise ProviderFailed(f"{url}: only https addresses are fetched")
