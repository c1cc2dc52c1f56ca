"""Each type of provider: package managers that only pretend, and a real https server."""

import http.server
import shutil
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tenbin.core.errors import ProviderFailed
from tenbin.resources.store import providers
from tenbin.resources.store.lookup import local_path
from tenbin.resources.store.manifest import Manifest, Provider, ProviderType
from tenbin.resources.store.providers import download, fetch

Maker = Callable[..., Path]
Client = Callable[..., None]
Calls = Callable[[], list[str]]
BODY = b"0123456789" * 100_000


@pytest.fixture
def fetched(manifest: Callable[..., Manifest], tmp_path: Path) -> Callable[[str], bytes]:
    """Return a caller of the first provider of an entry."""

    def run(text: str) -> bytes:
        entry = manifest(text)["words"]
        folder = tmp_path / "staging"
        folder.mkdir()
        return fetch(entry, entry.providers[0], folder).read_bytes()

    return run


Fetched = Callable[[str], bytes]


def test_wheel_by_pip(
    fetched: Fetched,
    provider: dict[str, str],
    fake_client: Client,
    make_zip: Maker,
    content: bytes,
    calls: Calls,
) -> None:
    fake_client("pip", make_zip())
    assert fetched(provider["wheel"]) == content
    (call,) = calls()
    assert call.startswith("pip download --no-deps --only-binary :all: ")
    assert call.endswith(" words==1.0")


