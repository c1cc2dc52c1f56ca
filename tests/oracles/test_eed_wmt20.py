"""EED with its pre-processing against the scores its authors published for WMT20 English-German.

Provenance: `data/wmt20/metric-scores/en-de/EED-refA.sys.score` of the shared folder, the scores of
the WMT20 metrics task (negated, seven digits). The authors' program ran its C++ function and its
English rules on German. Nine of the fourteen systems agree to the last digit. The other five are
off by up to 9e-5: in the texts of the shared folder their quoted lines have lost the quotation
marks around them (with the marks added, Online-G agrees to the last digit too).
"""

from pathlib import Path

import numpy as np
import pytest

from tenbin.annotation.eed_preprocessing import english
from tenbin.kernels.edits.jump_distance import JumpCosts, truncated_jump_distance

SYSTEMS = (
    "AFRL.1069",
    "Huoshan_Translate.832",
    "OPPO.1535",
    "Online-Z.1631",
    "PROMT_NMT.73",
    "Tencent_Translation.1520",
    "UEDIN.1136",
    "WMTBiomedBaseline.388",
    "eTranslation.737",
)


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def mean_distance(hypotheses: list[str], references: list[str]) -> float:
    texts = [english(text) for text in (*hypotheses, *references)]
    values = np.array([ord(character) for text in texts for character in text], dtype=np.int32)
    offsets = np.concatenate(([0], np.cumsum([len(text) for text in texts])))
    first = np.arange(len(hypotheses))
    return float(
        truncated_jump_distance(values, offsets, first, first + len(first), JumpCosts()).mean()
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_published_system_scores(shared: Path, system: str) -> None:
    folder = shared / "data" / "wmt20"
    file = folder / "metric-scores" / "en-de" / "EED-refA.sys.score"
    published = dict(line.split("\t") for line in lines(file))
    hypotheses = lines(folder / "system-outputs" / "en-de" / f"{system}.txt")
    references = lines(folder / "references" / "en-de.refA.txt")
    assert mean_distance(hypotheses, references) == pytest.approx(
        -float(published[system]), abs=6e-8
    )
