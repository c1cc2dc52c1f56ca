"""The folder layout of mt-metrics-eval, on a tiny tree and on real sets."""

from pathlib import Path

import pytest

from tenbin.core.errors import LengthMismatch, MalformedLine, UnreadableFile, UsageError
from tenbin.formats.wmt_layout import find_wmt_files, open_wmt_set, read_documents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "references/de-en.refA.txt": "a\nb\n",
        "references/de-en.refB.txt": "c\nd\n",
        "references/en-de.refA.txt": "e\n",
        "sources/de-en.txt": "s\nt\n",
        "documents/de-en.docs": "news\tdoc1\nnews\tdoc2\n",
        "system-outputs/de-en/refA.txt": "a\nb\n",
        "system-outputs/de-en/refB.txt": "c\nd\n",
        "system-outputs/de-en/Online-A.0.txt": "f\ng\n",
        "system-outputs/de-en/best.txt": "h\ni\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_by_default_the_first_reference_and_all_systems(folder: Path) -> None:
    opened = open_wmt_set(str(folder), "de-en")
    assert opened.systems == ("Online-A.0", "best", "refB")
    assert opened.documents == ("news\tdoc1", "news\tdoc2")
    assert opened.has_source
    assert next(opened.chunks(5)).references == (("a",), ("b",))
    assert opened.notes == (
        "scored against refA; also available: refB (`references`).",
        "left out as systems, being the references: refA.",
    )


def test_references_and_systems_by_name(folder: Path) -> None:
    opened = open_wmt_set(
        str(folder), "de-en", references=["refB", "refA"], systems=["best", "refA"]
    )
    assert opened.systems == ("best", "refA")
    assert next(opened.chunks(5)).references == (("c", "a"), ("d", "b"))
    assert opened.notes == ()


def test_patterns_name_systems(folder: Path) -> None:
    def chosen(*names: str) -> list[str]:
        return list(find_wmt_files(str(folder), "de-en", systems=names).systems)

    assert chosen("ref*", "Online-A.?") == ["refA", "refB", "Online-A.0"]
    assert chosen("best", "b*") == ["best"]
    with pytest.raises(UsageError, match=r"de-en has no system z\*\. There are: Online-A\.0, best"):
        chosen("best", "z*")
    # A name that looks like a pattern is a name first.
    odd = folder / "system-outputs/de-en/be[s]t.txt"
    odd.write_text("h\ni\n")
    assert chosen("be[s]t") == ["be[s]t"]


def test_files_are_found_without_being_read(folder: Path) -> None:
    (folder / "system-outputs/de-en/best.txt").write_bytes(b"\xff")
    found = find_wmt_files(str(folder), "de-en", systems=["best"])
    assert list(found.systems) == ["best"]
    assert found.documents == str(folder / "documents/de-en.docs")


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"references": ["refC", "refD"]}, "no reference refC, refD. There are: refA, refB."),
        ({"systems": ["worst"]}, "no system worst. There are: Online-A.0, best, refA, refB."),
    ],
)
def test_unknown_names_are_answered_with_the_known(
    folder: Path, choice: dict[str, list[str]], words: str
) -> None:
    with pytest.raises(UsageError) as caught:
        open_wmt_set(
            str(folder),
            "de-en",
            references=choice.get("references"),
            systems=choice.get("systems"),
        )
    assert words in str(caught.value)


def test_what_is_not_there_is_named(folder: Path) -> None:
    for pair in ("fr-en", "*-en", "de-en.refA.txt"):
        with pytest.raises(
            UnreadableFile, match=r"neither references nor outputs of .*\. Language pairs with"
        ):
            open_wmt_set(str(folder), pair)
    with pytest.raises(UnreadableFile, match="no system outputs there"):
        open_wmt_set(str(folder), "en-de")
    with pytest.raises(UnreadableFile, match="there is no such folder"):
        open_wmt_set(str(folder / "none"), "de-en")
    with pytest.raises(UnreadableFile, match="Expected the layout of mt-metrics-eval"):
        open_wmt_set(str(folder / "sources"), "de-en")


def test_source_and_documents_may_be_absent(folder: Path) -> None:
    (folder / "sources/de-en.txt").unlink()
    (folder / "documents/de-en.docs").unlink()
    opened = open_wmt_set(str(folder), "de-en")
    assert opened.documents is None
    assert not opened.has_source


def test_documents_are_checked(folder: Path) -> None:
    documents = folder / "documents/de-en.docs"
    documents.write_text("news doc one\nx\n")
    with pytest.raises(MalformedLine, match=r"de-en\.docs, line 2: found 'x', expected DOMAIN"):
        open_wmt_set(str(folder), "de-en")
    documents.write_text("news doc one\nnews\tdoc\t7\n")
    assert read_documents(str(documents)) == ["news\tdoc one", "news\tdoc"]
    documents.write_text("news\td\n")
    with pytest.raises(LengthMismatch, match="documents: 1"):
        open_wmt_set(str(folder), "de-en")


def test_a_real_set(shared: Path) -> None:
    opened = open_wmt_set(str(shared / "data/wmt20"), "en-de", systems=["OPPO.1535"])
    assert opened.segment_count == 1418
    assert len(set(opened.documents or ())) == 130
    assert opened.reference_counts == (1,)


def test_every_pair_of_every_real_set_is_found(shared: Path) -> None:
    count = 0
    for outputs in sorted((shared / "data").glob("*/system-outputs/*")):
        root, pair = outputs.parents[1], outputs.name
        if not list((root / "references").glob(f"{pair}.*.txt")):
            continue  # made for estimates without references
        found = find_wmt_files(str(root), pair)
        assert found.systems, outputs
        assert found.references, outputs
        count += 1
    assert count > 20
