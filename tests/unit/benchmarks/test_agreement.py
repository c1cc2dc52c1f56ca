from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.agreement.columns import Column, Verdict, main_columns, measure_columns
from benchmarks.agreement.measuring import PairResults, different_texts
from benchmarks.agreement.meteor import THRESHOLDS
from benchmarks.agreement.page import (
    render_columns,
    render_pairs,
    render_vectors,
    replaced_blocks,
    write_blocks,
    write_data,
)
from benchmarks.agreement.sets import Entry, entries, scored_pairs
from benchmarks.agreement.signatures import signature_digest
from benchmarks.agreement.variants import FAMILIES, Family, render_family

from tenbin.core.judgments import HumanPairs
from tenbin.core.spec import Spec
from tenbin.metrics.registry import load

SPREAD = np.linspace(-0.01, 0.01, 101)


def found(pair: str, values: Mapping[str, float], test_set: str = "wmt22") -> PairResults:
    """A pair with one measure, and samples around its values that move together."""
    return PairResults(
        test_set=test_set,
        pair=pair,
        human={"darr-tau": "darr"},
        counts={"darr-tau": 1200},
        values={name: {"darr-tau": value} for name, value in values.items()},
        own=tuple(name for name in values if not name.endswith("-refA")),
        main="darr-tau",
        samples={name: value + SPREAD for name, value in values.items()},
        signatures={name: "abc" for name in values if not name.endswith("-refA")},
    )


GERMAN = found("de-en", {"chrf": 0.2, "eed": 0.3, "was": 0.1, "COMET-refA": 0.5})
JAPANESE = found("ja-en", {"chrf": 0.4, "eed": 0.5})


def test_a_column_is_the_mean_over_its_pairs() -> None:
    column = Column("darr-tau", (GERMAN, JAPANESE))
    assert column.value("eed") == pytest.approx(0.4)
    assert column.value("was") is None  # it has no value for one of them


def test_differences_are_paired() -> None:
    column = Column("darr-tau", (GERMAN, JAPANESE))
    low, high = column.interval("eed") or (0.0, 0.0)
    assert high - low == pytest.approx(0.019, abs=1e-6)
    assert column.difference("eed", "chrf") == pytest.approx((0.1, 0.1))
    assert column.verdict("eed", "chrf") is Verdict.BETTER
    assert column.verdict("chrf", "eed") is Verdict.WORSE
    assert column.verdict("chrf", "chrf") is None
    assert column.verdict("was", "chrf") is None


def test_a_difference_around_nothing_is_chance() -> None:
    near = found("de-en", {"chrf": 0.2})
    noisy = PairResults(
        test_set=near.test_set,
        pair=near.pair,
        human=near.human,
        counts=near.counts,
        values={**near.values, "eed": {"darr-tau": 0.201}},
        own=("chrf", "eed"),
        main="darr-tau",
        samples={**near.samples, "eed": 0.201 - SPREAD},
    )
    assert Column("darr-tau", (noisy,)).verdict("eed", "chrf") is Verdict.ALIKE


def test_a_metric_that_is_never_defined_has_no_verdict() -> None:
    # WAS over survivors at a threshold of 1 gives every segment 1.
    constant = replace(GERMAN, samples={**GERMAN.samples, "was": np.full(101, np.nan)})
    column = Column("darr-tau", (constant,))
    assert column.interval("was") is None
    assert column.verdict("was", "chrf") is None


def test_columns_part_target_languages() -> None:
    russian = found("en-ru", {"chrf": 0.1})
    columns = main_columns([GERMAN, russian, JAPANESE])
    assert [[one.pair for one in column.pairs] for column in columns] == [
        ["de-en", "ja-en"],
        ["en-ru"],
    ]
    assert measure_columns([GERMAN], "system-pearson") == []


def test_samples_are_of_the_main_measure() -> None:
    column = Column("segment-kendall", (GERMAN,))
    assert column.interval("eed") is None


