"""Every worked example of the specification of metrics on word vectors.

Provenance: `specs/embedding.md`, sections 1 to 5, and `specs/surface.md`, section 10, of the shared
folder; read 2026-11-15. The toy table is in `tests/data/toy-vectors`, the published sentence pairs
T7 in `tests/data/t7`. A tolerance is half a unit of the last printed digit.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import tenbin
from tenbin.core.arrays import FloatArray
from tenbin.kernels.alignment.assignment import assignment
from tenbin.metrics.aggregations.thresholded import MeanOfMatching
from tenbin.metrics.choices import RejectionOrder
from tenbin.metrics.representations.blocks import Blocks
from tenbin.metrics.was_mas_has import Has

DATA = Path(__file__).resolve().parents[1] / "data"
TOY = DATA / "toy-vectors" / "toy.vec"
HYPOTHESIS, REFERENCE = "a kitten sits", "the cat sat zzz"


def t7() -> tuple[list[str], list[str]]:
    """Return hypotheses and references of the example set."""
    lines = (DATA / "t7" / "segments.tsv").read_text("utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    return [hypothesis for hypothesis, _ in rows], [reference for _, reference in rows]


def segments(
    metric: str, hypotheses: list[str], references: list[str], **parameters: object
) -> FloatArray:
    """Return segment scores by the toy vectors."""
    listed = "".join(f", {name}={value!r}" for name, value in parameters.items())
    spec = f"{metric}(vectors={str(TOY)!r}{listed})"
    return tenbin.load_metric(spec, language="en").score(hypotheses, references).segments


def assert_printed(found: float, printed: str) -> None:
    """Assert that a number prints as the specification prints it."""
    decimals = len(printed.partition(".")[2])
    assert found == pytest.approx(float(printed), abs=0.5000001 * 10.0**-decimals)


def test_one_hot_of_the_published_pairs() -> None:
    hypotheses, references = t7()
    metric = tenbin.load_metric("onehot", language="en")
    found = metric.score(hypotheses[:3], references[:3]).segments
    for score, printed in zip(found, ["0.9000", "0.5590", "0.6482"], strict=True):
        assert_printed(score, printed)


def test_averaged_vectors() -> None:
    assert_printed(segments("sv", [HYPOTHESIS], [REFERENCE], oov="drop")[0], "0.864699")


class Row(NamedTuple):
    """A row of the table of section 3: WAS zero, survivors; MAS zero; HAS zero, survivors."""

    threshold: float
    was: str
    was_survivors: str
    mas: str
    has: str
    has_survivors: str


TABLE = [
    Row(0, "0.434667", "0.434667", "0.784", "0.896", "0.896"),
    Row(0.5, "0.354667", "0.851200", "0.784", "0.896", "0.896"),
    Row(0.9, "0.157333", "0.944000", "0.550667", "0.629333", "0.944000"),
]


@pytest.mark.parametrize("row", TABLE)
def test_alignment_similarities(row: Row) -> None:
    def score(metric: str, rejected: str) -> float:
        found = segments(
            metric, [HYPOTHESIS], [REFERENCE], threshold=row.threshold, rejected=rejected
        )
        return float(found[0])

    assert_printed(score("was", "zero"), row.was)
    assert_printed(score("was", "survivors"), row.was_survivors)
    assert_printed(score("mas", "zero"), row.mas)
    assert_printed(score("has", "zero"), row.has)
    assert_printed(score("has", "survivors"), row.has_survivors)


@pytest.mark.parametrize(
    ("order", "printed"),
    [(RejectionOrder.MATCH_THEN_REJECT, "0.425"), (RejectionOrder.ZERO_FIRST, "0.45")],
)
def test_matching_before_and_after_rejection(order: RejectionOrder, printed: str) -> None:
    part = Blocks.of(np.array([[0.9, 0.8], [0.85, 0.1]], dtype=np.float32))
    metric = Has(order=order, threshold=0.85)
    assert_printed(metric.part(MeanOfMatching).swept_scores(part, np.array([0.85]))[0, 0], printed)


def test_matching_picks_the_pair_of_the_specification() -> None:
    block = np.array([0.9, 0.8, 0.85, 0.1], dtype=np.float32)
    columns = assignment(block, np.array([0, 4]), np.array([2]), np.array([2]))
    assert columns.tolist() == [1, 0]


def test_word_movers_distance() -> None:
    distance = -segments("wmd", [HYPOTHESIS], ["the cat sat"], form="negative")[0]
    assert_printed(distance, "0.431591")
    score = segments("wmd", [HYPOTHESIS], ["the cat sat"])[0]
    assert score == pytest.approx(1 / (1 + distance))


def test_word_movers_distance_of_nothing_is_infinite() -> None:
    texts = ["zzz", "a cat"], ["zzz", "zzz"]
    assert segments("wmd", *texts, min_coverage=0.0, oov="drop").tolist() == [0, 0]


@pytest.mark.parametrize(
    ("choices", "printed"),
    [
        ({}, ["0.648537", "0.888986"]),
        ({"position": "exp"}, ["0.683911", "0.891156"]),
        ({"alignment": "hard"}, ["0.445377", "0.859978"]),
    ],
)
def test_we_wpi(choices: dict[str, str], printed: list[str]) -> None:
    hypotheses, references = ["sat the cat", "a dog sits"], ["the cat sat", "the dog sat"]
    # The specification weighs hypotheses by the hypotheses.
    found = segments("we_wpi", hypotheses, references, idf="system", **choices)
    for score, text in zip(found, printed, strict=True):
        assert_printed(score, text)


def test_we_wpi_of_identical_texts_is_one_and_order_matters() -> None:
    texts = ["the cat sat", "the dog sat"]
    assert segments("we_wpi", texts, texts) == pytest.approx([1.0, 1.0], abs=1e-12)
    assert segments("we_wpi", ["sat the cat", "the dog sat"], texts)[0] < 0.7


def test_mee() -> None:
    assert_printed(segments("mee", ["the kitten mat"], ["the cat sat mat"])[0], "0.683761")
