"""The benchmark of layers: its scores are those of the metrics, and its choice does not cheat."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.encoder_layers import LayerValues, layer_scores, report
from benchmarks.preset_search.sets import SetName

import tenbin

HYPOTHESES, REFERENCES = ("the cat sat", "a big dog 5"), ("the cats sat on a mat", "a dog 6")
LAYERS = (1, 2, 3)


def test_scores_of_each_layer_are_those_of_the_metrics(tiny_model: Path) -> None:
    model = str(tiny_model)
    found = layer_scores(HYPOTHESES, REFERENCES, model=model, language="en", layers=LAYERS)
    for row, name in enumerate(("bertscore", "tenbin")):
        for place, layer in enumerate(LAYERS):
            metric = tenbin.load_metric(f"{name}(model={model!r}, layer={layer})", language="en")
            expected = metric.score(list(HYPOTHESES), list(REFERENCES)).segments
            assert found[row, place] == pytest.approx(np.array(expected), abs=1e-5)


def test_a_layer_is_chosen_on_other_years() -> None:
    def values(name: str, *bertscore: float) -> LayerValues:
        both = np.array([bertscore, (0.3, 0.2, 0.1)])
        return LayerValues(
            name=SetName(name, "de-en"),
            measure="acc-eq",
            translations=10,
            values=both,
            interval=(0.0, 0.1),
            lead=(0.0, 0.1),
        )

    found = [values("wmt14", 0.1, 0.2, 0.9), values("wmt15", 0.1, 0.3, 0.2)]
    text = report(found, LAYERS, 2)
    assert "bertscore: best mean on all sets: layer 3" in text
    # wmt14 is measured with what is best on wmt15, and the other way round.
    assert "layer 2 (1 sets), layer 3 (1 sets), mean there 0.2000" in text
    assert "tenbin: best mean on all sets: layer 1" in text
