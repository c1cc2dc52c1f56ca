"""Dictionaries of names for Sudachi: what is listed, built once, and built again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.errors import ResourceError, SpecError
from tenbin.resources.lexicons import sudachi_names
from tenbin.resources.lexicons.sudachi_names import (
    build_names_dictionary,
    listed_names,
    load_names_dictionary,
)
from tenbin.resources.store.lookup import CACHE_VARIABLE

pytest.importorskip("sudachipy")

LONG = "超" * 255
ODD = ["カービィ", "ドン・キホーテ", "カ,ンマ", '引"用', "😀スライム", "ｿﾗﾄ", "山\\u0041川", LONG]


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dictionary of odd names, in a cache folder of its own."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sudachi_names, "cache_folder", lambda _: folder)
        load_names_dictionary.cache_clear()
        load_tokenizer.cache_clear()
        yield build_names_dictionary(ODD)
    load_names_dictionary.cache_clear()
    load_tokenizer.cache_clear()


def test_which_names_are_listed() -> None:
    others = ["Kirby", "R2-D2", "é", "", " ", "花", "超" * 256, "カ\x00ビ", "\ud800カビ"]
    assert listed_names(others) == ()
    assert listed_names(["メタ  ナイト", "ｶｰﾋﾞｨ", "カービィ"]) == ("カービィ", "メタ ナイト")
    assert build_names_dictionary(["Kirby"]) == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("カービィが来た", ["カービィ", "が", "来", "た"]),
        ("ドン・キホーテだ", ["ドン・キホーテ", "だ"]),
        ("カ,ンマだ", ["カ,ンマ", "だ"]),
        ('引"用だ', ['引"用', "だ"]),
        ("😀スライムだ", ["😀スライム", "だ"]),
        ("ｿﾗﾄとソラトだ", ["ｿﾗﾄ", "と", "ソラト", "だ"]),
        ("山\\u0041川だ", ["山\\u0041川", "だ"]),
        (f"{LONG}だ", [LONG, "だ"]),
    ],
)
@pytest.mark.parametrize("mode", "abc")
def test_a_name_is_one_word(key: str, mode: str, text: str, words: list[str]) -> None:
    named = load_tokenizer(f"sudachi-{mode}+{key}")
    assert named.tokenize(text) == words
    assert named.name == f"sudachi-{mode}+{key}"


def test_the_key_is_of_the_names_alone(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sudachi_names, "_build", lambda *_: pytest.fail("built twice"))
    assert build_names_dictionary([*reversed(ODD), "カービィ", "Kirby"]) == key


def test_what_is_damaged_is_built_again(key: str) -> None:
    place = sudachi_names._place(key)
    place.write_bytes(b"damaged")
    load_names_dictionary.cache_clear()
    load_tokenizer.cache_clear()
    assert load_tokenizer(f"sudachi-c+{key}").tokenize("カービィだ") == ["カービィ", "だ"]
    assert sorted(one.name for one in place.parent.iterdir()) == [f"{key}.csv", f"{key}.dic"]


def test_a_dictionary_that_is_not_there() -> None:
    with pytest.raises(ResourceError, match="there is no dictionary of names '0123456789ab'"):
        load_tokenizer("sudachi-c+0123456789ab")
    with pytest.raises(SpecError, match="there is no tokenizer"):
        load_tokenizer("sudachi-c+names")


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr(sudachi_names, "cache_folder", lambda _: file)
    with pytest.raises(ResourceError, match="dictionary of 1 name cannot be built") as caught:
        build_names_dictionary(["カービィ"])
    assert CACHE_VARIABLE in str(caught.value)
    assert str(file) in str(caught.value)
