"""Scores that other programs wrote."""

import gzip
import hashlib
import json
from contextlib import suppress
from math import isnan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.core.errors import InputError, TenbinError
from tenbin.core.judgments import Level
from tenbin.formats.outside_scores import UNNAMED, OutsideScores, read_outside_scores

_NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
_SYSTEMS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8
).filter(lambda name: not name.startswith(("{", "[", "\ufeff", '"')))
_MATRICES = st.integers(2, 5).flatmap(
    lambda count: st.dictionaries(
        _SYSTEMS, st.lists(_NUMBERS, min_size=count, max_size=count), min_size=1, max_size=4
    )
)
_ROWS = {
    "comet": [
        {"src": "a", "mt": "A b", "ref": "r", "COMET": 0.5},
        {"src": "b", "mt": "B", "ref": "r", "COMET": 1},
    ],
    "other": [{"mt": "C", "COMET": -0.25}, {"mt": "D", "COMET": 2e-3}],
}


def _read(folder: Path, name: str, text: str, column: str = "") -> OutsideScores:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return read_outside_scores(str(path), name=column)


def _found(scores: OutsideScores) -> dict[str, object]:
    return dict(zip(scores.matrix.systems, scores.matrix.scores.tolist(), strict=True))


@given(_MATRICES)
def test_every_form_gives_the_same_scores(
    tmp_path_factory: pytest.TempPathFactory, scores: dict[str, list[float]]
) -> None:
    folder = tmp_path_factory.mktemp("scores")
    pairs = [(name, value) for name, own in scores.items() for value in own]
    printed = [
        f"{name}\tSegment {place}\tscore: {own[place]!r}\n"
        for place in range(len(next(iter(scores.values()))))
        for name, own in scores.items()
    ]
    forms = {
        "a.seg.score": "".join(f"{name}\t{value!r}\n" for name, value in pairs),
        "a.json": json.dumps({n: [{"COMET": v} for v in own] for n, own in scores.items()}),
        "b.json": json.dumps(scores),
        "a.jsonl": "".join(
            json.dumps({"system": name, "id": place, "score": value}) + "\n"
            for name, own in scores.items()
            for place, value in enumerate(own)
        ),
        "printed": "".join(printed),
    }
    for name, text in forms.items():
        assert _found(_read(folder, name, text)) == scores


@given(st.lists(_NUMBERS, min_size=1, max_size=10))
def test_one_system_that_the_file_does_not_name(
    tmp_path_factory: pytest.TempPathFactory, values: list[float]
) -> None:
    folder = tmp_path_factory.mktemp("scores")
    forms = {
        "plain": "".join(f"{value!r}\n" for value in values),
        "a.json": json.dumps(values),
        "a.csv": "text,score\n" + "".join(f'"a, b",{value!r}\n' for value in values),
        "a.tsv": "prediction\tx\n" + "".join(f"{value!r}\t1\n" for value in values),
        "a.jsonl": "".join(json.dumps({"prediction": value}) + "\n" for value in values),
    }
    for name, text in forms.items():
        assert _found(_read(folder, name, text)) == {UNNAMED: values}


@given(st.binary(max_size=200), st.sampled_from(["a.seg.score", "a.json", "a.csv", "a.jsonl", "a"]))
def test_any_bytes_are_scores_or_one_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = tmp_path_factory.mktemp("scores") / name
    path.write_bytes(content)
    with suppress(TenbinError):
        assert read_outside_scores(str(path)).matrix.systems


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["COMET", "mt", "a"]), inner)
        ),
    )
)
def test_any_json_is_scores_or_one_error(
    tmp_path_factory: pytest.TempPathFactory, content: object
) -> None:
    path = tmp_path_factory.mktemp("scores") / "a.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with suppress(TenbinError):
        assert read_outside_scores(str(path)).matrix.systems


def test_the_json_of_comet_has_texts_too(tmp_path: Path) -> None:
    found = _read(tmp_path, "a.json", json.dumps(_ROWS, indent=4))
    assert _found(found) == {"comet": [0.5, 1.0], "other": [-0.25, 0.002]}
    assert found.texts["comet"] == ["A b", "B"]


