"""Agreement of the bundled student with people, on a set of which it saw neither texts nor scores.

MLQE-PE ru-en: 1,000 sentences, direct assessments, post-edits as references. BERTScore of MPNet,
a larger model, has r .579 there and `tenbin` .565; docs/reference/metrics/learned.md has all sets.
"""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import tenbin
from tenbin.resources.store.lookup import State
from tenbin.resources.store.store import default_store

pytestmark = pytest.mark.skipif(
    default_store().state("minilm-en")[0] is not State.INSTALLED,
    reason="minilm-en is not installed: tenbin resources install minilm-en",
)
SET, PAIR = "mlqe-pe", "ru-en"
OF_MPNET = 0.579
"""Pearson's correlation of ``bertscore(model="mpnet-en")``."""


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def test_tenbin_fast_on_a_set_that_it_never_saw(shared: Path) -> None:
    folder = shared / "data" / SET
    (output,) = (folder / "system-outputs" / PAIR).glob("*.txt")
    (references,) = (folder / "references").glob(f"{PAIR}.*.txt")
    rows = [row.split("\t") for row in _lines(folder / "human-scores" / f"{PAIR}.da-z.seg.score")]
    human = [float(value) for system, value in rows if system == output.stem]
    specs = ["tenbin-fast", "tenbin-fast(letters=0)", "bertscore", "chrf"]
    found = tenbin.score(
        _lines(output), _lines(references), metrics=specs, language="en", segments=True
    )
    assert len(human) == found.segment_count
    columns = [result.segments for result in found.results]
    preset, without, bertscore, chrf = (
        float(np.corrcoef(column[0], np.array(human))[0, 1])
        for column in columns
        if column is not None
    )
    assert preset > OF_MPNET + 0.01
    assert preset > bertscore + 0.02 > chrf + 0.02
    # Letters keep apart what differs in capitals alone; here, where that is rare, they take little.
    assert abs(preset - without) < 0.01
