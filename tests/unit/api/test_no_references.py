"""Test sets without references: folders, meta-evaluation, tuning, caches, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tenbin
from tenbin.annotation.languages import parse_language
from tenbin.api.files import open_files, open_set
from tenbin.api.inspection import inspect_set
from tenbin.api.scoring import check_given_texts, score_test_set
from tenbin.core.errors import LengthMismatch, LowCoverage, ShapeError, UsageError
from tenbin.core.text import TestSet
from tenbin.evaluation.checks import script_notes
from tenbin.evaluation.run import Options
from tenbin.evaluation.score_cache import ScoreCache, evaluate_cached
from tenbin.metrics import registry

SOURCE = ["die Katze saß", "der Hund saß da", "die Katze", "Hund", "da saß die Katze"]
SYSTEMS = {
    "a": ["the cat sat", "the dog sat there", "the cat", "dog", "there sat the cat"],
    "b": ["a cat", "the the dog", "not", "cat", "there there"],
}
JUDGED = {"a": [0.9, 0.7, 0.8, 0.9, 0.6], "b": [0.2, 0.3, -0.5, -0.1, 0.0]}
PAIR = "de-en"


@pytest.fixture
def spec(tmp_path: Path) -> str:
    words = {
        "de": "Katze 1 0\nsaß 0 1\ndie .6 .8\nHund .8 .6\nder .5 .8\nda .1 .9",
        "en": "cat .9 .1\nsat 0 1\nthe .6 .7\ndog .8 .5\nthere .2 .9\nnot -1 0",
    }
    for language, text in words.items():
        (tmp_path / f"{language}.vec").write_text(f"6 2\n{text}\n", encoding="utf-8")
    own, other = tmp_path / "en.vec", tmp_path / "de.vec"
    return f"yisi2(vectors={str(own)!r}, source_vectors={str(other)!r})"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set as those of quality estimation are: sources, outputs, judgments."""
    root = tmp_path / "estimation"
    texts = {f"sources/{PAIR}.txt": SOURCE}
    texts |= {f"system-outputs/{PAIR}/{name}.txt": own for name, own in SYSTEMS.items()}
    texts[f"human-scores/{PAIR}.da-z.seg.score"] = [
        f"{name}\t{score}" for name, own in JUDGED.items() for score in own
    ]
    for name, lines in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return root


def add_references(folder: Path, *names: str) -> None:
    """Add references, which are outputs too, as in the folders of WMT."""
    (folder / "references").mkdir()
    text = "".join(f"{line}\n" for line in SYSTEMS["a"])
    for name in names:
        (folder / f"references/{PAIR}.{name}.txt").write_text(text, encoding="utf-8")
        (folder / f"system-outputs/{PAIR}/{name}.txt").write_text(text, encoding="utf-8")


def test_a_folder_without_references_is_a_test_set(folder: Path, spec: str) -> None:
    opened = open_set(str(folder), PAIR)
    assert (opened.systems, opened.reference_counts) == (("a", "b"), (0,))
    assert not opened.has_references
    found = score_test_set(opened, [spec], "en", segments=True)
    plain = tenbin.score(SYSTEMS, source=SOURCE, metrics=[spec], language="en", segments=True)
    assert found.results[0].signature == plain.results[0].signature
    np.testing.assert_array_equal(found.results[0].scores, plain.results[0].scores)
    assert found.notes == plain.notes == ()
    with pytest.raises(UsageError, match="the metric 'chrf' reads references, and there are none"):
        score_test_set(opened, [spec, "chrf"], "en")
    with pytest.raises(UsageError, match=r"de-en has no reference refA. There are: none"):
        open_set(str(folder), PAIR, references=["refA"])
    assert not inspect_set(str(folder), PAIR, language="en").has_faulty_texts


def test_references_that_nothing_reads_are_systems_like_others(folder: Path) -> None:
    add_references(folder, "refA", "refB")
    assert open_set(str(folder), PAIR).systems == ("a", "b", "refB")
    none = open_set(str(folder), PAIR, references=[])
    assert none.systems == ("a", "b", "refA", "refB")
    assert not none.has_references
    (note,) = none.notes
    assert note.startswith("human translations, by their names, among the systems: refA, refB")


