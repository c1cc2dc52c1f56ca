"""What the doctor says about the installation."""

from importlib.metadata import PackageNotFoundError, version

import pytest

from tenbin.core.errors import MissingExtra
from tenbin.evaluation import installation
from tenbin.evaluation.inspection import Severity
from tenbin.evaluation.installation import inspect_installation


def test_versions_and_tokenizers_are_listed() -> None:
    found = {one.where: one for one in inspect_installation()}
    assert found["tenbin"].message == version("tenbin")
    assert found["tokenizer none"].message == "built in"
    assert {"python", "numpy", "sacrebleu", "tokenizer sudachi-c"} <= set(found)


def test_what_is_missing_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        if name in {"numba", "pandas", "sacrebleu"}:
            raise PackageNotFoundError(name)
        return version(name)

    def unloaded(name: str) -> None:
        raise MissingExtra(f"the tokenizer {name}", "ja")

    monkeypatch.setattr(installation, "version", absent)
    monkeypatch.setattr(installation, "load_tokenizer", unloaded)
    found = {one.where: one for one in inspect_installation()}
    assert found["numba"].level is Severity.NOTE
    assert "same numbers" in found["numba"].message
    assert "pip install 'tenbin[tables]'" in found["pandas"].message
    assert found["sacrebleu"].level is Severity.ERROR
    assert "pip install 'tenbin[ja]'" in found["tokenizer ja-mecab"].message
    assert "tokenizer ja-mecab" in {one.where for one in inspect_installation("en-de")}


def test_of_a_language_only_its_own_tokenizers_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    def unloaded(name: str) -> None:
        raise MissingExtra(f"the tokenizer {name}", "ja")

    monkeypatch.setattr(installation, "load_tokenizer", unloaded)
    found = {one.where for one in inspect_installation("zh-Hant")}
    assert {"tokenizer jieba", "tokenizer zh", "tokenizer 13a"} <= found
    assert not {"tokenizer ja-mecab", "tokenizer sudachi-c", "tokenizer ko-mecab"} & found
