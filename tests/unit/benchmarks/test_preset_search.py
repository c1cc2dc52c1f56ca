"""The search for the preset: what is left out, what is chosen, and that its numbers are right."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.agreement.sets import DIFFERENT, Plan
from benchmarks.preset_search.features import (
    WEIGHTS,
    Features,
    paired,
    side_means,
    whole_cosines,
    wrong_counts,
)
from benchmarks.preset_search.report import Found, closing_lines, render_parts, render_sets
from benchmarks.preset_search.sets import JudgedSet, SetName, judged_set
from benchmarks.preset_search.settings import (
    LAYERS,
    PLAIN,
    POSITIONS,
    FoldKind,
    Rule,
    Setting,
    chosen,
    folds,
    grid,
    held_out,
    preset,
    without_parts,
)

import tenbin
from tenbin.core.arrays import FloatArray
from tenbin.metrics.aggregations.letters import letters_in_common
from tenbin.metrics.representations.sentences import SubwordsAndSentences
from tenbin.metrics.tenbin_score import TenbinScore
from tenbin.penalty.choices import Penalty

NAMES = [
    SetName("wmt15.daseg", "cs-en"),
    SetName("wmt16.daseg", "cs-en"),
    SetName("wmt16.daseg", "fi-en"),
    SetName("mlqe-pe", "ro-en"),
]
GAINS = np.array(
    [
        [0.000, 0.000, 0.000, 0.000],
        [0.010, 0.010, 0.010, 0.010],
        [0.030, 0.001, 0.002, 0.090],
        [0.020, 0.020, 0.020, -0.500],
    ]
)


def test_sets_are_left_out_alone_by_pair_or_by_year() -> None:
    groups = {kind: [fold.left_out for fold in folds(NAMES, kind)] for kind in FoldKind}
    assert groups[FoldKind.SET] == [(0,), (1,), (2,), (3,)]
    assert groups[FoldKind.PAIR] == [(0, 1), (2,), (3,)]
    assert groups[FoldKind.YEAR] == [(0,), (1, 2), (3,)]


def test_rules_choose_the_best_least_or_the_best_mean_gain() -> None:
    assert chosen(GAINS, range(4), Rule.LEAST) == 1
    assert chosen(GAINS, range(4), Rule.MEAN) == 2
    assert chosen(GAINS, [0, 1, 2], Rule.LEAST) == 3
    assert chosen(np.zeros((3, 2)), [0, 1], Rule.MEAN) == 0  # the first of equals


def test_a_choice_does_not_see_what_is_left_out() -> None:
    found = held_out(GAINS, folds(NAMES, FoldKind.SET), Rule.LEAST)
    assert found is not None
    # Without the last set, the setting that fails there looks best.
    assert found.choices == (1, 1, 1, 3)
    assert found.gains.tolist() == [0.01, 0.01, 0.01, -0.5]
    changed = GAINS.copy()
    changed[:, 0] = [9, -9, 8, 7]
    again = held_out(changed, folds(NAMES, FoldKind.SET)[:1], Rule.LEAST)
    assert again is not None
    assert again.choices[0] == 1


def test_nothing_can_be_chosen_if_all_is_left_out() -> None:
    assert held_out(GAINS[:, :2], folds(NAMES[:2], FoldKind.PAIR), Rule.MEAN) is None


def test_the_grid_has_plain_bertscore_and_the_preset() -> None:
    tried = grid()
    assert PLAIN in tried
    assert preset() in tried
    assert len(set(tried)) == len(tried)


def test_parts_of_the_preset_are_taken_out_one_by_one() -> None:
    parts = without_parts(preset())
    assert set(parts) == {"position", "punctuation", "alpha", "penalty", "sentence", "letters"}
    assert parts["penalty"].strength == 0
    assert parts["penalty"].sentence == preset().sentence
    assert without_parts(PLAIN) == {}


def test_a_setting_says_what_is_not_plain() -> None:
    assert str(PLAIN) == "layers 4"
    setting = Setting(layers=(3, 4), alpha=0.6, penalty=Penalty.NUMBERS, strength=0.05)
    assert str(setting) == "layers 3+4, alpha 0.6, numbers 0.05"


HYPOTHESES = ("the kitten sits , 5", "the cat , Anna !", "mat", "", "zzz yyy")
REFERENCES = ("the cat sat , 7", "the mat , Berta .", "cat sat", "cat", "yyy zzz")
TOY = "8 3\nthe .6 0 .8\ncat 1 0 0\nkitten .8 .6 0\nsat 0 0 1\nsits 0 .28 .96\nmat 0 1 0\n"
TOY += ", .5 .5 .5\n5 .1 .9 .2\n"


@pytest.mark.parametrize(
    "setting",
    [
        PLAIN,
        preset(),
        Setting(position=0.6, punctuation=0.5, alpha=0.7, sentence=0.3),
        Setting(penalty=Penalty.BOTH, strength=0.05, alpha=0.4, letters=0.1),
    ],
)
def test_scores_are_those_of_the_metric(tmp_path: Path, setting: Setting) -> None:
    (tmp_path / "toy.vec").write_text(TOY, encoding="utf-8")
    model = f"static:{tmp_path / 'toy.vec'}"
    metrics = [
        TenbinScore(model=model, punctuation=punctuation, penalty=Penalty.NONE).bind("en")
        for idf, punctuation in WEIGHTS
        if not idf
    ]
    batch = paired(HYPOTHESES, REFERENCES)
    sides = np.zeros((len(LAYERS), len(WEIGHTS), len(POSITIONS), len(HYPOTHESES), 2))
    sides[LAYERS.index((4,)), : len(metrics)] = side_means(metrics, batch, POSITIONS)
    features = Features(
        sides=sides.astype(np.float32),
        cosines=whole_cosines(metrics[0].part(SubwordsAndSentences).sentences(batch), batch),
        wrong=wrong_counts(HYPOTHESES, REFERENCES),
        letters=letters_in_common(HYPOTHESES, REFERENCES),
    )
    spec = (
        f'tenbin(model="{model}", position={setting.position}, punctuation={setting.punctuation}, '
        f'alpha={setting.alpha}, penalty="{setting.penalty}", strength={setting.strength}, '
        f"sentence={setting.sentence}, letters={setting.letters})"
    )
    metric = tenbin.load_metric(spec, language="en")
    expected = metric.score(list(HYPOTHESES), list(REFERENCES)).segments
    assert features.scores(setting) == pytest.approx(np.array(expected), abs=1e-6)


def written_set(folder: Path) -> Path:
    """A test set of three systems and four segments with judgements of all kinds."""
    outputs = {"A": "a b\nc\nsame\ne f\n", "B": "a\nc d\nsame\ne\n", "C": "b\nd\ng\nf\n"}
    for name, text in outputs.items():
        path = folder / "system-outputs" / "de-en" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    files = {
        "references/de-en.refA.txt": "a b\nc d\ng h\ne f\n",
        "human-pairs/de-en.rr.tsv": "seg\tbetter\tworse\n1\tA\tB\n1\tA\tB\n2\tB\tC\n4\tC\tA\n",
        "human-pairs/de-en.darr.tsv": "seg\tbetter\tworse\n1\tA\tB\n3\tA\tB\n4\tC\tA\n",
        "human-scores/de-en.mqm.seg.score": (
            "A\t0\nA\t-1\nA\t-3\nA\t0\nB\t0\nB\t-5\nB\tNone\nB\t-2\nC\t-4\nC\t-1\nC\t-3\nC\t-9\n"
        ),
    }
    for place, text in files.items():
        path = folder / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def judged(folder: Path, measure: str) -> JudgedSet:
    found = judged_set(folder, "de-en", Plan(name="wmt99", main=measure, others=()))
    assert found is not None
    return found


@pytest.mark.parametrize("measure", ["wmt14-tau", "darr-tau", "segment-pearson", "acc-eq"])
def test_many_rows_are_measured_as_one(tmp_path: Path, measure: str) -> None:
    one = judged(written_set(tmp_path), measure)
    drawn = np.random.default_rng(3).integers(0, 4, size=(20, len(one.hypotheses)))
    rows: FloatArray = drawn.astype(np.float64)
    rows[:, 0] += 0.5  # no row is constant
    expected = [one.prepared(row).value().value for row in rows]
    assert one.agreement.values(rows) == pytest.approx(np.array(expected))
    assert len(set(expected)) > 1


def test_pairs_of_equal_texts_take_no_part(tmp_path: Path) -> None:
    folder = written_set(tmp_path)
    assert judged(folder, "darr-tau").count == 3
    one = judged(folder, DIFFERENT)
    assert one.count == 2
    assert "same" not in one.hypotheses
    assert one.places[0, 2] == -1


def test_equal_pairs_of_texts_are_scored_once(tmp_path: Path) -> None:
    one = judged(written_set(tmp_path), "acc-eq")
    assert one.count == 11
    assert len(one.hypotheses) == len({*zip(one.hypotheses, one.references, strict=True)})
    assert one.hypotheses[one.places[0, 2]] == "same"
    assert one.places[1, 2] == -1  # not judged


@pytest.mark.parametrize("measure", ["wmt14-tau", "darr-tau", "segment-pearson", "acc-eq"])
def test_a_sample_has_whole_segments_and_is_measured_as_all(tmp_path: Path, measure: str) -> None:
    folder = written_set(tmp_path)
    plan = Plan(name="wmt99", main=measure, others=())
    whole = judged(folder, measure)
    part = judged_set(folder, "de-en", plan, 5)
    assert part is not None
    assert 0 < part.count < whole.count
    kept = (part.places >= 0).any(axis=0)
    assert ((part.places >= 0)[:, kept] == (whole.places >= 0)[:, kept]).all()
    scores: FloatArray = np.arange(len(part.hypotheses), dtype=np.float64)
    value = part.prepared(scores).value().value
    assert part.agreement.values(scores[np.newaxis])[0] == pytest.approx(value)


def test_a_set_without_such_judgements_is_left_out(tmp_path: Path) -> None:
    folder = written_set(tmp_path)
    for path in [*(folder / "human-pairs").iterdir(), *(folder / "human-scores").iterdir()]:
        path.unlink()
    (folder / "human-scores" / "de-en.da-z.sys.score").write_text("A\t1\nB\t0\nC\t0\n")
    assert judged_set(folder, "de-en", Plan(name="wmt99", main=DIFFERENT, others=())) is None


def found() -> Found:
    settings = [PLAIN, preset(), without_parts(preset())["sentence"]]
    values = np.array([[0.5, 0.4], [0.52, 0.41], [0.51, 0.39]])
    names = [SetName("wmt15.daseg", "cs-en"), SetName("wmt22", "de-en")]
    result = held_out(values - values[0], folds(names, FoldKind.SET), Rule.LEAST)
    assert result is not None
    return Found(
        sets=[("wmt15.daseg cs-en", "segment-pearson", 500), ("wmt22 de-en", "darr-tau", 1200)],
        settings=settings,
        values=values,
        plain=0,
        preset=1,
        intervals=[(0.01, 0.03), (-0.01, 0.03)],
        held_out={(FoldKind.SET, Rule.LEAST): result},
    )


def test_the_report_has_gains_and_what_is_chance() -> None:
    lines = render_sets(found()).splitlines()
    assert "| wmt22 de-en | darr-tau | 1,200 | 0.4000 | 0.4100 | +0.0100 |" in lines[3]
    assert lines[3].endswith("| -0.0100 to +0.0300 | +0.0100 |")
    assert "| sentence | -0.0100 | +0.0000 | 1 |" in render_parts(found())
    closing = closing_lines(found())
    assert closing[0].startswith("3 settings, 1 of them")
    assert closing[1].endswith("beyond chance ahead on 1, behind on 0")
    assert any("set left out: ahead on 2 of 2 sets" in line for line in closing)
