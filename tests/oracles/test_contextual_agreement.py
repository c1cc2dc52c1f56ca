"""How far BERTScore and the preset `tenbin` agree with people on a test set of WMT15.

The numbers of BERTScore are those that the specification asks for; what `tenbin` gains on twenty
sets is on its page.
"""

from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.errors import MissingExtra, MissingResource


def test_wmt15_czech_to_english(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENBIN_ENCODINGS", str(tmp_path))
    folder = shared / "data" / "wmt15.daseg"

    def lines(name: str) -> list[str]:
        return (folder / name).read_text(encoding="utf-8").split("\n")[:-1]

    judged = lines("human-scores/cs-en.da-z.seg.score")
    people = [float(line.split("\t")[1]) for line in judged]
    texts = lines("system-outputs/cs-en/mixed.txt"), lines("references/cs-en.refA.txt")

    def agreement(name: str) -> float:
        try:
            metric = tenbin.load_metric(name, language="en")
        except (MissingResource, MissingExtra) as error:
            pytest.skip(str(error))
        return float(np.corrcoef(metric.score(*texts).segments, people)[0, 1])

    assert agreement("bertscore") == pytest.approx(0.677, abs=0.001)
    assert agreement("tenbin") == pytest.approx(0.693, abs=0.001)
