"""The experiments on ParaEval, on texts small enough to be scored by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tenbin.api.meta import meta_evaluate
from tenbin.api.studies import (
    study_decomposition,
    study_humans,
    study_lengths,
    study_ranking,
    study_references,
)
from tenbin.building.paraphrases.conversion import convert_paraphrases
from tenbin.core.agreement import SamplingUnit
from tenbin.core.errors import InputError, UsageError
from tenbin.core.study import TranslationRow
from tenbin.core.text import TestSet
from tenbin.metrics.paraeval.choices import ParaEvalMeasure
from tenbin.studies.correlations import Correlation, correlation_row
from tenbin.studies.lengths import bound_paraeval, matched_shares
from tenbin.studies.places import StudyPlace
from tenbin.studies.planning import StudyMetric, StudyOptions

JUDGED = str(Path(__file__).parents[2] / "data" / "judged")
PLAIN = StudyOptions(table="none", metrics=("bleu",), resamples=50, cache=False)
CANDIDATE = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)
PAPINENI = {
    "refA": "It is a guide to action that ensures that the military will forever heed Party "
    "commands",
    "refB": "It is the guiding principle which guarantees the military forces always being under "
    "the command of the Party",
    "refC": "It is the practical guide for the army always to heed the directions of the party",
}


def write_set(
    folder: Path,
    references: Mapping[str, Sequence[str]],
    outputs: Mapping[str, Sequence[str]],
    human: Mapping[str, float] | None = None,
    documents: Sequence[str] = (),
) -> str:
    """Write a test set de-en."""
    for room in ("references", "system-outputs/de-en", "human-scores", "documents"):
        (folder / room).mkdir(parents=True)
    for name, lines in references.items():
        (folder / "references" / f"de-en.{name}.txt").write_text("".join(f"{x}\n" for x in lines))
    for name, lines in outputs.items():
        path = folder / "system-outputs" / "de-en" / f"{name}.txt"
        path.write_text("".join(f"{line}\n" for line in lines))
    if human is not None:
        scores = "".join(f"{name}\t{score}\n" for name, score in human.items())
        (folder / "human-scores" / "de-en.mqm.sys.score").write_text(scores)
    if documents:
        lines = "".join(f"news\t{name}\n" for name in documents)
        (folder / "documents" / "de-en.docs").write_text(lines)
    return str(folder)


def preferred(folder: Path) -> str:
    """Write a test set that people judged by preferences alone."""
    written = write_set(folder, {"refA": ["a b"]}, {"x": ["a"], "y": ["b"]})
    (folder / "human-pairs").mkdir()
    (folder / "human-pairs" / "de-en.rr.tsv").write_text("seg\tbetter\tworse\n1\tx\ty\n")
    return written


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The set of figure 4 of the paper."""
    folder = tmp_path_factory.mktemp("figure-4")
    source = folder / "sets.tsv"
    source.write_text("1\tblown up\n1\tbombing\n1\texplosion\n", encoding="utf-8")
    target = str(folder / "figure-4.paraphrases")
    convert_paraphrases([str(source)], "sets", target, language="en", tokenizer="13a")
    return target


def sampled(samples: Sequence[float]) -> Correlation:
    place = StudyPlace(folder="wmt", pair="de-en", references=("refA",), outputs=("x", "y"))
    return Correlation(
        place=place,
        metric=StudyMetric("bleu", "BLEU"),
        references=("refA",),
        human="mqm",
        value=0.7,
        ranked=2,
        systems=("x", "y"),
        samples=np.array(samples),
        unit=SamplingUnit.DOCUMENTS,
        units=100,
        signature="bleu|version:1",
    )


def test_the_interval_of_the_mean_is_that_of_the_specification() -> None:
    row = correlation_row(sampled([0.70, 0.72, 0.68, 0.71]))
    assert row.value == pytest.approx(0.7025, abs=1e-12)
    assert row.ci_mean == pytest.approx((0.675325, 0.729675), abs=5e-7)
    assert row.ci == (0.68, 0.72)
    assert row.difference is None


def test_differences_are_paired_and_skip_undefined_samples() -> None:
    first, base = sampled([0.5, 0.7, np.nan]), sampled([0.4, 0.4, 0.9])
    row = correlation_row(first, baseline=base)
    assert row.undefined == 1
    assert row.difference is not None
    assert row.difference.value == pytest.approx(0.2)
    assert correlation_row(base, baseline=base).difference is None


def test_shares_of_figure_4(table: str) -> None:
    texts = TestSet(
        hypotheses={"one": ("blown up bombing was happening",)},
        references=(("the bombing resulted in an explosion", "there was an explosion"),),
    )
    metric = bound_paraeval(f'paraeval(table="{table}")', "de-en")
    found = matched_shares(texts, metric, (0, 1, 2, 3))
    # With two words or more 'blown up' takes the set, so that 'bombing' is no single word there.
    expected = [(0, 2 / 5), (3 / 5, 1 / 5), (2 / 5, 1 / 5), (0, 2 / 5)]
    assert [(one.phrases, one.words) for one in found] == expected


