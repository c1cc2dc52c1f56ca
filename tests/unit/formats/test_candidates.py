"""Files of candidates: four forms, and what is wrong with others."""

from pathlib import Path

import pytest

from tenbin.core.errors import InputError, LengthMismatch, MalformedLine, UsageError
from tenbin.formats.candidates import CandidateForm, read_candidates

EXPECTED = (("a cat", "the cat"), ("b", "c"))


def write(folder: Path, name: str, content: str) -> str:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_all_forms_give_the_same_lists(tmp_path: Path) -> None:
    files = [
        write(tmp_path, "1.txt", "a cat\nb\n"),
        write(tmp_path, "2.txt", "the cat\nc\n"),
    ]
    blocks = write(tmp_path, "all.txt", "a cat\nthe cat\nb\nc\n")
    moses = write(tmp_path, "n.best", "0 ||| a cat\n0 ||| the cat\n1 ||| b\n1 ||| c\n")
    lists = write(tmp_path, "n.jsonl", '["a cat", "the cat"]\n{"candidates": ["b", "c"]}\n')
    assert read_candidates(files).texts == EXPECTED
    assert read_candidates([blocks], per_segment=2).texts == EXPECTED
    assert read_candidates([moses]).texts == EXPECTED
    assert read_candidates([lists]).texts == EXPECTED
    assert read_candidates([lists], form=CandidateForm.JSONL).scores is None


def test_scores_come_with_lists(tmp_path: Path) -> None:
    moses = write(tmp_path, "n.best", "1 ||| a ||| lm= -2 ||| -1.5\n2 ||| b ||| lm= 0 ||| 3e0\n")
    assert read_candidates([moses]).scores == ((-1.5,), (3.0,))
    lists = write(tmp_path, "n.jsonl", '[{"text": "a", "score": 1}, {"text": "b", "score": 2.5}]\n')
    assert read_candidates([lists]).scores == ((1.0, 2.5),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0 ||| a\nno list\n", "line 2: not a line of an n-best list"),
        ("0 ||| a\n2 ||| b\n", "line 2: segment 2 after segment 0"),
        ("0 ||| a\n1 ||| b\n0 ||| c\n", "line 3: segment 0 after segment 1"),
        ("5 ||| a\n", "line 1: the list begins with segment 5"),
        ("0 ||| a ||| f ||| 1\n0 ||| b\n", "line 2: 2 columns, and line 1 has 4"),
        ("0 ||| a ||| f ||| x\n", "line 1: the last column, 'x', is not a number"),
        ("0 ||| a ||| f ||| nan\n", "is not a number"),
        ("0 ||| a\n-1 ||| b\n", "line 2: not a line"),
        ("0 ||| a\n" + "9" * 5000 + " ||| b\n", "line 2: not a line"),
    ],
)
def test_malformed_lists_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = write(tmp_path, "n.best", content)
    with pytest.raises(MalformedLine, match=message):
        read_candidates([path])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('["a"]\n[]\n', "line 2: the list of candidates is empty"),
        ("[1]\n", "line 1: candidate 1 has no text"),
        ('"a"\n', "line 1: not a list"),
        ("{}\n", "line 1: not a list"),
        ("[\n", r"line 1: not JSON \(column 2"),
        ('[{"text": "a", "score": 1}, "b"]\n', "some candidates have a score"),
        ('[{"text": "a", "score": 1}]\n["b"]\n', "line 2: some candidates have a score"),
        ('[{"text": "a", "score": NaN}]\n', "score of candidate 1"),
        ('[{"text": "a", "score": true}]\n', "score of candidate 1"),
        ('[{"text": "a", "score": 1e999}]\n', "score of candidate 1"),
        ("[" * 100_000 + "\n", "nested too deeply"),
    ],
)
def test_malformed_json_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = write(tmp_path, "n.jsonl", content)
    with pytest.raises(MalformedLine, match=message):
        read_candidates([path])


def test_ragged_files_are_refused(tmp_path: Path) -> None:
    files = [write(tmp_path, "1.txt", "a\nb\n"), write(tmp_path, "2.txt", "a\n")]
    with pytest.raises(LengthMismatch, match="differ in their number of segments"):
        read_candidates(files)
    with pytest.raises(InputError, match="has 2 lines, which is not a multiple of 3"):
        read_candidates(files[:1], per_segment=3)


def test_files_and_options_must_fit(tmp_path: Path) -> None:
    files = [write(tmp_path, "1.txt", "a\nb\n"), write(tmp_path, "2.txt", "a\nb\n")]
    moses = write(tmp_path, "n.best", "0 ||| a\n")
    for paths, options, message in (
        ([], {}, "no candidates"),
        (files[:1], {}, "do not say which belong together"),
        (files[:1], {"per_segment": 0}, "at least 1"),
        (files, {"per_segment": 2}, "2 files of candidates"),
        (files, {"form": CandidateForm.MOSES}, "2 files of candidates"),
        ([moses], {"per_segment": 1, "form": CandidateForm.MOSES}, "is for plain lines"),
        ([files[0], files[0]], {}, "given twice"),
        (["-", "-"], {}, "one text only"),
    ):
        with pytest.raises(UsageError, match=message):
            read_candidates(paths, **options)


def test_all_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"(?s)x\.txt.*y\.txt"):
        read_candidates([str(tmp_path / "x.txt"), str(tmp_path / "y.txt")])
    empty = write(tmp_path, "empty.txt", "")
    with pytest.raises(InputError, match="the file is empty"):
        read_candidates([empty], per_segment=1)