def test_an_archive_in_pieces(
    fetched: Fetched, make_zip: Maker, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = make_zip("whole.zip").read_bytes()
    middle = len(whole) // 2
    pieces = {"words-1": whole[:middle], "words-2": whole[middle:]}
    asked = []

    def wheel(name: str, version: str, folder: Path, _advance: object) -> Path:
        asked.append((name, version))
        made = make_zip(f"{name}.whl", **{f"{name}/piece": pieces[name]})
        return made.rename(folder / made.name)

    monkeypatch.setattr(providers, "fetch_wheel", wheel)
    text = (
        'type = "wheels"\ndistributions = ["words-1", "words-2"]\nversion = "1.0"\n'
        'pieces = ["words-1/piece", "words-2/piece"]\nmember = "data/words.dat"'
    )
    assert fetched(text) == content
    assert asked == [("words-1", "1.0"), ("words-2", "1.0")]


def test_pip_under_its_other_names(
    programs: Path, fake_client: Client, make_zip: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_client("pip3", make_zip())
    assert providers._pip() == [str(programs / "pip3")]
    (programs / "pip3").unlink()
    monkeypatch.setattr(providers, "find_spec", lambda name: name)
    assert providers._pip() == [sys.executable, "-m", "pip"]
    monkeypatch.setattr(providers, "find_spec", lambda name: None if name == "pip" else name)
    with pytest.raises(ProviderFailed, match="pip is not installed"):
        providers._pip()


def test_npm(
    fetched: Fetched,
    provider: dict[str, str],
    fake_client: Client,
    make_tar: Maker,
    content: bytes,
    calls: Calls,
) -> None:
    fake_client("npm", make_tar())
    assert fetched(provider["npm"]) == content
    (call,) = calls()
    assert call.startswith("npm pack --ignore-scripts ")
    assert call.endswith(" @team/words@1.0")


@pytest.mark.parametrize("version", ["", "1:1.0-2"])
def test_deb(
    fetched: Fetched,
    provider: dict[str, str],
    fake_client: Client,
    make_deb: Maker,
    content: bytes,
    calls: Calls,
    version: str,
) -> None:
    fake_client("apt-get", make_deb())
    wanted = f'\nversion = "{version}"' if version else ""
    assert fetched(provider["deb"] + wanted) == content
    package = f"words={version}" if version else "words"
    assert calls() == [f"apt-get --quiet download {package}"]


def pip_says(where: str) -> str:
    skipped = "  Skipping link: No sources permitted for words: "
    links = ("words-9.9", "other-1.0", "Words-1.0")
    listed = "\n".join(f"{skipped}{where}/{link}.tar.gz#sha256=ab (from page)" for link in links)
    return f"Looking in indexes: x\n{listed}\nERROR: No matching distribution found for words==1.0"


def test_source_archive_is_found_by_pip_and_never_given_to_it(
    fetched: Fetched,
    provider: dict[str, str],
    fake_client: Client,
    make_tar: Maker,
    content: bytes,
    calls: Calls,
    tmp_path: Path,
) -> None:
    make_tar("Words-1.0.tar.gz", members={"data/words.dat": content})
    fake_client("pip", code=1, says=pip_says(tmp_path.as_uri()))
    assert fetched(provider["sdist"]) == content
    (call,) = calls()
    assert "--only-binary :all:" in call


def test_source_archive_over_https(
    fetched: Fetched,
    provider: dict[str, str],
    fake_client: Client,
    make_tar: Maker,
    content: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive = make_tar(members={"data/words.dat": content})
    asked: list[tuple[str, int]] = []

    def download(url: str, target: Path, *, limit: int, advance: object) -> None:
        assert advance is None
        asked.append((url, limit))
        target.write_bytes(archive.read_bytes())

    monkeypatch.setattr(providers, "download", download)
    fake_client("pip", code=1, says=pip_says("https://index.invalid/packages"))
    assert fetched(f"{provider['sdist']}\narchive_size = 12345") == content
    assert asked == [("https://index.invalid/packages/Words-1.0.tar.gz", 12345)]


@pytest.mark.parametrize("where", ["http://index.invalid", "ftp://index.invalid", "git+ssh://a"])
def test_source_archive_elsewhere_is_not_fetched(
    fetched: Fetched, provider: dict[str, str], fake_client: Client, where: str
) -> None:
    fake_client("pip", code=1, says=pip_says(where))
    with pytest.raises(ProviderFailed, match=r"no source archive of words 1\.0"):
        fetched(provider["sdist"])


def test_url_of_a_file_and_of_an_archive(
    fetched: Fetched,
    content: bytes,
    make_zip: Maker,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    files = {
        "https://example.org/words.dat": content,
        "https://example.org/words.zip": make_zip().read_bytes(),
    }

    def download(url: str, target: Path, *, limit: int, advance: object) -> None:
        assert advance is None
        assert len(files[url]) <= limit
        target.write_bytes(files[url])

    monkeypatch.setattr(providers, "download", download)
    assert fetched('type = "url"\nurl = "https://example.org/words.dat"') == content
    (tmp_path / "staging").rename(tmp_path / "first")
    archive = 'url = "https://example.org/words.zip"\nmember = "data/words.dat"\narchive_size = 999'
    assert fetched(f'type = "url"\n{archive}') == content


@pytest.mark.parametrize(("kind", "program"), [("npm", "npm"), ("deb", "apt-get")])
@pytest.mark.usefixtures("programs")
def test_the_program_is_not_installed(
    fetched: Fetched, provider: dict[str, str], kind: str, program: str
) -> None:
    with pytest.raises(ProviderFailed, match=f"the program {program} is not installed"):
        fetched(provider[kind])


def test_what_the_program_says_is_passed_on(
    fetched: Fetched, provider: dict[str, str], fake_client: Client
) -> None:
    fake_client("apt-get", code=100, says="W: one\n\nE: Unable to locate package words")
    with pytest.raises(ProviderFailed, match=r"code 100 .* E: Unable to locate package words"):
        fetched(provider["deb"])


def test_the_program_brings_nothing(
    fetched: Fetched, provider: dict[str, str], fake_client: Client
) -> None:
    fake_client("npm")
    with pytest.raises(ProviderFailed, match=r"expected one file \*\.tgz .* got 0"):
        fetched(provider["npm"])


def test_the_program_brings_a_link(
    fetched: Fetched, provider: dict[str, str], programs: Path, make_tar: Maker
) -> None:
    archive = make_tar()
    (programs / "npm").write_text(f"#!/bin/sh\n/bin/ln -s {archive} words.tgz\n")
    (programs / "npm").chmod(0o755)
    with pytest.raises(ProviderFailed, match="expected one file"):
        fetched(provider["npm"])


def test_progress_follows_the_files_of_the_program(
    manifest: Callable[..., Manifest],
    provider: dict[str, str],
    programs: Path,
    make_deb: Maker,
    tmp_path: Path,
    content: bytes,
) -> None:
    script = f"#!/bin/sh\n/bin/cp {make_deb()} words.deb\n"
    (programs / "apt-get").write_text(script)
    (programs / "apt-get").chmod(0o755)
    entry = manifest(provider["deb"])["words"]
    seen: list[int] = []
    (tmp_path / "staging").mkdir()
    fetch(entry, entry.providers[0], tmp_path / "staging", seen.append)
    assert sum(seen) == (tmp_path / "words_1.0_all.deb").stat().st_size + len(content)


def test_progress_of_npm_follows_its_cache_and_counts_one_copy(
    manifest: Callable[..., Manifest],
    provider: dict[str, str],
    programs: Path,
    make_tar: Maker,
    tmp_path: Path,
    content: bytes,
) -> None:
    # As npm does: the whole archive in its cache first, then where it was asked for.
    archive = make_tar()
    script = f"""#!/bin/sh
while [ "$1" != --cache ]; do shift; done
/bin/mkdir "$2"
/bin/cp {archive} "$2/content"
/bin/sleep 0.5
/bin/cp {archive} words.tgz
"""
    (programs / "npm").write_text(script)
    (programs / "npm").chmod(0o755)
    entry = manifest(provider["npm"])["words"]
    seen: list[int] = []
    (tmp_path / "staging").mkdir()
    fetch(entry, entry.providers[0], tmp_path / "staging", seen.append)
    assert seen[0] == archive.stat().st_size
    assert sum(seen) == archive.stat().st_size + len(content)


def test_temporary_files_of_the_program_go_with_the_folder(
    fetched: Fetched, provider: dict[str, str], programs: Path, make_tar: Maker, tmp_path: Path
) -> None:
    script = f'#!/bin/sh\necho "$TMPDIR" > {programs}/where\n/bin/cp {make_tar()} words.tgz\n'
    (programs / "npm").write_text(script)
    (programs / "npm").chmod(0o755)
    fetched(provider["npm"])
    where = Path((programs / "where").read_text().strip())
    assert where.is_relative_to(tmp_path / "staging")


def test_local_providers_are_found_and_never_fetched(
    manifest: Callable[..., Manifest], tmp_path: Path
) -> None:
    bundled = Provider(type=ProviderType.BUNDLED, member="scripts.tsv")
    assert (found := local_path(bundled)) is not None
    assert found.name == "scripts.tsv"
    packaged = Provider(
        type=ProviderType.PACKAGE, distribution="sacrebleu", member="sacrebleu/__init__.py"
    )
    assert (found := local_path(packaged)) is not None
    assert found.is_file()
    assert local_path(Provider(type=ProviderType.BUNDLED, member="none.tsv")) is None
    nobody = Provider(type=ProviderType.PACKAGE, distribution="no-such-package", member="a")
    assert local_path(nobody) is None
    (tmp_path / "a.dat").write_bytes(b"a")
    assert local_path(Provider(type=ProviderType.FILE, path=str(tmp_path / "a.dat"))) is not None
    assert local_path(Provider(type=ProviderType.FILE, path=str(tmp_path))) is None
    entry = manifest('type = "bundled"\nmember = "a"')["words"]
    with pytest.raises(ValueError, match="nothing to fetch"):
        fetch(entry, entry.providers[0], tmp_path)


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
