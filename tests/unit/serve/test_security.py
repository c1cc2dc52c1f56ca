"""Tokens, hosts, origins and headers."""

from itertools import product

import pytest
from tests.unit.serve.visiting import Play, Visit

from tenbin.serve.security import is_host_name, is_loopback, new_token

TOKEN_PATHS = [
    "/",
    "/wrong/",
    "/the-toke/",
    "/the-token2/",
    "//the-token/",
    "/%2e/the-token/",
    "/the-token%00/",
]


METHODS = ["GET", "POST", "DELETE", "OPTIONS"]


def test_a_wrong_or_missing_token_is_refused(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        for method, path, rest in product(METHODS, TOKEN_PATHS, ("", "jobs", "serve.js")):
            url = f"http://127.0.0.1:{visit.address.port}{path}{rest}"
            answer = await visit.client.request(method, url)
            assert answer.status_code == 403, (method, path, rest)
            assert "token" in answer.text
            assert visit.address.token not in answer.text
            assert answer.headers["x-content-type-options"] == "nosniff"

    play(scenario)


FROM_ELSEWHERE = [
    {"host": "evil.example"},
    {"host": "evil.example:{port}"},
    {"host": "127.0.0.1:1"},
    {"host": "127.0.0.1"},
    {"host": "192.168.0.7:{port}"},
    {"host": "localhost:{port}@evil.example"},
    {"host": "user@localhost:{port}"},
    {"host": "127.0.0.1.evil.example:{port}"},
    {"host": "[::1"},
    {"host": ""},
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "https://127.0.0.1:{port}"},
    {"origin": "http://127.0.0.1:{port}.evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
]


def test_requests_from_elsewhere_are_refused(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        for headers in FROM_ELSEWHERE:
            given = {key: value.format(port=visit.address.port) for key, value in headers.items()}
            for method, path in (("GET", ""), ("POST", "files"), ("POST", "jobs")):
                answer = await visit.client.request(method, path, headers=given)
                assert answer.status_code == 403, (headers, method, path)
        assert visit.stored == []

    play(scenario)


FROM_THE_PAGE = [
    {"host": "localhost:{port}"},
    {"host": "[::1]:{port}"},
    {"origin": "http://127.0.0.1:{port}", "sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none"},
]


def test_requests_of_the_page_are_answered(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        for headers in FROM_THE_PAGE:
            given = {key: value.format(port=visit.address.port) for key, value in headers.items()}
            assert (await visit.client.get("", headers=given)).status_code == 200, headers

    play(scenario)


def test_other_interfaces_are_known_by_number_and_own_name_only(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Workstation")

    async def scenario(visit: Visit) -> None:
        port = visit.address.port
        for host in (f"192.168.0.7:{port}", f"workstation:{port}", f"[fd00::7]:{port}"):
            assert (await visit.client.get("", headers={"host": host})).status_code == 200
        stranger = {"host": f"evil.example:{port}"}
        assert (await visit.client.get("", headers=stranger)).status_code == 403

    play(scenario, host="0.0.0.0")  # noqa: S104 - what is asked for, not what is listened on


def test_every_answer_tells_the_browser_to_be_careful(play: Play) -> None:
    async def scenario(visit: Visit) -> None:
        for path in ("", "serve.js", "nothing", "jobs?visitor=x", "reports/x/y"):
            headers = (await visit.client.get(path)).headers
            assert headers["cache-control"] == "no-store"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            assert headers["content-security-policy"].startswith("default-src 'none'")
            assert "unsafe" not in headers["content-security-policy"]
            assert "access-control-allow-origin" not in headers
            assert "server" not in headers

    play(scenario)


def test_tokens_are_long_and_never_the_same() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 32


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "::1", "localhost"])
def test_addresses_of_this_machine_alone(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    ["", "0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", "127.1"],  # noqa: S104
)
def test_addresses_that_others_reach(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    "host", ["", ".", "=", "/dev/zero", "a\0b", "x" * 300, "a b", "\udcff", "~x/y"]
)
def test_what_is_no_host(host: str) -> None:
    assert not is_host_name(host)
