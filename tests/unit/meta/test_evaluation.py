"""Meta-evaluation of a test set that holds every irregularity; see tests/data/judged/ORIGIN.md."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from tenbin.api.meta import meta_evaluate
from tenbin.core.agreement import MetaTable
from tenbin.core.errors import InputError, UsageError

JUDGED = Path(__file__).parents[2] / "data" / "judged"
PAIR = "de-en"
MACHINES = ("alpha", "beta", "gamma", "delta", "epsilon")


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


def lines(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (JUDGED / name).read_text().splitlines()]


def system_scores(name: str) -> dict[str, float]:
    return {system: float(score) for system, score in lines(name)}


def test_system_pearson_is_that_of_the_machine_systems() -> None:
    human = system_scores("human-scores/de-en.mqm.sys.score")
    metric = system_scores("metric-scores/de-en/Good-refA.sys.score")
    shared = [name for name in human if name in metric and name != "refB"]
    expected = np.corrcoef([human[n] for n in shared], [metric[n] for n in shared])[0, 1]
    table = imported("system-pearson")
    assert shared == list(MACHINES)
    assert table[PAIR, "Good-refA", "system-pearson"] == pytest.approx(expected, abs=1e-12)
    assert table.rows[0].n == len(MACHINES)


def test_a_judged_reference_is_left_out_unless_asked_for() -> None:
    assert imported("system-pearson").rows[0].n == 5
    assert any("left out as systems: refB" in note for note in imported("system-pearson").notes)
    table = imported("system-pearson", human_systems="include")
    assert table.rows[0].n == 6
    assert not any("refB" in note for note in table.notes)


def test_the_reference_a_metric_was_scored_against_never_takes_part() -> None:
    table = meta_evaluate(
        str(JUDGED),
        PAIR,
        metrics="chrf",
        references="refB",
        measures="system-pearson",
        human_systems="include",
    )
    assert table.rows[0].n == 5
    assert "left out as systems, being references: refB." in table.notes


def test_missing_judgements_outputs_and_systems_are_told() -> None:
    table = meta_evaluate(
        str(JUDGED),
        PAIR,
        metrics="chrf",
        import_scores=str(JUDGED),
        imported="Errors-refA",
        measures=["segment-pearson", "wmt14-tau"],
    )
    told = "\n".join(table.notes)
    assert "mqm: 2 of 30 segment scores are missing (None) and left out." in told
    assert "judged, but without output, and left out: absent." in told
    assert "outputs without judgments, left out: unjudged." in told
    assert "imported scores of systems without judgments: typo." in told
    assert "missing outputs ([No translation supplied]), scored as empty: delta 1." in told
    assert "rr: 1 of 11 judgments left out with systems." in told
    assert [row.n for row in table.rows if row.metric == "chrf"] == [28, 10]


def test_a_missing_output_scores_as_an_empty_one(copy: Path) -> None:
    marked = meta_evaluate(str(copy), PAIR, metrics="chrf", measures="segment-pearson")
    place = copy / "system-outputs" / PAIR / "delta.txt"
    place.write_text(place.read_text().replace("[No translation supplied]", ""))
    empty = meta_evaluate(str(copy), PAIR, metrics="chrf", measures="segment-pearson")
    assert marked.rows[0].value == empty.rows[0].value
    assert any("delta: 1 segment of 6 empty" in note for note in empty.notes)
    assert not any("delta: 1 segment" in note for note in marked.notes)


def test_a_constant_metric_has_no_value_and_a_reason() -> None:
    table = imported("segment-pearson", "Constant-src", "Good-refA")
    assert math.isnan(table[PAIR, "Constant-src", "segment-pearson"])
    assert not math.isnan(table[PAIR, "Good-refA", "segment-pearson"])
    row = json.loads(table.to_json())["rows"][0]
    assert row["value"] is None
    assert row["n"] == 28
    reason = "Constant-src: no segment-pearson: the metric gives everything the same score."
    assert reason in table.notes


def test_a_metric_without_some_system_has_no_value_and_a_reason() -> None:
    table = imported("system-pearson", "Partial-refA", "Good-refA")
    assert math.isnan(table[PAIR, "Partial-refA", "system-pearson"])
    assert any(
        note.startswith("Partial-refA: no system-pearson: no scores for 2 of 5 systems: delta")
        for note in table.notes
    )


def test_nothing_measured_is_an_error() -> None:
    with pytest.raises(InputError, match=r"nothing could be measured.*no scores by segment"):
        imported("segment-pearson", "Partial-refA")
    with pytest.raises(InputError, match="no human preferences to compare with"):
        imported("wmt14-tau", human="mqm")


def test_a_system_that_no_metric_scored_is_left_out() -> None:
    table = imported("system-accuracy", "Partial-refA")
    assert table.rows[0].n == 3
    reason = "judged, but without metric scores, and left out: delta, epsilon, absent."
    assert reason in table.notes


def test_a_segment_out_of_range_is_told(copy: Path) -> None:
    place = copy / "human-pairs" / "de-en.rr.tsv"
    place.write_text(place.read_text() + "7\talpha\tbeta\n")
    with pytest.raises(InputError, match="judgments on segment 7, but Good-refA has 6 segments"):
        meta_evaluate(
            str(copy),
            PAIR,
            import_scores=str(copy),
            imported="Good-refA",
            measures="wmt14-tau",
        )


def test_a_system_twice_is_refused(copy: Path) -> None:
    place = copy / "human-scores" / "de-en.mqm.sys.score"
    place.write_text(place.read_text() + "alpha\t-1\n")
    with pytest.raises(InputError, match=r"line 8: the system 'alpha' comes a second time"):
        meta_evaluate(str(copy), PAIR, metrics="chrf", measures="system-pearson")


def test_files_by_segment_must_have_the_same_segments(copy: Path) -> None:
    place = copy / "human-scores" / "de-en.mqm.seg.score"
    kept = [line for number, line in enumerate(place.read_text().splitlines()) if number % 6 != 5]
    place.write_text("".join(f"{line}\n" for line in kept))
    with pytest.raises(InputError, match=r"mqm: 5, chrf: 6"):
        meta_evaluate(str(copy), PAIR, metrics="chrf", measures="segment-pearson")


def test_outliers_are_named() -> None:
    found = imported("system-pearson-without-outliers")
    assert "outliers by mqm, left out: epsilon." in found.notes
    given = imported("system-pearson-without-outliers", outliers=["alpha", "elsewhere"])
    assert "outliers by mqm, left out: alpha." in given.notes
    assert found.rows[0].n == given.rows[0].n == 4
    assert found.rows[0].value != given.rows[0].value


def test_error_metrics_are_turned_over() -> None:
    own = meta_evaluate(str(JUDGED), PAIR, metrics=["ter"], measures="segment-pearson")
    assert own[PAIR, "ter", "segment-pearson"] > 0.5
    plain = imported("system-pearson", "Errors-refA")
    turned = imported("system-pearson", "Errors-refA", negate="Errors-refA")
    assert plain.rows[0].value < 0
    assert turned.rows[0].value == -plain.rows[0].value


def test_cached_scores_are_the_scores(tmp_path: Path) -> None:
    options = {"metrics": ["chrf", "bleu"], "measures": ["segment-pearson", "system-pearson"]}
    fresh = meta_evaluate(str(JUDGED), PAIR, cache=False, **options)  # type: ignore[arg-type]
    assert not (tmp_path / "scores").exists()
    first = meta_evaluate(str(JUDGED), PAIR, **options)  # type: ignore[arg-type]
    assert any((tmp_path / "scores").rglob("*"))
    second = meta_evaluate(str(JUDGED), PAIR, **options)  # type: ignore[arg-type]
    assert fresh.to_json() == first.to_json() == second.to_json()


def test_several_pairs_have_a_mean(copy: Path) -> None:
    for folder in ("human-scores", "human-pairs", "sources", "references", "documents"):
        for path in (copy / folder).glob("de-en*"):
            shutil.copy(path, path.with_name(path.name.replace("de-en", "fr-en")))
    shutil.copytree(copy / "system-outputs" / "de-en", copy / "system-outputs" / "fr-en")
    (copy / "system-outputs" / "fr-en" / "alpha.txt").write_text("no\n" * 6)
    measures = ["segment-pearson", "system-accuracy"]
    table = meta_evaluate(str(copy), "all", metrics=["chrf"], measures=measures)
    values = {(row.pair, row.measure): row.value for row in table.rows}
    for average in table.averages:
        both = [values[pair, average.measure] for pair in ("de-en", "fr-en")]
        assert both[0] != both[1]
        assert average.value == pytest.approx(sum(both) / 2)
    assert any(note.startswith("all pairs: mqm: 2 of 30") for note in table.notes)


def test_rankings_show_translators_that_take_no_part() -> None:
    table = meta_evaluate(
        str(JUDGED), PAIR, metrics="chrf", measures="system-pearson", rankings=True
    )
    (ranking,) = table.rankings
    drawn = {one.name: one for one in ranking.systems}
    assert set(drawn) == {*MACHINES, "refB"}
    assert drawn["refB"].is_human
    assert drawn["refB"].human_score is not None
    assert all(
        one.interval is not None and one.interval[0] <= one.score <= one.interval[1]
        for one in ranking.systems
    )
    assert table.rows[0].n == 5


def test_an_imported_file_cannot_be_called_like_a_metric(copy: Path) -> None:
    folder = copy / "metric-scores" / PAIR
    (folder / "Good-refA.seg.score").rename(folder / "chrf.seg.score")
    with pytest.raises(UsageError, match="chrf: the name of a metric and of an imported file"):
        meta_evaluate(str(copy), PAIR, metrics="chrf", import_scores=str(copy), imported="chrf")


def test_darr_is_of_machine_systems_whoever_else_takes_part() -> None:
    numbers = {
        choice: imported("darr-tau", human_systems=choice).rows[0].n
        for choice in ("include", "exclude")
    }
    assert numbers == {"include": 27, "exclude": 27}
