"""MyThes thesauri as lexicons: meanings are sets, other relations are left out."""

from pathlib import Path

import pytest

from tenbin.resources.lexicons.thesaurus import thesaurus_sets

TEXT = """\
UTF-8
Auto|2
-|Wagen|PKW (ugs.)|Fahrzeug (Oberbegriff)|(fahrbarer) Untersatz (ugs., fig.)
-|Kleinbahn
big|1
(adj)|large|small (antonym)|bear-sized (similar term)|gravid (related term)
врач|2
(синоним)|доктор
(антоним)|пациент
alone|1
-|thing (generic term)
"""


@pytest.fixture
def sets(tmp_path: Path) -> dict[str, set[int]]:
    path = tmp_path / "th_xx.dat"
    path.write_text(TEXT, encoding="utf-8")
    table = thesaurus_sets(path)
    return {word: set(table.sets_of(word)) for word in table.words}


def test_synonyms_of_one_meaning_share_a_set(sets: dict[str, set[int]]) -> None:
    assert sets["auto"] & sets["wagen"] & sets["pkw"] & sets["(fahrbarer)_untersatz"]
    assert sets["auto"] & sets["kleinbahn"]
    assert not sets["wagen"] & sets["kleinbahn"]
    assert sets["big"] & sets["large"]
    assert sets["врач"] & sets["доктор"]


def test_other_relations_are_left_out(sets: dict[str, set[int]]) -> None:
    left_out = {"fahrzeug", "small", "bear-sized", "gravid", "пациент", "thing", "alone"}
    assert not left_out & sets.keys()
