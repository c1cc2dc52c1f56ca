"""Round trips of test sets stand beside the reference whose year they have."""

from pathlib import Path

import numpy as np
import pytest

set_trips = pytest.importorskip(
    "benchmarks.students.set_trips", reason="not run from the repository"
)

from tenbin.building.metric.judged_texts import TextPool  # noqa: E402 - after the skip


def _pool() -> tuple[TextPool, np.ndarray]:
    pool = TextPool()
    references, translations = pool.numbers(["one", "two"]), pool.numbers(["a", "b"])
    return pool, np.stack([references, translations])


def test_references_stand_beside_what_became_of_them_and_of_a_translation() -> None:
    pool, pairs = _pool()
    versions = {"one": [f"one {n}" for n in range(6)], "a": [f"a {n}" for n in range(6)]}
    found = set_trips.trip_pairs(pairs, pool, versions)
    texts = pool.listed()
    assert {texts[one] for one in found[0]} == {"one"}  # of the other nothing is known
    made = [texts[one] for one in found[1]]
    assert len(set(made)) == len(made) == 7
    assert sum(one.startswith("one ") for one in made) == 4
    assert set(made) <= {*versions["one"], *versions["a"]}


def test_no_pair_comes_twice_and_no_text_stands_beside_itself() -> None:
    pool, pairs = _pool()
    versions = {"one": ["one", "a", "new", "new"], "a": ["new", "one", "a"]}
    found = set_trips.trip_pairs(pairs, pool, versions)
    texts = pool.listed()
    assert [(texts[one], texts[other]) for one, other in found.T] == [("one", "new")]


def test_a_translation_of_each_reference_is_drawn() -> None:
    pairs = np.array([[0, 0, 0, 1, 1], [5, 6, 7, 8, 9]])
    found = set_trips.drawn_translations(pairs)
    assert set(found) == {0, 1}
    assert found[0] in {5, 6, 7}
    assert found[1] in {8, 9}


def test_files_are_read_and_odd_texts_left_out(tmp_path: Path) -> None:
    path = tmp_path / "trips.tsv"
    path.write_text("one\tI\tII\ntwo\tIII\tIV\n", encoding="utf-8")
    assert set_trips.read_versions(path) == {"one": ["I", "II"], "two": ["III", "IV"]}
    assert set_trips.is_one_line("A text.")
    assert not any(map(set_trips.is_one_line, ["", "a\tb", "a\nb", "a\u2028b"]))
