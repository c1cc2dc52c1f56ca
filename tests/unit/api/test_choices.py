"""The metrics that a person can pick."""

from pathlib import Path

import pytest

from tenbin.api.catalog import language_metrics
from tenbin.api.choices import metric_choices
from tenbin.core.errors import UnknownLanguage
from tenbin.metrics import registry


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENBIN_RESOURCES", str(tmp_path))


@pytest.mark.parametrize("language", ["en", "ja", "de", "is"])
def test_those_to_take_come_first_and_defaults_are_preselected(language: str) -> None:
    found = metric_choices(language)
    best = language_metrics(language)
    assert tuple(one.metric for one in found if one.preselected) == best.chosen
    recommended = [one.recommended for one in found]
    assert recommended == sorted(recommended, reverse=True)
    assert len({one.metric for one in found}) == len(found)


def test_what_is_not_installed_has_its_command_and_is_not_preselected() -> None:
    lacking = [one for one in metric_choices("fr") if one.lacking]
    assert "we_wpi" in {one.metric for one in lacking}
    assert all("install" in one.command for one in lacking if one.recommended)
    assert not any(one.command for one in metric_choices("fr") if not one.lacking)
    assert not any(one.preselected for one in lacking)


def test_metrics_that_need_a_parameter_are_left_out() -> None:
    names = {one.metric for one in metric_choices("en")}
    assert {"bleu", "chrf++", "meteor"} <= names
    assert not names & {"learned", "yisi2", "combination"}
    assert not any(registry.load(name).needs.parameters for name in names)


def test_a_tag_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownLanguage):
        metric_choices("klingonese")
