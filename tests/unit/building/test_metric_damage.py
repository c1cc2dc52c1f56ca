"""Damaged texts: each kind does what it says, or nothing."""

import numpy as np
import pytest

from tenbin.building.metric.damage import (
    USUAL_SHARES,
    DamageGenerator,
    DamageKind,
    DamageTexts,
    parsed_shares,
)
from tenbin.core.errors import UsageError

TEXT = "On Monday the minister Alan Smith said that 1,200 people were not hurt in Paris."
BESIDE = DamageTexts(
    source="Am Montag sagte der Minister, dass niemand verletzt wurde.",
    other="Yesterday Mary Jones went home with 3 friends.",
)
ENGLISH = DamageGenerator()
JAPANESE = DamageGenerator("ja", spaced=False)


def damaged(kind: DamageKind, seed: int = 0, text: str = TEXT) -> str | None:
    return ENGLISH.damaged(text, kind, np.random.default_rng(seed), BESIDE)


@pytest.mark.parametrize("kind", [kind for kind in DamageKind if kind is not DamageKind.IDENTITY])
def test_every_kind_changes_a_rich_text(kind: DamageKind) -> None:
    found = {damaged(kind, seed) for seed in range(20)}
    assert TEXT not in found
    assert found - {None}
    # The same random numbers give the same text.
    assert damaged(kind, 3) == damaged(kind, 3)


def test_what_is_done() -> None:
    words = set(TEXT.split())
    for seed in range(20):
        cut = damaged(DamageKind.TRUNCATED, seed)
        assert cut
        assert TEXT.startswith(cut)
        fewer = damaged(DamageKind.DROPPED, seed)
        assert fewer
        assert set(fewer.split()) <= words
        shuffled = damaged(DamageKind.SHUFFLED, seed)
        assert shuffled
        assert sorted(shuffled.split()) == sorted(TEXT.split())
        repeated = damaged(DamageKind.REPEATED, seed)
        assert repeated
        assert len(repeated) > len(TEXT)
        number = damaged(DamageKind.NUMBER, seed)
        assert number
        assert sum(one != other for one, other in zip(number, TEXT, strict=True)) == 1
        assert not number.split(" ")[8].startswith("0")
        name = damaged(DamageKind.NAME, seed)
        if name is not None:
            assert len(set(name.split()) - words) == 1
            assert "Mary" in name or "Jones" in name
    assert damaged(DamageKind.EMPTY) == ""
    assert damaged(DamageKind.SOURCE) == BESIDE.source
    assert damaged(DamageKind.UNRELATED) == BESIDE.other
    assert damaged(DamageKind.NEGATION) == TEXT.replace("not ", "")
    half = damaged(DamageKind.LANGUAGE)
    assert half
    assert half.startswith("On Monday the minister")
    assert half.endswith("verletzt wurde.")
    assert damaged(DamageKind.PUNCTUATION) == TEXT.replace(",", "").replace(".", "")


def test_negations_of_english() -> None:
    for text, expected in (
        ("He is here.", "He is not here."),
        ("It isn't so.", "It is so."),
        ("I can see it.", "I can not see it."),
        ("She never came.", "She came."),
        ("I can't see it.", "I can see it."),
        ("They won\u2019t go.", "They will go."),
    ):
        assert damaged(DamageKind.NEGATION, text=text) == expected
    assert damaged(DamageKind.NEGATION, text="Rain tomorrow.") is None


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (DamageKind.NUMBER, "no number"),
        (DamageKind.NAME, "no name at all"),
        (DamageKind.TRUNCATED, "two words"),
        (DamageKind.SHUFFLED, "one"),
        (DamageKind.DROPPED, "one"),
        (DamageKind.PUNCTUATION, "none"),
        (DamageKind.PUNCTUATION, "..."),
        (DamageKind.REPEATED, ""),
        (DamageKind.EMPTY, ""),
        (DamageKind.IDENTITY, "anything"),
    ],
)
def test_texts_that_cannot_be_damaged(kind: DamageKind, text: str) -> None:
    assert damaged(kind, text=text) is None


def test_scripts_without_spaces() -> None:
    text = "昨日、東京で３人が見つかった。"
    rng = np.random.default_rng(1)
    cut = JAPANESE.damaged(text, DamageKind.TRUNCATED, rng, BESIDE)
    assert cut
    assert text.startswith(cut)
    number = JAPANESE.damaged(text, DamageKind.NUMBER, rng, BESIDE)
    assert number
    assert number != text
    # The digit stays of its script.
    assert sum(0xFF10 <= ord(sign) <= 0xFF19 for sign in number) == 1
    shuffled = JAPANESE.damaged(text, DamageKind.SHUFFLED, rng, BESIDE)
    assert shuffled
    assert sorted(shuffled) == sorted(text)
    assert JAPANESE.damaged(text, DamageKind.NEGATION, rng, BESIDE) is None


def test_kinds_that_a_language_or_a_set_does_not_have() -> None:
    assert set(ENGLISH.kinds(has_sources=True)) == set(DamageKind)
    assert sum(ENGLISH.kinds(has_sources=False).values()) == pytest.approx(1)
    assert ENGLISH.impossible(has_sources=False) == ["source", "language"]
    assert JAPANESE.impossible(has_sources=True) == ["name", "negation"]


def test_shares() -> None:
    assert parsed_shares(()) == USUAL_SHARES
    assert parsed_shares(["negation=0.5"])[DamageKind.NEGATION] == 0.5
    assert not DamageGenerator(shares=parsed_shares(["none"])).kinds(has_sources=True)
    for wrong in ("negation", "negation=2", "nothing=0.1", "negation=-1"):
        with pytest.raises(UsageError, match="expected none, or KIND=SHARE"):
            parsed_shares([wrong])
