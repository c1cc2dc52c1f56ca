"""Looks at what is installed: versions, tokenisers, what is missing and how to get it."""

import platform
from importlib.metadata import PackageNotFoundError, version

from tenbin.annotation.tokenizers import load_tokenizer, tokenizer_names
from tenbin.core.errors import ResourceError
from tenbin.evaluation.inspection import Finding, Level

_REQUIRED = ("tenbin", "sacrebleu", "numpy")
# Package: what its absence means.
_OPTIONAL = {
    "numba": "not installed: kernels run in plain Python, slower, same numbers",
    "pandas": "not installed: data frames need pip install 'tenbin[tables]'",
}


def inspect_installation() -> list[Finding]:
    """Report what is installed, what is missing, and how to get it."""
    findings = [Finding(Level.OK, "python", platform.python_version())]
    for name in (*_REQUIRED, *_OPTIONAL):
        found = _version(name)
        if found is not None:
            findings.append(Finding(Level.OK, name, found))
        else:
            level = Level.NOTE if name in _OPTIONAL else Level.ERROR
            findings.append(Finding(level, name, _OPTIONAL.get(name, "not installed")))
    return findings + [_tokenizer_finding(name) for name in tokenizer_names()]


def _tokenizer_finding(name: str) -> Finding:
    where = f"tokenizer {name}"
    try:
        tokenizer = load_tokenizer(name)
    except ResourceError as error:
        return Finding(Level.NOTE, where, str(error))
    versions = ", ".join(f"{key} {value}" for key, value in tokenizer.versions)
    return Finding(Level.OK, where, versions or "built in")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
