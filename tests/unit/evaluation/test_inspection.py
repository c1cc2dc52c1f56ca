"""The doctor finds everything at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tenbin.evaluation.inspection import Finding, Severity, inspect_texts

Write = Callable[[str, bytes], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, content: bytes) -> str:
        (tmp_path / name).write_bytes(content)
        return str(tmp_path / name)

    return written


def told(findings: list[Finding], level: Severity, where: str) -> list[str]:
    return [one.message for one in findings if one.level is level and one.where == where]


def test_good_texts_are_good(write: Write) -> None:
    reference = write("r", b"A dog barks.\nOne cat sleeps.\n")
    system = write("a", b"A dog is barking.\nA cat sleeps.\n")
    findings = inspect_texts([reference], [system], None, "en")
    assert {one.level for one in findings} == {Severity.OK}
    assert told(findings, Severity.OK, reference) == ["2 segments, valid UTF-8", "script fits en"]
    assert told(findings, Severity.OK, system) == ["2 segments, valid UTF-8", "script fits en"]


def test_all_faults_of_all_files(write: Write, tmp_path: Path) -> None:
    bad = write("bad", b"ok\n\xff\n\0\n" + b"\xfe\n" * 9)
    empty, missing = write("empty", b""), str(tmp_path / "none")
    findings = inspect_texts([bad, empty], [missing, str(tmp_path)], None, None)
    faults = told(findings, Severity.ERROR, bad)
    assert len(faults) == 5
    assert faults[0].startswith("line 2: byte 1 of the line (0xff) is not valid UTF-8")
    assert faults[1].startswith("line 3: NUL character")
    assert told(findings, Severity.ERROR, empty) == [
        "the file is empty. Give a text with one segment per line."
    ]
    assert told(findings, Severity.ERROR, missing) == ["there is no such file. Check the path."]
    assert told(findings, Severity.ERROR, str(tmp_path))[0].startswith("this is a directory")


def test_oddities_are_noted_with_their_lines(write: Write) -> None:
    lines = ["\ufeffone\r", "", " two", "a\u2028b", "Q&amp;A", "R&D", "x\ry", *[""] * 6, "last ."]
    path = write("odd", "\n".join(lines).encode())
    notes = told(inspect_texts([path], [], None, None), Severity.NOTE, path)
    assert notes == [
        "the byte order mark at its start is not part of the text.",
        "1 line ends in CR LF; read as LF.",
        "1 line holds a lone CR, which does not end a segment.",
        "7 lines empty: 2, 8, 9, 10, 11 and 2 more",
        "1 line with a line break of another kind inside: 4",
        "1 line with blanks at an end: 3",
        "1 line with unexpanded entities such as &amp;: 5",
    ]


def test_tokenised_text_is_noticed(write: Write) -> None:
    path = write("tok", b"a cat sleeps .\nwhat now ?\nfine.\n")
    (note,) = told(inspect_texts([path], [], None, None), Severity.NOTE, path)
    assert "looks tokenized" in note


def test_different_lengths(write: Write) -> None:
    reference, system = write("r", b"a\nb\n"), write("a", b"a\n")
    source = write("s", b"a\nb\nc\n")
    findings = inspect_texts([reference], [system], source, None)
    assert told(findings, Severity.ERROR, "all texts") == [
        f"different numbers of segments ({reference}: 2, {system}: 1, {source}: 3)"
    ]


def test_the_table_of_documents_is_read(write: Write) -> None:
    reference = write("r", b"a\nb\n")
    good, short, bad = write("d", b"n\tx\nn\tx\n"), write("e", b"n\tx\n"), write("f", b"n\tx\n\n")
    assert told(inspect_texts([reference], [], None, None, good), Severity.OK, good) == [
        "2 segments, 1 document"
    ]
    assert told(inspect_texts([reference], [], None, None, short), Severity.ERROR, "all texts")
    (fault,) = told(inspect_texts([reference], [], None, None, bad), Severity.ERROR, bad)
    assert fault.startswith("line 2: found '', expected DOMAIN")


def test_script_and_language(write: Write) -> None:
    japanese = write("ja", "吾輩は猫である。\n名前はまだ無い。\n".encode())
    english = write("en", b"I am a cat.\nAs yet I have no name.\n")
    findings = inspect_texts([japanese], [english], None, "ja")
    assert "script fits ja" in told(findings, Severity.OK, japanese)
    (note,) = told(findings, Severity.NOTE, english)
    assert note == "only 0% of its letters are in the script of ja; is it the right file?"
    (fault,) = told(inspect_texts([japanese], [], None, "en"), Severity.ERROR, japanese)
    assert '`language="ja"`' in fault
    (fault,) = told(inspect_texts([japanese], [], None, "en-de"), Severity.ERROR, "language")
    assert '`language="de"`' in fault


def test_texts_that_are_the_same(write: Write) -> None:
    reference, copy, source = write("r", b"x\n"), write("a", b"x\n"), write("s", b"x\n")
    notes = told(inspect_texts([reference], [copy], source, None), Severity.NOTE, copy)
    assert notes == [
        f"the same text as the reference {reference}; is it the system's output?",
        "the same text as the source",
    ]
    other = write("b", b"y\n")
    twin = write("c", b"y\n")
    assert told(inspect_texts([reference], [other, twin], None, None), Severity.NOTE, twin) == [
        f"the same text as {other}"
    ]
