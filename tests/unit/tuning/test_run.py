"""Tuning on the judged test set of six segments; see tests/data/judged/ORIGIN.md."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.api.meta import meta_evaluate
from tenbin.core.arrays import FloatArray
from tenbin.core.errors import InputError, UsageError
from tenbin.core.tuning import Tuning, TuningTable
from tenbin.evaluation.statistics import gather_statistics
from tenbin.formats.mt_metrics_eval import read_score_file
from tenbin.tuning import scoring
from tenbin.tuning.folds import assigned_folds

JUDGED = Path(__file__).parents[2] / "data" / "judged"
PAIR = "de-en"
MACHINES = ("alpha", "beta", "gamma", "delta", "epsilon")
METEOR = 'meteor(stages=("exact", "stem"))'


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENBIN_SCORES", str(tmp_path / "scores"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the set that a test may change."""
    return Path(shutil.copytree(JUDGED, tmp_path / "judged"))


def tuned(metric: str, *parameters: str, **options: object) -> Tuning:
    chosen: dict[str, object] = {"folder": str(JUDGED), "pairs": PAIR, "measure": "pearson"}
    table = tenbin.tune(metric, parameters, **(chosen | options))  # type: ignore[arg-type]
    (one,) = table.tunings
    return one


def curve(tuning: Tuning) -> dict[object, float]:
    return {one.values[0]: one.value for one in tuning.settings}


def measured(spec: str | None, measure: str, **options: object) -> float:
    """Return the same value from the meta-evaluation of a single metric."""
    assert spec is not None
    table = meta_evaluate(
        str(JUDGED),
        PAIR,
        metrics=spec,
        measures=measure,
        **options,  # type: ignore[arg-type]
    )
    return table.rows[0].value


@pytest.mark.parametrize("metric", ["was", "mas", "has", 'has(order="zero_first")'])
@pytest.mark.parametrize("measure", ["segment-kendall", "wmt14-tau", "system-pearson"])
def test_one_pass_over_thresholds_gives_what_scoring_one_by_one_gives(
    metric: str, measure: str
) -> None:
    tuning = tuned(metric, "threshold=0:1:0.5", measure=measure)
    assert [one.values[0] for one in tuning.settings] == [0.0, 0.5, 1.0]
    for one in tuning.settings:
        assert one.value == pytest.approx(measured(one.spec, measure), abs=1e-12)


@pytest.mark.parametrize("measure", ["segment-pearson", "wmt14-tau", "system-kendall"])
def test_statistics_scored_by_many_formulas_give_what_scoring_one_by_one_gives(
    measure: str,
) -> None:
    tuning = tuned(METEOR, "alpha=0.1,0.9", "gamma=0,0.5", "weights[2]=0,1", measure=measure)
    assert len(tuning.settings) == 9  # the default has other values than the grid
    assert len({one.value for one in tuning.settings}) > 1
    for one in tuning.settings:
        assert one.value == pytest.approx(measured(one.spec, measure), abs=1e-12)


