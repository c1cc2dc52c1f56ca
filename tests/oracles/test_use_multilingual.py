"""The sentence encoder beside the package that its weights come from."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin import score
from tenbin.annotation.encoders.loading import EncoderChoice, load_encoder
from tenbin.annotation.encoders.settings import TextPooling, View
from tenbin.core.caching import caching
from tenbin.resources.sentence_network import load_sentence_network

MODEL = "use-multilingual"
APART = 1e-6
LANGUAGES = 16

Row = tuple[str, str, list[int], float, list[float]]


@pytest.fixture(scope="module")
def rows(oracle_data: Path) -> list[Row]:
    lines = (oracle_data / MODEL / "vectors.tsv").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines[1:]:
        language, text, subwords, cosine, *numbers = line.split("\t")
        ids = [int(one) for one in subwords.split()]
        values = [float(one) for one in numbers]
        found.append((language, text.replace("\\t", "\t"), ids, float(cosine), values))
    return found


def test_subwords_and_vectors_are_those_of_the_package(rows: list[Row]) -> None:
    assert len({language for language, *_ in rows} - {"und"}) == LANGUAGES
    whole = EncoderChoice(model=MODEL, language="en", view=View((1,), whole=TextPooling.MODEL))
    texts = [text for _, text, *_ in rows]
    with caching(enabled=False):
        cut = load_encoder(whole).tokenize(texts)
        encoded = load_encoder(whole).encode(texts)
    pieces = load_sentence_network(MODEL).vocabulary.pieces
    vectors = encoded.units[encoded.rows.values]
    for subwords, vector, (_, text, ids, cosine, values) in zip(cut, vectors, rows, strict=True):
        assert subwords == [pieces[one] for one in ids[1:-1]], text
        assert np.abs(vector[::32] - values).max() < APART, text
        assert float(vector @ vectors[0]) == pytest.approx(cosine, abs=APART)


def test_the_metric_is_the_cosine_of_the_package(rows: list[Row]) -> None:
    others = [(text, cosine) for language, text, _, cosine, _ in rows if language == "en"]
    texts, cosines = zip(*others, strict=True)
    found = _scores("sentence", list(texts), references=[texts[0]] * len(texts))
    assert found == pytest.approx(list(cosines), abs=APART)


def test_translations_are_nearest_to_their_source(rows: list[Row]) -> None:
    english = [text for language, text, *_ in rows if language == "en"]
    others = [text for language, text, *_ in rows if language not in {"en", "und"}]
    found = np.array(
        [_scores("sentence-source", [one] * len(others), source=others) for one in english]
    )
    expected = np.arange(len(others)) % len(english)
    assert found.argmax(axis=0).tolist() == expected.tolist()


def _scores(metric: str, hypotheses: list[str], **others: Any) -> list[float]:
    table = score(hypotheses, metrics=[metric], language="en", segments=True, **others)
    scores = table.results[0].segments
    assert scores is not None
    return [float(one) for one in scores[0]]
