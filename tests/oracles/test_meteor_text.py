"""METEOR's normalizer on real text, against the program itself.

Oracle: meteor-1.5.jar of the PyPI package pycocoevalcap 1.2 (LGPL, run but not imported), which
prints its tokens with -writeAlignments. Needs that package and Java. Texts: the bundled example and
those of `tests/oracles/data`; 2,000 lines of WMT sets where the shared folder is here.
"""

import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tenbin.annotation.meteor.normalizer import MeteorNormalization, meteor_tokenizer

LANGUAGES = ("en", "fr", "de", "es", "ru", "cz")
TEXTS = {
    "en": ("wmt14/references/fr-en.refA.txt", "wmt24/sources/en-cs.txt"),
    "fr": ("wmt14/sources/fr-en.txt",),
    "de": ("wmt14/sources/de-en.txt",),
    "es": ("wmt24/references/en-es.refA.txt", "wmt24/system-outputs/en-es"),
    "ru": ("wmt24/references/en-ru.refA.txt", "wmt24/system-outputs/en-ru"),
    "cz": ("wmt14/sources/cs-en.txt",),
}
OPTIONS = {
    MeteorNormalization.NORM: ["-norm"],
    MeteorNormalization.NO_PUNCTUATION: ["-norm", "-noPunct"],
    MeteorNormalization.LOWER: ["-lower"],
}
LINES = 2_200

pytestmark = [pytest.mark.oracle, pytest.mark.slow]


@pytest.fixture(scope="module")
def command() -> list[str]:
    java = shutil.which("java")
    package = find_spec("pycocoevalcap")
    if java is None or package is None or not package.submodule_search_locations:
        pytest.skip("Java or pycocoevalcap, which holds the METEOR program, is not installed")
    jar = Path(next(iter(package.submodule_search_locations))) / "meteor" / "meteor-1.5.jar"
    return [java, "-Xmx1G", "-Dfile.encoding=UTF-8", "-jar", str(jar)]


@pytest.mark.parametrize("mode", OPTIONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_tokens(
    oracle_data: Path,
    example: Callable[[str, str], list[str]],
    tmp_path: Path,
    command: list[str],
    language: str,
    mode: MeteorNormalization,
) -> None:
    if language == "en":
        lines = [
            text
            for name in ("careful", "literal", "gloss", "refA", "refB")
            for text in example("ja-en", name)
        ]
    elif language == "fr":
        table = oracle_data / "meteor-e" / "inputs.tsv"
        lines = [text for row in rows(table, "fr", slice(3, 5)) for text in row]
    else:
        code = "cs" if language == "cz" else language
        table = oracle_data / "sentences" / "sentences.tsv"
        lines = [text for row in rows(table, code, slice(2, 5)) for text in row if text]
    assert len(lines) >= 20
    assert_same_tokens(tmp_path, command, lines, language, mode)


def rows(table: Path, language: str, columns: slice) -> list[list[str]]:
    """Return some columns of the rows of one language."""
    found = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    return [row[columns] for row in found if row[0] == language]


@pytest.mark.parametrize("mode", OPTIONS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_tokens_of_wmt_sets(
    shared: Path, tmp_path: Path, command: list[str], language: str, mode: MeteorNormalization
) -> None:
    lines = real_lines(shared / "data", language)
    assert len(lines) >= 2_000
    assert_same_tokens(tmp_path, command, lines, language, mode)


def assert_same_tokens(
    tmp_path: Path,
    command: list[str],
    lines: list[str],
    language: str,
    mode: MeteorNormalization,
) -> None:
    (tmp_path / "text").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "other").write_text("x\n" * len(lines), encoding="utf-8")
    options = ["-l", language, *OPTIONS[mode], "-m", "exact", "-writeAlignments", "-f", "out"]
    subprocess.run(
        [*command, "text", "other", *options], cwd=tmp_path, check=True, capture_output=True
    )
    printed = (tmp_path / "out-align.out").read_text(encoding="utf-8").split("\n")
    starts = [place for place, line in enumerate(printed) if line.startswith("Alignment\t")]
    cut = meteor_tokenizer(mode, language)
    assert [printed[place + 1] for place in starts] == [" ".join(cut(line)) for line in lines]


def real_lines(data: Path, language: str) -> list[str]:
    found: list[str] = []
    for name in TEXTS[language]:
        path = data / name
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            found += file.read_bytes().decode("utf-8").split("\n")[:-1]
            if len(found) >= LINES:
                return [line.replace("\r", " ") for line in found[:LINES]]
    return [line.replace("\r", " ") for line in found]
