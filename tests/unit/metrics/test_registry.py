"""Metrics by name: aliases, other packages, and every way to ask for what is not there."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, EntryPoints
from typing import ClassVar

import pytest

from tenbin.core.errors import (
    InvalidParameter,
    SpecError,
    TenbinError,
    TrainedMetric,
    UnknownMetric,
    UnknownParameter,
)
from tenbin.core.metric import BaseMetric
from tenbin.core.spec import Spec
from tenbin.metrics import registry
from tenbin.metrics.bleu import Bleu
from tenbin.metrics.chrf import ChrF


@dataclass(frozen=True, kw_only=True)
class Foreign(BaseMetric):
    name: ClassVar[str] = "foreign"

    level: int = 1


class NotAMetric:
    pass


ADDRESSES = {
    "foreign": f"{__name__}:Foreign",
    "Shouted": f"{__name__}:Foreign",
    "bleu": f"{__name__}:Foreign",
    "chrf++": f"{__name__}:Foreign",
    "wrong": f"{__name__}:NotAMetric",
    "lost": f"{__name__}:Nowhere",
    "missing": "no_such_package_at_all:Metric",
}


@pytest.fixture
def _other_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    points = EntryPoints(
        EntryPoint(name=name, value=address, group=registry.ENTRY_POINT_GROUP)
        for name, address in ADDRESSES.items()
    )
    monkeypatch.setattr(registry, "entry_points", lambda *, group: points.select(group=group))
    registry._third_party.cache_clear()
    yield
    registry._third_party.cache_clear()


def test_aliases_set_parameters_that_a_spec_may_still_change() -> None:
    assert registry.load("chrf++") == ChrF(word_order=2)
    assert registry.load("chrf++(beta=3)") == ChrF(word_order=2, beta=3)
    assert registry.load("chrf++(word_order=1)") == ChrF(word_order=1)


@pytest.mark.parametrize("name", ["BLEU", "Bleu", "chrF++", "sentBLEU", "CharacTER", "TER"])
def test_names_as_the_field_writes_them(name: str) -> None:
    assert registry.load(name) == registry.load(name.lower())


def test_a_spec_may_be_given_as_a_value() -> None:
    assert registry.load(Spec("bleu", (("max_order", 2),))) == Bleu(max_order=2)


@pytest.mark.parametrize(
    ("text", "kind", "fact"),
    [
        ("blue", UnknownMetric, "Did you mean bleu"),
        ("no-such-metric", UnknownMetric, "'tenbin metrics' lists all"),
        ("chrf+++", UnknownMetric, "chrf++"),
        ("comet", TrainedMetric, "COMET is a trained model, which Tenbin does not have"),
        ("COMET(model=x)", TrainedMetric, "COMET-refA.seg.score"),
        ("Unbabel/wmt22-comet-da", TrainedMetric, "`import_scores=DIR`"),
        ("XCOMET-XXL", TrainedMetric, "XCOMET"),
        ("wmt22-cometkiwi-da", TrainedMetric, "CometKiwi"),
        ("bleurt-20", TrainedMetric, "BLEURT"),
        ("metricx-24-hybrid", TrainedMetric, "MetricX"),
        ("gemba-mqm", TrainedMetric, "GEMBA"),
        ("prism", TrainedMetric, "`human_scores=FILE`"),
        ("chrf(word_orders=2)", UnknownParameter, "Did you mean 'word_order'?"),
        ("chrf++(oder=2)", UnknownParameter, "metric 'chrf++' has no parameter 'oder'"),
        ("chrf(word_order=two)", InvalidParameter, "word_order='two'"),
        ("chrf(word_order=2.5)", InvalidParameter, "expected a whole number"),
        ("chrf(word_order=-1)", InvalidParameter, "from 0 to 12"),
        ("chrf(char_order=0)", InvalidParameter, "from 1 to 12"),
        ("chrf(beta=0)", InvalidParameter, "a number above 0 up to 1000"),
        ("chrf(lowercase=1)", InvalidParameter, "True or False"),
        ("bleu(max_order=0)", InvalidParameter, "from 1 to 10"),
        ("bleu(smoothing=exponential)", InvalidParameter, "one of exp, floor, add-k, none"),
        ("bleu(smoothing_value=0.1)", InvalidParameter, "only smoothing floor and add-k"),
        (
            "bleu(smoothing=floor, smoothing_value=0)",
            InvalidParameter,
            "a number above 0 up to 1000",
        ),
        ("bleu(smoothing=floor, smoothing_value=2)", InvalidParameter, "at most 1"),
        ("bleu(tokenizer=moses)", SpecError, "there is no tokenizer 'moses'. Tokenizers: 13a"),
        ("nist(max_order=99)", InvalidParameter, "from 1 to 10"),
        ("ribes(alpha=-1)", InvalidParameter, "a number from 0 to 100"),
        ("impact(alpha=1)", InvalidParameter, "from 0 to below 1"),
        ("impact(beta=0.5)", InvalidParameter, "a number from 1 to 10"),
        ("eed(rho=-0.1)", InvalidParameter, "a number from 0 to 1000"),
        ("eed(variant=java)", InvalidParameter, "one of python, cpp"),
        ("ter(normalized=yes)", InvalidParameter, "True or False"),
        ("bleu(", SpecError, "cannot read the metric"),
    ],
)
def test_wrong_requests_are_usage_errors(text: str, kind: type[TenbinError], fact: str) -> None:
    with pytest.raises(kind) as caught:
        registry.load(text)
    assert fact in str(caught.value)
    assert caught.value.exit_code == 2


def test_all_bad_specs_are_reported_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        registry.load_all(["blue", "chrf", "chrf(x=1)", "ter("])
    lines = str(caught.value).splitlines()
    assert ["blue" in lines[0], "'x'" in lines[1], "ter(" in lines[2]] == [True] * 3


def test_a_single_bad_spec_keeps_its_own_error() -> None:
    with pytest.raises(UnknownMetric):
        registry.load_all(["chrf", "blue"])


@pytest.mark.usefixtures("_other_packages")
def test_other_packages_add_metrics() -> None:
    assert {"foreign", "shouted"} <= set(registry.metric_names())
    assert repr(registry.load("foreign(level=2)")) == "Foreign(level=2)"
    assert registry.load("Shouted") == registry.load("shouted") == registry.load("foreign")
    with pytest.raises(UnknownMetric, match="foreign"):
        registry.load("foreing")


@pytest.mark.usefixtures("_other_packages")
def test_other_packages_cannot_change_what_a_name_means() -> None:
    assert registry.load("bleu") == Bleu()
    assert registry.load("chrf++") == ChrF(word_order=2)
    assert registry.metric_names().count("bleu") == 1


@pytest.mark.usefixtures("_other_packages")
@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("wrong", "is not a dataclass"),
        ("lost", "has no attribute 'Nowhere'"),
        ("missing", "No module named 'no_such_package_at_all'"),
    ],
)
def test_broken_packages_are_named(name: str, fact: str) -> None:
    with pytest.raises(SpecError) as caught:
        registry.load(name)
    assert fact in str(caught.value)
    assert ADDRESSES[name] in str(caught.value)
    assert "uninstall it" in str(caught.value)