def test_the_best_is_bold_and_chance_unmarked() -> None:
    column = Column("darr-tau", (GERMAN,))
    table = render_columns([column], ["chrf", "eed", "was", "absent"], "chrf").splitlines()
    assert table[0] == "| metric | wmt22<br>de-en<br>darr-tau |"
    assert table[2:] == ["| chrf | 0.200 |", "| eed | **0.300** ▲ |", "| was | 0.100 ▼ |"]


def test_embedded_vectors_are_set_beside_installed_ones() -> None:
    results = [
        found("de-en", {"was, installed": 0.3, "was, embedded": 0.2}),
        found("ja-en", {"was, installed": 0.25, "was, embedded": 0.5}),
        found("en-ja", {"was, installed": 0.1}),
    ]
    rows = render_vectors(results, ["was", "mas"]).splitlines()[2:]
    assert rows == ["| was | 2 | -0.0750 (-0.2500 to +0.1000) | 1 (1) / 1 (1) |"]


def test_metrics_of_others_stand_last() -> None:
    rows = render_pairs([GERMAN, JAPANESE]).splitlines()
    assert "ja-en<br>darr-tau<br>n = 1,200" in rows[0]
    assert [row.split(" | ")[0] for row in rows[2:]] == ["| chrf", "| eed", "| was", "| COMET-refA"]
    assert rows[-1] == "| COMET-refA | 0.500 |  |"


def test_a_page_without_the_place_for_a_block_is_refused() -> None:
    page = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n"
    assert replaced_blocks(page, {"x": r"new \1"}) == (
        "a\n<!-- x -->\n\nnew \\1\n\n<!-- end of x -->\nb\n"
    )
    with pytest.raises(ValueError, match="y"):
        replaced_blocks(page, {"y": "new"})


def test_each_block_goes_to_its_page(tmp_path: Path) -> None:
    first, second = tmp_path / "a.md", tmp_path / "b.md"
    first.write_text("a\n<!-- x -->\nold\n<!-- end of x -->\n", encoding="utf-8")
    second.write_text("b\n<!-- y -->\nold\n<!-- end of y -->\n", encoding="utf-8")
    with pytest.raises(ValueError, match="place for 'z'"):
        write_blocks([first, second], {"y": "new", "z": "new"})
    assert "old" in second.read_text(encoding="utf-8")
    write_blocks([first, second], {"y": "new"})
    assert first.read_text(encoding="utf-8").endswith("\nold\n<!-- end of x -->\n")
    assert second.read_text(encoding="utf-8") == ("b\n<!-- y -->\n\nnew\n\n<!-- end of y -->\n")


def test_the_pages_have_a_place_for_every_block() -> None:
    pages = (Path(__file__).resolve().parents[3] / "docs" / "agreement").glob("*.md")
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    tables = ["segment level", "system level", "embedded and installed", "every pair"]
    variants = [*(f"variants of {one.metric}" for one in FAMILIES), "meteor with vectors"]
    for name in [*tables, *variants]:
        assert text.count(f"<!-- {name} -->") == text.count(f"<!-- end of {name} -->") == 1


def test_data_have_a_line_per_metric(tmp_path: Path) -> None:
    path = tmp_path / "data.tsv"
    write_data(path, [GERMAN], "chrf")
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines[0][:6] == ["set", "pair", "metric", "by", "signature", "darr-tau"]
    rows = {line[2]: dict(zip(lines[0], line, strict=True)) for line in lines[1:]}
    assert rows["eed"]["chrf from"] == rows["eed"]["chrf to"] == "0.100000"
    assert rows["eed"]["signature"] == "abc"
    assert rows["chrf"]["chrf from"] == ""
    assert rows["COMET-refA"]["by"] == "others"


def test_variants_have_no_base(tmp_path: Path) -> None:
    path = tmp_path / "data.tsv"
    write_data(path, [GERMAN])
    assert path.read_text(encoding="utf-8").splitlines()[0].endswith("\tlow\thigh")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.metric)
