"""Files of combinations: what is written is read back, and nothing else is taken."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tenbin.core.combination import (
    CombinationKind,
    CombinationModel,
    LanguageScale,
    RegressionTrees,
)
from tenbin.core.errors import UnreadableFile
from tenbin.formats.combination_file import (
    FORMAT,
    _digest,
    combination_text,
    read_combination,
    write_combination,
)

SCALE = LanguageScale(
    language="en",
    signatures=("chrf|version:tenbin=0", "ter|version:tenbin=0"),
    mean=(50.0, 40.0),
    sd=(10.0, 20.0),
    worst=(0.0, 150.0),
    best=(100.0, 0.0),
)
RIDGE = CombinationModel(
    kind=CombinationKind.RIDGE,
    members=("chrf", "ter"),
    higher_is_better=(True, False),
    languages={"en": SCALE},
    weights=(0.3, 0.1),
    intercept=0.25,
    card={"sets": ["made"]},
)
TREES = RegressionTrees(
    baseline=0.5,
    roots=np.array([0, 3]),
    features=np.array([0, -1, -1, -1]),
    thresholds=np.array([0.1, 0.0, 0.0, 0.0]),
    left=np.array([1, 1, 2, 3]),
    right=np.array([2, 1, 2, 3]),
    values=np.array([0.0, -1.0, 1.0, 0.25]),
)
BOOSTING = replace(RIDGE, kind=CombinationKind.BOOSTING, weights=(), intercept=0.0, trees=TREES)


@pytest.mark.parametrize("model", [RIDGE, BOOSTING])
def test_a_file_is_read_back_to_the_byte(model: CombinationModel, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_combination(str(path), model)
    read = read_combination(path)
    assert combination_text(read) == path.read_text(encoding="utf-8")
    assert (read.members, read.languages) == (model.members, model.languages)
    assert (read.weights, read.intercept) == (model.weights, model.intercept)


def damaged(path: Path, edit: Callable[[dict[str, Any]], object], model: CombinationModel) -> None:
    """Write a file with a field changed, and the hash that it should then have."""
    content = json.loads(combination_text(model))
    edit(content)
    content["sha256"] = _digest(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def in_tree(**fields: object) -> Callable[[dict[str, Any]], object]:
    return lambda content: content["boosting"]["trees"][0].update(fields)


@pytest.mark.parametrize(
    ("edit", "model"),
    [
        (lambda c: c.pop("members"), RIDGE),
        (lambda c: c["members"].append(c["members"][0]), RIDGE),
        (lambda c: c["members"][0].update(spec="chrf("), RIDGE),
        (lambda c: c["members"][0].update(better="up"), RIDGE),
        (lambda c: c["members"][0].update(better="lower"), RIDGE),
        (lambda c: c.update(languages={}), RIDGE),
        (lambda c: c["languages"]["en"].pop(), RIDGE),
        (lambda c: c["languages"]["en"][0].update(sd=0), RIDGE),
        (lambda c: c["languages"]["en"][0].update(mean=True), RIDGE),
        (lambda c: c["languages"]["en"][0].update(signature="chrf|x"), RIDGE),
        (lambda c: c["ridge"].update(weights=[0.3]), RIDGE),
        (lambda c: c["ridge"].update(weights=[0.3, -0.1]), RIDGE),
        (lambda c: c["ridge"].update(weights=[0, 0]), RIDGE),
        (lambda c: c["ridge"].update(intercept="0"), RIDGE),
        (lambda c: c["ridge"].update(intercept=10**400), RIDGE),
        (lambda c: c["ridge"].update(weights=[1e200, 1]), RIDGE),
        (lambda c: c["languages"]["en"][0].update(sd=1e-300), RIDGE),
        (lambda c: c.update(kind="boosting"), RIDGE),
        (lambda c: c.update(kind="forest"), RIDGE),
        (lambda c: c["boosting"].update(trees=[]), BOOSTING),
        (in_tree(feature=[2, -1, -1]), BOOSTING),
        (in_tree(left=[0, 1, 2]), BOOSTING),
        (in_tree(right=[9, 1, 2]), BOOSTING),
        (in_tree(feature=[0, -1]), BOOSTING),
        (in_tree(value=["0", 1, 2]), BOOSTING),
    ],
)
def test_a_wrong_field_is_refused(
    edit: Callable[[dict[str, Any]], object], model: CombinationModel, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    damaged(path, edit, model)
    with pytest.raises(UnreadableFile, match=r"wrong field .*\. Build it again with 'tenbin build"):
        read_combination(path)


def test_whole_numbers_are_numbers_too(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    damaged(path, lambda c: c["ridge"].update(intercept=0, weights=[1, 2]), RIDGE)
    read = read_combination(path)
    assert [type(one) for one in (read.intercept, *read.weights)] == [float] * 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is not JSON"),
        ("[1]", "this is no combination of metrics"),
        ('{"format": "tenbin-idf-2"}', "this is no combination of metrics"),
        ('{"format": "tenbin-combination-9"}', f"this version of Tenbin reads '{FORMAT}'"),
        (combination_text(RIDGE).replace("0.3,", "0.4,"), "it was changed after it was built"),
        (combination_text(RIDGE).replace('"made"', '"other"'), "it was changed after it was"),
        (combination_text(RIDGE).replace("0.25", "NaN"), "it was changed after it was built"),
    ],
)
def test_another_file_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=problem):
        read_combination(path)


def test_a_file_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="there is no such file"):
        read_combination(tmp_path / "none.json")
