"""METEOR agrees with the human judgments of WMT14 exactly as often as METEOR 1.5 does.

Expected counts: specification meta-evaluation, section 2; the scores of METEOR 1.5 (-l en -norm,
all stages) on `data/wmt14` of the shared folder.
"""

from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import MissingResource
from tenbin.resources.store.store import default_store

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

FULL_TABLE = "meteor-paraphrases-en"
# Pairs of systems that the metric orders as people do, the other way round, or not at all; and tau.
EXPECTED = {
    "fr-en": (13_616, 5_657, 347, 0.4057),
    "de-en": (12_056, 5_944, 310, 0.3338),
}


@pytest.fixture(autouse=True)
def _full_table() -> None:
    try:
        default_store().path(FULL_TABLE)
    except MissingResource:
        pytest.skip(f"{FULL_TABLE} is not installed: tenbin resources install {FULL_TABLE}")


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


@pytest.mark.parametrize("pair", EXPECTED)
def test_tau_of_wmt14(shared: Path, pair: str) -> None:
    folder = shared / "data" / "wmt14"
    judgments = [row.split("\t") for row in lines(folder / "human-pairs" / f"{pair}.rr.tsv")[1:]]
    judged = sorted({name for _, *both in judgments for name in both})
    systems = {n: lines(folder / "system-outputs" / pair / f"{n}.txt") for n in judged}
    references = lines(folder / "references" / f"{pair}.refA.txt")
    spec = f'meteor(paraphrases="{FULL_TABLE}")'
    table = tenbin.score(systems, references, metrics=[spec], language="en", segments=True)
    (result,) = table.score_set.results
    assert result.segments is not None
    row = {system: number for number, system in enumerate(result.systems)}
    differences = np.array(
        [
            result.segments[row[better], int(segment) - 1]
            - result.segments[row[worse], int(segment) - 1]
            for segment, better, worse in judgments
        ]
    )
    agree, disagree = int((differences > 0).sum()), int((differences < 0).sum())
    *counts, tau = EXPECTED[pair]
    assert [agree, disagree, len(judgments) - agree - disagree] == counts
    assert (agree - disagree) / len(judgments) == pytest.approx(tau, abs=5e-5)
