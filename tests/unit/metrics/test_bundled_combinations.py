"""Combinations that come with Tenbin: what their cards promise, and that they can be used."""

import pytest

import tenbin
from tenbin.core.errors import MissingExtra, MissingResource
from tenbin.metrics import registry
from tenbin.resources.combinations import load_combination
from tenbin.resources.store.store import default_store

BUNDLED = [
    entry.name for entry in default_store().entries() if entry.name.startswith("combination-")
]
TEXTS = {
    "es": ("El gato se sentó en la alfombra.", "El gato está sentado en la mesa.", "¿Qué hora es?"),
    "ja": ("猫はマットの上に座った。", "猫は机の上に座っている。", "今何時ですか。"),
}


def test_each_has_a_short_name_of_its_own() -> None:
    presets = [name for name, spec in registry.ALIASES.items() if spec.name == "combination"]
    assert presets == BUNDLED
    for name in presets:
        assert dict(registry.ALIASES[name].parameters) == {"file": name}


@pytest.mark.parametrize("name", BUNDLED)
def test_it_is_above_each_member_on_what_was_left_out(name: str) -> None:
    """By every measure, on the language pairs into its language, none of which it had learned."""
    model = load_combination(name=name).model
    (language,) = model.languages
    rows = [row for row in model.card["left_out"] if row["pair"].endswith(f"-{language}")]
    assert {row["measure"] for row in rows} == {"segment-pearson", "acc-eq"}
    assert model.card["recipe"]["held_out"] == "sets"
    for row in rows:
        assert row["fold"] == row["set"]
        *members, combination = row["values"].values()
        assert combination > max(members), row


@pytest.mark.parametrize("name", BUNDLED)
def test_it_gains_over_its_best_member_by_the_measures_of_all_sets(name: str) -> None:
    gains = {one["measure"]: one for one in load_combination(name=name).model.card["gains"]}
    for measure in ("segment-pearson", "acc-eq"):
        assert gains[measure]["interval"][0] > 0


@pytest.mark.parametrize("name", BUNDLED)
def test_its_members_are_those_it_was_learned_with(name: str) -> None:
    (language,) = load_combination(name=name).model.languages
    try:
        registry.load(name).bind(language)
    except (MissingResource, MissingExtra) as missing:
        pytest.skip(str(missing))
    same, near, far = TEXTS[language]
    scores = []
    for text in (same, near, far, ""):
        table = tenbin.score([text], [same], metrics=[name], language=language)
        scores.append(float(table.results[0].scores[0]))
    assert sorted(scores, reverse=True) == scores
    assert 0.9 < scores[0] <= 1
    assert len(set(scores)) == 4
