"""METEOR through the library gives what METEOR 1.5 gives: tokens, alignments and every number.

Provenance: `tests/oracles/data/meteor15` (METEOR 1.5 of pycocoevalcap 1.2, Java 17).
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import MissingResource
from tenbin.core.text import TestSet
from tenbin.evaluation.batching import build_batch
from tenbin.evaluation.statistics import chunk_statistics
from tenbin.metrics.meteor.metric import Meteor
from tenbin.metrics.registry import load
from tenbin.resources.function_words import FunctionWordSource, load_function_words
from tenbin.resources.store.store import default_store

pytestmark = pytest.mark.oracle

TOLERANCE = 1e-9
FULL_TABLE = "meteor-paraphrases-en"
ES = 'stages=("exact", "stem")'
ESS = 'stages=("exact", "stem", "synonym")'
EP = 'stages=("exact", "paraphrase")'
# {words} is METEOR's own list for the language, {table} the small paraphrase table, packed.
SPECS = {
    "en.full": f'meteor(paraphrases="{FULL_TABLE}")',
    "en.exact": 'meteor(stages=("exact",))',
    "en.exactstem": f"meteor({ES})",
    "en.exactstemsyn": f"meteor({ESS})",
    "en.lower": f'meteor({ESS}, tokenizer="meteor-lower")',
    "en.nopunct": f'meteor({ESS}, tokenizer="meteor-nopunct")',
    "en.adq": f"meteor({ESS}, task=adq)",
    "en.hter": f"meteor({ESS}, task=hter)",
    "en.li": f"meteor({ESS}, task=li)",
    # Meant to count characters; the released program says and counts words.
    "en.util": f"meteor({ESS}, task=util)",
    "en.ch": f"meteor({ESS}, characters=True)",
    "en.other": 'meteor(stages=("exact",), tokenizer="meteor-lower", task=li)',
    "en.univ": 'meteor(stages=("exact",), task=universal)',
    "en.full.minipara": 'meteor(paraphrases="{table}")',
    "en.univ.minipara": 'meteor(task=universal, paraphrases="{table}")',
    "en.expara": f'meteor({EP}, weights=(1.0, 0.6), paraphrases="{{table}}")',
    "fr.exactstem": f"meteor({ES})",
    "fr.lower": f'meteor({ES}, tokenizer="meteor-lower")',
    "fr.ownwords": f'meteor({ES}, function_words="{{words}}")',
    "de.exactstem": f"meteor({ES})",
    "de.ownwords": f'meteor({ES}, function_words="{{words}}")',
}


def rows(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a table without quoting, without its header."""
    lines = path.read_text(encoding="utf-8").split("\n")
    yield from (line.split("\t") for line in lines[1:] if line)


@pytest.fixture(scope="module")
def folder(oracle_data: Path) -> Path:
    return oracle_data / "meteor15"


