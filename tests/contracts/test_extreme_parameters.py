"""Every parameter of every metric with extreme values: a clear error, or a score in range.

Nothing else may happen: no other exception, no value that is not finite, no waiting for ever. A new
metric needs no entry here.
"""

import math
import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

from tenbin.core.errors import InputError, ResourceError, SpecError, UsageError
from tenbin.core.metric import NAMES_DATA
from tenbin.core.parameters import declared_ranges
from tenbin.core.spec import Spec
from tenbin.core.text import TestSet
from tenbin.evaluation.run import Options, evaluate
from tenbin.metrics import registry

EXTREMES: tuple[Any, ...] = (
    0,
    -1,
    1e308,
    -1e308,
    5e-324,
    math.inf,
    -math.inf,
    math.nan,
    10**9,
    10**18,
    10**400,
    "",
    "\0",
    "\n",
    "x" * 100_000,
    "~nosuchuser/x",
    "/" + "x/" * 3_000,
    None,
    (),
    [1, 2],
    ("a", 1),
    {},
    b"x",
    True,
    False,
)
TEXTS = TestSet(
    hypotheses={"a": ("The cat sat on 3 mats .", "", "Rome was not built in a day")},
    references=(("A cat sat on the mat .",), ("x",), ("Rome was not built in one day",)),
    source=("Die Katze saß auf der Matte .", "", "Rom wurde nicht an einem Tag erbaut"),
)
DATA = {"vectors": "glove-en-small", "model": "static:glove-en-small"}
# What is trained on the texts is trained little, but for the parameter that is tried.
TRAINING = {"units": 8, "embedding": 8, "epochs": 1, "repeats": 1}
CLEAR = (UsageError, InputError, ResourceError)


def numeric_parameters() -> Iterator[tuple[str, str]]:
    for name in registry.metric_names():
        hints = get_type_hints(registry.metric_class(name))
        for parameter, hint in hints.items():
            kinds = {*get_args(hint), hint}
            inner = {one for kind in kinds for one in get_args(kind)}
            known = {field.name for field in fields(registry.metric_class(name))}  # type: ignore[arg-type]
            if parameter in known and {int, float} & (kinds | inner):
                yield name, parameter


def parameters() -> Iterator[tuple[str, str]]:
    for name in registry.metric_names():
        for field in fields(registry.metric_class(name)):  # type: ignore[arg-type]
            yield name, field.name


def special_files(folder: Path) -> list[str]:
    """Return names of what is no regular file, and of files that say nothing."""
    loop = folder / "loop"
    loop.symlink_to(loop)
    empty = folder / "empty"
    empty.touch()
    binary = folder / "binary"
    binary.write_bytes(bytes(range(256)) * 8)
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    devices = [name for name in ("/dev/zero", "/dev/null", "/dev/random") if Path(name).exists()]
    return [*devices, *map(str, (folder, loop, empty, binary, pipe, folder / "absent"))]


def base(name: str) -> dict[str, Any]:
    """Return data that come with Tenbin for a metric that takes any; models are too large."""
    known = {field.name for field in fields(registry.metric_class(name))}  # type: ignore[arg-type]
    given = {key: value for key, value in DATA.items() if key in known and name != "meteor"}
    return given | (TRAINING if known >= set(TRAINING) else {})


def outcome(name: str, parameter: str, value: object) -> None:
    """Score a few texts; fail unless that ends in a clear error or in numbers in range."""
    kind = registry.metric_class(name)
    given = {**base(name), parameter: value}
    try:
        metric = kind(**given)
    except CLEAR:
        return
    written = {field.name: getattr(metric, field.name) for field in fields(metric)}  # type: ignore[arg-type]
    try:
        bound = metric.bind("en")
    except CLEAR:
        return
    assert bound.info.maximum > bound.info.minimum, written
    spec = Spec(name, tuple({**given, parameter: written[parameter]}.items()))
    try:
        (result,) = evaluate(TEXTS, [str(spec)], "en", Options(segments=True)).results
    except CLEAR:
        return
    assert result.segments is not None
    for scores in (result.scores, result.segments):
        assert np.isfinite(scores).all(), spec
        assert (scores >= bound.info.minimum).all(), spec
        assert (scores <= bound.info.maximum * (1 + 1e-9)).all(), spec


def test_every_number_has_a_range() -> None:
    without = [
        (name, parameter)
        for name, parameter in numeric_parameters()
        if parameter not in declared_ranges(registry.metric_class(name))
    ]
    assert not without, "declare the range with the type: see tenbin.core.parameters"


@pytest.mark.parametrize("any_name", registry.metric_names())
def test_extreme_values(any_name: str) -> None:
    for field in fields(registry.metric_class(any_name)):  # type: ignore[arg-type]
        for value in EXTREMES:
            outcome(any_name, field.name, value)


@pytest.mark.parametrize("any_name", registry.metric_names())
def test_ends_of_ranges(any_name: str) -> None:
    """Both ends of a range can be scored with, and what is beyond them is refused by name."""
    metric = registry.metric_class(any_name)
    for parameter, allowed in declared_ranges(metric).items():
        for end in (allowed.least, allowed.most):
            outcome(any_name, parameter, int(end) if allowed.whole else end)
        for beyond in (allowed.least - 1, allowed.most + 1):
            with pytest.raises(SpecError, match=parameter):
                registry.metric_class(any_name)(
                    **{parameter: int(beyond) if allowed.whole else beyond}
                )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names on this system")
@pytest.mark.parametrize("any_name", registry.metric_names())
def test_files_that_are_none(any_name: str, tmp_path: Path) -> None:
    naming = [
        field.name
        for field in fields(registry.metric_class(any_name))  # type: ignore[arg-type]
        if field.metadata.items() >= NAMES_DATA.items()
    ]
    if not naming:
        pytest.skip("the metric takes no files")
    files = special_files(tmp_path)
    for parameter in naming:
        for file in files:
            outcome(any_name, parameter, file)
            if parameter in {"model"}:
                outcome(any_name, parameter, f"static:{file}")


def test_the_examples_of_the_report() -> None:
    for spec, said in (
        ("chrf(beta=1e308)", "a number above 0 up to 1000"),
        ("impact(beta=1e308)", "a number from 1 to 10"),
        ("has(vectors='~nosuchuser/x')", "no home folder of '~nosuchuser'"),
        ("meteor(paraphrases='/dev/zero')", "this is a device"),
    ):
        with pytest.raises(CLEAR, match=said):
            evaluate(TEXTS, [spec], "en", Options())
