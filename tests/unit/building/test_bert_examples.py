"""The parts of ``tenbin build bert``: recipes, subwords, rows, masked subwords."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tokenizers")

from tenbin.building.bert.examples import masked, packed_rows
from tenbin.building.bert.recipe import SPECIAL_TOKENS, BertRecipe, Extent, LengthUnit
from tenbin.building.bert.vocabulary import learned_tokenizer, words_for_subwords
from tenbin.core.errors import UsageError


@pytest.mark.parametrize(
    ("extent", "steps"),
    [
        (Extent(7, LengthUnit.STEPS), 7),
        (Extent(1.5, LengthUnit.EPOCHS), 15),
        (Extent(0.01, LengthUnit.EPOCHS), 1),
        (Extent(3, LengthUnit.MINUTES), None),
    ],
)
def test_how_long_is_trained(extent: Extent, steps: int | None) -> None:
    assert extent.steps(rows=100, batch=10) == steps


@pytest.mark.parametrize(
    "wrong",
    [
        {"vocabulary": 5},
        {"layers": 0},
        {"heads": 5},
        {"length": 3},
        {"batch": 0},
        {"rate": 0.0},
        {"dropout": 1.0},
        {"seed": -1},
    ],
)
def test_recipes_that_cannot_be(wrong: dict[str, Any]) -> None:
    option = "width" if "heads" in wrong else next(iter(wrong))
    with pytest.raises(UsageError, match=f"{option}="):
        replace(BertRecipe(), **wrong)
    with pytest.raises(UsageError, match="epochs=-1"):
        Extent(-1, LengthUnit.EPOCHS)


def test_segments_that_do_not_fit_are_read_again() -> None:
    segments: list[list[int] | None] = [[10, 11, 12], [20, 21], None, [30], [40, 41, 42, 43]]
    rows = list(packed_rows(iter(segments), 7))
    first, last, between = (SPECIAL_TOKENS.index(token) for token in ("[CLS]", "[SEP]", "[SEP]"))
    assert rows == [
        [first, 10, 11, 12, 20, 21, last],
        [first, 30, 40, 41, 42, 43, last],
    ]
    longer = [list(range(10, 22)), None, [30, 31]]
    assert list(packed_rows(iter(longer), 7)) == [
        [first, 10, 11, 12, 13, 14, last],
        [first, 15, 16, 17, 18, 19, last],
        [first, 20, 21, between, 30, 31, last],
    ]


def test_what_is_masked() -> None:
    torch = pytest.importorskip("torch")
    rows = torch.full((200, 42), 7)
    rows[:, 0], rows[:, -1], rows[:, 20] = 2, 3, 3
    hidden = masked(torch, rows, torch.Generator().manual_seed(1), vocabulary=5_000)
    assert hidden.places.shape == (200, 6)
    assert bool((hidden.labels == 7).all())
    changed = hidden.inputs != rows
    assert not bool(changed[:, [0, 20, 41]].any())
    shown = hidden.inputs.gather(1, hidden.places)
    shares = [
        float(part.float().mean()) for part in (shown == SPECIAL_TOKENS.index("[MASK]"), shown == 7)
    ]
    assert shares == pytest.approx([0.8, 0.1], abs=0.03)
    assert int(shown.min()) >= SPECIAL_TOKENS.index("[MASK]")


def test_subwords_of_text_without_spaces(japanese: Path) -> None:
    pytest.importorskip("sudachipy")
    corpus = words_for_subwords([str(japanese)], "ja")
    tokenizer = learned_tokenizer(corpus, 600)
    assert tokenizer.get_vocab_size() <= 600
    # Learned from words, found where nobody has cut: the analyzer is not asked.
    assert tokenizer.encode("私は見た。").tokens[1:-1] == ["私", "は", "見", "た", "。"]
    wide, narrow = (tokenizer.encode(text).ids for text in ("\uff21\uff11\u3000は", "A1 は"))
    assert wide == narrow


def test_names_are_subwords_and_unknown_characters_are_not(japanese: Path, tmp_path: Path) -> None:
    pytest.importorskip("sudachipy")
    lines = "齊藤さんは尾崎に会った。\n藤の花を見た。\n" * 20
    (tmp_path / "names.txt").write_text(lines, encoding="utf-8")
    corpus = words_for_subwords([str(japanese), str(tmp_path / "names.txt")], "ja")
    tokenizer = learned_tokenizer(corpus, 600)
    assert tokenizer.encode("尾崎と齊藤と藤").tokens[1:-1] == ["尾崎", "と", "齊藤", "と", "藤"]
    assert tokenizer.encode("鬱").ids[1:-1] == [SPECIAL_TOKENS.index("[UNK]")]