def test_statistics_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    gathered = []

    def counting(*arguments: object, **options: object) -> object:
        gathered.append(arguments)
        return gather_statistics(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(scoring, "gather_statistics", counting)
    tuned(METEOR, "alpha=0:1:0.1", "beta=0:2:0.5", "gamma=0:1:0.1", search="coordinate")
    assert len(gathered) == 1


def test_several_references_are_scored_one_setting_after_the_other() -> None:
    references = ["refA", "refB"]
    tuning = tuned(METEOR, "alpha=0.1,0.9", references=references)
    for one in tuning.settings:
        expected = measured(one.spec, "segment-pearson", references=references)
        assert one.value == pytest.approx(expected, abs=1e-12)


def test_metrics_without_a_short_cut_are_tuned_too() -> None:
    tuning = tuned("chrf", "beta=1,3", "word_order=0,2", measure="system-pearson")
    for one in tuning.settings:
        expected = measured(one.spec, "system-pearson")
        assert one.value == pytest.approx(expected, abs=1e-12)
    error_rate = tuned("ter", "no_punct=True,False", measure="system-pearson")
    assert all(one.value > 0 for one in error_rate.settings)


def test_the_oracle_is_the_best_and_the_default_is_the_metric_as_it_was_given() -> None:
    tuning = tuned("was(threshold=0.3)", "threshold=0:1:0.1")
    assert tuning.oracle.value == max(curve(tuning).values())
    assert tuning.default.values == (0.3,)
    assert tuning.role(tuning.oracle) == "oracle"
    assert len(tuning.settings) == 11
    outside = tuned("was(threshold=0.35)", "threshold=0:1:0.1")
    assert outside.default.values == (0.35,)
    assert len(outside.settings) == 12


def fold_scores(metric: str) -> FloatArray:
    """Return segment scores of the machine systems, straight from the texts."""
    texts = {
        name: (JUDGED / "system-outputs" / PAIR / f"{name}.txt").read_text().splitlines()
        for name in MACHINES
    }
    marked = "[No translation supplied]"
    texts = {name: ["" if t == marked else t for t in own] for name, own in texts.items()}
    reference = (JUDGED / "references" / f"{PAIR}.refA.txt").read_text().splitlines()
    table = tenbin.score(texts, reference, metrics=[metric], language="en", segments=True)
    rows = table.score_set.results[0].segments
    assert rows is not None
    return rows


def pearson(gold: FloatArray, scores: FloatArray) -> float:
    known = ~np.isnan(gold)
    return float(np.corrcoef(gold[known], scores[known])[0, 1])


def test_cross_validation_chooses_without_the_fold_it_is_measured_on() -> None:
    thresholds = [0.0, 0.3, 0.6, 0.9]
    tuning = tuned("mas", "threshold=0:0.9:0.3", folds=3, by="segments", seed=5)
    human = read_score_file(str(JUDGED / "human-scores" / f"{PAIR}.mqm.seg.score"))
    gold = human.chosen(MACHINES).scores
    scores = {t: fold_scores(f"mas(threshold={t})") for t in thresholds}
    fold_of = assigned_folds(np.ones(6, dtype=np.bool_), 3, np.random.default_rng(5))
    chosen, held_out, default = [], [], []
    for fold in range(3):
        out = fold_of == fold
        fits = {t: pearson(gold[:, ~out], own[:, ~out]) for t, own in scores.items()}
        best = max(fits, key=lambda t: fits[t])
        chosen.append((best,))
        held_out.append(pearson(gold[:, out], scores[best][:, out]))
        default.append(pearson(gold[:, out], scores[0.0][:, out]))
    found = tuning.validation
    assert found is not None
    assert found.chosen == tuple(chosen)
    assert found.by_fold == pytest.approx(held_out, abs=1e-12)
    assert found.value == pytest.approx(np.mean(held_out), abs=1e-12)
    assert found.default == pytest.approx(np.mean(default), abs=1e-12)
    assert found.difference == pytest.approx(np.mean(held_out) - np.mean(default), abs=1e-12)
    gaps = np.array(held_out) - np.array(default)
    half = 4.302652729911275 * gaps.std(ddof=1) / 3**0.5  # Student's t, 2 degrees, 97.5 %
    assert found.interval == pytest.approx((gaps.mean() - half, gaps.mean() + half), abs=1e-9)


def test_system_scores_of_a_fold_are_those_of_its_segments(copy: Path) -> None:
    tuning = tuned(
        "bleu", "smoothing=exp,none", measure="system-pearson", folds=2, by="segments", seed=3
    )
    fold_of = assigned_folds(np.ones(6, dtype=np.bool_), 2, np.random.default_rng(3))
    kept = [place for place in range(6) if fold_of[place] == 1]
    for path in [
        *copy.glob("*/*.txt"),
        *copy.glob("system-outputs/*/*.txt"),
        *copy.glob("*/*.docs"),
    ]:
        lines = path.read_text().splitlines()
        path.write_text("".join(f"{lines[place]}\n" for place in kept))
    for path in copy.glob("human-scores/*.seg.score"):
        lines = path.read_text().splitlines()
        own = [line for number, line in enumerate(lines) if number % 6 in kept]
        path.write_text("".join(f"{line}\n" for line in own))
    (copy / "human-scores" / f"{PAIR}.mqm.sys.score").unlink()
    table = meta_evaluate(str(copy), PAIR, metrics="bleu", measures="system-pearson", human="mqm")
    assert tuning.default.by_fold[1] == pytest.approx(table.rows[0].value, abs=1e-12)


def test_documents_are_held_out_whole_where_there_are_enough() -> None:
    found = tuned("mas", "threshold=0,0.5", folds=3).validation
    assert found is not None
    assert (found.unit, found.folds) == ("documents", 3)
    finer = tuned("mas", "threshold=0,0.5").validation
    assert finer is not None
    assert (finer.unit, finer.folds) == ("segments", 6)
    assert tuned("mas", "threshold=0,0.5", folds=0).validation is None


def test_a_coordinate_search_rises_and_tries_less_than_the_grid() -> None:
    parameters = ("alpha=0:1:0.25", "gamma=0:1:0.25", "delta=0:1:0.25")
    walked = tuned(METEOR, *parameters, search="coordinate")
    grid = tuned(METEOR, *parameters, folds=0)
    assert walked.oracle.value <= grid.oracle.value
    assert walked.oracle.value >= walked.default.value
    assert len(walked.settings) < len(grid.settings)
    assert len({one.values for one in walked.settings}) == len(walked.settings)


def test_a_random_search_tries_as_many_as_were_asked_for() -> None:
    first, again, other = (
        tuned(METEOR, "alpha=0:1:0.1", "gamma=0:1:0.1", search="random", trials=7, seed=seed)
        for seed in (1, 1, 2)
    )
    assert len(first.settings) == 8  # and the default
    assert first == again
    assert [one.values for one in first.settings] != [one.values for one in other.settings]


def test_the_mean_over_language_pairs_is_tuned(copy: Path) -> None:
    for path in sorted(copy.rglob("de-en*")):
        shutil.move(path, path.with_name(path.name.replace("de-en", "fr-en")))
    worse = copy / "system-outputs" / "fr-en" / "alpha.txt"
    worse.write_text("Nothing at all.\n" * 6)
    both = tuned("mas", "threshold=0,0.5,1", folder=[str(JUDGED), str(copy)], pairs="all")
    alone = [
        tuned("mas", "threshold=0,0.5,1"),
        tuned("mas", "threshold=0,0.5,1", folder=str(copy), pairs="fr-en"),
    ]
    assert both.pairs == ("de-en", "fr-en")
    assert both.where == "judged de-en, fr-en"
    for one, *parts in zip(both.settings, *(one.settings for one in alone), strict=True):
        values = [part.value for part in parts]
        assert one.by_pair == pytest.approx(values, abs=1e-12)
        assert one.value == pytest.approx(np.mean(values), abs=1e-12)


def test_translations_by_people_take_part_if_asked_for() -> None:
    machines, everybody = (
        tuned("mas", "threshold=0,1", measure="system-accuracy", human_systems=choice)
        for choice in ("exclude", "include")
    )
    assert (machines.n, everybody.n) == ((10,), (15,))  # pairs of five systems, and refB


def test_several_metrics_are_tuned_in_one_call() -> None:
    table = tenbin.tune(
        ["was", "mas"], "threshold=0,1", folder=str(JUDGED), pairs=PAIR, measure="kendall"
    )
    assert [one.metric for one in table.tunings] == ["was", "mas"]
    assert {one.measure for one in table.tunings} == {"segment-kendall"}
    told = json.loads(table.to_json())["tunings"][0]
    assert told["oracle"]["tuned_on_test_data"] is True
    assert any("absent" in note for note in table.notes)


def survivors(name: str, folder: Path) -> TuningTable:
    metric = f'{name}(rejected="survivors")'
    return tenbin.tune(
        metric, "threshold=0,1", folder=str(folder), pairs=PAIR, measure="pearson", by="segments"
    )


def test_means_are_over_the_folds_on_which_all_rows_are_defined() -> None:
    table = survivors("has", JUDGED)
    found = table.tunings[0].validation
    assert found is not None
    known = [place for place, value in enumerate(found.by_fold) if not np.isnan(value)]
    assert (len(known), found.left_out) == (5, 1)
    assert found.value == pytest.approx(np.mean([found.by_fold[place] for place in known]))
    default = table.tunings[0].default.by_fold
    assert found.default == pytest.approx(np.mean([default[place] for place in known]))
    assert any("on 1 of 6 held-out folds" in note for note in table.notes)


def test_settings_without_a_value_are_told(copy: Path) -> None:
    reference = (copy / "references" / f"{PAIR}.refA.txt").read_text().splitlines()
    for number, path in enumerate(sorted((copy / "system-outputs" / PAIR).glob("*.txt"))):
        # Words of the reference match with 1, so that only other words tell systems apart.
        path.write_text("".join(f"{line}{' stone' * number}\n" for line in reference))
    table = survivors("mas", copy)
    (one,) = table.tunings
    assert [np.isnan(setting.value) for setting in one.settings] == [False, True]
    assert any("under 1 of 2 settings, such as threshold=1." in note for note in table.notes)


def test_undefined_values_are_kept_out_of_the_choice(copy: Path) -> None:
    for path in (copy / "system-outputs" / PAIR).glob("*.txt"):
        path.write_text("xq zq\n" * 6)
    with pytest.raises(InputError, match="undefined under every setting"):
        tuned("was", "threshold=0,1", folder=str(copy))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"measure": "nonsense"}, "unknown measure"),
        ({"measure": "paraeval-spearman"}, "tune by system-spearman"),
        ({"human": "esa"}, "no human judgment esa"),
        ({"folds": 7}, "7 folds are not possible"),
        ({"folds": 4, "by": "documents"}, "with 3 judged documents"),
        ({"by": "words"}, "choose one of documents, segments, sets"),
        ({"human_systems": "some"}, "choose one of exclude, include"),
        ({"search": "luck"}, "choose one of grid, coordinate, random"),
        ({"trials": 0}, "at least 1"),
    ],
)
def test_what_is_not_possible_is_told(options: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        tuned("was", "threshold=0,1", **options)


def test_a_measure_without_judgements_tells_which_there_are(copy: Path) -> None:
    shutil.rmtree(copy / "human-pairs")
    (copy / "human-scores" / f"{PAIR}.da-raw.seg.score").unlink()
    with pytest.raises(InputError, match=r"no human preferences .* There are: .*mqm"):
        tuned("was", "threshold=0,1", folder=str(copy), measure="wmt14-tau")


def test_a_setting_that_the_metric_refuses_together_with_another_is_told() -> None:
    stages = "stages=('exact',),('exact','stem')"
    with pytest.raises(UsageError, match="one weight per stage"):
        tuned("meteor", stages, "weights=(1,),(1, 0.5)")


def edges(tuning: Tuning) -> list[tuple[str, str, object, bool]]:
    return [(one.parameter, str(one.side), one.value, one.ends_range) for one in tuning.edges]


def test_a_best_value_at_an_edge_of_the_grid_is_told() -> None:
    # On these six segments the agreement of chrF grows with beta.
    assert edges(tuned("chrf", "beta=1,2", folds=0)) == [("beta", "upper", 2, False)]
    assert edges(tuned("chrf", "beta=1:4:0.5", folds=0)) == [("beta", "upper", 4.0, False)]


def test_the_end_of_a_range_is_no_edge_that_could_be_moved() -> None:
    scores = curve(tuned("was", "threshold=-1:1:0.5", folds=0))
    low, high = (-1.0, 1.0) if scores[-1.0] >= scores[1.0] else (1.0, -1.0)
    tuning = tuned(f"was(threshold={high})", f"threshold={low},{high}", folds=0)
    side = "lower" if low < high else "upper"
    assert edges(tuning) == [("threshold", side, low, True)]


def test_folds_that_chose_an_edge_are_counted() -> None:
    tuning = tuned("was", "threshold=0,0.5", folds=3)
    assert tuning.validation is not None
    for one in tuning.edges:
        chosen = [values[0] for values in tuning.validation.chosen]
        assert one.folds == chosen.count(one.value)
        assert one.is_oracle == (tuning.oracle.values[0] == one.value)
    assert sum(one.folds for one in tuning.edges) >= 2


def test_texts_switches_and_single_values_have_no_edges() -> None:
    assert tuned("was", "rejected=zero,survivors", folds=0).edges == ()
    assert tuned("ter", "no_punct=True,False", folds=0).edges == ()
    assert tuned("was(threshold=0.5)", "threshold=0.5", folds=0).edges == ()


def test_each_test_set_is_held_out_in_turn(copy: Path) -> None:
    # The second set has other outputs, so that another setting is best on it.
    outputs = copy / "system-outputs" / PAIR
    texts = {path.name: path.read_text(encoding="utf-8") for path in outputs.glob("*.txt")}
    for path, text in zip(sorted(outputs.glob("*.txt")), reversed(texts.values()), strict=True):
        path.write_text(text, encoding="utf-8")
    other = copy.rename(copy.with_name("other"))
    both = tuned("was", "threshold=0:1:0.25", folder=[str(JUDGED), str(other)], by="sets")
    alone = [
        tuned("was", "threshold=0:1:0.25", folder=str(one), folds=0) for one in (JUDGED, other)
    ]
    found = both.validation
    assert found is not None
    assert (found.folds, found.unit, found.names) == (2, "sets", ("judged", "other"))
    assert found.chosen == tuple(one.oracle.values for one in reversed(alone))
    for fold, one in enumerate(alone):
        assert found.by_fold[fold] == pytest.approx(curve(one)[found.chosen[fold][0]], abs=1e-12)
        assert both.default.by_fold[fold] == pytest.approx(one.default.value, abs=1e-12)
    assert both.oracle.value == pytest.approx(np.mean(both.oracle.by_pair), abs=1e-12)
    with pytest.raises(UsageError, match="name several test sets"):
        tuned("was", "threshold=0,1", by="sets")
