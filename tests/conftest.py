"""Fixtures that many tests share."""

import os
import signal
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tenbin.core.errors import MissingParts, MissingResource
from tenbin.resources.store.store import default_store

# Neither looks at a clock: on a busy machine everything is slow.
# The examples of "ci" are always the same, so that more of them would find nothing new.
settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=50,
)
settings.register_profile(
    "dev", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parent.parent / "shared"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    """Skip a test whose fixtures need a resource that is not installed."""
    yield from _skipped_without_resources()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Skip a test that needs a resource that is not installed; 'make tables' installs them."""
    yield from _skipped_without_resources()


def _skipped_without_resources() -> Iterator[None]:
    try:
        yield
    except MissingResource as missing:
        if _is_installed(missing.name):
            raise
        pytest.skip(f"the resource {missing.name!r} is not installed ({missing.command})")
    except MissingParts as missing:
        resources = [one for _, one in missing.lacks if isinstance(one, MissingResource)]
        if len(resources) < len(missing.lacks) or any(_is_installed(one.name) for one in resources):
            raise
        pytest.skip(f"resources are not installed ({missing.command})")


def _is_installed(name: str) -> bool:
    try:
        default_store().path(name)
    except MissingResource:
        return False
    return True


@pytest.fixture(autouse=True, scope="session")
def _own_context_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Models that tests train do not go to the user's cache, nor come from it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_CONTEXT_MODELS", str(tmp_path_factory.mktemp("models")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_progress() -> Iterator[None]:
    """A busy machine may take long over a short command; what is printed must not depend on it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_PROGRESS", "never")
        yield


@pytest.fixture(autouse=True, scope="session")
def _interrupts_arrive() -> Iterator[None]:
    """A shell that starts tests in the background has them, and their children, ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of WMT data beside the repository: for long runs on texts that are not ours."""
    if not SHARED.is_dir():
        pytest.skip("the folder 'shared' (WMT data) is not beside the repository")
    return SHARED


@pytest.fixture(scope="session")
def oracle_data() -> Path:
    """The stored numbers of other programs, a folder for each; README.md there says whose."""
    return TESTS / "oracles" / "data"


@pytest.fixture(scope="session")
def example_folder() -> Path:
    """The bundled example, a test set under CC0."""
    return Path(str(files("tenbin.resources"))) / "bundled" / "example"


@pytest.fixture(scope="session")
def example(example_folder: Path) -> Callable[[str, str], list[str]]:
    """The segments of the bundled example by language pair and name of a system or reference."""

    def segments(pair: str, name: str) -> list[str]:
        reference = example_folder / "references" / f"{pair}.{name}.txt"
        output = example_folder / "system-outputs" / pair / f"{name}.txt"
        text = (reference if name.startswith("ref") else output).read_text(encoding="utf-8")
        return text.removesuffix("\n").split("\n")

    return segments


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh-golden", action="store_true", help="rewrite the stored outputs of tests/golden"
    )


@pytest.fixture
def refresh_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--refresh-golden"))
