"""YiSi-2 in context equals a plain program over the same model, a BERT with random weights.

Provenance: the program below, written from shared/specs/surface.md section 9 with loops over
n-grams and 64-bit sums; vectors by transformers itself, not by Tenbin's encoder.
"""

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.core.arrays import FloatArray
from tenbin.core.text import TestSet
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics import registry

pytestmark = pytest.mark.oracle

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
SOURCE = ("Die Katze saß da.", "猫が東京にいた", "Дождь идёт", "der Hund", "", "ein Wort")
SYSTEMS = {
    "one": ("The cat sat there.", "a cat was in Tokyo", "it is raining", "the dog dog", "x", ""),
    "two": ("A cat sits", "猫 cat", "rain rain rain rain", "Hund", "nothing", "a word"),
}
Pieces = Sequence[str]


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, Any]]:
    """The packages; one thread, for on a busy machine two take many times as long."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on import only
        names = ("torch", "transformers", "tokenizers")
        found = {
            name: pytest.importorskip(name, reason="the extra 'neural' is not installed")
            for name in names
        }
    threads = found["torch"].get_num_threads()
    found["torch"].set_num_threads(1)
    yield found
    found["torch"].set_num_threads(threads)


@pytest.fixture(scope="module")
def folder(modules: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT with random weights and pieces of three scripts."""
    path = tmp_path_factory.mktemp("models") / "many-tongues"
    transformers = modules["transformers"]
    letters = sorted({letter for text in (*SOURCE, *SYSTEMS["one"]) for letter in text.lower()})
    letters += list("abcdefghijklmnopqrstuvwxyz")
    words = ["the", "cat", "hund", "дождь", "##ing", "rain", "東京"]
    pieces = [*MARKS, *words, *letters, *(f"##{letter}" for letter in letters)]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    cutter = modules["tokenizers"].BertWordPieceTokenizer(
        vocabulary, lowercase=True, strip_accents=False
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter._tokenizer,
        model_max_length=64,
        **{f"{mark[1:-1].lower()}_token": mark for mark in MARKS},
    ).save_pretrained(path)
    modules["torch"].manual_seed(23)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.4,
    )
    transformers.BertModel(config).eval().save_pretrained(path)
    return path


@pytest.fixture(autouse=True)
def _own_encodings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path / "encodings"))


class SlowYisi2:
    """YiSi-2 over the vectors of one layer, a text at a time."""

    def __init__(self, folder: Path, modules: dict[str, Any], layer: int) -> None:
        transformers = modules["transformers"]
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.model = transformers.AutoModel.from_pretrained(folder, local_files_only=True).eval()
        self.torch, self.layer = modules["torch"], layer
        self.seen: dict[str, tuple[Pieces, FloatArray]] = {}

    def encoded(self, text: str) -> tuple[Pieces, FloatArray]:
        """Return the pieces of a text and their vectors, without the marks at both ends."""
        if text in self.seen:
            return self.seen[text]
        numbers = self.tokenizer(text, return_tensors="pt")
        with self.torch.no_grad():
            states = self.model(**numbers, output_hidden_states=True).hidden_states[self.layer]
        vectors = states[0].numpy().astype(np.float64)[1:-1]
        pieces = self.tokenizer.convert_ids_to_tokens(numbers["input_ids"][0])[1:-1]
        self.seen[text] = pieces, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return self.seen[text]

    def weights(self, texts: Sequence[str]) -> dict[str, float]:
        """Return log2(1 + (N + 1) / (c + 1)) of each piece of some texts."""
        documents = [set(self.encoded(text)[0]) for text in texts]
        counts = Counter(piece for one in documents for piece in one)
        every = {piece for encoded in self.seen.values() for piece in encoded[0]}
        return {one: log2(1 + (len(texts) + 1) / (counts[one] + 1)) for one in every}

    def score(
        self,
        hypothesis: str,
        source: str,
        tables: tuple[dict[str, float], dict[str, float]],
        ngram: int,
        alpha: float,
    ) -> float:
        """Return the score of one hypothesis."""
        (own, here), (other, there) = self.encoded(hypothesis), self.encoded(source)
        size = min(ngram, len(own), len(other))
        if not size:
            return 0.0
        alike = np.maximum(here @ there.T, 0)
        ours, theirs = (
            [table[piece] for piece in side]
            for table, side in zip(tables, (own, other), strict=True)
        )
        precision = _answered(alike, ours, size)
        recall = _answered(alike.T, theirs, size)
        below = alpha * precision + (1 - alpha) * recall
        return precision * recall / below if precision * recall else 0.0


def _answered(alike: FloatArray, weights: list[float], size: int) -> float:
    found = total = 0.0
    for start in range(len(alike) - size + 1):
        weight = sum(weights[start : start + size])
        best = 0.0
        for place in range(alike.shape[1] - size + 1):
            run = sum(weights[start + k] * float(alike[start + k, place + k]) for k in range(size))
            best = max(best, run / weight)
        found, total = found + weight * best, total + weight
    return found / total


@pytest.mark.parametrize("idf", ["sources", "system"])
@pytest.mark.parametrize(("ngram", "alpha", "layer"), [(3, 0.8, 3), (1, 0.5, 2), (2, 0.3, 0)])
def test_scores_equal_those_of_a_plain_program(
    folder: Path, modules: dict[str, Any], ngram: int, alpha: float, layer: int, idf: str
) -> None:
    # The values of YiSi's own program are the defaults, and not told.
    told = "" if (ngram, alpha) == (3, 0.8) else f", ngram={ngram}, alpha={alpha}"
    spec = f"yisi2-context(model={str(folder)!r}, layer={layer}, idf={idf!r}{told})"
    metric = registry.load(spec).bind("en")
    texts = TestSet(hypotheses=SYSTEMS, references=(("-",),) * len(SOURCE), source=SOURCE)
    (rows,) = chunk_statistics(texts, [metric])
    slow = SlowYisi2(folder, modules, layer)
    for text in {*SOURCE, *(text for own in SYSTEMS.values() for text in own)}:
        slow.encoded(text)
    by_source = slow.weights(SOURCE)
    expected = [
        [
            slow.score(own, other, (by_own, by_source), ngram, alpha)
            for own, other in zip(hypotheses, SOURCE, strict=True)
        ]
        for hypotheses in SYSTEMS.values()
        for by_own in [slow.weights(hypotheses) if idf == "system" else by_source]
    ]
    np.testing.assert_allclose(metric.segment_score(rows), expected, rtol=0, atol=1e-6)
    assert np.ptp(expected) > 0.3, "scores that are all the same would prove nothing"
    assert expected[0][4] == expected[1][4] == expected[0][5] == 0, "an empty side"
    assert expected[1][5] > 0
