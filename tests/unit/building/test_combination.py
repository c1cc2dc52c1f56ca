"""Combinations learned from judgments: weights, folds, reports, and what cannot be learned from."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.api.building import build_combination
from tenbin.building.combination import combination as builder
from tenbin.building.combination.data import JudgedScores, MeasuredBy, MemberFacts
from tenbin.building.combination.learning import (
    TrainingPart,
    boosted_trees,
    exported_trees,
    learned,
    ridge_weights,
)
from tenbin.building.combination.recipe import CombinationRecipe
from tenbin.building.combination.validation import cross_validated, made_folds
from tenbin.core.arrays import FloatArray
from tenbin.core.combination import CombinationKind
from tenbin.core.combination_report import BuiltCombination, CombinationGain, HeldOutUnit
from tenbin.core.errors import InputError, OutputError, UsageError
from tenbin.core.judgments import HumanScores, ScoreMatrix
from tenbin.kernels.trees import tree_sums

JudgedSetMaker = Callable[..., Path]
MEMBERS = ("chrf", "ter", "ribes")
FACTS = MemberFacts(
    signatures=("a|version:tenbin=0", "b|version:tenbin=0"),
    worst=(0.0, np.inf),
    best=(1.0, 0.0),
    higher_is_better=(True, False),
)


def built(folders: list[Path], output: Path, *members: str, **options: Any) -> BuiltCombination:
    options = {"pairs": ["de-en"], "resamples": 20, **options}
    return build_combination(
        members or MEMBERS, [str(folder) for folder in folders], str(output), **options
    )


def made_scores(seed: int, *, name: str = "made", noise: float = 0.3) -> JudgedScores:
    """Return judgments that are the sum of two members, of which the second is an error rate."""
    rng = np.random.default_rng(seed)
    scores = rng.random((2, 3, 40))
    labels = scores[0] - scores[1] + noise * rng.standard_normal((3, 40))
    segments = tuple(str(number) for number in range(40))
    human = ScoreMatrix(name="esa", systems=("A", "B", "C"), segments=segments, scores=labels)
    return JudgedScores(
        folder=name,
        test_set=name,
        pair="de-en",
        language="en",
        kind="esa",
        systems=("A", "B", "C"),
        segments=segments,
        scores=scores,
        labels=labels,
        human={"esa": HumanScores(name="esa", segments=human)},
        measures=(MeasuredBy("segment-pearson", "esa"), MeasuredBy("acc-eq", "esa")),
        documents=None,
        sha256="0",
        notes=(),
    )


def rows_of(seed: int, members: int = 3, items: int = 400) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((items, members))
    rows[:, -1] = 0.7 * rows[:, 0] + 0.3 * rows[:, -1]
    return rows, rows @ np.arange(1, members + 1) + rng.standard_normal(items)


@pytest.mark.parametrize("regularization", [0.0, 0.1, 10.0])
def test_ridge_weights_are_those_of_the_normal_equations(regularization: float) -> None:
    rows, labels = rows_of(1)
    counts = np.random.default_rng(2).uniform(0.5, 2, len(labels))
    intercept, weights = ridge_weights(rows, labels, counts, regularization)
    centered = rows - counts @ rows / counts.sum()
    matrix = centered.T @ (counts[:, None] * centered) + regularization * counts.sum() * np.eye(3)
    aim = centered.T @ (counts * (labels - counts @ labels / counts.sum()))
    assert weights == pytest.approx(np.linalg.solve(matrix, aim), abs=1e-7)
    assert intercept == pytest.approx(
        float(counts @ (labels - rows @ weights) / counts.sum()), abs=1e-12
    )


def test_no_weight_is_negative() -> None:
    rows, labels = rows_of(3)
    _, weights = ridge_weights(rows, labels - 9 * rows[:, 1], np.ones(len(labels)), 0.1)
    assert weights[1] == 0
    assert weights.min() >= 0


def test_members_that_are_the_same_share_their_weight() -> None:
    rows, labels = rows_of(4)
    rows[:, 1] = rows[:, 0]
    _, weights = ridge_weights(rows, labels, np.ones(len(labels)), 0.1)
    assert weights[0] == pytest.approx(weights[1], rel=1e-6)


def test_regularization_helps_where_judgments_are_few() -> None:
    """Thirty judged translations, and four members that are noisy views of one quality."""
    gains = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        quality = rng.standard_normal(1030)
        rows = quality[:, None] + rng.standard_normal((1030, 4)) * [0.6, 0.7, 0.8, 1.0]
        labels = 0.35 * quality + rng.standard_normal(1030)
        agreement = []
        for amount in (CombinationRecipe().regularization, 0.0):
            _, weights = ridge_weights(rows[:30], labels[:30], np.ones(30), amount)
            if weights.any():
                agreement.append(np.corrcoef(rows[30:] @ weights, labels[30:])[0, 1])
        gains += [agreement[0] - agreement[1]] if len(agreement) == 2 else []
    assert np.mean(gains) > 0.001


def test_directions_and_bounds_are_those_of_the_members() -> None:
    one = made_scores(1)
    part = TrainingPart(
        language="en", scores=one.rows(one.judged)[0], labels=one.rows(one.judged)[1]
    )
    model = learned([part], ("a", "b"), {"en": FACTS}, CombinationRecipe())
    scale = model.languages["en"]
    assert (scale.worst[0], scale.best) == (0.0, (1.0, 0.0))
    assert scale.worst[1] == one.scores[1].max()  # no bound: the worst one seen
    assert min(model.weights) > 0.3


def test_what_points_the_wrong_way_is_refused() -> None:
    one = made_scores(1)
    scores, labels = one.rows(one.judged)
    part = TrainingPart(language="en", scores=scores, labels=-labels)
    with pytest.raises(InputError, match="no member agrees with the judgments"):
        learned([part], ("a", "b"), {"en": FACTS}, CombinationRecipe())


@pytest.fixture
def boosting() -> Any:
    return pytest.importorskip("sklearn.ensemble", reason="the extra 'combine' is not installed")


def test_trees_are_those_of_scikit_learn(boosting: Any) -> None:
    rows, labels = rows_of(5, items=900)
    recipe = CombinationRecipe(kind=CombinationKind.BOOSTING, trees=60, seed=7)
    counts = np.random.default_rng(2).uniform(0.5, 2, len(labels))
    model = boosting.HistGradientBoostingRegressor(
        max_iter=60,
        learning_rate=recipe.rate,
        max_leaf_nodes=recipe.leaves,
        min_samples_leaf=recipe.leaf_size,
        l2_regularization=recipe.regularization,
        monotonic_cst=[1, 1, 1],
        early_stopping=False,
        random_state=7,
    ).fit(rows, labels, sample_weight=counts)
    new = np.random.default_rng(6).standard_normal((500, 3)) * 2
    for trees in (exported_trees(model), boosted_trees(rows, labels, counts, recipe)):
        arrays = (trees.roots, trees.features, trees.thresholds, trees.left, trees.right)
        ours = tree_sums(new, *arrays, trees.values, baseline=trees.baseline)
        assert np.abs(ours - model.predict(new)).max() < 1e-9
        better = tree_sums(
            new + np.random.default_rng(8).random(new.shape),
            *arrays,
            trees.values,
            baseline=trees.baseline,
        )
        assert np.all(better >= ours)


def test_a_whole_build_by_boosting(
    boosting: Any, make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    assert boosting
    output = tmp_path / "x.json"
    found = built([make_judged_set()], output, kind="boosting", trees=20)
    assert found.model.trees is not None
    spec = f'combination(file="{output}")'
    table = tenbin.score(["wa1 wb2"], ["wa1 wb2"], metrics=[spec], language="en")
    assert float(table.results[0].scores[0]) == 1.0


def test_without_scikit_learn_boosting_names_the_extra(
    make_judged_set: JudgedSetMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sklearn.ensemble", None)
    with pytest.raises(tenbin.ResourceError, match=r"pip install 'tenbin\[combine\]'"):
        built([make_judged_set()], tmp_path / "x", kind="boosting")


def test_folds_leave_out_whole_segments_or_sets() -> None:
    judged = [made_scores(1, name="one"), made_scores(2, name="two")]
    unit, folds = made_folds(judged, CombinationRecipe())
    assert (unit, [fold.name for fold in folds]) == (HeldOutUnit.SETS, ["one", "two"])
    assert folds[0].segments[0].all()
    assert not folds[0].segments[1].any()
    unit, folds = made_folds(judged[:1], CombinationRecipe(folds=4))
    assert unit is HeldOutUnit.SEGMENTS
    assert np.sum([fold.segments[0] for fold in folds], axis=0).tolist() == [1] * 40
    with_documents = replace(judged[0], documents=tuple(str(n // 4) for n in range(40)))
    unit, folds = made_folds([with_documents], CombinationRecipe())
    assert unit is HeldOutUnit.DOCUMENTS
    for fold in folds:
        assert np.all(fold.segments[0].reshape(10, 4).all(axis=1) == fold.segments[0][::4])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"held_out": HeldOutUnit.SETS}, "nothing left to learn from where made is left out"),
        ({"folds": 41}, "41 folds of 40 segments cannot be made"),
        ({"folds": 1}, "1 fold of 40 segments cannot be made"),
        ({"held_out": HeldOutUnit.DOCUMENTS}, "5 folds of 0 documents cannot be made"),
    ],
)
def test_folds_that_cannot_be_made(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        made_folds([made_scores(1)], CombinationRecipe(**changed))


def test_what_is_left_out_is_not_learned_from() -> None:
    """Judgments of the part that is left out are turned round: what is learned stays the same."""
    judged = [
        made_scores(seed, name=name) for seed, name in enumerate(["one", "two", "three", "four"])
    ]
    recipe = CombinationRecipe(resamples=10)
    found = cross_validated(judged, ("a", "b"), {"en": FACTS}, recipe)
    gold = judged[0].human["esa"].segments
    assert gold is not None
    turned = replace(
        judged[0],
        labels=0.5 - judged[0].labels,
        human={"esa": HumanScores(name="esa", segments=gold.negated())},
    )
    other = cross_validated([turned, *judged[1:]], ("a", "b"), {"en": FACTS}, recipe)
    before = [row.values[-1] for row in found.folds if row.fold == "one"]
    after = [row.values[-1] for row in other.folds if row.fold == "one"]
    assert after[0] == pytest.approx(-before[0], abs=1e-12)


def test_a_sum_of_two_members_gains_over_each() -> None:
    judged = [made_scores(seed, name=f"set{seed}") for seed in range(3)]
    found = cross_validated(judged, ("a", "b"), {"en": FACTS}, CombinationRecipe(resamples=200))
    for gain in found.gains:
        assert gain.is_sure
        assert gain.ci[0] < gain.difference < gain.ci[1]
        assert f"In {gain.measure} it gains {gain.difference:.4f} over its best" in str(gain)
    assert {row.measure for row in found.folds} == {"segment-pearson", "acc-eq"}
    assert len(found.folds) == 6


@pytest.mark.parametrize(
    ("value", "ci", "sentence"),
    [
        (0.5, (0.05, 0.15), "it gains 0.1000 over its best member chrf (95 % interval +0.0500"),
        (0.5, (-0.01, 0.2), "it does not gain by more than chance over its best member chrf: +0.1"),
        (0.3, (-0.2, -0.05), "it does not gain over its best member chrf: -0.1000 (95 % interval"),
    ],
)
def test_a_gain_in_a_sentence(value: float, ci: tuple[float, float], sentence: str) -> None:
    gain = CombinationGain(
        measure="acc-eq", best="chrf", best_value=0.4, value=value, ci=ci, folds=2
    )
    assert sentence in str(gain)


def test_a_build_is_the_same_each_time_and_says_where_it_comes_from(
    make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    folders = [make_judged_set("one", seed=1), make_judged_set("two", seed=2, kind="da-z")]
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    found = built(folders, first)
    built(folders, second)
    assert first.read_bytes() == second.read_bytes()
    card = json.loads(first.read_text(encoding="utf-8"))["card"]
    assert [(one["set"], one["human"], one["judgments"]) for one in card["sets"]] == [
        ("one", "esa", 180),
        ("two", "da-z", 180),
    ]
    assert len({one["sha256"] for one in card["sets"]}) == 2
    assert card["recipe"]["seed"] == 12345
    assert [one["sentence"] for one in card["gains"]] == [str(gain) for gain in found.gains]
    assert set(card["left_out"][0]["values"]) == {*MEMBERS, "combination"}
    text = str(found)
    assert "segment-pearson on what was left out (sets), against esa, da-z" in text
    assert text.count("over its best member") >= len(found.gains)
    assert found.to_dict()["weights"] == list(found.model.weights)
    assert found.to_tsv().splitlines()[0].startswith("fold\tset\tpair")


def test_several_target_languages_have_a_scale_each(
    make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    folders = [make_judged_set("one", "de-en"), make_judged_set("two", "en-de", seed=2)]
    found = built(folders, tmp_path / "x", pairs=["all"])
    assert sorted(found.model.languages) == ["de", "en"]
    assert all(row.own_scale for row in found.folds)
    assert "without their judgments" in str(found)
    one = built(folders, tmp_path / "y", pairs=(), languages=["de"])
    assert sorted(one.model.languages) == ["de"]
    kept = built(folders, tmp_path / "z", pairs=["all"], targets=["de"])
    assert kept.model.weights == found.model.weights
    assert sorted(kept.model.languages) == ["de"]
    with pytest.raises(UsageError, match="cannot be for ja"):
        built(folders, tmp_path / "w", pairs=["all"], targets=["de", "ja"])


@pytest.mark.parametrize(
    ("judgment", "message"),
    [
        (lambda _: 70.0, "all 180 judgments .* are 70"),
        (lambda _: float("nan"), "has both a judgment and an output"),
    ],
)
def test_judgments_that_teach_nothing(
    judgment: Callable[[float], float],
    message: str,
    make_judged_set: JudgedSetMaker,
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError, match=message):
        built([make_judged_set(judgment=judgment)], tmp_path / "x")


def test_missing_judgments_are_left_out(make_judged_set: JudgedSetMaker, tmp_path: Path) -> None:
    def some(share: float) -> float:
        return float("nan") if share > 0.8 else share

    folder = make_judged_set(judgment=some)
    found = built([folder], tmp_path / "x")
    text = (folder / "human-scores" / "de-en.esa.seg.score").read_text(encoding="utf-8")
    assert found.model.card["judgments"] == 180 - text.count("None")


@pytest.mark.parametrize("segments", [1, 5])
def test_a_few_segments_are_too_few(
    segments: int, make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="expected at least 20 segments: too few to learn from"):
        built([make_judged_set(segments=segments)], tmp_path / "x")


def test_systems_without_output_are_left_out_with_a_note(
    make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    folder = make_judged_set()
    (folder / "system-outputs" / "de-en" / "S2.txt").unlink()
    found = built([folder], tmp_path / "x")
    assert any("judged, but without output, and left out: S2" in note for note in found.notes)
    assert found.model.card["judgments"] == 120


def test_a_member_that_gives_all_the_same_score(
    make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    folder = make_judged_set()
    for path in (folder / "system-outputs" / "de-en").glob("*.txt"):
        path.write_text((folder / "references" / "de-en.refA.txt").read_text())
    with pytest.raises(InputError, match="the member chrf gives every judged translation"):
        built([folder], tmp_path / "x")


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (("chrf",), "two members or more"),
        (("chrf", "chrf(char_order=6)"), "is the same metric as 'chrf'"),
        (("chrf", 'combination(file="x")'), "is a combination itself"),
        (("chrf", "nope"), "nope"),
        (("chrf", "eed(alpha=-1)"), "alpha"),
    ],
)
def test_members_that_cannot_be_combined(
    members: tuple[str, ...], message: str, make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        built([make_judged_set()], tmp_path / "x", *members)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pairs": ["en-fr"]}, "no test set has judgments of en-fr"),
        ({"pairs": (), "languages": ["ja"]}, "no test set has judgments of translations into ja"),
        ({"pairs": ()}, "say what to learn from"),
        ({"human": "mqm"}, "there is no human judgment mqm; there are:.* esa"),
        ({"kind": "forest"}, "choose one of ridge, boosting"),
        ({"by": "years"}, "choose one of sets, pairs, documents, segments"),
        ({"regularization": -1.0}, "from 0 to 1,000"),
        ({"trees": 0}, "from 1 to 2,000"),
    ],
)
def test_options_that_do_not_fit(
    options: dict[str, Any], message: str, make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=message):
        built([make_judged_set()], tmp_path / "x", **options)


def test_preferences_are_not_learned_from(make_judged_set: JudgedSetMaker, tmp_path: Path) -> None:
    folder = make_judged_set()
    (folder / "human-scores" / "de-en.esa.seg.score").unlink()
    (folder / "human-pairs").mkdir()
    pairs = "seg\tbetter\tworse\n1\tS0\tS1\n"
    (folder / "human-pairs" / "de-en.rr.tsv").write_text(pairs, encoding="utf-8")
    with pytest.raises(UsageError, match=r"judgments by segment that are scores.*there are: rr\."):
        built([folder], tmp_path / "x")


def test_pairs_without_texts_are_left_out_with_a_note(
    make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    folders = [make_judged_set("one"), make_judged_set("two"), make_judged_set("three")]
    (folders[1] / "references" / "de-en.refA.txt").unlink()
    for path in (folders[2] / "system-outputs" / "de-en").iterdir():
        path.unlink()
    found = built(folders, tmp_path / "x")
    assert "two de-en: no reference, which chrf, ter, ribes read; left out." in found.notes
    assert "three de-en: judged, but there are no outputs; left out." in found.notes
    with pytest.raises(InputError, match="there is no text to learn from"):
        built(folders[1:], tmp_path / "y")


def test_a_file_that_is_there_is_not_replaced(
    make_judged_set: JudgedSetMaker, tmp_path: Path
) -> None:
    output = tmp_path / "x"
    output.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="there is such a file already"):
        built([make_judged_set()], output)
    with pytest.raises(OutputError, match="there is no folder"):
        built([make_judged_set()], tmp_path / "none" / "x")
    assert output.read_text(encoding="utf-8") == "mine"


def test_an_interrupted_build_leaves_nothing(
    make_judged_set: JudgedSetMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    folder = make_judged_set()
    monkeypatch.setattr(builder, "cross_validated", interrupted)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        built([folder], tmp_path / "x")
    assert sorted(tmp_path.iterdir()) == before
