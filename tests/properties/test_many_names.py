"""Names cost no more than linear time, whatever their number."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.penalty.names.alike import AlikeNames, is_same_name
from tenbin.penalty.names.comparison import marked_tokens
from tenbin.penalty.names.span import NameSpan

pytest.importorskip("simplemma")
pytest.importorskip("sudachipy")

NAMES, SECONDS = 8_000, 60
LETTERS = {"en": "aeioukgsnrhmtq", "ru": "аеиоурсткмнв", "ja": "アカサタナハマヤラーヴィ渡辺邊部"}


@pytest.mark.slow
def test_very_many_names(under_limit: Callable[..., str]) -> None:
    under_limit("many_names.py", NAMES, seconds=SECONDS)


def varied(name: str, letters: str, random: Random) -> str:
    place = random.randrange(len(name))
    return name[:place] + random.choice(letters) + name[place + random.randrange(2) :]


@pytest.mark.parametrize("code", LETTERS)
def test_no_spelling_is_overlooked(code: str) -> None:
    random = Random(1)  # noqa: S311 - names, no secrets
    letters = LETTERS[code]
    names = ["".join(random.choices(letters, k=random.randrange(1, 8))) for _ in range(60)]
    names += ["qaddafi", "gaddafi", "nhhhh", "shhhh", "peking", "beijing", "ベネチア", "ドイツ"]
    alike = AlikeNames(names, code)
    found = 0
    for name in [*names, *(varied(name, letters, random) for name in names * 5)]:
        expected = any(is_same_name(name, other, code) for other in names)
        assert alike.has(name) == expected, name
        found += expected
    assert found > len(names)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)), max_size=8),
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)), max_size=8),
)
def test_marked_tokens(names: list[tuple[int, int]], tokens: list[tuple[int, int]]) -> None:
    spans = [NameSpan(start, start + length, "") for start, length in names]
    places = [(start, start + length) for start, length in tokens]
    overlaps = [any(one < s.stop and s.start < two for s in spans) for one, two in places]
    assert marked_tokens(spans, places).tolist() == overlaps
