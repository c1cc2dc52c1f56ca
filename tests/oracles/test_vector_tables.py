"""Cosines of known words in the tables of the manifest, against the packages' own readers.

The numbers, to two digits, are what other software finds in the same package versions: spaCy 3.8.18
(fr, ja), navec 0.10.0 (ru), gensim 4.4.0 (zh), json and numpy (en), run on 2026-11-15. The same day
the vectors of 20,000 random words of each table were compared with theirs: all words were there,
and the least cosine of a vector with its original was 0.9999998.
"""

import numpy as np
import pytest

from tenbin.core.errors import MissingResource
from tenbin.resources.store.manifest import bundled_manifest
from tenbin.resources.store.store import default_store
from tenbin.resources.vectors.word_vectors import WordVectors, load_vectors

ENGLISH = {
    ("doctor", "physician"): 0.77,
    ("buy", "purchase"): 0.83,
    ("car", "automobile"): 0.68,
    ("big", "large"): 0.71,
    ("quick", "fast"): 0.71,
    ("begin", "start"): 0.83,
    ("doctor", "bridge"): 0.06,
    ("buy", "sky"): 0.34,
    ("car", "philosophy"): 0.09,
}
COSINES = {
    "glove-en-small": ENGLISH,
    "vectors-en": ENGLISH,
    "vectors-fr": {
        ("médecin", "docteur"): 0.68,
        ("voiture", "automobile"): 0.60,
        ("acheter", "acquérir"): 0.69,
        ("rapide", "vite"): 0.42,
        ("médecin", "pont"): 0.00,
        ("voiture", "philosophie"): 0.08,
    },
    "vectors-ja": {
        ("医者", "医師"): 0.75,
        ("買う", "購入"): 0.83,
        ("車", "自動車"): 0.68,
        ("話す", "喋る"): 0.78,
        ("始める", "開始"): 0.57,
        ("先生", "教師"): 0.52,
        ("医者", "橋"): 0.14,
        ("車", "哲学"): 0.07,
    },
    "vectors-ru": {
        ("врач", "доктор"): 0.51,
        ("машина", "автомобиль"): 0.61,
        ("купить", "приобрести"): 0.80,
        ("большой", "огромный"): 0.64,
        ("врач", "мост"): -0.01,
        ("машина", "философия"): 0.10,
    },
    "vectors-zh": {
        ("购买", "买"): 0.62,
        ("汽车", "轿车"): 0.73,
        ("美丽", "漂亮"): 0.74,
        ("快速", "迅速"): 0.68,
        ("医生", "大夫"): 0.17,
        ("医生", "桥"): -0.16,
        ("购买", "天空"): -0.10,
    },
}
WORDS = {
    "glove-en-small": 68_500,
    "vectors-en": 341_479,
    "vectors-fr": 500_000,
    "vectors-ja": 480_443,
    "vectors-ru": 250_002,  # with <unk> and <pad>
    "vectors-zh": 125_796,
}
# Half of the last digit, and what float16 or int8 with one scale a row may take away.
TOLERANCE = {"glove-en-small": 0.005 + 0.005}
OTHERS = 0.005 + 0.0005


@pytest.fixture(params=COSINES)
def table(request: pytest.FixtureRequest) -> WordVectors:
    name: str = request.param
    try:
        return load_vectors(name, bundled_manifest()[name].language)
    except MissingResource as error:
        pytest.skip(str(error))


@pytest.mark.oracle
def test_cosines(table: WordVectors) -> None:
    name = table.identity.name
    pairs = list(COSINES[name])
    left = table.look_up([one for one, _ in pairs])
    right = table.look_up([other for _, other in pairs])
    assert left.present.all()
    assert right.present.all()
    found = (left.units.astype(np.float64) * right.units).sum(axis=1)
    expected = list(COSINES[name].values())
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE.get(name, OTHERS))


@pytest.mark.oracle
def test_number_of_words(table: WordVectors) -> None:
    assert table.word_count == WORDS[table.identity.name]


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("vectors-ja", ["医者", "町医者", "不養生"]),
        ("vectors-fr", ["acheter", "Machete", "lavender"]),
    ],
)
def test_words_of_a_pruned_table_that_share_a_row(name: str, words: list[str]) -> None:
    try:
        table = load_vectors(name, name[-2:])
    except MissingResource as error:
        pytest.skip(str(error))
    rows = table.look_up(words, lowercase=False).rows
    assert rows[0] >= 0
    assert len(set(rows.tolist())) == 1


@pytest.mark.oracle
def test_what_is_installed_has_the_hash_of_the_manifest(table: WordVectors) -> None:
    assert default_store().verify(table.identity.name)