def test_only_paraeval_has_phrases_to_count() -> None:
    with pytest.raises(UsageError, match="is not ParaEval"):
        bound_paraeval("bleu", "de-en")


def test_the_ranking_is_that_of_the_protocol() -> None:
    options = replace(PLAIN, references=("refA",), measures=(ParaEvalMeasure.RECALL,))
    found = study_ranking([JUDGED], ["de-en"], options)
    spec = 'paraeval(table="none", measure="recall")'
    expected = meta_evaluate(
        JUDGED,
        "de-en",
        metrics=[spec, "bleu"],
        references="refA",
        measures="paraeval-spearman",
        resamples=50,
        cache=False,
    )
    assert [row.metric for row in found.rows] == ["ParaEval recall", "BLEU"]
    for row, meta in zip(found.rows, expected.rows, strict=True):
        assert (row.value, row.ci, row.ci_mean) == (meta.value, meta.ci, meta.ci_mean)
        assert (row.systems, row.human, row.signature) == (meta.n, meta.human, meta.signature)
        assert (row.unit, row.units) == ("documents", 3)
    difference = found.rows[0].difference
    assert difference is not None
    assert difference.value == pytest.approx(found.rows[0].value - found.rows[1].value)
    assert found.rows[1].difference is None


def test_systems_that_take_no_part_are_told() -> None:
    notes = study_ranking([JUDGED], ["de-en"], PLAIN).notes
    told = "\n".join(notes)
    assert 'human translations left out as systems: refB (`human_systems="include"`).' in told
    assert "judged, but without output, and left out: absent." in told
    assert "outputs without judgments, left out: unjudged." in told
    assert "--human-systems" not in told


def test_the_whole_text_is_ranked_as_by_hand(tmp_path: Path) -> None:
    outputs = {"x": ["a b c d"], "y": ["a b c e"], "z": ["a b f g"], "w": ["h i j k"]}
    human = {"x": 3, "y": 4, "z": 2, "w": 1}
    folder = write_set(tmp_path, {"refA": ["a b c d"]}, outputs, human)
    options = replace(PLAIN, metrics=(), measures=(ParaEvalMeasure.PRECISION,))
    table = study_ranking([folder], ["de-en"], options)
    (row,) = table.rows
    # Precisions 1, 3/4, 2/4, 0; ranks differ by one at two places: 1 - 6 * 2 / (4 * 15).
    assert row.whole == pytest.approx(0.8)
    assert row.value == pytest.approx(0.8)
    assert (row.unit, row.units, row.systems) == ("segments", 1, 4)
    assert "documents are not known: segments are drawn instead." in table.notes


def test_one_document_alone_is_not_drawn(tmp_path: Path) -> None:
    outputs = {"x": ["a b", "c d"], "y": ["a e", "c f"]}
    references = {"refA": ["a b", "c d"], "refB": ["a e", "c d"]}
    folder = write_set(tmp_path, references, outputs, {"x": 2, "y": 1}, ["one", "one"])
    table = study_ranking([folder], ["de-en"], replace(PLAIN, metrics=()))
    assert {(row.unit, row.units) for row in table.rows} == {("segments", 2)}
    assert "all is one document: segments are drawn instead." in table.notes
    people = study_humans([folder], ["de-en"], replace(PLAIN, metrics=()))
    assert {(row.unit, row.units) for row in people.rows} == {("segments", 2)}
    assert "all is one document: segments are drawn instead." in people.notes


def test_references_one_by_one_and_together() -> None:
    table = study_references([JUDGED], ["de-en"], replace(PLAIN, measures=(ParaEvalMeasure.F,)))
    groups = [("refA",), ("refB",), ("refA", "refB")]
    expected = [(metric, group) for metric in ("ParaEval f", "BLEU") for group in groups]
    assert [(row.metric, row.references) for row in table.rows] == expected
    together = {row.metric: row for row in table.rows if len(row.references) == 2}
    for row in table.rows:
        if row.difference is None:
            assert len(row.references) == 2
        else:
            gap = row.value - together[row.metric].value
            assert row.difference.value == pytest.approx(gap, abs=1e-12)
    assert "|nrefs:1|" in table.rows[0].signature
    assert "|nrefs:2|" in table.rows[2].signature
    assert not any(note.startswith("scored against") for note in table.notes)