def test_what_comet_prints_with_variances_means_and_a_last_line(tmp_path: Path) -> None:
    lines = (
        "a.txt\tSegment 0\tscore: 0.5000\tvariance: 0.1\nb.txt\tSegment 0\tscore: 0.1\n"
        "a.txt\tSegment 1\tscore: 0.7\tvariance: 0.1\nb.txt\tSegment 1\tscore: 0.2\n"
        "a.txt\tscore: 0.6\nb.txt\tscore: 0.15\nPredictions saved in: x.json.\n"
    )
    found = _read(tmp_path, "out", lines)
    assert _found(found) == {"a.txt": [0.5, 0.7], "b.txt": [0.1, 0.2]}
    quiet = _read(tmp_path, "quiet", "a.txt\tscore: 0.6\nb.txt\tscore: 0.15\n")
    assert quiet.matrix.level is Level.SYSTEM
    assert _found(quiet) == {"a.txt": 0.6, "b.txt": 0.15}


def test_scores_of_systems(tmp_path: Path) -> None:
    lines = "a\t0.5\nb\t0.75\n"
    for name in ("x.sys.score", "x.score", "x.txt"):
        found = _read(tmp_path, name, lines)
        assert (found.matrix.level, _found(found)) == (Level.SYSTEM, {"a": 0.5, "b": 0.75})
    assert _read(tmp_path, "x.seg.score", lines).matrix.level is Level.SEGMENT


def test_a_column_may_be_called_like_the_scores(tmp_path: Path) -> None:
    text = "score,MetricX\n1,2\n3,4\n"
    assert _found(_read(tmp_path, "a.csv", text, "metricx")) == {UNNAMED: [2.0, 4.0]}
    assert _found(_read(tmp_path, "a.csv", text)) == {UNNAMED: [1.0, 3.0]}


def test_missing_scores_are_nan(tmp_path: Path) -> None:
    for name, text in (
        ("a.seg.score", "a\t1\na\tNone\n"),
        ("a", "1\nNone\n"),
        ("a.json", "[1, null]"),
        ("b.json", "[1, NaN]"),
    ):
        (own,) = _read(tmp_path, name, text).matrix.scores
        assert (own[0], isnan(own[1])) == (1.0, True)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a", "", "the file is empty"),
        ("a", "1\nx\n", "line 2: the score 'x' is not a number"),
        ("a", "1\ninf\n", "line 2: the score 'inf'"),
        ("a", "some words\n", "line 1: found 'some words'"),
        ("a.seg.score", "a\t1\nb\t1\na\t2\n", "comes a second time"),
        ("a.seg.score", "a\t1\na\t1\nb\t2\n", "ends here with 1 score"),
        ("a", "f\tSegment 1\tscore: 1\n", "segment 1 of 'f', expected 0"),
        ("a", "f\tSegment 0\tscore: 1\nwords\n", "line 2: found 'words'"),
        ("a.json", "{", "not JSON"),
        ("a.json", '{"a": []}', "'a' has no list of segments"),
        ("a.json", '{"a": [{"x": 1}]}', "segment 1 of 'a' has no score; found x"),
        ("a.json", '{"a": [{"COMET": "1"}]}', "the score of segment 1 of 'a' is \"1\""),
        ("a.json", '{"a": [true]}', "is true"),
        ("a.json", '{"a": [1], "b": [1, 2]}', "different numbers of scores"),
        ("a.csv", "x,y\n1,2\n", "no column of scores; found x, y"),
        ("a.csv", "x,score\n1\n", "found 1 column, expected 2"),
        ("a.csv", "score\n", "there are no scores"),
        ("a.csv", "system,segment,score\na,1,1\na,1,2\n", "a second score"),
        ("a.jsonl", "[1]\n", "this is no object"),
        ("a.jsonl", '{"score": 1}\n{"x": 1}\n', "line 2: no field score"),
    ],
)
def test_files_that_are_none_of_scores(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(InputError) as error:
        _read(tmp_path, name, text)
    assert problem in str(error.value)
    assert name in str(error.value)


def test_the_digest_is_of_the_file_as_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "a.seg.score.gz"
    path.write_bytes(gzip.compress(b"a\t1\na\t2\n"))
    found = read_outside_scores(str(path))
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert _found(found) == {"a": [1.0, 2.0]}


def test_what_can_be_read_only_once_is_refused() -> None:
    with pytest.raises(InputError, match="/dev/"):
        read_outside_scores("/dev/null")
