"""Runs pytest in forked processes: what is heavy to import is imported once, before the fork."""

import importlib
import os
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

# Tenbin itself is not among them: the changed module must be the one that all others import.
_HEAVY = (
    "numba",
    "scipy.stats",
    "scipy.optimize",
    "scipy.sparse",
    "pytest",
    "hypothesis",
    "sacrebleu",
    "rapidfuzz",
    "regex",
    "coverage",
)
_MEMORY = 6 * 2**30
# A process that waits for something uses no processor time: this ends it.
_LONGEST_WAIT_S = 1800
_OPTIONS = (
    *("-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"),
    # hypothesis is imported before the fork.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
RAISED = 70
"""The exit code of a child whose work raised an error, such as one of an import."""
_PROFILE, _EXAMPLES = "mutants", 25
_COMPILED = "tenbin.kernels.compiled"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child ended.

    Attributes:
        code: The exit code; negative: the signal that ended it.
        seconds: Processor time.
    """

    code: int
    seconds: float

    @property
    def out_of_time(self) -> bool:
        """Whether the limit of processor time, or of waiting, ended it."""
        return self.code in {-signal.SIGXCPU, -signal.SIGKILL, -signal.SIGALRM}


def preload() -> None:
    """Import what is heavy, for all children."""
    for name in _HEAVY:
        with suppress(ImportError):
            importlib.import_module(name)


def run_child(work: Callable[[], int], *, cpu_seconds: float, log: Path) -> Ending:
    """Run a function in a forked process, its output in a file, and wait for its end."""
    sys.stdout.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of libraries, which sleep
        pid = os.fork()
    if pid == 0:
        _become_child(work, cpu_seconds, log)
    try:
        _, status, usage = os.wait4(pid, 0)
    except BaseException:
        _end_group(pid)
        raise
    _end_group(pid)
    return Ending(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime)


def _become_child(work: Callable[[], int], cpu_seconds: float, log: Path) -> None:
    code = RAISED
    try:
        os.setpgid(0, 0)
        limit = int(cpu_seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.alarm(_LONGEST_WAIT_S)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        code = work()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        os._exit(code)


def _end_group(pid: int) -> None:
    # What the child started and left behind is in its group.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def run_pytest(arguments: list[str], plugin: object) -> int:
    """Run pytest in this process and return its exit code."""
    hypothesis: Any = importlib.import_module("hypothesis")
    # The same examples every time, and fewer: what is tried runs thousands of times.
    hypothesis.settings.register_profile(
        _PROFILE, derandomize=True, deadline=None, database=None, max_examples=_EXAMPLES
    )
    os.environ["HYPOTHESIS_PROFILE"] = _PROFILE
    pytest: Any = importlib.import_module("pytest")
    return int(pytest.main([*_OPTIONS, *arguments], plugins=[plugin]))


class _ChangedLoader(SourceFileLoader):
    """Loads a module from a text instead of its file, whatever is cached beside the file."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        super().__init__(name, str(path))
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        code: CodeType = compile(self.text, self.path, "exec", dont_inherit=True)
        return code


class _ChangedFinder(MetaPathFinder):
    def __init__(self, name: str, path: Path, text: str) -> None:
        self.name, self.path, self.text = name, path, text

    def find_spec(
        self, fullname: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if fullname != self.name:
            return None
        package = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        loader = _ChangedLoader(fullname, self.path, self.text)
        return spec_from_file_location(
            fullname, self.path, loader=loader, submodule_search_locations=package
        )


def module_name(path: Path) -> str:
    """Return the name of a module of Tenbin.

    Examples:
        >>> module_name(Path("src/tenbin/kernels/ngrams/__init__.py"))
        'tenbin.kernels.ngrams'
    """
    parts = path.with_suffix("").parts
    dotted = parts[len(parts) - parts[::-1].index("tenbin") - 1 :]
    return ".".join(dotted[:-1] if dotted[-1] == "__init__" else dotted)


def import_changed(path: Path, text: str) -> None:
    """Import a module from another text than that of its file, in this process.

    At once: pytest puts a finder of its own before all others, and would load the file.
    """
    name = module_name(path)
    if name in sys.modules:
        raise RuntimeError(f"{name} is imported already")
    sys.meta_path.insert(0, _ChangedFinder(name, path, text))
    importlib.import_module(name)


def is_compiled(path: str) -> bool:
    """Whether a file is the compiled twin of a kernel."""
    return "/kernels/compiled/" in path and not path.endswith("/jit.py")


def interpret_kernels() -> None:
    """Run compiled kernels as the Python that they are written in, in this process.

    A change would have every kernel that calls the changed one compiled again, for seconds, and
    numba's cache does not see a changed constant. Indices out of range are errors this way, too.
    """
    module: Any = importlib.import_module(f"{_COMPILED}.jit")
    module.jit = _as_it_is


def compile_kernels_anew() -> None:
    """Compile kernels for this process, and keep nothing: for those that cannot be interpreted."""
    module: Any = importlib.import_module(f"{_COMPILED}.jit")
    numba: Any = importlib.import_module("numba")
    module.jit = numba.njit(nogil=True)


def _as_it_is(function: Callable[..., object]) -> Callable[..., object]:
    return function


def be_considerate() -> None:
    """Leave the processor to others, and end children when this process is ended."""
    os.nice(15)
    signal.signal(signal.SIGTERM, _leave)


def _leave(number: int, frame: object) -> None:
    del frame
    sys.exit(128 + number)
