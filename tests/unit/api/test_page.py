"""Reports of results: what they hold, and how large they are."""

import errno
import gzip
import json
import os
import re
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.api.files import open_files, open_set
from tenbin.api.page import (
    build_report,
    metric_looks,
    page_text,
    report_file,
    write_page,
)
from tenbin.api.scoring import compare_test_set, score_test_set
from tenbin.api.tuning import tune
from tenbin.core.agreement import MetaRow, MetaTable, RankedSystem, SystemRanking
from tenbin.core.errors import OutputError, UsageError
from tenbin.core.report import TextRole
from tenbin.core.scores import MetricScores, ScoreTable
from tenbin.core.signature import Signature
from tenbin.core.text import TestSet

EXAMPLE = "bundled:example", "ja-en"
METRICS = ("bleu", "chrf", "ter", "ribes", "meteor", "nist", "eed", "wer")
MOST_BYTES = 1_500_000
SCRIPT_BYTES = 200_000


def data_of(path: Path) -> Any:
    found = re.search(r'id="data">([^<]*)<', path.read_text("utf-8"))
    assert found
    return json.loads(gzip.decompress(b64decode(found[1])))


def test_scores_of_a_test_set(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    test_set = open_set(*EXAMPLE)
    table = score_test_set(test_set, ["bleu", "meteor"], "en", segments=True, resamples=10)
    write_page(
        table,
        str(page),
        test_set=test_set,
        command="tenbin score",
        pair="ja-en",
        explained=5,
        explain_command="tenbin explain -n {segment}",
    )
    found = data_of(page)
    assert found["kind"] == "score"
    assert found["systems"] == ["careful", "gloss", "literal"]
    assert [one["explainable"] for one in found["metrics"]] == [False, True]
    assert found["metrics"][0]["segments"]["shape"] == [3, 60]
    assert len(found["metrics"][0]["intervals"]) == 3
    columns = found["segments"]["columns"]
    assert [one["role"] for one in columns] == ["source", "reference"] + ["system"] * 3
    assert [one["language"] for one in columns] == ["ja", "en", "en", "en", "en"]
    assert columns[1]["name"] == "refA"
    assert found["segments"]["count"] == len(found["segments"]["texts"]) == 60
    assert len(found["explanations"]) == 5 * 3
    assert found["explainCommand"] == "tenbin explain -n {segment}"
    assert found["ngrams"]
    assert {one["resource"] for one in found["licences"]} >= {"tenbin", "wordnet", "sacrebleu"}
    assert all(one["licence"] for one in found["licences"])
    assert found["comparison"] is None


def test_a_small_test_set_is_explained_wholly() -> None:
    texts = next(open_set(*EXAMPLE).chunks(4))
    table = score_test_set(texts, ["wer", "onehot", "meteor"], "en", segments=True)
    explained = build_report(table, test_set=texts).explanations
    assert len(explained) == 4 * 3 * 2
    assert {one.metric for one in explained} == {1, 2}


def test_segment_scores_print_as_tables_do(tmp_path: Path) -> None:
    from tenbin.reports.page.packing import Packed, unpack  # noqa: PLC0415 - a name of its own

    test_set = open_set(*EXAMPLE)
    table = score_test_set(test_set, ["bleu", "meteor", "ter"], "en", segments=True)
    write_page(table, str(tmp_path / "a.html"), test_set=test_set, explained=0)
    for column, scores in zip(data_of(tmp_path / "a.html")["metrics"], table.results, strict=True):
        packed = column["segments"]
        values = unpack(
            Packed(
                shape=tuple(packed["shape"]),
                decimals=packed["decimals"],
                offset=packed["offset"],
                width=packed["bytes"],
                data=packed["data"],
            )
        )
        assert scores.segments is not None
        for shown, given in zip(values.ravel(), scores.segments.ravel(), strict=True):
            assert f"{shown:.{scores.decimals}f}" == f"{given:.{scores.decimals}f}"


def test_a_comparison_has_clusters_and_its_baseline(tmp_path: Path) -> None:
    test_set = open_set(*EXAMPLE)
    compared = compare_test_set(test_set, ["chrf"], "en", rounds=20, segments=True)
    write_page(compared, str(tmp_path / "a.html"), test_set=test_set)
    found = data_of(tmp_path / "a.html")
    assert found["kind"] == "compare"
    assert len(found["comparison"]["metrics"][0]["ranks"]) == 3
    assert found["comparison"]["metrics"][0]["people"][0][1] > 0.5
    compared = compare_test_set(test_set, ["chrf"], "en", rounds=20, baseline="gloss")
    write_page(compared, str(tmp_path / "b.html"))
    found = data_of(tmp_path / "b.html")["comparison"]
    assert found["baseline"] == "gloss"
    assert found["metrics"][0]["ranks"] is None
    assert found["metrics"][0]["p"][0][2] is None


def test_without_texts_there_are_systems_alone(tmp_path: Path) -> None:
    table = score_test_set(open_set(*EXAMPLE), ["chrf"], "en")
    write_page(table, str(tmp_path / "a.html"))
    found = data_of(tmp_path / "a.html")
    assert found["segments"] is None
    assert found["metrics"][0]["segments"] is None
    assert found["explanations"] == found["ngrams"] == []


def test_without_references(tmp_path: Path) -> None:
    texts = TestSet(hypotheses={"a": ("eine Katze", "zwei")}, source=("a big cat", "two"))
    table = ScoreTable(language="de", segment_count=2, systems=("a",), results=(drawn(texts),))
    write_page(table, str(tmp_path / "a.html"), test_set=texts, pair="en-de")
    segments = data_of(tmp_path / "a.html")["segments"]
    assert [one["role"] for one in segments["columns"]] == ["source", "system"]
    assert segments["hasNumber"] is None
    assert segments["lengths"]["offset"] == 1  # words of the source: 3 and 1


@pytest.mark.parametrize(
    ("language", "direction"),
    [("ar", "rtl"), ("he", "rtl"), ("fa", "rtl"), ("ur", "rtl"), ("ja", "ltr")],
)
def test_direction_of_texts(language: str, direction: str) -> None:
    texts = TestSet(hypotheses={"a": ("x",)}, references=(("x",),))
    table = ScoreTable(language=language, segment_count=1, systems=("a",), results=(drawn(texts),))
    report = build_report(table, test_set=texts)
    assert {label.right_to_left for label in report.labels} == {direction == "rtl"}


def test_references_are_called_like_their_files_where_each_segment_has_all(tmp_path: Path) -> None:
    for name, lines in (("ours", "a\nb\n"), ("theirs", "a\n\n"), ("system", "a\nb\n")):
        (tmp_path / f"{name}.txt").write_text(lines)
    paths = {name: str(tmp_path / f"{name}.txt") for name in ("ours", "theirs", "system")}
    names = {}
    for absent in (False, True):
        texts = open_files(
            [paths["system"]], [paths["ours"], paths["theirs"]], empty_means_absent=absent
        )
        table = score_test_set(texts, ["wer"], "en", segments=True)
        labels = build_report(table, test_set=texts).labels
        names[absent] = [label.name for label in labels if label.role is TextRole.REFERENCE]
    # Without its empty lines, which file a reference is of is not known.
    assert names == {False: ["ours", "theirs"], True: ["1", "2"]}


def test_human_scores_of_a_test_set(human_set: str) -> None:
    test_set = open_set(human_set, "de-en")
    table = score_test_set(test_set, ["chrf"], "en", segments=True)
    report = build_report(table, test_set=test_set, folder=human_set, pair="de-en")
    by_kind = {column.kind: column for column in report.human}
    assert set(by_kind) == {"da-z", "mqm"}
    assert by_kind["mqm"].scores.tolist() == [-1.5, -2.0]
    segments = by_kind["da-z"].segments
    assert segments is not None
    assert np.array_equal(segments, [[0.5, np.nan], [1.0, -1.0]], equal_nan=True)
    assert by_kind["da-z"].scores.tolist() == [0.5, 0.0]


@pytest.fixture
def human_set(tmp_path: Path) -> str:
    root = tmp_path / "set"
    contents = {
        "references/de-en.refA.txt": "a cat\na dog\n",
        "sources/de-en.txt": "eine Katze\nein Hund\n",
        "system-outputs/de-en/one.txt": "a cat\nthe dog\n",
        "system-outputs/de-en/two.txt": "cat\ndog\n",
        "human-scores/de-en.da-z.seg.score": "two\t1\ntwo\t-1\none\t0.5\none\tNone\n",
        "human-scores/de-en.mqm.sys.score": "one\t-1.5\ntwo\t-2.0\nother\t3\n",
    }
    for name, text in contents.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return str(root)


def test_a_set_without_judgments_has_none() -> None:
    test_set = open_set(*EXAMPLE)
    table = score_test_set(test_set, ["chrf"], "en")
    assert build_report(table, folder=EXAMPLE[0], pair=EXAMPLE[1]).human == ()


def test_a_meta_evaluation(tmp_path: Path) -> None:
    row = MetaRow(
        test_set="wmt",
        pair="de-en",
        metric="chrf",
        measure="system-pearson",
        human="mqm",
        value=float("nan"),
        n=3,
        counted="systems",
    )
    ranked = RankedSystem(
        name="a", score=1.0, interval=(0.5, 1.5), human_score=None, is_human=False
    )
    table = MetaTable(rows=(row,), rankings=(SystemRanking(title="chrf", systems=(ranked,)),))
    write_page(table, str(tmp_path / "a.html"), page_language="ja")
    found = data_of(tmp_path / "a.html")
    assert found["kind"] == "meta"
    assert found["meta"]["rows"][0]["value"] is None
    assert found["meta"]["rankings"][0]["systems"][0]["interval"] == [0.5, 1.5]


def test_a_tuning(tmp_path: Path, human_set: str) -> None:
    table = tune(
        "chrf",
        "beta=1,2",
        folder=human_set,
        pairs="de-en",
        measure="segment-pearson",
        human="da-z",
        folds=0,
        cache=False,
    )
    write_page(table, str(tmp_path / "a.html"))
    found = data_of(tmp_path / "a.html")
    assert found["kind"] == "tune"
    assert found["tune"] == json.loads(table.to_json())


def test_scores_in_a_file(tmp_path: Path) -> None:
    test_set = open_set(*EXAMPLE)
    table = score_test_set(test_set, ["bleu", "wer"], "en", segments=True)
    whole = next(test_set.chunks(test_set.segment_count))
    stored = tmp_path / "scores.json"
    stored.write_text(replace(table, texts=whole).to_json(), "utf-8")
    report_file(str(stored), str(tmp_path / "a.html"), title="Ours")
    write_page(table, str(tmp_path / "b.html"), test_set=whole, title="Ours")
    one, other = (data_of(tmp_path / name) for name in ("a.html", "b.html"))
    assert {**one, "created": ""} == {**other, "created": ""}


def test_texts_must_be_those_of_the_scores(tmp_path: Path) -> None:
    stored = tmp_path / "scores.json"
    stored.write_text(score_test_set(open_set(*EXAMPLE), ["bleu"], "en").to_json(), "utf-8")
    for texts, message in (
        (TestSet(hypotheses={"a": ("x",)}, references=(("x",),)), "the texts are of a"),
        (
            TestSet(
                hypotheses=dict.fromkeys(("careful", "gloss", "literal"), ("x",)),
                references=(("x",),),
            ),
            "has scores of 60 segments, and the texts have 1",
        ),
    ):
        with pytest.raises(UsageError, match=message):
            report_file(str(stored), str(tmp_path / "a.html"), test_set=texts)
    assert not (tmp_path / "a.html").exists()


def test_the_page_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = score_test_set(open_set(*EXAMPLE), ["chrf"], "en")
    page = tmp_path / "a.html"
    page.write_text("before")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="Free some space"):
        write_page(table, str(page))
    assert page.read_text() == "before"
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.parametrize(
    ("path", "language", "error"),
    [("none/a.html", "en", OutputError), ("", "en", OutputError), ("a.html", "fr", UsageError)],
)
def test_what_cannot_be_written_is_told_before_work(
    tmp_path: Path, path: str, language: str, error: type[Exception]
) -> None:
    table = score_test_set(open_set(*EXAMPLE), ["chrf"], "en")
    with pytest.raises(error):
        write_page(table, path and str(tmp_path / path), page_language=language)


