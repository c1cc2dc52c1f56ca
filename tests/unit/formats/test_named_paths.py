"""Files with names of the user's own."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import UsageError
from tenbin.formats.named_paths import checked_name, split_name, split_names
from tenbin.formats.test_files import system_names

_NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="=/"),
    min_size=1,
    max_size=30,
)
_PATHS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=30
).map(lambda text: f"/nonexistent/{text}")


@given(_NAMES, _PATHS)
def test_what_stands_before_the_first_equals_sign_is_the_name(name: str, path: str) -> None:
    assert split_name(f"{name}={path}") == (name, path)
    assert split_name(path) == (None, path)


@given(st.text())
def test_any_text_is_a_path_or_a_name_with_a_path_or_refused(item: str) -> None:
    try:
        name, path = split_name(item)
    except UsageError:
        assert "=" in item
        return
    assert item == (path if name is None else f"{name}={path}")


def test_a_path_that_is_there_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lr=3.txt").write_text("a\n", encoding="utf-8")
    Path("3.txt").write_text("b\n", encoding="utf-8")
    assert split_name("lr=3.txt") == (None, "lr=3.txt")
    assert system_names(["lr=3.txt"]) == {"lr=3": "lr=3.txt"}
    Path("lr=3.txt").unlink()
    assert system_names(["lr=3.txt"]) == {"lr": "3.txt"}


def test_a_missing_path_with_an_equals_sign_in_a_folder_stays_a_path(tmp_path: Path) -> None:
    item = f"{tmp_path}/lr=3/out.txt"
    assert split_name(item) == (None, item)


def test_a_model_may_be_named_as_its_authors_do(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("a\n", encoding="utf-8")
    assert split_name(f"facebook/nllb={path}") == ("facebook/nllb", str(path))


@pytest.mark.parametrize("item", ["=out.txt", " =out.txt", "good=", "a\tb=out.txt", "a =out.txt"])
def test_names_that_cannot_be(item: str) -> None:
    with pytest.raises(UsageError):
        split_name(item)


@pytest.mark.parametrize("name", ["", " ", "a\n", "\x1b[31m", "a\u202eb", "x" * 201])
def test_names_that_no_table_can_print(name: str) -> None:
    with pytest.raises(UsageError, match="name"):
        checked_name(name)


def test_two_systems_of_one_name() -> None:
    with pytest.raises(UsageError, match="two files are called 'a'"):
        split_names(["a=x/out.txt", "a=y/out.txt"])


def test_files_of_one_name_in_two_folders() -> None:
    assert system_names(["new=x/out.txt", "y/out.txt"]) == {
        "new": "x/out.txt",
        "out": "y/out.txt",
    }
    assert list(system_names(["out=x/sys.txt", "y/out.txt"])) == ["out", "y/out.txt"]
    with pytest.raises(UsageError, match="two systems are called"):
        system_names(["out.txt=x/a", "out=z", "out.txt"])


def test_one_file_may_be_two_systems_if_both_are_named() -> None:
    assert system_names(["a=x.txt", "b=x.txt"]) == {"a": "x.txt", "b": "x.txt"}
    with pytest.raises(UsageError, match="given twice"):
        system_names(["x.txt", "x.txt"])
