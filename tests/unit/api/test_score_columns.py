"""Columns of scores of other programs: names, systems, segments, texts, tests."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tenbin
from tenbin.api.files import open_files
from tenbin.api.page import metric_looks
from tenbin.api.score_columns import column_names, parse_columns, read_columns
from tenbin.core.errors import InputError, TenbinError, UsageError
from tenbin.core.text import TestSet
from tenbin.formats.score_json import read_score_json
from tenbin.reports.render import render

_NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_.+-]{0,10}", fullmatch=True).map(lambda n: f"x-{n}")
_SYSTEMS = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), min_size=1, max_size=8)
_PATHS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
_GOOD, _BAD = ["the cat sat", "hello word", "dog ran away"], ["a cat", "hello", "a dog ran"]
_REFERENCES = ["the cat sat", "hello world", "a dog ran away"]
_TEXTS = {"good": _GOOD, "bad": _BAD}
_TEST_SET = TestSet(
    hypotheses={"good": tuple(_GOOD), "bad": tuple(_BAD)},
    references=tuple((text,) for text in _REFERENCES),
)
_SCORES = {"good": [0.9, 0.7, 0.8], "bad": [0.2, 0.3, 0.25]}


def _written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@given(_NAMES, st.sampled_from(["", "(lower)", "(higher)", "( lower )"]), _PATHS)
def test_a_column_of_all_systems(name: str, better: str, path: str) -> None:
    (found,) = parse_columns([f"{name}{better}={path}"], ["a"])
    assert (found.name, found.path, found.system) == (name, path, None)
    assert found.higher_is_better == ("lower" not in better)
    assert column_names([f"{name}{better}={path}"]) == [name]


@given(_NAMES, st.lists(_SYSTEMS, min_size=1, max_size=3, unique=True), _PATHS)
def test_a_column_of_one_system(name: str, systems: list[str], path: str) -> None:
    shorter = [one for one in systems if systems[0].startswith(f"{one}=")]
    (found,) = parse_columns([f"{name}:{systems[0]}={path}"], systems)
    if not shorter:
        assert (found.name, found.system, found.path) == (name, systems[0], path)


@given(st.text(max_size=30))
def test_any_text_is_a_column_or_refused(text: str) -> None:
    try:
        (found,) = parse_columns([text], ["a", "b"])
    except UsageError:
        return
    assert text.startswith(found.name) or text.strip().startswith(found.name)
    assert text.endswith(found.path)


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        (["comet"], "cannot read 'comet'"),
        (["=x"], "cannot be the name"),
        (["a b=x"], "cannot be the name"),
        (["comet="], "names no file"),
        (["comet:a"], "cannot read"),
        (["comet:c=x"], "there is no system 'c'; there are: a, b"),
        (["comet(up)=x"], r"expected \(higher\) or \(lower\)"),
        (["bleu=x"], "name of another metric"),
        (["chrF++=x"], "name of another metric"),
        (["x:a=1", "x(lower):b=2"], "as higher and as lower"),
        (["comet:a=1", "COMET:b=2"], "differ in case alone"),
    ],
)
def test_columns_that_cannot_be(items: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        parse_columns(items, ["a", "b"])


def test_a_file_of_all_systems_with_others_beside_them(tmp_path: Path) -> None:
    order = {"refA": ["None"] * 3, "bad": _SCORES["bad"], "good": _SCORES["good"]}
    path = _written(
        tmp_path,
        "COMET-refA.seg.score",
        "".join(f"{name}\t{value}\n" for name, own in order.items() for value in own),
    )
    (column,) = read_columns([f"comet={path}"], _TEST_SET)
    assert column.systems == ("good", "bad")
    assert column.segments is not None
    assert column.segments.tolist() == [_SCORES["good"], _SCORES["bad"]]
    assert column.scores.tolist() == pytest.approx([0.8, 0.25])
    assert column.imported
    assert column.signature.get("scores") == "imported"
    assert column.signature.get("file") == "COMET-refA.seg.score"
    assert len(column.signature.get("sha256") or "") == 16


def test_scores_of_systems_beside_those_of_segments(tmp_path: Path) -> None:
    systems = _written(tmp_path, "c.sys.score", "good\t0.81\nbad\t0.24\n")
    segments = _written(tmp_path, "c.json", json.dumps(_SCORES))
    (both,) = read_columns([f"comet={segments}", f"comet={systems}"], _TEST_SET)
    assert both.scores.tolist() == [0.81, 0.24]
    assert both.segments is not None
    (alone,) = read_columns([f"comet={systems}"], _TEST_SET)
    assert (alone.scores.tolist(), alone.segments) == ([0.81, 0.24], None)


def test_a_file_for_each_system(tmp_path: Path) -> None:
    for name, own in _SCORES.items():
        _written(tmp_path, f"{name}.txt", "".join(f"{value}\n" for value in own))
    by_name = read_columns([f"c={tmp_path}/{{system}}.txt"], _TEST_SET)
    one_by_one = read_columns(
        [f"c:bad={tmp_path}/bad.txt", f"c:good={tmp_path}/good.txt"], _TEST_SET
    )
    assert [one.scores.tolist() for one in by_name] == [one.scores.tolist() for one in one_by_one]
    with pytest.raises(InputError, match="does not say which system"):
        read_columns([f"c={tmp_path}/good.txt"], _TEST_SET)
    with pytest.raises(InputError, match="lack bad"):
        read_columns([f"c:good={tmp_path}/good.txt"], _TEST_SET)
    with pytest.raises(UsageError, match="given before"):
        read_columns([f"c:good={tmp_path}/good.txt"] * 2, _TEST_SET)


def test_comet_knows_systems_by_their_files(tmp_path: Path) -> None:
    folders = {"good": tmp_path / "a", "bad": tmp_path / "b"}
    rows = {}
    for name, folder in folders.items():
        folder.mkdir()
        path = _written(folder, "out.txt", "".join(f"{text}\n" for text in _TEXTS[name]))
        rows[path] = [
            {"mt": text, "COMET": score}
            for text, score in zip(_TEXTS[name], _SCORES[name], strict=True)
        ]
    path = _written(tmp_path, "comet.json", json.dumps(rows))
    items = [f"{name}={folder}/out.txt" for name, folder in folders.items()]
    (column,) = read_columns([f"comet={path}"], open_files(items))
    assert column.scores.tolist() == pytest.approx([0.8, 0.25])
    swapped = [f"good={folders['good']}/out.txt", f"bad={folders['good']}/out.txt"]
    with pytest.raises(InputError):
        read_columns([f"comet={path}"], open_files(swapped))


def test_scores_of_other_texts_are_refused(tmp_path: Path) -> None:
    rows = {
        name: [{"mt": f" {text} ", "COMET": 1.0} for text in texts]
        for name, texts in _TEXTS.items()
    }
    path = _written(tmp_path, "c.json", json.dumps(rows))
    assert read_columns([f"comet={path}"], _TEST_SET)
    rows["bad"][1]["mt"] = "goodbye"
    path = _written(tmp_path, "c.json", json.dumps(rows))
    with pytest.raises(InputError, match=r"segment 2 of 'bad': the scores are of 'goodbye'"):
        read_columns([f"comet={path}"], _TEST_SET)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("good\t1\ngood\t1\nbad\t1\nbad\t1\n", "has 2 scores of 'good', and the texts have 3 seg"),
        (
            "good\t1\ngood\tNone\ngood\t1\nbad\t1\nbad\t1\nbad\t1\n",
            "segment 2 of 'good' is missing",
        ),
        ("good\t1\ngood\t1\ngood\t1\nworse\t1\nworse\t1\nworse\t1\n", "lack bad. They are of good"),
        ("x/good\t1\nx/good\t1\nx/good\t1\ngood\t1\ngood\t1\ngood\t1\n", "are both the system"),
    ],
)
def test_files_that_do_not_fit(tmp_path: Path, text: str, problem: str) -> None:
    path = _written(tmp_path, "c.seg.score", text)
    with pytest.raises(InputError, match=problem):
        read_columns([f"comet={path}"], _TEST_SET)


def test_segments_of_a_table_may_come_in_any_order(tmp_path: Path) -> None:
    rows = [
        f"{name},{place + 1},{own[place]}\n" for place in (2, 0, 1) for name, own in _SCORES.items()
    ]
    path = _written(tmp_path, "c.csv", "system,segment,score\n" + "".join(rows))
    (column,) = read_columns([f"c={path}"], _TEST_SET)
    assert column.segments is not None
    assert column.segments.tolist() == [_SCORES["good"], _SCORES["bad"]]


def _score(**options: object) -> tenbin.ScoreTable:
    return tenbin.score(_TEXTS, _REFERENCES, metrics=["chrf"], language="en", **options)  # type: ignore[arg-type]


def test_columns_of_score_in_python(tmp_path: Path) -> None:
    path = _written(tmp_path, "c.json", json.dumps(_SCORES))
    table = _score(scores={"comet": path, "mx(lower)": _SCORES}, ci=True, segments=True)
    plain = _score(ci=True, segments=True)
    assert [one.label for one in table.results] == ["chrf", "comet", "mx"]
    assert [one.higher_is_better for one in table.results] == [True, True, False]
    assert table["good", "comet"] == pytest.approx(0.8)
    own, other = table.results[0], plain.results[0]
    assert (own.scores == other.scores).all()
    assert own.intervals is not None
    assert other.intervals is not None
    assert (own.intervals == other.intervals).all()
    assert table.results[1].intervals is not None
    assert "comet ↑" in str(table)
    assert "mx ↓" in str(table)


def test_the_draws_are_those_of_the_metrics() -> None:
    chrf = _score(segments=True).results[0].segments
    assert chrf is not None
    means = {name: list(own) for name, own in zip(("good", "bad"), chrf, strict=True)}
    options = {"metrics": ["meteor"], "language": "en"}
    for test in ("ar", "bootstrap"):
        found = tenbin.compare(_TEXTS, _REFERENCES, scores={"c": means}, test=test, **options)  # type: ignore[arg-type]
        again = tenbin.compare(_TEXTS, _REFERENCES, scores={"c": means}, test=test, **options)  # type: ignore[arg-type]
        part = found.metrics[1]
        assert part.p_values[0, 1] == again.metrics[1].p_values[0, 1] == part.p_values[1, 0]
        assert 0 < part.p_values[0, 1] <= 1
        assert part.ranks is not None


def test_equal_scores_are_not_different() -> None:
    same = {"good": [1.0, 2.0, 3.0], "bad": [1.0, 2.0, 3.0]}
    found = tenbin.compare(_TEXTS, _REFERENCES, scores={"c": same}, metrics=["chrf"], language="en")
    assert found.metrics[1].p_values[0, 1] == 1.0
    assert found.metrics[1].ranks is not None
    assert found.metrics[1].ranks.tolist() == [1, 1]


def test_a_comparison_by_scores_of_systems_has_no_p_values(tmp_path: Path) -> None:
    path = _written(tmp_path, "c.sys.score", "good\t0.81\nbad\t0.24\n")
    found = tenbin.compare(
        _TEXTS, _REFERENCES, scores=[f"comet={path}"], metrics=["chrf"], language="en"
    )
    part = found.metrics[1]
    assert np.isnan(part.p_values).all()
    assert part.ranks is None
    assert part.differences[0, 1] == pytest.approx(0.57)
    assert any("scores of whole systems" in note for note in found.notes)
    assert "n/a" in render(found, "text")


def test_documents_are_drawn_for_imported_scores_too() -> None:
    documents = ["a", "b", "a"]
    table = tenbin.score(
        *(_TEXTS, _REFERENCES),
        metrics=["chrf"],
        language="en",
        documents=documents,
        scores={"c": _SCORES},
        ci=True,
    )
    assert table.results[1].signature.get("unit") == "documents"


def test_the_worst_segments_by_an_imported_column(tmp_path: Path) -> None:
    path = _written(tmp_path, "c.sys.score", "good\t0.81\nbad\t0.24\n")
    scores = {"c(lower)": _SCORES, "systems": path}
    table = _score(scores=scores, worst=1, worst_by="c")
    assert table.worst is not None
    assert [one.texts.number for one in table.worst.segments] == [1, 2]
    assert np.isnan(table.worst.segments[0].scores[2])
    assert render(table, "text")
    with pytest.raises(UsageError, match="whole systems alone"):
        _score(scores=scores, worst=1, worst_by="systems")


def test_a_column_is_not_called_like_a_metric_of_the_run() -> None:
    with pytest.raises(UsageError, match="name of a metric of this run"):
        tenbin.score(
            _TEXTS, _REFERENCES, metrics={"c": "chrf"}, language="en", scores={"c": _SCORES}
        )


@pytest.mark.parametrize(
    "scores",
    [
        {"c": [0.1, 0.2, 0.3]},
        {"c": {"good": [1, 2, 3]}},
        {"c": {"good": [1, 2, 3], "bad": [1, 2]}},
        {"c": {"good": [1, 2, 3], "bad": [1, 2, float("nan")]}},
        {"c": {"good": [1, 2, 3], "bad": [1, 2, float("inf")]}},
        {"c": {"good": [1, 2, 3], "worse": [1, 2, 3]}},
        {"c": {"good": ["x"], "bad": ["y"]}},
        {"c=d": _SCORES},
        {"c:good": [1, 2, 3]},
        {"c": 3},
    ],
)
def test_numbers_that_do_not_fit(scores: dict[str, object]) -> None:
    with pytest.raises(TenbinError):
        _score(scores=scores)


def test_json_keeps_imported_columns_and_aliases(tmp_path: Path) -> None:
    table = tenbin.score(
        *(_TEXTS, _REFERENCES),
        metrics={"short": "chrf(beta=3)"},
        language="en",
        scores={"mx(lower)": _SCORES},
        segments=True,
    )
    path = _written(tmp_path, "s.json", render(table, "json"))
    read = read_score_json(path, metric_looks)
    assert isinstance(read, tenbin.ScoreTable)
    for one, other in zip(table.results, read.results, strict=True):
        assert (one.metric, one.alias, one.title, one.imported, one.decimals) == (
            *(other.metric, other.alias, other.title),
            *(other.imported, other.decimals),
        )
        assert one.higher_is_better == other.higher_is_better
        assert one.signature == other.signature
        assert one.segments is not None
        assert other.segments is not None
        assert (one.segments == other.segments).all()