def test_all_metrics_that_lack_a_text_are_named_at_once(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        tenbin.score(SYSTEMS, metrics=["bleu", spec, "meteor"], language="en")
    first, second = str(caught.value).splitlines()
    assert first.startswith("the metrics 'bleu', 'meteor' read references, and there are none.")
    assert "(`references`)" in first
    assert first.endswith("that need no reference: sentence-source, terms, yisi2, yisi2-context.")
    assert second == f"the metric {spec!r} reads the source text, which is missing (`source`)."
    check_given_texts([spec], references=False, source=True)
    for call in (tenbin.compare, tenbin.explain):
        with pytest.raises(UsageError, match=r"'chrf\+\+'.* read|'meteor' reads references"):
            call(SYSTEMS, source=SOURCE, language="en")
    with pytest.raises(UsageError, match="'chrf' reads references"):
        tenbin.load_metric("chrf", language="en").score(["a cat"])


def test_numbers_of_segments_and_halves_of_references_are_refused(
    spec: str, tmp_path: Path
) -> None:
    with pytest.raises(LengthMismatch, match="a: 5, source: 4"):
        tenbin.score({"a": SYSTEMS["a"]}, source=SOURCE[1:], metrics=[spec], language="en")
    with pytest.raises(LengthMismatch, match="hypotheses: 5, references: 0"):
        tenbin.score(SYSTEMS["a"], [], source=SOURCE, metrics=[spec], language="en")
    nothings: list[Any] = [[[]] * 5, [[None]] * 5]
    for nothing in nothings:
        with pytest.raises(ShapeError, match=r"leave references out \(None\)"):
            tenbin.score(SYSTEMS["a"], nothing, source=SOURCE, metrics=[spec], language="en")
    with pytest.raises(ShapeError, match="segment 2 has no reference, and others have"):
        TestSet(hypotheses={"a": ("x", "y")}, references=(("x",), ()))
    for name, lines in (("src", SOURCE), ("short", SYSTEMS["a"][:3])):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(LengthMismatch, match=r"short\.txt: 3, .*src\.txt: 5"):
        open_files([str(tmp_path / "short.txt")], source=str(tmp_path / "src.txt"))


def test_empty_segments_are_scored_as_empty(spec: str) -> None:
    own = [*SYSTEMS["a"][:4], ""]
    table = tenbin.score(own, source=SOURCE, metrics=[spec], language="en", segments=True)
    assert table.results[0].segments is not None
    assert table.results[0].segments[0, 4] == 0
    assert table.notes == ("hypotheses: 1 segment of 5 empty; scored as empty.",)
    # Empty references, which nothing reads, are nobody's concern.
    given = tenbin.score(own, [""] * 5, source=SOURCE, metrics=[spec], language="en")
    assert given.notes == table.notes


def test_what_is_said_of_vectors_does_not_depend_on_references(spec: str) -> None:
    """Words of references that no vector covers were counted, though no metric read them."""
    foreign = ["ganz andere Worte allesamt unbekannt hier"] * 5
    strict = spec.replace("yisi2(", "yisi2(min_coverage=0.9, ")
    tenbin.score(SYSTEMS["a"], foreign, source=SOURCE, metrics=[strict], language="en")
    with pytest.raises(LowCoverage):
        tenbin.score(foreign, SYSTEMS["a"], source=SOURCE, metrics=[strict], language="en")


def test_a_long_text_that_only_others_read_is_no_concern(spec: str) -> None:
    """It was searched for among the texts that the metric reads, and not found."""
    references = [*SYSTEMS["a"][:4], " ".join(["cat"] * 9_000)]
    metrics = [spec, "chrf"]
    table = tenbin.score(SYSTEMS["a"], references, source=SOURCE, metrics=metrics, language="en")
    alone = tenbin.score(SYSTEMS["a"], source=SOURCE, metrics=[spec], language="en")
    assert table["hypotheses", spec] == alone["hypotheses", spec]


def test_script_and_words_are_checked_on_translations() -> None:
    japanese = parse_language("ja")
    words = registry.load("bleu(tokenizer='13a')")
    uncut = TestSet(hypotheses={"a": ("猫が東京にいたので私は今日そこへ行きます",) * 3})
    with pytest.raises(tenbin.InputError, match="'13a' does not find words in 'ja'"):
        script_notes(uncut, [words], japanese)
    copied = TestSet(hypotheses={"copy": ("not translated at all",), "good": ("猫がいた",)})
    (note,) = script_notes(copied, [registry.load("chrf")], japanese)
    assert note.startswith("copy: only 0% of its letters are in the script of ja")


def test_cached_scores_do_not_depend_on_references(spec: str, tmp_path: Path) -> None:
    texts = {name: tuple(own) for name, own in SYSTEMS.items()}
    none = TestSet(hypotheses=texts, source=tuple(SOURCE))
    given = TestSet(
        hypotheses=texts, source=tuple(SOURCE), references=tuple((one,) for one in SOURCE)
    )
    cache = ScoreCache(tmp_path / "scores")
    first = evaluate_cached(none, [spec], "en", Options(), cache)
    stored = sorted((tmp_path / "scores").rglob("*"))
    second = evaluate_cached(given, [spec], "en", Options(), cache)
    assert sorted((tmp_path / "scores").rglob("*")) == stored
    assert second.results[0].signature == first.results[0].signature
    np.testing.assert_array_equal(second.results[0].scores, first.results[0].scores)


def test_meta_evaluation_without_references(folder: Path, spec: str, tmp_path: Path) -> None:
    table = tenbin.meta_evaluate(
        str(folder),
        PAIR,
        metrics=[spec],
        measures=["segment-pearson", "segment-kendall"],
        export_scores=str(tmp_path / "own"),
        cache=False,
    )
    assert [row.n for row in table.rows] == [10, 10]
    assert all(row.value > 0.5 for row in table.rows)
    assert all("|nrefs:0|" in (row.signature or "") for row in table.rows)
    # As mt-metrics-eval names metrics that read no reference.
    (own,) = (tmp_path / "own/metric-scores" / PAIR).glob("*.seg.score")
    assert own.name.endswith("-src.seg.score")
    with pytest.raises(UsageError, match="the metrics 'bleu', 'chrf' read references"):
        tenbin.meta_evaluate(str(folder), PAIR, metrics=["bleu", spec, "chrf"], cache=False)


def test_one_of_many_pairs_may_lack_references(folder: Path, spec: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for path in folder.rglob("*.*"):
        place = other / path.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    add_references(other, "refA")
    table = tenbin.meta_evaluate(
        [str(folder), str(other)],
        PAIR,
        metrics=[spec, "chrf"],
        measures="segment-pearson",
        cache=False,
    )
    assert "estimation de-en: no reference, so that chrf cannot be computed." in table.notes
    measured = {(row.test_set, row.metric): row.value for row in table.rows}
    assert {test_set for test_set, metric in measured if metric == "chrf"} == {"other"}
    (first, second) = (value for (_, metric), value in measured.items() if metric != "chrf")
    assert first == second


def test_human_translations_take_part_where_no_metric_reads_them(folder: Path, spec: str) -> None:
    add_references(folder, "refA", "refB")
    scores = folder / f"human-scores/{PAIR}.da-z.seg.score"
    more = "".join(f"{name}\t1\n" * len(SOURCE) for name in ("refA", "refB"))
    scores.write_text(scores.read_text() + more)
    counts = []
    for metrics in ([spec], [spec, "chrf"]):
        table = tenbin.meta_evaluate(
            str(folder),
            PAIR,
            metrics=metrics,
            human_systems="include",
            measures="segment-pearson",
            cache=False,
        )
        counts.append(table.rows[0].n)
    assert counts == [20, 15], "refA is what chrF reads"


def test_tuning_without_references(folder: Path, spec: str) -> None:
    found = tenbin.tune(
        spec,
        ["alpha=0.2,0.5,0.8", "idf=sources,system,none"],
        folder=str(folder),
        pairs=PAIR,
        measure="pearson",
        folds=0,
        cache=False,
    )
    (tuning,) = found.tunings
    assert len(tuning.settings) == 9
