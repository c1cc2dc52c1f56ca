"""The word vectors of a language, if nobody names any."""

import pytest

from tenbin.core.errors import UsageError
from tenbin.core.resource import ResourceKind
from tenbin.resources.store.manifest import bundled_manifest
from tenbin.resources.vectors.defaults import default_vectors


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("en", "glove-en-small"),
        ("en-GB", "glove-en-small"),
        ("fr", "vectors-fr"),
        ("fr-CA", "vectors-fr"),
        ("ja", "vectors-ja"),
        ("ja-JP", "vectors-ja"),
        ("ru", "vectors-ru"),
        ("zh", "vectors-zh"),
        ("zh-CN", "vectors-zh"),
        ("zh-Hans", "vectors-zh"),
        ("cmn", "vectors-zh"),
    ],
)
def test_default(language: str, name: str) -> None:
    assert default_vectors(language) == name
    assert bundled_manifest()[name].kind is ResourceKind.VECTORS


@pytest.mark.parametrize("language", ["de", "cs", "yue", "sr-Latn"])
def test_none_for_the_language(language: str) -> None:
    with pytest.raises(UsageError) as caught:
        default_vectors(language)
    message = str(caught.value)
    assert f"'{language}'" in message
    assert "vectors=FILE" in message
    assert "tenbin build vectors" in message
    assert "en, fr, ja, ru, zh-Hans" in message
    assert "vectors-" not in message


@pytest.mark.parametrize(
    ("language", "name"),
    [("zh-Hant", "vectors-zh"), ("zh-TW", "vectors-zh"), ("ru-Latn", "vectors-ru")],
)
def test_none_in_the_script(language: str, name: str) -> None:
    with pytest.raises(UsageError, match=f"vectors={name}"):
        default_vectors(language)
