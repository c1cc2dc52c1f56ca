"""Listings of metrics and resources, as values and as characters."""

import json
from pathlib import Path

import pytest

from tenbin.api.catalog import describe_metric, describe_metrics
from tenbin.api.resources import (
    check_names,
    download_size,
    list_resources,
    remove_resource,
    resource_state,
    verify_resources,
)
from tenbin.core.errors import UnknownResource, UsageError
from tenbin.reports.render import payload, render
from tenbin.resources.store.lookup import State


def test_every_metric_is_listed() -> None:
    catalog = describe_metrics()
    assert [one["name"] for one in payload(catalog)["metrics"]] == [
        one.name for one in catalog.metrics
    ]
    assert describe_metric("chrf++") == describe_metric("chrf(word_order=2)")


def test_listings_are_text_or_json() -> None:
    with pytest.raises(UsageError, match="there is no format 'latex'; choose one of text, json"):
        render(describe_metrics(), "latex")


def test_resources_of_an_empty_cache(tmp_path: Path) -> None:
    listing = list_resources(cache=tmp_path)
    assert listing.cache == tmp_path
    data = json.loads(render(listing, "json"))
    assert [one["name"] for one in data["resources"]] == [
        one.entry.name for one in listing.resources
    ]
    missing = next(one.entry for one in listing.resources if one.state is State.MISSING)
    assert resource_state(missing.name, cache=tmp_path) == State.MISSING
    assert not remove_resource(missing.name, cache=tmp_path)
    assert download_size(missing.name) >= missing.size


def test_names_that_do_not_exist_are_listed() -> None:
    with pytest.raises(UnknownResource, match="nonsense"):
        check_names(["nonsense"])


def test_what_is_bundled_is_as_it_was(tmp_path: Path) -> None:
    bundled = next(
        one.entry.name
        for one in list_resources(cache=tmp_path).resources
        if one.state is State.BUNDLED
    )
    found = verify_resources([bundled], cache=tmp_path)
    assert (found.states, found.faults) == (((bundled, "ok"),), ())
    assert payload(found)["resources"] == {bundled: "ok"}
