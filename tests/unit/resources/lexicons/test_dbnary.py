"""DBnary: words from names and labels, links in one direction, sets that intersect."""

from pathlib import Path

import pytest

from tenbin.core.errors import MalformedLine, UnreadableFile
from tenbin.formats.lexicons.synsets import read_synsets
from tenbin.formats.lexicons.table import LexiconTable
from tenbin.formats.lexicons.turtle import Statement
from tenbin.resources.lexicons.dbnary import dbnary_sets, synonym_pairs, word_in_name
from tenbin.resources.lexicons.lexicon import linked_sets

# The shape of real dumps; fra:aujourd__U2019_hui stands for a name that does not spell its word.
DUMP = """\
@prefix dbnary:  <http://kaiko.getalp.org/dbnary#> .
@prefix fra:     <http://kaiko.getalp.org/dbnary/fra/> .
@prefix ontolex: <http://www.w3.org/ns/lemon/ontolex#> .
@prefix rdfs:    <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos:    <http://www.w3.org/2004/02/skos/core#> .

fra:voiture a dbnary:Page ; dbnary:describes fra:voiture__nom__1 .
fra:voiture__nom__1 a ontolex:LexicalEntry ; rdfs:label "voiture"@fr ;
    ontolex:sense fra:__ws_1_voiture__nom__1 ; dbnary:synonym fra:automobile .
fra:__ws_1_voiture__nom__1 dbnary:synonym fra:Bagnole ; skos:definition "Véhicule."@fr .
fra:automobile dbnary:describes fra:automobile__nom__1 .
fra:automobile__nom__1 rdfs:label "automobile"@fr .
fra:pomme_de_terre__nom__1 rdfs:label "pomme de terre"@fr ; dbnary:synonym fra:patate .
fra:maintenant__adv__1 rdfs:label "maintenant"@fr ; dbnary:synonym fra:aujourd__U2019_hui .
fra:aujourd__U2019_hui dbnary:describes fra:aujourd__U2019_hui__adv__1 .
fra:aujourd__U2019_hui__adv__1 rdfs:label "aujourd’hui"@fr .
"""
LEMON = """\
@prefix dbnary: <http://kaiko.getalp.org/dbnary#> .
@prefix lemon:  <http://lemon-model.net/lemon#> .
@prefix e:      <http://kaiko.getalp.org/dbnary/eng/> .
e:car dbnary:refersTo e:x42 .
e:x42 lemon:sense e:x43 .
e:x42 <http://www.w3.org/2000/01/rdf-schema#label> "Car"@en .
e:x43 dbnary:synonym e:automobile .
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "fr_dbnary_ontolex.ttl"
    path.write_text(text, encoding="utf-8")
    return path


def synonyms(table: LexiconTable, left: str, right: str) -> bool:
    return bool(set(table.sets_of(left)) & set(table.sets_of(right)))


def test_sets_of_a_dump(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    table = dbnary_sets(written(tmp_path, DUMP))
    assert set(table.words) == {
        *("voiture", "automobile", "bagnole", "pomme_de_terre", "patate"),
        *("maintenant", "aujourd’hui"),
    }
    assert synonyms(table, "voiture", "automobile")
    assert synonyms(table, "bagnole", "automobile")  # both are listed by voiture
    assert synonyms(table, "maintenant", "aujourd’hui")
    assert not synonyms(table, "voiture", "patate")


def test_older_dumps_and_names_that_say_nothing(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    table = dbnary_sets(written(tmp_path, LEMON))
    assert synonyms(table, "car", "automobile")


def test_links_go_one_way() -> None:
    table = linked_sets([("a", "b"), ("c", "b"), ("a", "d")])
    assert synonyms(table, "a", "b")
    assert synonyms(table, "b", "d")  # both listed by a
    assert not synonyms(table, "a", "c")  # both list b, which makes them no synonyms
    assert not synonyms(table, "c", "d")


def test_a_dump_that_is_cut_off(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    with pytest.raises(MalformedLine, match=r"fr_dbnary_ontolex.ttl, line 1\d: this is not Turtle"):
        dbnary_sets(written(tmp_path, DUMP[:-15]))


def test_a_dump_without_synonyms(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    with pytest.raises(UnreadableFile, match="no dbnary:synonym"):
        dbnary_sets(written(tmp_path, DUMP.replace("dbnary:synonym", "dbnary:antonym")))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("http://kaiko.getalp.org/dbnary/fra/voiture", "voiture"),
        ("http://kaiko.getalp.org/dbnary/fra/voiture__nom__1", "voiture"),
        ("http://kaiko.getalp.org/dbnary/deu/__ws_3b_Haus__Substantiv__2", "Haus"),
        ("http://kaiko.getalp.org/dbnary/fra/km/h__nom__1", "km/h"),
        ("http://kaiko.getalp.org/dbnary/fra/caf%C3%A9", "café"),
        ("https://example.org/words#Auto", "Auto"),
        ("a literal", "a literal"),
    ],
)
def test_words_in_names(name: str, word: str) -> None:
    assert word_in_name(name) == word


def test_labels_may_come_after_the_links() -> None:
    dbnary = "http://kaiko.getalp.org/dbnary"
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    statements = [
        Statement(f"{dbnary}/fra/x1__nom__1", f"{dbnary}#synonym", f"{dbnary}/fra/y1"),
        Statement(f"{dbnary}/fra/y1__nom__1", label, "ypsilon"),
        Statement(f"{dbnary}/fra/x1__nom__1", label, "ix"),
    ]
    assert list(synonym_pairs(statements)) == [("ix", "ypsilon")]


def test_sets_of_the_published_file_can_be_made_from_its_links(oracle_data: Path) -> None:
    path = oracle_data / "meteor-e" / "dbnary-fr.synsets"
    published = read_synsets(path)
    lines = path.read_text(encoding="utf-8").split("\n")
    owner = {
        int(numbers.split()[0]): word
        for word, numbers in zip(lines[::2], lines[1::2], strict=False)
    }
    links = [
        (owner[number], word)
        for word, numbers in published.items()
        for number in numbers
        if number in owner
    ]
    made = linked_sets(links)
    for left in published:
        for right in published:
            common = set(published[left]) & set(published[right]) & owner.keys()
            assert synonyms(made, left, right) == bool(common)