def test_thresholds_go_to_the_end_of_the_range(family: Family) -> None:
    swept = [choice for choice in family.choices if choice.startswith("threshold=")]
    if swept:
        default = Spec.parse(f"{family.metric}()")
        given = [load(f"{family.metric}({choice})").threshold for choice in swept]  # type: ignore[attr-defined]
        tried = {load(default).threshold, *given}  # type: ignore[attr-defined]
        assert min(tried) == 0
        assert max(tried) == 1


def test_thresholds_of_meteor_go_to_the_end_of_the_range() -> None:
    assert max(THRESHOLDS) == 1


def test_a_digest_moves_with_parameters_and_language_alone() -> None:
    was = signature_digest(Entry("was", "was"), "en")
    assert was == signature_digest(Entry("any label", "was(threshold=1.0)"), "en")
    assert was != signature_digest(Entry("was", "was-paper"), "en")
    assert was != signature_digest(Entry("was", "was(tokenizer='char')"), "en")
    assert signature_digest(Entry("bleu", "bleu"), "en") != signature_digest(
        Entry("bleu", "bleu"), "zh"
    )


def test_variants_count_wins() -> None:
    family = Family(metric="was", choices=("threshold=0.5",))
    variant = family.labels[1]
    results = [
        found("de-en", {"was": 0.1, variant: 0.2}),
        found("ja-en", {"was": 0.1, variant: 0.05}),
        found("uk-en", {"was": 0.1, variant: 0.1}),
    ]
    default, other = render_family(family, results).splitlines()[2:]
    assert default.startswith("| was | 0.100 |")
    assert other.endswith("| 1 (1) / 1 (1) |")


def test_vectors_are_those_of_the_language(tmp_path: Path) -> None:
    (tmp_path / "de.synsets").touch()
    german = {one.label for one in entries("de", tmp_path)}
    assert "meteor-dbnary" in german
    assert not any("installed" in label or "embedded" in label for label in german)
    specs = {one.label: one.spec for one in entries("ja", tmp_path)}
    assert specs["was, installed"] == 'was(vectors="vectors-ja")'
    assert "was, embedded" not in specs
    assert {one.label for one in entries("en", tmp_path)} > {"was, embedded", "was, installed"}


def test_texts_are_encoded_by_a_model_or_by_vectors(tmp_path: Path) -> None:
    english = {one.label: one.spec for one in entries("en", tmp_path)}
    assert english["tenbin"] == "tenbin"
    assert "tenbin, static" not in english
    russian = {one.label: one.spec for one in entries("ru", tmp_path)}
    assert russian["bertscore, static"] == 'bertscore(model="static:vectors-ru")'
    assert "bertscore" not in russian
    assert not any("tenbin" in one.label for one in entries("de", tmp_path))


def test_paraeval_needs_a_table(tmp_path: Path) -> None:
    assert not any("paraeval" in one.label for one in entries("en", tmp_path))
    table = tmp_path / "en.paraphrases"
    rows = {one.label: one.spec for one in entries("en", tmp_path, table)}
    assert rows["paraeval, f"] == f'paraeval(table="{table}", measure="f")'
    assert not any("paraeval" in one.label for one in entries("ja", tmp_path, table))


def test_a_pair_needs_texts_on_both_sides(tmp_path: Path) -> None:
    for pair in ("de-en", "en-ja"):
        (tmp_path / "system-outputs" / pair).mkdir(parents=True)
    (tmp_path / "references").mkdir()
    (tmp_path / "references" / "de-en.refA.txt").touch()
    assert scored_pairs(tmp_path) == ["de-en"]


def test_pairs_of_equal_texts_are_left_out(tmp_path: Path) -> None:
    outputs = tmp_path / "system-outputs" / "de-en"
    outputs.mkdir(parents=True)
    (outputs / "A.txt").write_text("same\none\n", encoding="utf-8")
    (outputs / "B.txt").write_text("same\nother\n", encoding="utf-8")
    pairs = HumanPairs.of_names("darr", [(0, "A", "B"), (1, "B", "A")])
    kept = different_texts(pairs, tmp_path, "de-en")
    assert kept.segments.tolist() == [1]
    assert kept.systems[kept.better[0]] == "B"