def drawn(texts: TestSet, spec: str = "chrf", seed: int = 0) -> MetricScores:
    """Return scores drawn at random; they are as hard to compress as real ones."""
    (look,) = metric_looks([spec])
    shape = len(texts.systems), texts.segment_count
    segments = np.random.default_rng(seed).beta(4, 3, shape) * (100 if look.decimals < 3 else 1)
    return MetricScores(
        metric=spec,
        title=look.title,
        signature=Signature(metric=spec),
        higher_is_better=look.higher_is_better,
        decimals=look.decimals,
        systems=texts.systems,
        scores=segments.mean(axis=1),
        segments=segments,
    )


def varied(texts: Sequence[str], words: Sequence[str], system: int, count: int) -> tuple[str, ...]:
    """Return so many segments: those given, with some words exchanged for others."""
    rng = np.random.default_rng(system)
    rows = []
    for place in range(count):
        own = texts[place % len(texts)].split()
        # Words of the segment, the same for all systems, and a few of this system alone.
        shared = np.random.default_rng(1_000 + place)
        for chosen, share in ((shared, 0.5), (rng, 0.15)):
            for at in range(len(own)):
                if chosen.random() < share:
                    own[at] = words[int(chosen.integers(len(words)))]
        rows.append(" ".join(own))
    return tuple(rows)


