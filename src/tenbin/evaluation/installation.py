"""Looks at what is installed: versions, tokenizers, what is missing and how to get it."""

import platform
from importlib.metadata import PackageNotFoundError, version

from tenbin.annotation.languages import parse_language
from tenbin.annotation.tokenizers import load_tokenizer, tokenizer_names
from tenbin.core.errors import ResourceError, TenbinError
from tenbin.evaluation.inspection import Finding, Severity

_REQUIRED = ("tenbin", "sacrebleu", "numpy")
# Package: what its absence means.
_OPTIONAL = {
    "numba": "not installed: kernels run in plain Python, slower, same numbers",
    "openpyxl": "not installed: spreadsheets need pip install 'tenbin[formats]'",
    "pandas": "not installed: data frames need pip install 'tenbin[tables]'",
    "polib": "not installed: catalogs of gettext need pip install 'tenbin[formats]'",
    "simplemma": "not installed: wrong names are not marked without pip install 'tenbin[lexicons]'",
}
# What the name of a tokenizer begins with, where it is for one language.
_LANGUAGES = {"ja": "ja", "ko": "ko", "sudachi": "ja", "jieba": "zh"}


def inspect_installation(language: str | None = None) -> list[Finding]:
    """Report what is installed, what is missing, and how to get it.

    Args:
        language: The target language; missing tokenizers of other languages are not reported.
    """
    findings = [Finding(Severity.OK, "python", platform.python_version())]
    for name in (*_REQUIRED, *_OPTIONAL):
        found = _version(name)
        if found is not None:
            findings.append(Finding(Severity.OK, name, found))
        else:
            level = Severity.NOTE if name in _OPTIONAL else Severity.ERROR
            findings.append(Finding(level, name, _OPTIONAL.get(name, "not installed")))
    code = _code(language)
    for name in tokenizer_names():
        one = _tokenizer_finding(name)
        own = _LANGUAGES.get(name.partition("-")[0])
        if one.level is Severity.OK or code is None or own in {None, code}:
            findings.append(one)
    return findings


def _code(language: str | None) -> str | None:
    try:
        return None if language is None else parse_language(language).code
    except TenbinError:  # said of the texts
        return None


def _tokenizer_finding(name: str) -> Finding:
    where = f"tokenizer {name}"
    try:
        tokenizer = load_tokenizer(name)
    except ResourceError as error:
        return Finding(Severity.NOTE, where, str(error))
    versions = ", ".join(f"{key} {value}" for key, value in tokenizer.versions)
    return Finding(Severity.OK, where, versions or "built in")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
