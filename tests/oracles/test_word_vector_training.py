"""Trained vectors on real text: as near to gensim's as those are to each other, and bilingual."""

import lzma
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.api.building import build_vectors
from tenbin.building.vectors.learning import LEAST_RATE
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.word_vectors import load_vectors

ROOT = Path(__file__).resolve().parents[2]
BITEXT = ROOT.parent / "shared" / "corpora" / "bitext" / "en-de.tsv.xz"
LINES = 25_000
WORDS = 150
NEIGHBORS = 10
# Frequent words of the corpus and how they are translated there.
TRANSLATIONS = {
    "alt": "old",
    "auto": "car",
    "buch": "book",
    "drei": "three",
    "essen": "eat",
    "gestern": "yesterday",
    "gut": "good",
    "haus": "house",
    "heute": "today",
    "hund": "dog",
    "ich": "i",
    "immer": "always",
    "kinder": "children",
    "mary": "mary",
    "mit": "with",
    "morgen": "tomorrow",
    "mutter": "mother",
    "nie": "never",
    "oder": "or",
    "sehr": "very",
    "tom": "tom",
    "und": "and",
    "vater": "father",
    "viele": "many",
    "warum": "why",
    "wasser": "water",
    "wir": "we",
    "zwei": "two",
}

pytestmark = pytest.mark.skipif(not BITEXT.is_file(), reason="../shared has no bitext")


@pytest.fixture(scope="module")
def pairs() -> list[tuple[str, str]]:
    """English and German, everyday sentences."""
    with lzma.open(BITEXT, "rt", encoding="utf-8", newline="\n") as stream:
        # From all over Tatoeba, whose sentences are sorted by length.
        lines = list(islice(stream, 60_000, 60_000 + 2 * LINES, 2))
    return [(one, two) for one, _, two in (line.rstrip("\n").partition("\t") for line in lines)]


def write(path: Path, lines: Iterable[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def nearest(vectors: Any) -> list[set[int]]:
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = units[:WORDS] @ units.T
    np.fill_diagonal(cosines, -1)
    return [set(row) for row in np.argsort(-cosines, axis=1)[:, :NEIGHBORS].tolist()]


def overlap(one: list[set[int]], other: list[set[int]]) -> float:
    return float(np.mean([len(a & b) / NEIGHBORS for a, b in zip(one, other, strict=True)]))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["cbow", "skipgram"])
def test_neighbors_are_those_of_gensim(
    pairs: list[tuple[str, str]], tmp_path: Path, method: str
) -> None:
    models = pytest.importorskip("gensim.models")
    tokens = [english.lower().split() for english, _ in pairs]
    text = write(tmp_path / "text", (" ".join(segment) for segment in tokens))
    output = str(tmp_path / "v.bin")
    build_vectors([text], "en", output, method=method, tokenizer="none", dimensions=50)
    ours = models.KeyedVectors.load_word2vec_format(output, binary=True)
    words = list(ours.index_to_key)
    rate = 0.05 if method == "cbow" else 0.025
    theirs = []
    for seed in (1, 2):
        model = models.Word2Vec(
            tokens,
            vector_size=50,
            alpha=rate,
            min_alpha=rate * LEAST_RATE,
            sg=int(method == "skipgram"),
            seed=seed,
            workers=1,
        )
        assert set(model.wv.index_to_key) == set(words)
        theirs.append(nearest(np.stack([model.wv[word] for word in words])))
    among_themselves = overlap(*theirs)
    to_ours = np.mean([overlap(nearest(ours.vectors), one) for one in theirs])
    assert among_themselves > 0.4
    assert to_ours > among_themselves - 0.05


@pytest.mark.slow
def test_translations_of_frequent_words_are_found(
    pairs: list[tuple[str, str]], tmp_path: Path
) -> None:
    shuffled = np.random.default_rng(1).permutation(len(pairs))
    found = {}
    for name, order in (("right", range(len(pairs))), ("shuffled", shuffled.tolist())):
        lines = (f"{pairs[number][1]}\t{pairs[place][0]}" for place, number in enumerate(order))
        outputs = [str(tmp_path / f"{name}.{language}.bin") for language in ("de", "en")]
        build_vectors(
            [write(tmp_path / name, lines)],
            "de",
            outputs[0],
            variant="bi",
            source_language="en",
            source_output=outputs[1],
            lowercase=True,
            dimensions=50,
        )
        found[name] = share_found(outputs, ResourceStore(tmp_path / "cache"))
    assert found["right"] >= 0.5
    assert found["shuffled"] <= 0.1


def share_found(outputs: list[str], store: ResourceStore) -> float:
    """Return for how many words the translation is among the ten nearest of the 3,000 commonest."""
    with Path(outputs[1]).open("rb") as stream:
        count, size = map(int, stream.readline().split())
        listed = []
        for _ in range(min(count, 3000)):
            word = b""
            while (byte := stream.read(1)) != b" ":
                word += byte
            listed.append(word.decode("utf-8"))
            stream.seek(4 * size, 1)
    german = load_vectors(outputs[0], "de", store).look_up(list(TRANSLATIONS)).units
    english = load_vectors(outputs[1], "en", store).look_up(listed).units
    ranked = np.argsort(-(german @ english.T), axis=1)[:, :NEIGHBORS]
    hits = [
        translation in {listed[number] for number in row}
        for translation, row in zip(TRANSLATIONS.values(), ranked.tolist(), strict=True)
    ]
    return float(np.mean(hits))
