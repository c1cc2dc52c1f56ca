"""Every metric that is written is registered, under its own name, in order."""

import importlib
import pkgutil
from dataclasses import is_dataclass

import pytest

import tenbin.metrics
from tenbin.core.metric import MetricInfo
from tenbin.core.spec import Spec
from tenbin.metrics import registry


def metric_classes() -> dict[str, type]:
    """Return the classes under tenbin.metrics that say what they are, by address."""
    found: dict[str, type] = {}
    for module_info in pkgutil.walk_packages(tenbin.metrics.__path__, "tenbin.metrics."):
        module = importlib.import_module(module_info.name)
        for name, thing in vars(module).items():
            own = isinstance(thing, type) and thing.__module__ == module_info.name
            if own and isinstance(vars(thing).get("info"), MetricInfo):
                found[f"{module_info.name}:{name}"] = thing
    return found


def test_every_metric_that_is_written_is_registered() -> None:
    assert set(metric_classes()) == set(registry._METRICS.values())


@pytest.mark.parametrize(("name", "address"), registry._METRICS.items())
def test_each_is_registered_under_its_own_name(name: str, address: str) -> None:
    written = metric_classes()[address]
    assert vars(written)["name"] == name
    assert registry.metric_class(name) is written
    assert is_dataclass(written)


def test_the_table_is_sorted_and_names_are_lower_case() -> None:
    for table in (registry._METRICS, registry.ALIASES, registry.ALIAS_TITLES):
        assert list(table) == sorted(table)
        assert all(name == name.lower() for name in table)


def test_aliases_lead_to_metrics_and_hide_none() -> None:
    assert not set(registry.ALIASES) & set(registry._METRICS)
    assert set(registry.ALIASES) == set(registry.ALIAS_TITLES)
    for alias, meaning in registry.ALIASES.items():
        assert meaning.name in registry._METRICS
        assert registry.load(alias) == registry.load(meaning)
        assert Spec.parse(alias) == Spec(alias)
