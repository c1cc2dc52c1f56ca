"""``plot()`` of results: every number where it belongs, and a clear error without matplotlib."""

import importlib.util
import logging
from io import BytesIO

import numpy as np
import pytest

import tenbin
from tenbin.core.agreement import MetaRow, MetaTable
from tenbin.core.errors import MissingExtra
from tenbin.core.tuning import TriedSetting, Tuning, TuningTable

SYSTEMS = {
    "poor $x$": ["a dog", "rain", "evening"],
    "良い <b>": ["a cat sat", "it rains", "good night"],
    "fair": ["a cat", "it rained", "good night"],
}
REFERENCES = ["a cat sat", "it rains", "good night"]
PNG = b"\x89PNG"


@pytest.fixture
def table() -> tenbin.ScoreTable:
    return tenbin.score(
        SYSTEMS, REFERENCES, metrics=["chrf", "ter"], language="en", ci=True, resamples=20
    )


def agreement() -> MetaTable:
    values = {"chrf": 0.3, "bleu": 0.1, "ter": float("nan")}
    return MetaTable(
        rows=tuple(
            MetaRow(
                test_set="wmt",
                pair="de-en",
                metric=metric,
                measure="segment-kendall",
                human="da",
                value=value,
                n=9,
                counted="translations",
                ci=(value - 0.05, value + 0.05),
                rank=1,
            )
            for metric, value in values.items()
        )
    )


def tuning() -> TuningTable:
    settings = tuple(
        TriedSetting(values=(beta,), spec=None, value=beta / 10, by_pair=(0.1,)) for beta in (1, 2)
    )
    one = Tuning(
        metric="chrf",
        signature="",
        parameters=("beta",),
        measure="segment-kendall",
        human=("da",),
        places=(("wmt", "de-en"),),
        n=(9,),
        counted="translations",
        settings=settings,
        default=settings[0],
        oracle=settings[1],
        validation=None,
    )
    return TuningTable(tunings=(one,))


def test_systems_stand_from_best_to_worst(table: tenbin.ScoreTable) -> None:
    pytest.importorskip("matplotlib")
    for panel, scores in zip(table.plot().axes, table.results, strict=True):
        names = [label.get_text() for label in panel.get_yticklabels()]
        assert names == ["良い <b>", "fair", "poor $x$"]
        assert panel.yaxis_inverted()
        drawn = panel.lines[0].get_xdata()
        order = [scores.systems.index(name) for name in names]
        assert np.allclose(np.asarray(drawn, dtype=float), scores.scores[order])


def test_a_comparison_is_a_matrix_of_differences() -> None:
    pytest.importorskip("matplotlib")
    compared = tenbin.compare(SYSTEMS, REFERENCES, metrics=["chrf"], language="en", rounds=20)
    (panel,) = compared.plot().axes
    shown = [text.get_text().splitlines()[0] for text in panel.texts]
    order = np.argsort(-compared.metrics[0].scores.scores)
    differences = compared.metrics[0].differences[np.ix_(order, order)]
    assert shown == [f"{differences[a, b]:+.2f}" for a, b in np.ndindex(3, 3) if a != b]


def test_bars_of_agreement_and_curves_of_tuning() -> None:
    pytest.importorskip("matplotlib")
    (panel,) = agreement().plot().axes
    assert [label.get_text() for label in panel.get_yticklabels()] == [
        *("chrf  (1)", "bleu  (1)", "ter  (1)")
    ]
    (curve,) = tuning().plot().axes
    assert curve.get_xlabel() == "beta"


def test_a_notebook_gets_a_picture_and_no_warnings(
    table: tenbin.ScoreTable, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("matplotlib")
    figure = table.plot()
    assert figure._repr_png_().startswith(PNG)  # type: ignore[attr-defined]
    with caplog.at_level(logging.WARNING, "matplotlib.font_manager"):
        (tuning().plot()).savefig(BytesIO(), format="png")
    assert caplog.records == []


def test_without_matplotlib_the_extra_is_named(
    table: tenbin.ScoreTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr(
        "tenbin.reports.result_plots.find_spec",
        lambda name: None if name == "matplotlib" else known(name),
    )
    with pytest.raises(MissingExtra, match=r"pip install 'tenbin\[plots\]'"):
        table.plot()
