"""Tuning METEOR passes through the published number at the published parameters.

Expected tau: specification meta-evaluation, section 2, as in test_meteor_wmt14. The parameters are
those of METEOR 1.5 for English and ranking (alpha, beta, gamma, delta: 0.85, 0.2, 0.6, 0.75).
"""

from pathlib import Path

import pytest

import tenbin
from tenbin.core.errors import MissingResource
from tenbin.resources.store.store import default_store

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

FULL_TABLE = "meteor-paraphrases-en"


@pytest.fixture(autouse=True)
def _full_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path))
    try:
        default_store().path(FULL_TABLE)
    except MissingResource:
        pytest.skip(f"{FULL_TABLE} is not installed: tenbin resources install {FULL_TABLE}")


def test_published_parameters_give_the_published_tau(shared: Path) -> None:
    # As given, the metric has other parameters: the published ones are a setting like any other.
    table = tenbin.tune(
        f'meteor(paraphrases="{FULL_TABLE}", alpha=0.5, beta=1.0)',
        ["alpha=0.85,0.5", "beta=0.2,1.0"],
        folder=str(shared / "data" / "wmt14"),
        pairs="fr-en",
        measure="wmt14-tau",
    )
    (tuning,) = table.tunings
    taus = {one.values: one.value for one in tuning.settings}
    assert taus[0.85, 0.2] == pytest.approx(0.4057, abs=5e-5)
    assert len(set(taus.values())) == 4
    assert tuning.n == (19_620,)