@pytest.fixture(scope="module")
def table(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small paraphrase table, packed as the program wants it."""
    packed = tmp_path_factory.mktemp("paraphrases") / "mini-para.txt.gz"
    packed.write_bytes(gzip.compress((folder / "mini-para.txt").read_bytes(), mtime=0))
    return packed


@pytest.fixture(params=SPECS)
def name(request: pytest.FixtureRequest) -> str:
    if request.param == "en.full":
        try:
            default_store().path(FULL_TABLE)
        except MissingResource:
            pytest.skip(f"{FULL_TABLE} is not installed: tenbin resources install {FULL_TABLE}")
    return str(request.param)


@pytest.fixture
def spec(name: str, table: Path, tmp_path: Path) -> str:
    words = tmp_path / "function-words.txt"
    own = load_function_words(FunctionWordSource.LANGUAGE, name[:2]).words
    words.write_text("\n".join(sorted(own)) + "\n", encoding="utf-8")
    return SPECS[name].format(words=words, table=table)


@pytest.fixture
def metric(spec: str, name: str) -> Meteor:
    loaded = load(spec).bind(name[:2])
    assert isinstance(loaded, Meteor)
    return loaded


@pytest.fixture
def test_set(folder: Path, name: str) -> TestSet:
    pairs = [row[2:] for row in rows(folder / "inputs.tsv") if row[0] == name[:2]]
    return TestSet(
        hypotheses={"oracle": tuple(own for own, _ in pairs)},
        references=tuple((other,) for _, other in pairs),
    )


def test_every_configuration_is_listed(folder: Path) -> None:
    assert list(SPECS) == [row[0] for row in rows(folder / "configs.tsv")]


def test_precision_recall_penalty_score(
    folder: Path, name: str, metric: Meteor, test_set: TestSet
) -> None:
    parts = metric.parts(chunk_statistics(test_set, [metric])[0][0])
    expected = [row[2:] for row in rows(folder / "scores.tsv") if row[0] == name]
    wanted = np.array(expected, dtype=float)
    # Where nothing matches, the program prints a penalty that is not a number.
    penalty = np.where(np.isnan(wanted[:, 2]), np.nan, parts.penalty)
    found = np.stack([parts.precision, parts.recall, penalty, parts.score], axis=1)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=TOLERANCE)


def test_system_and_segment_scores_of_the_library(
    folder: Path, name: str, spec: str, test_set: TestSet
) -> None:
    found = tenbin.load_metric(spec, language=name[:2]).score(test_set)
    final = next(row[5] for row in rows(folder / "configs.tsv") if row[0] == name)
    assert found.score == pytest.approx(float(final), abs=TOLERANCE)
    wanted = [float(row[5]) for row in rows(folder / "scores.tsv") if row[0] == name]
    np.testing.assert_allclose(found.segments, wanted, rtol=0, atol=TOLERANCE)


def test_tokens_and_alignments(folder: Path, name: str, metric: Meteor, test_set: TestSet) -> None:
    batch = build_batch(test_set, metric.needs.annotations)
    stages = [str(stage) for stage in metric.stages or ()]
    wanted: list[set[tuple[int, ...]]] = [set() for _ in range(len(batch))]
    for config, segment, *numbers in rows(folder / "alignments.tsv"):
        if config == name:
            wanted[int(segment) - 1].add(tuple(map(int, numbers)))
    tokens = [row[2:] for row in rows(folder / "tokens.tsv") if row[0] == name]
    for item, (own, other) in enumerate(tokens):
        alignment = metric.align(batch, item)
        assert (alignment.hypothesis, alignment.reference) == (
            tuple(own.split()),
            tuple(other.split()),
        )
        found = {
            (
                match.reference.start,
                len(match.reference),
                match.hypothesis.start,
                len(match.hypothesis),
                stages.index(match.kind),
            )
            for match in alignment.matches
        }
        assert found == wanted[item]


def english_pairs(folder: Path) -> list[list[str]]:
    return [row[2:] for row in rows(folder / "inputs.tsv") if row[0] == "en"]


def test_two_references(folder: Path) -> None:
    lines = (folder / "en.2ref.txt").read_text(encoding="utf-8").split("\n")
    hypotheses = [own for own, _ in english_pairs(folder)]
    references = [lines[2 * n : 2 * n + 2] for n in range(len(hypotheses))]
    found = tenbin.load_metric(f"meteor({ESS})", language="en").score(
        hypotheses, references, reference_axis="segment"
    )
    text = (folder / "scores-en-2refs.tsv").read_text(encoding="utf-8")
    wanted = [float(line.split("\t")[4]) for line in text.splitlines()]
    np.testing.assert_allclose(found.segments, wanted, rtol=0, atol=TOLERANCE)


def test_sufficient_statistics(folder: Path) -> None:
    pairs = english_pairs(folder)
    test_set = TestSet(
        hypotheses={"oracle": tuple(own for own, _ in pairs)},
        references=tuple((other,) for _, other in pairs),
    )
    (found,) = chunk_statistics(test_set, [load(f"meteor({ESS})").bind("en")])
    wanted = np.loadtxt(folder / "sufficient-stats-en.exactstemsyn.txt")
    stages = wanted[:, 4:20].reshape(-1, 4, 4)
    assert not stages[:, 3].any()  # room for a fourth stage, which did not run
    # The program writes content words of both sides, then function words of both sides.
    own_order = stages[:, :3, [0, 2, 1, 3]].reshape(len(wanted), -1)
    tail = wanted[:, 20:].copy()
    whole = (tail[:, 0] == 1) & (tail[:, 1:] == wanted[:, :2]).all(axis=1)
    tail[whole, 0] = 0  # the program takes these chunks away later, before it adds up
    np.testing.assert_array_equal(found[0], np.hstack([wanted[:, :4], own_order, tail]))
