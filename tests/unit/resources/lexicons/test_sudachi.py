"""Synonym groups and dictionary forms of the Sudachi dictionary."""

import pytest

from tenbin.annotation.tokenizers import load_tokenizer
from tenbin.core.errors import MissingExtra
from tenbin.resources.lexicons import sudachi
from tenbin.resources.lexicons.files import load_lexicon
from tenbin.resources.lexicons.sudachi import (
    bounded_parts,
    load_sudachi,
    load_sudachi_synonyms,
)


def test_groups() -> None:
    pytest.importorskip("sudachipy")
    lexicon = load_sudachi_synonyms()
    doctor, physician, bridge = map(lexicon.concepts, ("医者", "医師", "橋"))
    assert set(doctor) & set(physician)
    assert not set(doctor) & set(bridge)
    assert set(lexicon.concepts("買っ")) & set(lexicon.concepts("購入"))  # inflected
    assert lexicon.describe(doctor[0]) == f"Sudachi synonym group {doctor[0]}: 医者、医師"


def test_what_is_no_word() -> None:
    pytest.importorskip("sudachipy")
    lexicon = load_sudachi_synonyms()
    assert [lexicon.concepts(text) for text in ("", " ", "食べました", "あ" * 20_000)] == [()] * 4
    assert load_sudachi().dictionary_form("あ" * 20_000) == "あ" * 20_000


@pytest.mark.parametrize("mark", ["㌔", "ﷺ", "あ", "a", "字。", "\N{PILE OF POO}"])
def test_a_long_text_is_taken_in_parts(mark: str) -> None:
    # SudachiPy has a limit on the text, and another on its normalized form: ﷺ becomes 18 letters.
    pytest.importorskip("sudachipy")
    text = mark * 30_000
    assert "".join(bounded_parts(text)) == text
    tokens = load_tokenizer("sudachi-a").tokenize(text)
    assert "".join(tokens) == text


def test_identity() -> None:
    pytest.importorskip("sudachipy")
    identity = load_lexicon("sudachi-synonyms", "ja").identity
    assert (identity.name, identity.language, identity.licence) == (
        "sudachi-synonyms",
        "ja",
        "Apache-2.0",
    )
    assert len(identity.fingerprint) == 64


def test_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    load_sudachi.cache_clear()
    monkeypatch.setattr(sudachi, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"tenbin\[ja\]"):
        load_sudachi_synonyms()
    load_sudachi.cache_clear()