def test_bleu_taken_apart_on_every_combination(tmp_path: Path) -> None:
    second = "It is to insure the troops forever hearing the activity guidebook that party direct"
    outputs = {"one": [CANDIDATE], "two": [second]}
    references = {name: [text] for name, text in PAPINENI.items()}
    folder = write_set(tmp_path, references, outputs, {"one": 2.0, "two": 1.0})
    table = study_decomposition([folder], ["de-en"], replace(PLAIN, metrics=None, subsets=True))
    assert list(dict.fromkeys(row.metric for row in table.rows)) == ["BLEU", "MUP", "GM", "BP-BLEU"]
    assert len(table.rows) == 4 * 7
    mup = {row.references: row.whole for row in table.rows if row.metric == "MUP"}
    assert mup["refA", "refB", "refC"] == pytest.approx(1)


def test_a_reference_against_three_others_scores_as_the_candidate_of_papineni(
    tmp_path: Path,
) -> None:
    references = {name: [text] for name, text in {**PAPINENI, "refD": CANDIDATE}.items()}
    folder = write_set(tmp_path, references, {"copy": [CANDIDATE]})
    options = replace(PLAIN, metrics=("mup", "gm", "bp-bleu"))
    rows = study_humans([folder], ["de-en"], options).rows
    human = {row.metric: row.score for row in rows if row.translation == "refD"}
    assert human["MUP"] == pytest.approx(0.944444, abs=5e-7)
    assert human["GM"] == pytest.approx(0.504567, abs=5e-7)
    assert human["BP-BLEU"] == pytest.approx(0.504567, abs=5e-7)


def human_row(rows: Sequence[TranslationRow], name: str) -> TranslationRow:
    (row,) = [row for row in rows if row.translation == name]
    return row


def test_references_beside_machines(tmp_path: Path) -> None:
    references = {"refA": ["a b c d"] * 2, "refB": ["a b c e"] * 2}
    outputs = {"near": ["a b x y"] * 2, "copy": ["a b c e"] * 2, "refA": references["refA"]}
    folder = write_set(tmp_path, references, outputs, {"near": 1, "copy": 2}, ["one", "two"])
    table = study_humans([folder], ["de-en"], replace(PLAIN, metrics=()))
    first, second = human_row(table.rows, "refA"), human_row(table.rows, "refB")
    assert (first.against, first.score, first.rank) == (("refB",), 0.75, 2)
    assert first.lead is not None
    assert (first.lead.best, first.lead.gap.value, first.lead.gap.ci) == (
        "copy",
        -0.25,
        (-0.25, -0.25),
    )
    assert (first.lead.below, first.lead.machines, first.lead.above) == (1, 2, 0)
    # A tie is neither above nor below.
    assert second.lead is not None
    assert (second.score, second.rank, second.lead.gap.value) == (0.75, 1, 0)
    assert (second.lead.below, second.lead.above) == (1, 0)
    machines = {
        (r.translation, r.against): (r.score, r.human_score) for r in table.rows if not r.is_human
    }
    assert machines == {
        ("near", ("refB",)): (0.5, 1),
        ("copy", ("refB",)): (1, 2),
        ("near", ("refA",)): (0.5, 1),
        ("copy", ("refA",)): (0.75, 2),
    }


def test_other_human_translations_are_told_and_judgements_may_be_named(tmp_path: Path) -> None:
    references = {"refA": ["a b"], "refB": ["a c"]}
    outputs = {"x": ["a b"], "Human-C.0": ["a b"]}
    folder = write_set(tmp_path, references, outputs, {"x": 1})
    options = replace(PLAIN, metrics=())
    table = study_humans([folder], ["de-en"], options)
    assert {row.translation for row in table.rows} == {"x", "refA", "refB"}
    assert "human translations that are no references, left out: Human-C.0." in table.notes
    assert {row.human for row in table.rows} == {"mqm"}
    unasked = study_humans([folder], ["de-en"], replace(options, human=("esa",)))
    assert {row.human for row in unasked.rows} == {None}
    assert any("no human scores of systems" in note for note in unasked.notes)


def test_an_error_metric_puts_the_lowest_first(tmp_path: Path) -> None:
    references = {"refA": ["a b c d"], "refB": ["a b c e"]}
    folder = write_set(tmp_path, references, {"far": ["x y"], "near": ["a b x y"]})
    table = study_humans([folder], ["de-en"], replace(PLAIN, metrics=("wer",)))
    found = [r for r in table.rows if r.metric == "WER" and r.translation == "refA"]
    assert found[0].rank == 1
    assert found[0].lead is not None
    assert (found[0].lead.best, found[0].lead.below, found[0].lead.above) == ("near", 2, 1)
    assert found[0].lead.gap.value > 0
    assert "there are no human scores to compare with those of the metrics." in table.notes


