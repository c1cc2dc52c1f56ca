"""Different words with one vector are as alike as their spelling, never equal."""

from pathlib import Path

import numpy as np
import pytest

import tenbin
from tenbin.core.alignment import MatchKind
from tenbin.metrics.representations.shared_vectors import spelling_similarities, vector_numbers

TABLE = "6 2\n2018 0 1\n2019 0 1\nLe 1 0\nle 1 0\nyear .6 .8\nsmith 0 1\n"
YEARS = 0.75  # 1 - one edit of four characters


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "pruned.vec"
    path.write_text(TABLE, encoding="utf-8")
    return path


def score(name: str, table: Path, hypothesis: str, reference: str, more: str = "") -> float:
    parameter = "model" if name in {"bertscore", "moverscore"} else "vectors"
    value = f"static:{table}" if parameter == "model" else str(table)
    metric = tenbin.load_metric(f"{name}({parameter}={value!r}{more})", language="en")
    return metric.score([hypothesis], [reference]).score


@pytest.mark.parametrize("name", ["mas", "has", "sv", "bertscore", "yisi1"])
def test_one_word_is_as_alike_as_its_spelling(name: str, table: Path) -> None:
    assert score(name, table, "2018", "2019") == pytest.approx(YEARS)
    assert score(name, table, "2018", "smith") == 0
    assert score(name, table, "2018", "2018") == pytest.approx(1)


@pytest.mark.parametrize("name", ["wmd", "moverscore"])
def test_moving_words_that_share_a_vector_costs_what_their_spelling_says(
    name: str, table: Path
) -> None:
    work = np.sqrt(2 - 2 * YEARS)
    more = "" if name == "wmd" else ", idf=False"
    assert score(name, table, "2018", "2019", more) == pytest.approx(1 / (1 + work))
    assert score(name, table, "2018", "2018", more) == 1


def test_spellings_of_one_word_keep_their_cosine(table: Path) -> None:
    assert score("has", table, "Le", "le") == pytest.approx(1, abs=1e-5)
    assert score("has", table, "Le", "le", ", fold_case=False") == pytest.approx(0.5)


def test_an_average_is_that_of_the_similarities(table: Path) -> None:
    """The cosine of means is a quotient of sums of similarities, here written out."""
    alike = {("2018", "2019"): YEARS, ("2018", "smith"): 0.0, ("2019", "smith"): 0.0}
    cosines = {("year", "2018"): 0.8, ("year", "2019"): 0.8, ("year", "smith"): 0.8}

    def similarity(one: str, other: str) -> float:
        if one == other:
            return 1.0
        both = alike | cosines
        return both.get((one, other), both.get((other, one), 0.0))

    def product(left: list[str], right: list[str]) -> float:
        return sum(similarity(one, other) for one in left for other in right)

    own, other = ["2018", "smith", "year"], ["2019", "2018", "2018"]
    lengths = np.sqrt(product(own, own) * product(other, other))
    found = score("sv", table, " ".join(own), " ".join(other))
    assert found == pytest.approx(product(own, other) / lengths)


def test_explanations_say_that_the_spelling_counts(table: Path) -> None:
    spec = f"has(vectors={str(table)!r})"
    (explained,) = tenbin.explain(["2018 year"], ["2019 year"], language="en", metric=spec)
    (link,) = [one for one in explained.alignment.matches if one.kind is not MatchKind.EXACT]
    assert link.kind is MatchKind.SPELLING
    assert link.evidence == "one vector for both, spelling 0.750"


def test_meteor_does_not_match_words_that_only_share_a_vector(table: Path) -> None:
    spec = f'meteor(stages=("exact", "vector"), vectors={str(table)!r})'
    (explained,) = tenbin.explain(["2018 year"], ["2019 year"], language="en", metric=spec)
    assert [one.evidence for one in explained.alignment.matches] == ["year"]


def test_spelling_similarity() -> None:
    left, right = ["2018", "カービィ", "", "abc"], ["2019", "メタナイト", "", "abc"]
    assert spelling_similarities(left, right).tolist() == [0.75, 0.0, 1.0, 1.0]


def test_equal_vectors_have_equal_numbers_wherever_they_stand() -> None:
    units = np.random.default_rng(0).normal(size=(5_000, 19)).astype(np.float32)
    units[4_999] = units[0]
    numbers = vector_numbers(units)
    assert numbers[0] == numbers[4_999]
    assert len(np.unique(numbers)) == 4_999
