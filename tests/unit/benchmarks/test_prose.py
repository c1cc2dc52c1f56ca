"""Sentences of packages are whole, and what is no prose is left out."""

import doctest
import json
import lzma
from pathlib import Path

import pytest

sentences = pytest.importorskip("benchmarks.prose.sentences", reason="not run from the repository")

from benchmarks.prose import bitext, distinct, packages, readers  # noqa: E402 - after the skip


@pytest.mark.parametrize("module", [sentences, readers, distinct])
def test_examples_of_docstrings(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No stop at the end of this one",
        "This one (has a bracket that is never closed.",
        "Call shutil.copytree(source, target) before the folder is read.",
        "See https://example.org for all that is not said here.",
        "THE WHOLE LINE IS IN CAPITALS AND NOBODY SPEAKS SO.",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14.",
        "\u042d\u0442\u043e is a word of another script than ours.",
    ],
)
def test_what_is_no_prose_is_left_out(text: str) -> None:
    assert not list(sentences.sentences(text))


def test_titles_end_no_sentence() -> None:
    text = "On Monday Mr. Adams met Gen. Grant near St. Louis. They spoke of the railway there."
    assert [one.split()[0] for one in sentences.sentences(text)] == ["On", "They"]


def test_dictionaries_and_pages_are_read(tmp_path: Path) -> None:
    entries = [{"value": "1. A vessel that carries wine. 2. See Bottle. 3. A measure of liquids."}]
    (tmp_path / "kv-pairs.json").write_text(json.dumps(entries), encoding="utf-8")
    (tmp_path / "index.html").write_text("<p>Read me.</p>", encoding="utf-8")
    (tmp_path / "genindex.html").write_text("<p>Not me.</p>", encoding="utf-8")
    assert list(readers.webster(tmp_path)) == [
        "A vessel that carries wine.",
        "A measure of liquids.",
    ]
    assert list(readers.manual(tmp_path)) == ["Read me."]


def test_parts_of_bitexts_that_may_not_be_used_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bitext, "_TAKEN", {"en-xx": ((2, 3), (5, 5))})
    lines = "".join(f"sentence {number}\tother\n" for number in range(1, 7))
    path = tmp_path / "en-xx.tsv.xz"
    path.write_bytes(lzma.compress(lines.encode()))
    assert list(bitext.english_sides(tmp_path)) == ["sentence 2", "sentence 3", "sentence 5"]
    assert bitext.write_pairs(tmp_path, tmp_path / "pairs") == {"en-xx": 3}
    written = (tmp_path / "pairs" / "en-xx.tsv").read_text(encoding="utf-8")
    assert written == "sentence 2\tother\nsentence 3\tother\nsentence 5\tother\n"


def test_a_package_that_cannot_be_fetched_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    package = packages.Prose("no-such-package-of-anybody", "0.0.1", "", readers.manual)
    with pytest.raises(SystemExit, match="no-such-package-of-anybody"):
        packages.unpacked(package, tmp_path)
