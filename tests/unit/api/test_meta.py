"""Meta-evaluation by files of one's own, exports and shared tasks."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import tenbin
from tenbin.api.meta import fit_curves, meta_evaluate
from tenbin.core.agreement import MetaTable
from tenbin.core.errors import UsageError
from tenbin.meta.evaluation import task_averages

JUDGED = Path(__file__).parents[2] / "data" / "judged"
PAIR = "de-en"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))


def test_own_files_give_the_worked_example(tmp_path: Path) -> None:
    # specs/meta-evaluation.md, sections 1, 3, 5 and 6.
    gold = {"A": [90, 40, 70, 10], "B": [60, 45, 70, 35], "C": [30, 80, 20, 10]}
    metric = {"A": [0.9, 0.4, 0.5, 0.3], "B": [0.7, 0.35, 0.56, 0.3], "C": [0.75, 0.6, 0.45, 0.34]}
    human = tmp_path / "judges.csv"
    rows = [f"{s},{i},{v}\n" for s, values in gold.items() for i, v in enumerate(values)]
    human.write_text("sys,id,da\n" + "".join(rows) + "D,0,50\n")
    own = tmp_path / "mine.jsonl"
    own.write_text(
        "".join(
            json.dumps({"sys": s, "id": i, "da": v}) + "\n"
            for s, values in metric.items()
            for i, v in reversed(list(enumerate(values)))
        )
    )
    expected = {
        "segment-pearson": 0.660913,
        "segment-pearson-item": 0.503256,
        "segment-kendall": 0.511643,
        "segment-kendall-item": 0.245791,
        "system-pearson": -0.634285,
        "system-accuracy": 0.0,
        "acc-eq": 0.583333,
        "darr-tau": 0.333333,
    }
    table = meta_evaluate(
        scores=str(own),
        human_scores=str(human),
        columns={"system": "sys", "segment": "id", "score": "da"},
        measures=list(expected),
    )
    found = {row.measure: row.value for row in table.rows}
    assert found == pytest.approx(expected, abs=5e-7)
    assert "judged, but without metric scores, and left out: D." in table.notes
    assert {row.metric for row in table.rows} == {"mine"}


def test_exported_scores_are_imported_again(tmp_path: Path) -> None:
    measures = ["segment-pearson", "system-pearson"]
    options = {"measures": measures, "export_scores": str(tmp_path / "out")}
    own = meta_evaluate(str(JUDGED), PAIR, metrics=["ter", "chrf(word_order=2)"], **options)  # type: ignore[arg-type]
    again = meta_evaluate(str(JUDGED), PAIR, import_scores=str(tmp_path / "out"), measures=measures)
    names = {"ter": "ter-refA", "chrf(word_order=2)": "chrf(word_order=2)-refA"}
    assert {row.metric for row in again.rows} == set(names.values())
    for row in own.rows:
        assert again[PAIR, names[row.metric], row.measure] == pytest.approx(row.value, abs=1e-12)


def test_soft_accuracy_keeps_to_segments_that_were_judged_for_all() -> None:
    table = meta_evaluate(
        str(JUDGED), PAIR, import_scores=str(JUDGED), imported="Good-refA", measures="spa"
    )
    assert "mqm, spa: 2 of 6 segments were not judged for all systems and left out." in table.notes
    assert table.rows[0].n == 10
    assert 0.5 < table.rows[0].value <= 1


def test_the_mean_of_a_task() -> None:
    table = meta_evaluate(str(JUDGED), PAIR, metrics=["chrf", "ter"], task="wmt23")
    measures = {"system-accuracy", "system-pearson", "segment-pearson", "acc-eq"}
    assert {row.measure for row in table.rows} == measures
    assert {row.n for row in table.rows if row.measure == "system-pearson"} == {6}
    for average in table.averages:
        values = [row.value for row in table.rows if row.metric == average.metric]
        assert average.measure == "wmt23"
        assert average.value == pytest.approx(sum(values) / 4)
    # The accuracy of several pairs is one entry, whose weight is that of the others.
    rows = [*table.rows, *(replace(row, pair="fr-en", n=3 * row.n) for row in table.rows)]
    alike = task_averages([replace(row, value=0.0) for row in rows], "wmt23")
    assert {one.value for one in alike} == {0.0}
    changed = [
        replace(row, value=float(row.pair == "fr-en" and row.measure == "system-accuracy"))
        for row in rows
    ]
    assert {one.value for one in task_averages(changed, "wmt23")} == {0.75 / 7}


def test_the_call_is_public() -> None:
    assert tenbin.meta_evaluate is meta_evaluate
    assert tenbin.MetaTable is MetaTable
    with pytest.raises(UsageError, match="`by` 'words': choose one of segments, documents"):
        meta_evaluate(str(JUDGED), PAIR, by="words")
    with pytest.raises(UsageError, match="expected names of system, segment and score"):
        meta_evaluate(scores="a.tsv", human_scores="b.tsv", columns={"word": "x"})
    with pytest.raises(UsageError, match="`human_systems` 'all': choose one of exclude, include"):
        meta_evaluate(str(JUDGED), PAIR, human_systems="all")
    with pytest.raises(UsageError, match="there is no task 'wmt25'; there are: wmt23, wmt24"):
        meta_evaluate(str(JUDGED), PAIR, task="wmt25")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "there is nothing to measure"),
        ({"scores": "a.tsv"}, "`scores` needs `human_scores`"),
        ({"human_scores": "b.tsv", "folder": str(JUDGED)}, "`scores` needs `human_scores`"),
        (
            {"scores": "a.tsv", "human_scores": "b.tsv", "folder": "x", "metrics": ["chrf"]},
            "`folder`, `metrics`: not with `scores`",
        ),
        ({"folder": str(JUDGED), "language": "en"}, "`language`: not with a test set"),
        ({"folder": str(JUDGED), "negate": "ter"}, "`imported` and `negate` go with"),
    ],
)
@pytest.mark.parametrize("function", [meta_evaluate, fit_curves])
def test_what_would_not_be_read_is_refused(
    function: Callable[..., object], given: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        function(**given)
