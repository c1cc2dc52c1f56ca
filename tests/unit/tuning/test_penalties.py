"""Tuning takes short cuts; with a penalty for wrong figures it must find the same."""

import shutil
from pathlib import Path

import pytest

import tenbin
from tenbin.api.meta import meta_evaluate

JUDGED = Path(__file__).parents[2] / "data" / "judged"
PAIR = "de-en"
MEASURE = "segment-pearson"
PENALTY = 'penalty="numbers"'


@pytest.fixture
def figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The judged set, with a price in every line that two systems of three get wrong."""
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))
    folder = Path(shutil.copytree(JUDGED, tmp_path / "judged"))
    texts = [*(folder / "references").glob("*.txt"), *(folder / "system-outputs").rglob("*.txt")]
    for place, path in enumerate(sorted(texts, reverse=True)):
        asked = 40 if path.parent.name == "references" or place % 3 == 0 else 50
        lines = path.read_text(encoding="utf-8").splitlines()
        said = [f"{line} It costs {asked + number} dollars." for number, line in enumerate(lines)]
        path.write_text("\n".join(said) + "\n", encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize(
    ("metric", "grid"),
    [
        ("has({})", ["threshold=0:1:0.5"]),
        ("was({})", ["threshold=0:1:0.5"]),
        ('meteor(stages=("exact", "stem"), {})', ["alpha=0.1,0.9", "gamma=0,0.5"]),
        ('has({}, vectors="glove-en-small")', ["strength=0,0.1,0.5"]),
    ],
)
def test_short_cuts_give_what_scoring_one_by_one_gives(
    figures: str, metric: str, grid: list[str]
) -> None:
    def tuned(penalty: str) -> dict[str, float]:
        table = tenbin.tune(
            metric.format(penalty), grid, folder=figures, pairs=PAIR, measure=MEASURE
        )
        (tuning,) = table.tunings
        return {str(one.spec): one.value for one in tuning.settings}

    found = tuned(PENALTY)
    for spec, value in found.items():
        table = meta_evaluate(figures, PAIR, metrics=spec, measures=MEASURE, cache=False)
        assert value == pytest.approx(table.rows[0].value, abs=1e-12)
    assert set(found.values()) != set(tuned('penalty="none"').values())
