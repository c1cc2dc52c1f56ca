"""Test sets in files, as the API opens them."""

from pathlib import Path

import pytest

from tenbin.api.files import open_files, open_set, system_called, target_language
from tenbin.api.inspection import inspect_files, inspect_set
from tenbin.api.scoring import compare_test_set, explain_test_set, score_test_set
from tenbin.core.errors import UsageError

EXAMPLE = ("bundled:example", "ja-en")


@pytest.fixture
def texts(tmp_path: Path) -> dict[str, str]:
    lines = {"ref": "the cat sat\nit rains\n", "a": "the cat sat\nit rained\n", "b": "cats\nrain\n"}
    for name, text in lines.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return {name: str(tmp_path / f"{name}.txt") for name in lines}


def test_files_score_as_lists_do(texts: dict[str, str]) -> None:
    test_set = open_files([texts["a"], texts["b"]], [texts["ref"]])
    done: list[int] = []
    table = score_test_set(test_set, "chrf", "en", segments=True, advance=done.append)
    assert table.systems == ("a", "b")
    assert table["a", "chrf"] > table["b", "chrf"]
    assert sum(done) == 2
    compared = compare_test_set(test_set, ["chrf"], "en", rounds=20, baseline="b")
    assert compared.pairs == [(1, 0)]
    explained = explain_test_set(test_set, "meteor", "en", [2], ["a"])
    assert [one.segment for one in explained.explanations] == [2]


def test_a_system_may_be_called_by_its_file(texts: dict[str, str]) -> None:
    test_set = open_files([texts["a"]], [texts["ref"]])
    assert system_called(test_set, texts["a"]) == "a"
    assert system_called(test_set, "a") == "a"
    assert system_called(test_set, "c") == "c"


def test_bundled_sets_have_names() -> None:
    assert open_set(*EXAMPLE).segment_count == 60
    assert inspect_set(*EXAMPLE, language="en").has_faulty_texts is False
    with pytest.raises(UsageError, match="there is no bundled test set 'bundled:none'"):
        open_set("bundled:none", "ja-en")


def test_human_translations_among_systems_are_said(tmp_path: Path) -> None:
    for name in (
        "references/de-en.refA",
        *(f"system-outputs/de-en/{n}" for n in ("a", "Human-P.0")),
    ):
        path = tmp_path / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("one\n")
    folder = str(tmp_path)
    (note,) = open_set(folder, "de-en").notes
    assert (
        note
        == "human translations, by their names, among the systems: Human-P.0 (`systems` chooses)."
    )
    assert not open_set(folder, "de-en", systems=["a"]).notes
    assert not open_set(folder, "de-en", systems=["*"]).notes


def test_an_inspection_without_texts_is_about_the_installation() -> None:
    found = inspect_files()
    assert found.installation
    assert found.texts is None
    assert not found.has_faulty_texts


def test_faulty_texts_are_found(texts: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("one\n")
    assert inspect_files([str(tmp_path / "short.txt")], [texts["ref"]]).has_faulty_texts


def test_language_and_pair() -> None:
    assert target_language("en", None) == "en"
    assert target_language(None, "de-en") == "en"
    assert target_language("eng", "de-en") == "eng"
    assert target_language(None, None) is None
    with pytest.raises(UsageError, match="the language fr contradicts the pair de-en"):
        target_language("fr", "de-en")
