"""Intervals, tests and ranks of a meta-evaluation; see tests/data/judged/ORIGIN.md."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tenbin.api.meta import meta_evaluate
from tenbin.core.agreement import MetaTable
from tenbin.core.errors import UsageError
from tenbin.meta.significance.bootstrap import difference, uncertainty

JUDGED = Path(__file__).parents[2] / "data" / "judged"
PAIR = "de-en"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the set that a test may change."""
    return Path(shutil.copytree(JUDGED, tmp_path / "judged"))


def imported(measure: str, *names: str, **options: object) -> MetaTable:
    return meta_evaluate(
        str(JUDGED),
        PAIR,
        import_scores=str(JUDGED),
        imported=names or ("Good-refA",),
        measures=measure,
        **options,  # type: ignore[arg-type]
    )


def test_intervals_of_bleu_are_of_corpus_scores() -> None:
    # The mean of BLEU's segment scores is another number than BLEU; so would be its interval.
    options = {"measures": "system-pearson", "ci": True, "resamples": 300}
    bleu = meta_evaluate(str(JUDGED), PAIR, metrics="bleu", **options).rows[0]  # type: ignore[arg-type]
    mean = meta_evaluate(str(JUDGED), PAIR, metrics="sentbleu", **options).rows[0]  # type: ignore[arg-type]
    assert bleu.ci is not None
    assert mean.ci is not None
    assert bleu.ci[0] < bleu.value < bleu.ci[1]
    assert bleu.ci != mean.ci


def test_intervals_of_submitted_system_scores_that_are_no_means(copy: Path) -> None:
    place = copy / "metric-scores" / PAIR / "Good-refA.sys.score"
    rows = [line.split("\t") for line in place.read_text().splitlines()]
    place.write_text("".join(f"{name}\t{float(score) ** 3}\n" for name, score in rows))
    for folder, approximate in ((JUDGED, False), (copy, True)):
        table = meta_evaluate(
            str(folder),
            PAIR,
            import_scores=str(folder),
            imported="Good-refA",
            measures="system-pearson",
            ci=True,
            resamples=20,
        )
        told = any("system scores are no means of segment scores" in note for note in table.notes)
        assert told == approximate


def test_paraeval_reports_mean_and_both_intervals() -> None:
    table = meta_evaluate(str(JUDGED), PAIR, metrics="ter", measures="paraeval-spearman")
    row = table.rows[0]
    assert row.ci is not None
    assert row.ci_mean is not None
    assert row.ci_mean[0] < row.value < row.ci_mean[1]
    assert row.ci[1] - row.ci[0] > 5 * (row.ci_mean[1] - row.ci_mean[0])
    assert any("draws from 3 documents only" in note for note in table.notes)
    payload = json.loads(table.to_json())["rows"][0]
    assert payload["ci_percentile"] == payload["ci"] == list(row.ci)


def test_ranks_and_comparisons() -> None:
    table = imported(
        "system-pearson", "Good-refA", "Errors-refA", "Constant-src", compare=True, ci=True
    )
    ranks = {row.metric: row.rank for row in table.rows}
    assert ranks == {"Constant-src": None, "Errors-refA": 2, "Good-refA": 1}
    assert {row.metric: row.is_winner for row in table.rows if row.rank} == {
        "Errors-refA": False,
        "Good-refA": True,
    }
    (one,) = table.comparisons
    assert (one.better, one.worse, one.test) == ("Good-refA", "Errors-refA", "williams")
    assert one.p_value < 0.05
    assert one.difference == table.rows[2].value - table.rows[1].value > 1


@pytest.mark.parametrize(
    ("measure", "test"),
    [("segment-pearson", "perm-both"), ("spa", "bootstrap"), ("system-pearson", "williams")],
)
def test_every_measure_has_its_test(copy: Path, measure: str, test: str) -> None:
    # Soft accuracy compares systems on the same segments: all must be judged.
    place = copy / "human-scores" / "de-en.mqm.seg.score"
    place.write_text(place.read_text().replace("None", "-4"))
    table = meta_evaluate(
        str(copy), PAIR, metrics=["chrf", "ter"], measures=measure, compare=True, rounds=100
    )
    assert [one.test for one in table.comparisons] == [test]


def test_a_test_that_a_measure_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match="the test williams; choose perm-both"):
        imported("segment-pearson", compare=True, test="williams")
    with pytest.raises(UsageError, match="test perm-both; choose bootstrap"):
        imported("paraeval-spearman", compare=True, test="perm-both")


def test_documents_that_are_not_known_cannot_be_drawn(copy: Path) -> None:
    (copy / "documents" / "de-en.docs").unlink()
    with pytest.raises(UsageError, match="documents are not known"):
        meta_evaluate(
            str(copy), PAIR, metrics="ter", measures="segment-pearson", ci=True, by="documents"
        )


def test_relative_rankings_draw_judgements_unless_told_otherwise() -> None:
    options = {"metrics": "ter", "measures": "wmt14-tau", "ci": True}
    plain, judgements, segments = (
        meta_evaluate(str(JUDGED), PAIR, by=by, **options).rows[0]  # type: ignore[arg-type]
        for by in (None, "judgements", "segments")
    )
    assert plain.ci_mean == judgements.ci_mean != segments.ci_mean


def test_intervals_are_of_95_percent_unless_told() -> None:
    samples = np.array([np.arange(1000.0), np.arange(1000.0) ** 2])
    assert uncertainty(samples[0]).percentile == (25.0, 974.0)
    assert difference(samples, 0, 1) == difference(samples, 0, 1, level=0.95)
    assert difference(samples, 0, 1) != difference(samples, 0, 1, level=0.9)
