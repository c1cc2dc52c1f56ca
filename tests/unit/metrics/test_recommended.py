"""Metrics by target language, and what of them is installed."""

import subprocess
import sys
import tomllib
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest

import tenbin
from tenbin.annotation.languages import parse_language
from tenbin.metrics import recommended
from tenbin.metrics.recommended import (
    LanguageMetrics,
    is_registered,
    language_metrics,
    registered_recommendations,
)
from tenbin.resources.recommended_metrics import Recommendation, recommendations
from tenbin.resources.store.lookup import State
from tenbin.resources.store.manifest import bundled_manifest
from tenbin.resources.store.store import ResourceStore, default_store

ROOT = Path(__file__).parents[3]
SENTENCES = {"ja": "猫が座った。", "zh": "猫坐在垫子上。", "ru": "Кот сидит дома."}


@pytest.fixture
def bare(tmp_path: Path) -> ResourceStore:
    return ResourceStore(tmp_path / "store")


class FullStore(ResourceStore):
    """A store in which everything is installed."""

    def state(self, name: str) -> tuple[State, Path | None]:
        return State.INSTALLED, Path(name)


def listed(*rows: Recommendation) -> tuple[Recommendation, ...]:
    return rows


def row(language: str, metric: str, **settings: object) -> Recommendation:
    plain: dict[str, object] = {"resources": (), "extra": "", "packages": (), "agreement": ""}
    return Recommendation(language=language, metric=metric, **{**plain, **settings})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("language", "surface"),
    [
        ("en", "chrf++"),
        ("de", "chrf++"),
        ("ko", "chrf++"),
        ("ja", "chrf"),
        ("zh", "chrf"),
        ("th", "chrf"),
    ],
)
def test_characters_alone_where_there_are_no_spaces(
    language: str, surface: str, bare: ResourceStore
) -> None:
    assert language_metrics(language, bare).surface == surface


def test_without_anything_installed_the_bundled_vectors_are_taken(bare: ResourceStore) -> None:
    found = language_metrics("en", bare)
    assert found.chosen == ("chrf++", "we_wpi")
    (note,) = found.notes
    assert note.startswith("for en, ")
    assert "tenbin resources install" in note


@pytest.mark.parametrize("language", ["ja", "ru", "zh", "fr"])
def test_what_lacks_its_vectors_is_not_taken(language: str, bare: ResourceStore) -> None:
    found = language_metrics(language, bare)
    assert found.chosen == (found.surface,)
    assert found.meaning[0].commands[0] in found.notes[0]
    commands = [command for one in found.meaning for command in one.commands]
    assert f"tenbin resources install vectors-{language}" in commands


@pytest.mark.parametrize("language", ["de", "is", "cs", "es", "sw", "zh-TW"])
def test_a_language_without_data_gets_characters_alone(language: str, bare: ResourceStore) -> None:
    found = language_metrics(language, bare)
    if not found.meaning:  # a combination may have come since
        assert found.chosen == (found.surface,)
        assert found.notes == ()


def test_the_best_installed_one_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recommended, "find_spec", lambda _: object())
    found = language_metrics("en", FullStore(tmp_path))
    assert found.chosen == ("chrf++", found.meaning[0].metric)
    assert found.notes == ()


def test_a_missing_package_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recommended, "find_spec", lambda _: None)
    found = language_metrics("en", FullStore(tmp_path))
    assert found.chosen == ("chrf++", "we_wpi")
    assert "pip install 'tenbin[neural]'" in found.notes[0]
    assert "resources install" not in found.notes[0]


