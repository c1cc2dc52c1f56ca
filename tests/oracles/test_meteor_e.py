"""METEOR under compat="meteor-e" gives the numbers of METEOR-E: DBnary synonyms, word vectors.

Provenance: `tests/oracles/data/meteor-e` (cservan/METEOR-E, commit e466abc, Java 17). Lemmas come
from the table that stood in for TreeTagger there; texts are cut by our own normalizer.
"""

import gzip
import shlex
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.metrics.meteor.knowledge import Knowledge
from tenbin.metrics.meteor.metric import Meteor
from tenbin.metrics.meteor.parameters import Compat, Stage, VectorKey
from tenbin.resources.function_words import FunctionWordSource, load_function_words
from tenbin.resources.lexicons.files import load_lexicon
from tenbin.resources.paraphrases import load_paraphrases
from tenbin.resources.store.store import ResourceStore
from tenbin.resources.vectors.word_vectors import load_vectors

pytestmark = pytest.mark.oracle

TOLERANCE = 1e-9
STAGES = {"embeddings": Stage.VECTOR}
NAMES = [
    *("en.exactstem", "en.baseline", "en.baseline.nopara", "en.dbnary", "en.vector.default"),
    *(f"en.{kind}.{t}" for kind in ("vector", "vector.nopara") for t in (0.7, 0.8, 0.9)),
    *(f"en.{kind}+vector.{t}" for kind in ("baseline", "dbnary") for t in (0.7, 0.8, 0.9)),
    *("en.dbnary+vector.lemma.0.8", "fr.baseline", "fr.baseline.nowoption", "fr.dbnary"),
    *(f"fr.{kind}vector.{t}" for kind in ("", "baseline+", "dbnary+") for t in (0.7, 0.8, 0.9)),
]


def rows(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a table without quoting, without its header."""
    packed = path.suffix == ".gz"
    text = (gzip.decompress(path.read_bytes()) if packed else path.read_bytes()).decode("utf-8")
    yield from (line.split("\t") for line in text.split("\n")[1:] if line)


@pytest.fixture(scope="module")
def folder(oracle_data: Path) -> Path:
    return oracle_data / "meteor-e"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ResourceStore:
    return ResourceStore(tmp_path_factory.mktemp("cache"))


@pytest.fixture(params=NAMES)
def configuration(request: pytest.FixtureRequest, folder: Path) -> list[str]:
    return next(row for row in rows(folder / "configs.tsv") if row[0] == request.param)


@pytest.fixture
def options(configuration: list[str]) -> dict[str, str]:
    words = shlex.split(configuration[2])
    return {word: words[n + 1] for n, word in enumerate(words[:-1]) if word.startswith("-")}


@pytest.fixture
def metric(configuration: list[str], options: dict[str, str]) -> Meteor:
    stages = tuple(STAGES.get(name) or Stage(name) for name in options["-m"].split())
    return Meteor(
        stages=stages,
        weights=tuple(map(float, configuration[3].split())),
        threshold=float(options.get("-embTh", 0.8)),
        vector_key=VectorKey.LEMMA if "-embLemma" in options else VectorKey.SURFACE,
        compat=Compat.METEOR_E,
        lexicon="opened below" if Stage.SYNONYM in stages else "none",
        paraphrases="opened below" if Stage.PARAPHRASE in stages else "none",
        vectors="opened below" if Stage.VECTOR in stages else None,
    ).bind(configuration[1])


@pytest.fixture
def knowledge(
    configuration: list[str], options: dict[str, str], folder: Path, store: ResourceStore
) -> Knowledge:
    language = configuration[1]
    table = {row[1]: row[3] for row in rows(folder / "lemmas.tsv") if row[0] == language}

    def lemma_of(word: str) -> str:
        return table.get(word, word)

    lexicon, paraphrases = options.get("-d"), options.get("-a", "").removesuffix(".gz")
    vectors = options.get("-emb") or options.get("-embLemma")
    return Knowledge(
        load_function_words(FunctionWordSource.METEOR_15, language),
        lexicon=load_lexicon(str(folder / f"{lexicon}.synsets"), language, store)
        if lexicon
        else None,
        lemma_of=lemma_of,
        paraphrases=load_paraphrases(str(folder / f"{paraphrases}.txt"), language, store)
        if paraphrases
        else None,
        vectors=load_vectors(str(folder / f"{vectors}.gz"), language, store) if vectors else None,
        vector_key_of=lemma_of if "-embLemma" in options else None,
    )


@pytest.fixture
def test_set(folder: Path, configuration: list[str]) -> TestSet:
    pairs = [row[3:] for row in rows(folder / "inputs.tsv") if row[0] == configuration[1]]
    return TestSet(
        hypotheses={"oracle": tuple(own for own, _ in pairs)},
        references=tuple((other,) for _, other in pairs),
    )


def test_every_configuration_is_listed(folder: Path) -> None:
    assert sorted(NAMES) == sorted(row[0] for row in rows(folder / "configs.tsv"))


def test_numbers_of_segments_and_of_the_system(
    folder: Path,
    configuration: list[str],
    metric: Meteor,
    knowledge: Knowledge,
    test_set: TestSet,
) -> None:
    batch = build_batch(test_set, metric.needs.annotations)
    counts = metric.pair_counts(batch.column(metric.tokens), *batch.pairs(), knowledge)
    expected = [row[2:] for row in rows(folder / "scores.tsv") if row[0] == configuration[0]]
    wanted = np.array(expected, dtype=float)
    parts = metric.parts(counts)
    # Where nothing matches, the program prints a penalty that is not a number.
    penalty = np.where(np.isnan(wanted[:, 2]), np.nan, parts.penalty)
    found = np.stack([parts.precision, parts.recall, penalty, parts.score], axis=1)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=TOLERANCE)
    whole = metric.parts(counts.sum(axis=0))
    numbers = (whole.precision, whole.recall, whole.penalty, whole.score)
    assert numbers == pytest.approx(tuple(map(float, configuration[6:10])), abs=TOLERANCE)
