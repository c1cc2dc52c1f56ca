"""Presets put damaged translations below good ones; `python -m benchmarks.robustness` has more.

Twenty-four cases of each kind. At least 95 % are to be right of all cases that could be made; of
so many draws with that chance at least 20 are, but for one time in a hundred (binomial). All kinds
are made from the same texts, whose encodings are computed once.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.robustness.cases import Damage, Text, cases, read_texts
from benchmarks.robustness.shares import share_below

import tenbin
from tenbin.annotation.joint.adapter import find_adapter
from tenbin.resources.store.store import default_store

CASES, LEAST, SEED = 24, 20, 11
MOST_WORDS = 25
PRESETS = ("tenbin-large", "tenbin-fast")


@pytest.fixture(scope="module")
def texts(shared: Path) -> list[Text]:
    return read_texts(shared / "data")


@pytest.fixture(scope="module")
def damageable(texts: list[Text]) -> list[Text]:
    """Texts from all over the sets that every damage can be done to."""
    found = [
        text
        for text in texts
        if len(text.translation.split()) <= MOST_WORDS
        and all(cases([text], damage, 1, SEED) for damage in Damage)
    ]
    return found[:: len(found) // CASES][:CASES]


@pytest.fixture(scope="module", autouse=True)
def _own_encodings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One folder of encodings for all tests here, in the place of one for each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TENBIN_ENCODINGS", str(tmp_path_factory.mktemp("encodings")))
        yield


@pytest.fixture(scope="module", params=PRESETS)
def preset(request: pytest.FixtureRequest) -> str:
    pytest.importorskip("torch")
    name = str(request.param)
    base = find_adapter(name).card.base
    if default_store().state(base)[1] is None:
        pytest.skip(f"{base} is not installed: tenbin resources install {base}")
    return name


@pytest.mark.parametrize("damage", Damage)
def test_damage_scores_below(preset: str, damageable: list[Text], damage: Damage) -> None:
    found = share_below(preset, cases(damageable, damage, CASES, SEED), "en")
    assert found.cases == CASES
    assert len(found.wrong) <= CASES - LEAST, found.wrong[:3]


def test_nothing_scores_above_the_reference_itself(preset: str, texts: list[Text]) -> None:
    some = [text for text in texts[::240] if text.translation != text.reference]
    references = [text.reference for text in some]
    systems = {"same": references, "good": [text.translation for text in some]}
    table = tenbin.score(systems, references, metrics=[preset], language="en", segments=True)
    scores = table.results[0].segments
    assert scores is not None
    assert (scores[0] > scores[1]).all()
    assert scores[0].min() == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("damage", Damage)
def test_the_generator(damage: Damage) -> None:
    """It damages what it should, and nothing where it cannot."""
    text = Text(
        "Am 5. Mai kam sie nach Wien und war nicht da.",
        "On 5 May she came to Vienna and was not there at all.",
        "She came to Vienna on 5 May, and was not there.",
        "Hola, ¿qué tal?",
    )
    (made,) = cases([text], damage, 5, seed=1)
    again = cases([text], damage, 5, seed=1)
    assert [made] == again
    assert made.good == text.translation
    assert made.reference == text.reference
    expected = {
        Damage.EMPTY: lambda: made.damaged == "",
        Damage.SOURCE: lambda: made.damaged == text.source,
        Damage.LANGUAGE: lambda: made.damaged == text.foreign,
        Damage.REPEATED: lambda: made.damaged.startswith(text.translation + " "),
        Damage.TRUNCATED: lambda: text.translation.startswith(made.damaged),
        Damage.NUMBER: lambda: " 5 " not in made.damaged and "May" in made.damaged,
        Damage.NAME: lambda: "Vienna" not in made.damaged or "May" not in made.damaged,
        Damage.NEGATION: lambda: "was there" in made.damaged,
        Damage.SHUFFLED: lambda: sorted(made.damaged.split()) == sorted(text.translation.split()),
    }
    assert expected[damage]()
    plain = text._replace(translation="she came to the town and sang a song", reference="x")
    if damage in {Damage.NUMBER, Damage.NAME, Damage.NEGATION}:
        assert cases([plain], damage, 5, seed=1) == []
