"""Judgments that a metric is trained on: sets, tables, weights, teachers, what is held out."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tenbin.building.metric.data import JudgmentSources, collected
from tenbin.building.metric.holding_out import HeldOut, held_out_of, pearson
from tenbin.building.metric.judged_texts import (
    LEAST_DIFFERENCE,
    MOST_PAIRS,
    JudgedBlock,
    JudgedRows,
    TextPool,
)
from tenbin.building.metric.own_table import read_own_table, read_unjudged_table
from tenbin.building.metric.sets import SetChoice, read_sets
from tenbin.building.metric.weights import parsed_weights, usual_weight, weighted
from tenbin.core.arrays import FloatArray, IntArray
from tenbin.core.errors import InputError, LengthMismatch, UsageError

SEGMENTS = 40


def write(folder: Path, name: str, lines: list[str]) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def make_set(folder: Path, pair: str = "de-en", systems: str = "AB") -> Path:
    """Write texts of a set: system B differs from A in every segment."""
    write(folder, f"references/{pair}.refA.txt", [f"text {n}" for n in range(SEGMENTS)])
    write(folder, f"sources/{pair}.txt", [f"Text {n}" for n in range(SEGMENTS)])
    for system in (*systems, "refA"):
        lines = [f"{system} {n}" for n in range(SEGMENTS)]
        write(folder, f"system-outputs/{pair}/{system}.txt", lines)
    return folder


def scores(
    folder: Path, kind: str, values: Mapping[str, Sequence[object]], pair: str = "de-en"
) -> None:
    lines = [f"{system}\t{value}" for system, row in values.items() for value in row]
    write(folder, f"human-scores/{pair}.{kind}.seg.score", lines)


def read(*folders: Path, **choice: object) -> tuple[list[JudgedBlock], list[str]]:
    wanted = SetChoice(folders=tuple(map(str, folders)), **choice)  # type: ignore[arg-type]
    return read_sets(wanted, TextPool(), least_difference=LEAST_DIFFERENCE)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    folder = make_set(tmp_path / "wmt50")
    rising: list[object] = [float(n) for n in range(SEGMENTS)]
    scores(folder, "mqm", {"A": rising, "B": [0.0] * SEGMENTS, "refA": [9.0] * SEGMENTS})
    return folder


def test_rows_are_z_scores_and_human_translations_are_left_out(plain: Path) -> None:
    (block,), notes = read(plain)
    assert (block.title, len(block.rows), notes) == ("wmt50/de-en mqm", 2 * SEGMENTS, [])
    assert abs(block.rows.labels.mean()) < 0.1
    assert block.rows.labels.max() <= 3
    # A is better than B wherever they are far enough apart.
    assert len(block.pairs) == pytest.approx(SEGMENTS, abs=3)


def test_labels_are_drawn_in() -> None:
    column = np.arange(50)
    rows = JudgedRows(
        references=column, hypotheses=column, segments=column, labels=np.array([0.0] * 49 + [9.0])
    ).standardized("x")
    assert rows.labels.max() == 3


def test_few_pairs_of_a_segment() -> None:
    column = np.arange(30)
    rows = JudgedRows(
        references=column * 0, hypotheses=column, segments=column * 0, labels=column.astype(float)
    )
    pairs = rows.pairs(0.15)
    assert len(pairs) == MOST_PAIRS
    assert (pairs.better > pairs.worse).all()
    assert not len(rows.pairs(100.0))


def test_constant_scores_are_refused(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "flat")
    scores(folder, "mqm", {"A": [5.0] * SEGMENTS, "B": [5.0] * SEGMENTS})
    with pytest.raises(InputError, match=r"flat/de-en mqm: all scores are the same \(5\)"):
        read(folder)


def test_missing_scores_and_unknown_systems(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "wmt51")
    some: list[object] = [1.0, *["None"] * (SEGMENTS - 2), 2.0]
    scores(folder, "mqm", {"A": some, "ghost": some})
    (block,), notes = read(folder)
    assert len(block.rows) == 2
    assert notes == ["wmt51/de-en mqm: without output, left out: ghost."]
    scores(folder, "mqm", {"ghost": some})
    with pytest.raises(InputError, match=r"scores of ghost, which have no output .* there are: A"):
        read(folder)
    scores(folder, "mqm", {"A": ["None"] * SEGMENTS})
    blocks, notes = read(folder)
    assert (blocks, notes) == ([], ["wmt51/de-en mqm: no segment score at all, left out."])


def test_files_of_other_lengths(plain: Path) -> None:
    write(plain, "system-outputs/de-en/B.txt", ["one"])
    with pytest.raises(LengthMismatch):
        read(plain)
    make_set(plain)
    scores(plain, "mqm", {"A": [1.0, 2.0]})
    with pytest.raises(LengthMismatch):
        read(plain)


def test_preferences(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "wmt52")
    lines = ["seg\tbetter\tworse", "1\tA\tB", "2\tB\tA", "3\trefA\tA", "4\tghost\tA"]
    write(folder, "human-pairs/de-en.rr.tsv", lines)
    (block,), notes = read(folder)
    assert (block.kind, len(block.pairs), len(block.rows)) == ("rr", 2, 0)
    assert notes == ["wmt52/de-en rr: without output, left out: ghost."]
    write(folder, "human-pairs/de-en.rr.tsv", ["seg\tbetter\tworse", "99\tA\tB"])
    with pytest.raises(InputError, match="segment 99 is judged, the reference has 40 segments"):
        read(folder)


def test_teachers(plain: Path) -> None:
    rising = [f"{system}\t{n}" for system in "AB" for n in range(SEGMENTS)]
    for name in ("COMET-refA", "MetricX-23-refA", "BLEURT-20-refB", "CometKiwi-src"):
        write(plain, f"metric-scores/de-en/{name}.seg.score", rising)
    blocks, _ = read(plain, teachers=("metric-scores",))
    assert blocks[-1].facts == {"teachers": ["MetricX-23"]}
    blocks, _ = read(plain, teachers=("COMET", "MetricX-23"))
    taught = blocks[-1]
    assert (taught.kind, taught.usual_weight) == ("teacher", 3)
    assert taught.facts == {"teachers": ["COMET", "MetricX-23"]}
    # Both are the same, and so is their mean; A and B have equal scores.
    assert np.corrcoef(taught.rows.labels[:SEGMENTS], np.arange(SEGMENTS))[0, 1] > 0.999
    assert not len(taught.pairs)
    file = plain / "metric-scores/de-en/COMET-refA.seg.score"
    blocks, _ = read(plain, teachers=(str(file),))
    assert blocks[-1].facts == {"teachers": ["COMET-refA"]}
    with pytest.raises(UsageError, match="`teachers` YiSi: no set has such scores"):
        read(plain, teachers=("YiSi",))
    make_set(plain, "fr-en")
    scores(plain, "mqm", {"A": list(range(SEGMENTS))}, "fr-en")
    with pytest.raises(UsageError, match="a file has the scores of one language pair"):
        read(plain, teachers=(str(file),))


def test_teachers_that_judged_different_systems(plain: Path) -> None:
    folder = plain / "metric-scores" / "de-en"
    folder.mkdir(parents=True)
    for name, systems in {"Wide": "AB", "Narrow": "A"}.items():
        lines = [f"{one}\t{(n * 7 + ord(one)) % 11}\n" for one in systems for n in range(SEGMENTS)]
        (folder / f"{name}-refA.seg.score").write_text("".join(lines), "utf-8")
    found = []
    for teachers in (("Wide", "Narrow"), ("Narrow", "Wide")):
        blocks, _ = read(plain, teachers=teachers)
        rows = blocks[-1].rows
        found.append(dict(zip(rows.keys(), rows.labels.tolist(), strict=True)))
    assert len(found[0]) == 2 * SEGMENTS  # also the translations that one of them left out
    assert found[0] == pytest.approx(found[1])


def test_a_language_pair_that_no_set_has(plain: Path, tmp_path: Path) -> None:
    other = make_set(tmp_path / "wmt60", "ru-en")
    scores(other, "mqm", {"A": [float(n) for n in range(SEGMENTS)]}, "ru-en")
    # That of a set that is left out is no mistake.
    blocks, _ = read(plain, other, pairs=("de-en", "ru-en"), exclude=("wmt60",))
    assert [block.pair for block in blocks] == ["de-en"]
    with pytest.raises(UsageError, match="`pairs` dd-en: no judgments of it"):
        read(plain, other, pairs=("de-en", "dd-en"), exclude=("wmt60",))


def test_the_difference_that_makes_a_pair_is_that_of_tables_too(tmp_path: Path) -> None:
    lines = ["hypothesis,reference,score"]
    lines += [f"text {n} {s},text {n},{n + 10 * s}" for n in range(30) for s in range(3)]
    path = tmp_path / "own.csv"
    path.write_text("\n".join(lines), "utf-8")
    counts = [
        len(
            collected(JudgmentSources(tables=(str(path),), language="en", least_difference=least))
            .weighted[0][0]
            .pairs
        )
        for least in (LEAST_DIFFERENCE, 1.0, 9.0)
    ]
    assert counts[0] > counts[1] > counts[2] == 0


def test_choice_of_sets(plain: Path, tmp_path: Path) -> None:
    other = make_set(tmp_path / "wmt60", "fr-en")
    scores(other, "mqm", {"A": list(range(SEGMENTS))}, "fr-en")
    assert [block.place for block in read(plain, other)[0]] == ["wmt50/de-en", "wmt60/fr-en"]
    assert [block.place for block in read(plain, other, pairs=("fr-*",))[0]] == ["wmt60/fr-en"]
    blocks, notes = read(plain, other, exclude=("wmt6",))
    assert [block.place for block in blocks] == ["wmt50/de-en"]
    assert notes == ["wmt60: left out (`exclude`)."]
    with pytest.raises(UsageError, match="`pairs` ja-en: no judgments of it"):
        read(plain, pairs=("ja-en",))
    with pytest.raises(InputError, match="there is no such folder"):
        read(tmp_path / "none")


def test_several_target_languages(plain: Path, tmp_path: Path) -> None:
    other = make_set(tmp_path / "wmt60", "en-de")
    scores(other, "mqm", {"A": list(range(SEGMENTS))}, "en-de")
    choice = SetChoice(folders=(str(plain), str(other)))
    with pytest.raises(UsageError, match=r"several target languages \(en, de\)"):
        collected(JudgmentSources(sets=choice))


def test_usual_weights() -> None:
    assert usual_weight("da-z", systems=1) == 6
    assert usual_weight("da-z", systems=9) == 0
    assert usual_weight("da-z", systems=1, post_edited=True) == 0
    assert usual_weight("darr", systems=9) == 1.5
    assert usual_weight("darr", systems=9, has_crowd=True) == 0
    assert usual_weight("mqm", systems=9) == usual_weight("rr", systems=9) == 1.5


def test_weights(plain: Path) -> None:
    blocks, _ = read(plain)
    for given, expected in (
        ([], 1.5),
        (["wmt5=4"], 4),
        (["mqm=2", "wmt5=4"], 4),
        (["wmt50:mqm=7", "wmt50=4", "wmt50/de-en=3"], 7),
        (["wmt50=4", "wmt50/de-en=3"], 3),
        (["mqm=0.5"], 0.5),
    ):
        (found,), _ = weighted(blocks, parsed_weights(given))
        assert found[1] == expected, given
    (found,), notes = weighted(blocks, {"mqm": 0.0})
    assert found[1] == 0
    assert notes == ["not trained on, having the weight 0 (`weights`): wmt50/de-en mqm."]
    for wrong in ("mqm", "mqm=-1", "=3", "mqm=x", "mqm=1e9"):
        with pytest.raises(UsageError, match="expected NAME=NUMBER"):
            parsed_weights([wrong])


def test_a_crowd_alone_counts(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "wmt53")
    rising: list[object] = list(range(SEGMENTS))
    scores(folder, "da-z", {"A": rising, "B": rising})
    scores(folder, "da-raw", {"A": rising, "B": rising})
    blocks, _ = read(folder)
    assert [(block.kind, block.usual_weight) for block in blocks] == [("da-z", 0)]
    assert not len(blocks[0].pairs)
    falling = rising[::-1]
    scores(folder, "da-z", {"A": rising, "B": falling})
    blocks, _ = read(folder)
    assert len(blocks[0].pairs) > SEGMENTS / 2
    write(folder, "human-pairs/de-en.darr.tsv", ["seg\tbetter\tworse", "1\tA\tB"])
    both, _ = read(folder)
    assert [(block.kind, len(block.pairs)) for block in both] == [("da-z", 0), ("darr", 1)]
    (found,), notes = weighted(blocks, {})
    assert found[1] == 1
    assert "they are all there is" in notes[0]


def test_a_share_is_held_out(plain: Path) -> None:
    blocks, _ = read(plain)
    kept, held = held_out_of([(blocks[0], 1.0)], ["0.25"])
    rows, pairs = kept[0][0].rows, kept[0][0].pairs
    out = held.blocks[0]
    assert len(rows) + len(out.rows) == 2 * SEGMENTS
    assert 0 < len(out.rows) < SEGMENTS
    # A segment is on one side, with its pairs.
    assert not {*rows.segments.tolist(), *pairs.segments.tolist()} & set(out.rows.segments.tolist())
    again = held_out_of([(blocks[0], 1.0)], ["0.25"])[1].blocks[0]
    assert again.rows.segments.tolist() == out.rows.segments.tolist()


def test_sets_are_held_out(plain: Path, tmp_path: Path) -> None:
    other = make_set(tmp_path / "wmt60", "fr-en")
    scores(other, "mqm", {"A": list(range(SEGMENTS))}, "fr-en")
    blocks = [(block, 1.0) for block in read(plain, other)[0]]
    for wanted in (["wmt60"], ["wmt60:fr-en"], ["wmt60/fr-en"]):
        kept, held = held_out_of(blocks, wanted)
        assert [block.place for block, _ in kept] == ["wmt50/de-en"]
        assert [block.place for block in held.blocks] == ["wmt60/fr-en"]
    with pytest.raises(UsageError, match="`hold_out` wmt60:de-en: no such set"):
        held_out_of(blocks, ["wmt60:de-en"])


def test_agreement(plain: Path) -> None:
    blocks, _ = read(plain)
    asked: list[int] = []

    def right(references: IntArray, hypotheses: IntArray) -> FloatArray:
        asked.append(len(references))
        rows = blocks[0].rows
        labels = dict(zip(rows.hypotheses.tolist(), rows.labels.tolist(), strict=True))
        return np.array([labels[number] for number in hypotheses.tolist()])

    held = HeldOut(tuple(blocks))
    assert held.agreement(right) == {"wmt50/de-en mqm": pytest.approx(1.0)}
    # Every translation is scored once, though pairs have them too.
    assert asked == [2 * SEGMENTS]
    wrong = held.agreement(lambda one, other: -right(one, other))
    assert wrong == {"wmt50/de-en mqm": pytest.approx(-1.0)}
    assert pearson(np.ones(3), np.arange(3.0)) == 0


def table(path: Path, rows: Sequence[tuple[object, ...]], header: str) -> str:
    lines = [header, *("\t".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def test_z_scores_per_annotator(tmp_path: Path) -> None:
    header = "hypothesis\treference\tscore\tannotator\tsource"
    # One annotator gives 10 to 13, the other 50 to 80: the same order.
    rows: list[tuple[object, ...]] = []
    rows += [(f"h{n}", f"r{n % 2}", 10 + n, "strict", "s") for n in range(4)]
    rows += [(f"h{n}", f"r{n % 2}", 50 + 10 * n, "mild", "s") for n in range(4)]
    rows += [
        ("h0", "r0", 5, "once", "s"),
        ("h1", "r1", 7, "flat", "s"),
        ("h2", "r0", 7, "flat", "s"),
    ]
    rows += [("h3", "r1", "None", "mild", "s")]
    pool = TextPool()
    path = table(tmp_path / "own.tsv", rows, header)
    block, notes = read_own_table(path, pool, least_difference=0.15)
    assert len(block.rows) == 4
    assert np.allclose(block.rows.labels, np.array([-3, -1, 1, 3]) / np.sqrt(5))
    # Two segments of two translations each.
    assert len(block.pairs) == 2
    assert block.facts == {"annotators": 2, "judgments": 11}
    assert "1 row without score or reference is left out" in notes[0]
    assert "left out: once, flat" in notes[1]
    assert set(pool.sources.values()) == {pool.texts["s"]}


@pytest.mark.parametrize("exponent", [-310, -300, 0, 300])
def test_scores_of_any_size(tmp_path: Path, exponent: int) -> None:
    rows = [(f"h{n}", "r", f"{n}e{exponent}") for n in range(9)]
    path = table(tmp_path / "t.tsv", rows, "hypothesis\treference\tscore")
    block, _ = read_own_table(path, TextPool(), least_difference=0.15)
    assert np.allclose(block.rows.labels, (np.arange(9) - 4) / np.arange(9).std())


def test_a_table_for_a_teacher(tmp_path: Path) -> None:
    rows = [("h0", "r0"), ("h1", "r0"), ("h0", "r0"), ("h2", " "), ("", "r1")]
    path = table(tmp_path / "texts.tsv", rows, "hypothesis\treference")
    pool = TextPool()
    block, notes = read_unjudged_table(path, pool)
    texts = pool.listed()
    both = zip(block.rows.references.tolist(), block.rows.hypotheses.tolist(), strict=True)
    assert [(texts[one], texts[other]) for one, other in both] == [
        ("r0", "h0"),
        ("r0", "h1"),
        ("r1", ""),
    ]
    assert not len(block.pairs)
    assert not block.rows.labels.any()
    assert notes == ["texts.tsv: 1 row without reference is left out."]
    empty = table(tmp_path / "empty.tsv", [("h", " ")], "hypothesis\treference")
    with pytest.raises(InputError, match=r"empty\.tsv: all references are empty"):
        read_unjudged_table(empty, pool)


def test_tables_that_teach_nothing(tmp_path: Path) -> None:
    rows = [(f"h{n}", "r", 5) for n in range(9)]
    path = table(tmp_path / "flat.tsv", rows, "hypothesis\treference\tscore")
    with pytest.raises(InputError, match="all scores are the same, for each annotator"):
        read_own_table(path, TextPool(), least_difference=0.15)


def test_too_few_judgments(tmp_path: Path) -> None:
    for count, message in ((49, "there are 49 judgments to learn from, expected at least 50"),):
        rows = [(f"h{n}", "r", n) for n in range(count)]
        path = table(tmp_path / "few.tsv", rows, "hypothesis\treference\tscore")
        with pytest.raises(InputError, match=message):
            collected(JudgmentSources(tables=(path,), language="en"))
    rows = [(f"h{n}", "r", n) for n in range(50)]
    path = table(tmp_path / "enough.tsv", rows, "hypothesis\treference\tscore")
    data = collected(JudgmentSources(tables=(path,), language="en"))
    assert data.notes == ["50 judgments are few: the gain may be chance."]
    (entry,) = data.facts()
    assert (entry["name"], entry["rows"], entry["weight"]) == ("enough.tsv", 50, 6)
