"""A corpus of a few hundred lines: all English and all Japanese of the bundled example."""

from importlib.resources import files
from pathlib import Path

import pytest


def bundled_text(language: str, *parts: str) -> str:
    """Return all bundled text of a language, each file once, in order of names."""
    folder = Path(str(files("tenbin.resources"))) / "bundled" / "example"
    found = sorted(path for part in parts for path in folder.glob(part))
    assert found, language
    return "".join(path.read_text(encoding="utf-8") for path in found)


@pytest.fixture(scope="session")
def english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with 320 lines."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.en"
    parts = ("references/ja-en.*", "system-outputs/ja-en/*", "sources/en-ja.txt")
    path.write_text(bundled_text("en", *parts), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def japanese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with 140 lines."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.ja"
    parts = ("references/en-ja.*", "system-outputs/en-ja/*", "sources/ja-en.txt")
    path.write_text(bundled_text("ja", *parts), encoding="utf-8")
    return path