def test_names_that_are_not_registered_are_skipped(
    bare: ResourceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = listed(row("de", "metric-of-tomorrow"), row("de", "meteor"))
    monkeypatch.setattr(recommended, "recommendations", lambda: rows)
    found = language_metrics("de", bare)
    assert [one.metric for one in found.meaning] == ["meteor"]
    assert found.chosen == ("chrf++", "meteor")
    assert registered_recommendations() == {"de": (rows[1],)}


def test_a_damaged_or_unknown_resource_counts_as_missing(
    bare: ResourceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = listed(row("de", "meteor", resources=("nonsense",)))
    monkeypatch.setattr(recommended, "recommendations", lambda: rows)
    assert language_metrics("de", bare).chosen == ("chrf++",)


def test_the_table_names_what_exists() -> None:
    table = recommendations()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert len({(one.language, one.metric) for one in table}) == len(table)
    for one in table:
        assert parse_language(one.language).tag == one.language
        assert not one.extra or one.extra in extras
        assert bool(one.extra) == bool(one.packages)
        if is_registered(one.metric):
            assert set(one.resources) <= set(bundled_manifest())
            assert one.agreement


def test_scoring_without_metrics_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = LanguageMetrics(
        language="en",
        surface="chrf++",
        meaning=(
            recommended.RecommendedMetric(metric="later", agreement="", commands=("do this",)),
            recommended.RecommendedMetric(metric="meteor", agreement=""),
        ),
    )
    monkeypatch.setattr("tenbin.api.scoring.language_metrics", lambda _: chosen)
    table = tenbin.score(["a cat"], ["the cat"], language="en")
    assert [one.metric for one in table.results] == ["chrf++", "meteor"]
    assert "for en, later agrees better with people and can be installed: do this" in table.notes
    compared = tenbin.compare({"a": ["a cat"], "b": ["cat"]}, ["the cat"], language="en", rounds=9)
    assert [part.scores.metric for part in compared.metrics] == ["chrf++", "meteor"]
    assert any("later" in note for note in compared.notes)
    alone = tenbin.score(["a cat"], ["the cat"], language="en", metrics=["chrf"])
    assert not any("later" in note for note in alone.notes)


def test_nothing_is_loaded_to_find_out() -> None:
    code = (
        "import sys; from tenbin.metrics.recommended import language_metrics; "
        "language_metrics('en'); language_metrics('ja'); "
        "loaded = {'torch', 'transformers', 'numba', 'sudachipy', 'tenbin.metrics.bertscore', "
        "'tenbin.metrics.tenbin_score', 'tenbin.metrics.earth_movers'} & set(sys.modules); "
        "sys.exit(str(loaded) if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_table_is_a_file_of_the_package() -> None:
    file = files("tenbin.resources") / "bundled" / "recommended-metrics.tsv"
    heading = file.read_text(encoding="utf-8").splitlines()[0].split("\t")
    assert heading == ["language", "metric", "resources", "extra", "packages", "agreement"]


OPTIONAL = {
    *("sudachipy", "sudachidict_core", "MeCab", "ipadic", "jieba", "mecab_ko", "simplemma"),
    *("wordfreq", "pymorphy3", "torch", "transformers", "tokenizers", "safetensors", "sklearn"),
    *("pandas", "pyarrow", "gensim", "openpyxl", "polib"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "one",
    [one for row in registered_recommendations().values() for one in row if one.extra != "neural"],
    ids=lambda one: f"{one.language}-{one.metric}",
)
def test_a_recommended_metric_runs_with_what_the_table_names(one: Recommendation) -> None:
    store = default_store()
    if any(store.state(name)[0] in {State.MISSING, State.DAMAGED} for name in one.resources):
        pytest.skip(f"not installed: {' '.join(one.resources)}")
    if any(find_spec(package) is None for package in one.packages):
        pytest.skip(f"the extra {one.extra!r} is not installed")
    code = (
        f"import sys; sys.modules |= dict.fromkeys({sorted(OPTIONAL - set(one.packages))})\n"
        f"import tenbin; text = [{SENTENCES.get(one.language, 'La casa 3 es roja.')!r}]\n"
        f"tenbin.score(text, text, language={one.language!r}, metrics=[{one.metric!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
