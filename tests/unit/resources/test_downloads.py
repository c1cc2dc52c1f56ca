"""Files by https: a real server on this machine, with a certificate made for it."""

import http.server
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tenbin.core.errors import ProviderFailed
from tenbin.resources.store.downloads import download

BODY = b"0123456789" * 100_000


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://localhost/plain")
            self.end_headers()
            return
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/file")
            self.end_headers()
            return
        self.send_response(404 if self.path == "/none" else 200)
        if self.path != "/unannounced":
            longer = 10 if self.path == "/cut" else 0
            self.send_header("Content-Length", str(len(BODY) + longer))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *_: object) -> None:
        """Keep the output of the tests clean."""


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that hangs up early is what some tests are about."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("the program openssl is not installed")
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


@contextmanager
def serving(certificate: tuple[Path, Path]) -> Iterator[str]:
    server = Server(("localhost", 0), Answers)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://localhost:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def server(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    monkeypatch.setenv("no_proxy", "localhost")
    with serving(certificate) as address:
        yield address


def test_a_file_is_fetched(server: str, tmp_path: Path) -> None:
    seen: list[int] = []
    for name in ("/file", "/moved", "/unannounced"):
        target = tmp_path / name[1:]
        download(server + name, target, limit=len(BODY), advance=seen.append)
        assert target.read_bytes() == BODY
    assert sum(seen) == 3 * len(BODY)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("/none", "404"),
        ("/cut", r"ended after 1,000,000 of 1,000,010 bytes"),
        ("/away", "only https"),
    ],
)
def test_an_answer_that_is_not_the_file(
    server: str, tmp_path: Path, name: str, problem: str
) -> None:
    with pytest.raises(ProviderFailed, match=problem):
        download(server + name, tmp_path / "t", limit=2 * len(BODY))


@pytest.mark.parametrize("name", ["/file", "/unannounced"])
def test_more_than_the_limit_is_not_taken(server: str, tmp_path: Path, name: str) -> None:
    with pytest.raises(ProviderFailed, match="bytes"):
        download(server + name, tmp_path / "t", limit=1000)
    assert not (tmp_path / "t").exists() or (tmp_path / "t").stat().st_size <= 1000


def test_a_certificate_that_nobody_vouches_for(
    certificate: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "localhost")
    with serving(certificate) as address, pytest.raises(ProviderFailed, match="CERTIFICATE"):
        download(f"{address}/file", tmp_path / "t", limit=len(BODY))


@pytest.mark.parametrize("url", ["http://localhost/a", "file:///etc/passwd", "ftp://localhost/a"])
def test_other_addresses_are_never_opened(tmp_path: Path, url: str) -> None:
    with pytest.raises(ProviderFailed, match="only https"):
        download(url, tmp_path / "t", limit=10)
    assert not (tmp_path / "t").exists()


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "localhost")
    with pytest.raises(ProviderFailed, match="could not be fetched"):
        download("https://localhost:9/file", tmp_path / "t", limit=10)