def test_ten_systems_and_two_thousand_segments_are_a_small_file(tmp_path: Path) -> None:
    count = 2_000
    example = next(open_set(*EXAMPLE).chunks(60))
    english = [some[0] for some in example.references]
    words = sorted({word for text in english for word in text.split()})
    texts = TestSet(
        hypotheses={f"system{n}": varied(english, words, n + 1, count) for n in range(10)},
        references=tuple((text,) for text in varied(english, words, 0, count)),
        source=varied(english, words, 0, count),
    )
    table = ScoreTable(
        language="en",
        segment_count=count,
        systems=texts.systems,
        results=tuple(drawn(texts, spec, seed) for seed, spec in enumerate(METRICS)),
    )
    page = tmp_path / "report.html"
    write_page(table, str(page), test_set=texts)
    bundled = files("tenbin.reports.page") / "bundled"
    script = sum(len(one.read_bytes()) for one in bundled.iterdir() if one.name != "serve.js")
    assert script < SCRIPT_BYTES
    assert page.stat().st_size - script < MOST_BYTES - SCRIPT_BYTES
    found = data_of(page)
    assert found["metrics"][0]["segments"]["shape"] == [10, count]
    # What is explained is bounded, and what is not said about many segments is noted.
    assert 0 < len(found["explanations"]) <= 360
    assert any("2,000 of 20,000 translations" in note for note in found["notes"])


def test_the_same_report_gives_the_same_page() -> None:
    test_set = open_set(*EXAMPLE)
    table = score_test_set(test_set, ["meteor"], "en", segments=True)
    made = "2026-11-16T12:00:00Z"
    pages = {
        page_text(replace(build_report(table, test_set=test_set, explained=5), created=made))
        for _ in range(2)
    }
    assert len(pages) == 1