def test_lengths_begin_without_paraphrases(tmp_path: Path, table: str) -> None:
    outputs = {
        "good": ["blown up bombing was happening"],
        "poor": ["there is something here now"],
        "none": ["nothing at all"],
    }
    references = {
        "refA": ["the bombing resulted in an explosion"],
        "refB": ["there was an explosion"],
    }
    folder = write_set(tmp_path, references, outputs, {"good": 3, "poor": 2, "none": 1})
    options = replace(PLAIN, table=table, lengths=(3, 1, 1))
    found = study_lengths([folder], ["de-en"], options)
    assert [row.min_length for row in found.rows] == [0, 1, 3]
    assert [row.whole for row in found.rows] == pytest.approx([1, 1, 1])
    shares = [row.shares for row in found.rows]
    # Of 13 words 'bombing', 'was' and 'there' match; with the table also 'blown up'.
    assert [None if s is None else (s.phrases, s.words) for s in shares] == [
        (0, 3 / 13),
        (3 / 13, 2 / 13),
        (0, 3 / 13),
    ]
    assert found.rows[0].difference is None
    assert "|table:none|" in found.rows[0].signature
    assert "|min_length:3|" in found.rows[2].signature


def test_places_that_will_not_do_are_told_where_others_will(tmp_path: Path) -> None:
    single = write_set(
        tmp_path / "single", {"refA": ["a b"]}, {"x": ["a"], "y": ["b c"]}, {"x": 1, "y": 2}
    )
    table = study_decomposition([single, JUDGED], ["de-en"], PLAIN)
    assert {row.test_set for row in table.rows} == {"judged"}
    assert any("left out, single de-en: there is one reference" in note for note in table.notes)
    one = write_set(tmp_path / "one", {"refA": ["a b"]}, {"x": ["a"]}, {"x": 1})
    table = study_ranking([one, JUDGED], ["de-en"], PLAIN)
    assert {row.test_set for row in table.rows} == {"judged"}
    assert any("one de-en: left out: fewer than two systems" in note for note in table.notes)


def test_places_of_which_none_will_do(tmp_path: Path, table: str) -> None:
    folders = [
        write_set(tmp_path / name, {"refA": ["a b"]}, {"x": ["a"]}, {"x": 1}) for name in "pq"
    ]
    with pytest.raises(InputError, match=r"nothing could be ranked. p de-en: left out: fewer"):
        study_lengths(folders, ["de-en"], replace(PLAIN, table=table))


def test_samples_without_a_correlation_are_told(tmp_path: Path) -> None:
    outputs = {"x": ["a b", "c d"], "y": ["a b", "c e"]}
    folder = write_set(tmp_path, {"refA": ["a b", "c d"]}, outputs, {"x": 2, "y": 1})
    options = replace(PLAIN, metrics=(), measures=(ParaEvalMeasure.PRECISION,))
    table = study_ranking([folder], ["de-en"], options)
    (row,) = table.rows
    # Samples of the first segment alone tie the systems.
    assert 0 < row.undefined < 50
    assert row.value == pytest.approx(1)
    told = f"ParaEval precision, refA: the ranks of {row.undefined} samples have no correlation"
    assert any(told in note for note in table.notes)


def test_what_is_missing_is_named(tmp_path: Path, table: str) -> None:
    with pytest.raises(UsageError, match="name a table"):
        study_ranking([JUDGED], ["de-en"], replace(PLAIN, table=None))
    with pytest.raises(UsageError, match="name a table"):
        study_lengths([JUDGED], ["de-en"], replace(PLAIN, table=None))
    with pytest.raises(UsageError, match=r"no reference refZ. There are: refA, refB"):
        study_references([JUDGED], ["de-en"], replace(PLAIN, references=("refZ",)))
    one = write_set(tmp_path / "one", {"refA": ["a b"]}, {"x": ["a"]}, {"x": 1})
    with pytest.raises(InputError, match="fewer than two systems"):
        study_lengths([one], ["de-en"], replace(PLAIN, table=table))
    with pytest.raises(UsageError, match="no lengths to compare"):
        study_lengths([JUDGED], ["de-en"], PLAIN)
    people = write_set(tmp_path / "p", {"refA": ["a"], "refB": ["b"]}, {"refA": ["a"]})
    with pytest.raises(InputError, match="no output of a system beside the references"):
        study_humans([people], ["all"], PLAIN)
    with pytest.raises(InputError, match="no human scores to rank systems by"):
        study_ranking([preferred(tmp_path / "pairs")], ["de-en"], PLAIN)


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ({"unit": SamplingUnit.JUDGMENTS}, "not judgments"),
        ({"resamples": 0}, "0 samples"),
        ({"lengths": ()}, "at least 1"),
        ({"min_length": 0}, "at least 1"),
    ],
)
def test_choices_that_cannot_be(choice: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        StudyOptions(**choice)  # type: ignore[arg-type]
