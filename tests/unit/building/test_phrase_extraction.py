"""Phrase pairs on disk: numbers that lead back to the words, counts, and what is left out."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tenbin.building.paraphrases import extraction as phrase_extraction
from tenbin.building.paraphrases.bitext import PackedBitext, PackedSide
from tenbin.building.paraphrases.extraction import (
    Extraction,
    phrase_texts,
    word_hashes,
    write_phrase_pairs,
)

parquet = pytest.importorskip("pyarrow.parquet")

TARGET = ["the house .", "a house .", "the house ."]
PIVOT = ["das haus .", "das haus .", "das haus ."]


def side(texts: list[str]) -> PackedSide:
    words = tuple(dict.fromkeys(word for text in texts for word in text.split()))
    values = [words.index(word) for text in texts for word in text.split()]
    offsets = np.cumsum([0, *(len(text.split()) for text in texts)])
    return PackedSide(np.array(values, dtype=np.int32), offsets.astype(np.int64), words)


def extracted(folder: Path, extraction: Extraction) -> Counter[tuple[str, str]]:
    bitext = PackedBitext(side(TARGET), side(PIVOT), np.arange(3), 3)
    positions = np.tile(np.arange(3, dtype=np.int32), 3)
    links = positions, positions, np.array([0, 3, 6, 9])
    path = folder / "phrases"
    total = write_phrase_pairs(path, bitext, links, "de", extraction)
    rows = parquet.read_table(path)
    assert set(rows["lang"].to_pylist()) == {"de"}
    columns = []
    for name, text in (("f", bitext.pivot), ("e", bitext.target)):
        numbers, places = np.unique(rows[name].to_numpy(), return_inverse=True)
        spelled = phrase_texts([text], numbers, longest=7, seed=extraction.seed)
        assert spelled is not None
        columns.append([spelled[place] for place in places.tolist()])
    counts: Counter[tuple[str, str]] = Counter()
    for f, e, n in zip(*columns, rows["n"].to_pylist(), strict=True):
        counts[f, e] += n
    assert sum(counts.values()) == total
    return counts


def expected(*, punctuation: bool = True) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for e, f in zip(TARGET, PIVOT, strict=True):
        for a in range(3):
            for b in range(a + 1, 4):
                if (a, b) != (2, 3) or punctuation:
                    counts[" ".join(f.split()[a:b]), " ".join(e.split()[a:b])] += 1
    return counts


@pytest.mark.parametrize("at_once", [1, 2, 20])
def test_all_pairs_are_counted(
    tmp_path: Path, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phrase_extraction, "_SEGMENTS_AT_ONCE", at_once)
    assert extracted(tmp_path, Extraction()) == expected()
    assert extracted(tmp_path, Extraction(seed=5)) == expected()


def test_what_is_left_out(tmp_path: Path) -> None:
    left = extracted(tmp_path, Extraction(drop_punctuation=True))
    assert left == expected(punctuation=False)
    stopped = Extraction(drop_punctuation=True, pivot_function_words=frozenset({"das"}))
    assert ("das", "the") not in extracted(tmp_path, stopped)
    assert extracted(tmp_path, stopped)["das haus", "a house"] == 1
    assert max(len(f.split()) for f, _ in extracted(tmp_path, Extraction(longest=2))) == 2


def test_words_of_several_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [side(["the house"]), side(["a house", "the tree"])]
    wanted = word_hashes(["tree", "house", "the"], 3)
    assert phrase_texts(texts, wanted, longest=2, seed=3) == ["tree", "house", "the"]
    with pytest.raises(ValueError, match="none of the texts"):
        phrase_texts(texts[:1], wanted, longest=2, seed=3)
    # 'house' of the first text and 'tree' of the second one get one number.
    monkeypatch.setattr(
        phrase_extraction,
        "word_hashes",
        lambda words, _: np.array([{"the": 1, "a": 2}.get(word, 5) for word in words]),
    )
    assert phrase_texts(texts[:1], np.array([5]), longest=1, seed=3) == ["house"]
    assert phrase_texts(texts, np.array([5]), longest=1, seed=3) is None
    apart = [texts[0], side(["the tree"])]
    assert phrase_texts(apart, np.array([5]), longest=1, seed=3) is None
