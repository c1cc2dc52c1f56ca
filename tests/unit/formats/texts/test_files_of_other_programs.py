"""Files that LibreOffice, gettext, translate-toolkit, OmegaT, ffmpeg and pandas made.

Each must read to the texts of the plain files beside it; see ``made/README.md``.
"""

from pathlib import Path

import pytest

from tenbin.api.files import open_files, read_texts
from tenbin.core.text import TestSet
from tenbin.formats.texts.tags import without_tags

MADE = Path(__file__).with_name("made")
ENGLISH, GERMAN, JAPANESE = (
    tuple((MADE / f"plain-{language}.txt").read_text("utf-8").splitlines())
    for language in ("en", "de", "ja")
)
DOCUMENTS = tuple((MADE / "documents.txt").read_text("utf-8").split())
TARGETS = {"de": GERMAN, "ja": JAPANESE}
SEGMENTS = len(ENGLISH)


def found(name: str, encoding: str | None = None, tags: str | None = None) -> TestSet:
    if name.endswith((".xlsx", ".po")):
        pytest.importorskip("openpyxl", reason="the extra 'formats' is not installed")
        pytest.importorskip("polib", reason="the extra 'formats' is not installed")
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow", reason="the extra 'tables' is not installed")
    return read_texts(str(MADE / name), encoding=encoding, tags=tags)


def plain(texts: tuple[str, ...] | None) -> tuple[str, ...]:
    return tuple(" ".join(text.split("\n")) for text in texts or ())


@pytest.mark.parametrize(
    "name",
    [
        *("libreoffice.xlsx", "libreoffice.csv", "xlsxwriter.xlsx"),
        *("pandas.csv", "pandas.tsv", "pandas.jsonl", "pandas.parquet"),
    ],
)
def test_tables(name: str) -> None:
    texts = found(name)
    assert plain(texts.source) == ENGLISH
    assert plain(tuple(text for (text,) in texts.references)) == JAPANESE
    assert plain(texts.hypotheses["mt"]) == GERMAN
    assert texts.documents == DOCUMENTS


def test_a_table_in_utf_16() -> None:
    assert plain(found("pandas-utf-16.csv", encoding="utf-16").source) == ENGLISH


def test_a_parquet_table_with_lists_of_references() -> None:
    texts = found("pyarrow-lists.parquet")
    assert plain(tuple(first for first, _ in texts.references)) == JAPANESE
    assert plain(tuple(second for _, second in texts.references)) == GERMAN


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("gettext-de.po", 2),
        ("gettext-de-cp1252.po", 2),
        ("gettext-ja-euc-jp.po", 1),
        ("translate-toolkit-de.csv", 2),
        ("translate-toolkit-ja.tmx", 1),
        ("translate-toolkit-ja.xlf", 2),
        ("translate-toolkit-de-1.1.xlf", 0),
        ("translate-toolkit-de-2.0.xlf", 0),
        ("translate-toolkit-de-subtitles.po", 0),
    ],
)
def test_translation_files(name: str, more: int) -> None:
    texts = found(name)
    language = "ja" if "-ja" in name else "de"
    (system,) = texts.hypotheses.values()
    assert plain(texts.source)[:SEGMENTS] == ENGLISH
    assert plain(system)[:SEGMENTS] == TARGETS[language]
    assert len(system) == SEGMENTS + more  # the plural, and nothing else


def test_files_of_a_translation_file_are_documents() -> None:
    texts = found("translate-toolkit-de-1.1.xlf")
    assert texts.documents == tuple(f"{name}.html" for name in DOCUMENTS)


@pytest.mark.parametrize("name", ["ffmpeg-de.vtt", "ffmpeg-ja.vtt", "ffmpeg-de.srt"])
def test_subtitles(name: str) -> None:
    _same_as_plain(name)


def test_subtitles_of_translate_toolkit() -> None:
    _same_as_plain("translate-toolkit-de.srt")


def _same_as_plain(name: str) -> None:
    language = "ja" if "-ja" in name else "de"
    reference = MADE / f"plain-{language}.txt"
    opened = open_files([str(MADE / name)], [str(reference)])
    texts = next(opened.chunks(SEGMENTS))
    (system,) = texts.hypotheses.values()
    # The markup of subtitles is hidden, and lines of Japanese are joined without a blank.
    assert _letters(system) == _letters(TARGETS[language])


def _letters(texts: tuple[str, ...]) -> list[str]:
    return ["".join(without_tags(text).split()) for text in texts]


@pytest.mark.parametrize("kind", ["omegat", "level1", "level2"])
def test_translation_memories_of_omegat(kind: str) -> None:
    texts = found(f"omegat-{kind}.tmx", tags="hide")
    pairs = dict(zip(texts.source or (), texts.hypotheses["de"], strict=True))
    assert len(pairs) == 5
    assert pairs["The cat is sitting on the roof."] == "Die Katze sitzt auf dem Dach."
    assert pairs['He said "yes", and left.'] == GERMAN[1]
    assert pairs["Good night & good luck."] == "Gute Nacht & viel Glück."


def test_tags_of_omegat_are_kept_where_asked_for() -> None:
    texts = found("omegat-level2.tmx", tags="keep")
    assert any("<bpt" in text for text in texts.source or ())
