"""Metrics are composed, not inherited: short chains, no mixins, parts that are named."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from types import ModuleType
from typing import get_type_hints

import pytest

import tenbin.metrics
import tenbin.penalty
from tenbin.core.metric import BaseMetric
from tenbin.core.part import Part
from tenbin.metrics import registry
from tenbin.metrics.aggregations.aggregation import Aggregation
from tenbin.metrics.representations.representation import Representation
from tenbin.metrics.similarity_metric import PenaltyPoint, SimilarityMetric

ROOT = Path(tenbin.__file__).parent
MOST_ANCESTORS = 2
MOST_OF_A_PREFIX = 2


def classes() -> Iterator[type]:
    """Yield every class that is written under tenbin.metrics and tenbin.penalty."""
    packages: tuple[ModuleType, ...] = (tenbin.metrics, tenbin.penalty)
    for package in packages:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            for thing in vars(module).values():
                if isinstance(thing, type) and thing.__module__ == found.name:
                    yield thing


def is_ours(one: type) -> bool:
    """Whether a class is of Tenbin and not a protocol, which says what a class must have."""
    return one.__module__.startswith("tenbin.") and not vars(one).get("_is_protocol", False)


CLASSES = list(classes())
METRICS = [registry.metric_class(name) for name in registry._METRICS]
COMPOSED = [one for one in METRICS if issubclass(one, BaseMetric) and one.part_kinds()]
SIMILARITIES = [one for one in METRICS if issubclass(one, SimilarityMetric)]


def named(one: type) -> str:
    return one.__name__


@pytest.mark.parametrize("one", CLASSES, ids=named)
def test_chains_are_short(one: type) -> None:
    ancestors = [above.__name__ for above in one.__mro__[1:] if is_ours(above)]
    assert len(ancestors) <= MOST_ANCESTORS


@pytest.mark.parametrize("one", CLASSES, ids=named)
def test_there_are_no_mixins(one: type) -> None:
    assert len([base for base in one.__bases__ if base.__module__.startswith("tenbin.")]) <= 1


@pytest.mark.parametrize("one", METRICS, ids=named)
def test_a_metric_is_the_end_of_its_chain(one: type) -> None:
    assert [other for other in CLASSES if one in other.__mro__[1:]] == []


def test_nothing_is_overridden_against_its_type() -> None:
    excused = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if re.search(r"type: ignore\[[^]]*override", path.read_text(encoding="utf-8"))
    ]
    assert excused == []


@pytest.mark.parametrize("one", SIMILARITIES, ids=named)
def test_a_similarity_metric_names_its_parts_and_no_more(one: type[SimilarityMetric]) -> None:
    assert issubclass(vars(one)["representation"], Representation)
    assert issubclass(vars(one)["aggregation"], Aggregation)
    has_penalty = "penalty" in {field.name for field in fields(one)}
    assert has_penalty == (one.penalty_point is not PenaltyPoint.NOWHERE)
    methods = {name for name, thing in vars(one).items() if inspect.isfunction(thing)}
    written = {name for name in methods if not name.startswith("__")} - {"sweep_statistics"}
    assert written == set()


# Parameters of parts that metrics of other packages may not have yet.
LATER = {"glossary"}


@pytest.mark.parametrize("one", COMPOSED, ids=named)
def test_parts_are_made_of_the_parameters(one: type[BaseMetric]) -> None:
    hints = get_type_hints(one)
    parameters = {field.name for field in fields(one)}  # type: ignore[arg-type]
    taken: set[str] = set()
    for kind in one.part_kinds():
        assert Part in kind.__mro__
        own = get_type_hints(kind)
        for field in fields(kind):  # type: ignore[arg-type]
            if field.name in parameters:
                assert own[field.name] == hints[field.name], field.name
                # Defaults are those of the metric; what came later has one for other packages.
                assert field.default is MISSING or field.name in LATER, field.name
            else:
                assert field.default is not MISSING or hasattr(one, field.name), field.name
            taken.add(field.name)
    if issubclass(one, SimilarityMetric):
        assert parameters <= taken


def test_no_three_files_of_a_folder_share_a_prefix() -> None:
    crowds: dict[str, int] = {}
    for folder in (path for path in (ROOT / "metrics", ROOT / "penalty") if path.is_dir()):
        for room in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
            prefixes = [path.stem.partition("_") for path in room.glob("*.py")]
            starts = [start for start, joined, _ in prefixes if joined and start]
            crowds |= {
                f"{room.name}/{start}_": starts.count(start)
                for start in starts
                if starts.count(start) > MOST_OF_A_PREFIX
            }
    assert crowds == {}
