"""The bundled WordNet: METEOR's synsets and morphology."""

import hashlib
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenbin.formats.lexicons.synsets import read_synsets
from tenbin.resources.lexicons.wordnet import load_wordnet

# Printed by METEOR 1.5's SynonymDictionary: synsets as listed and of the base forms together.
METEOR = {
    "cars": {2934451, 2958343, 2959942, 2960352, 2960501},
    "was": {
        2268246, 2445925, 2603699, 2604760, 2614181, 2616386, 2620587, 2655135, 2664769, 2697725,
        2702508, 2744820, 2749904, 14631295,
    },
    "xyzzy": set(),
    "": set(),
}  # fmt: skip


@pytest.mark.parametrize("word", METEOR)
def test_look_ups_of_meteor(word: str) -> None:
    assert load_wordnet().concepts(word) == tuple(sorted(METEOR[word]))


@pytest.mark.parametrize(
    ("word", "bases"),
    [
        ("cars", ("car",)),
        ("boxes", ("box",)),
        ("policemen", ("policeman",)),
        ("parties", ("party",)),
        ("making", ("make",)),
        ("walked", ("walk",)),
        ("nicer", ("nice",)),
        ("mice", ("mouse",)),
        ("glass", ()),
        ("as", ()),
        ("is", ("be", "is")),
        ("tree", ()),
    ],
)
def test_base_forms(word: str, bases: tuple[str, ...]) -> None:
    assert load_wordnet().bases(word) == bases


def test_words_as_they_stand() -> None:
    plain = load_wordnet(morphology=False)
    assert plain.concepts("cars") == ()
    assert plain.concepts("car") == load_wordnet().concepts("car")


def test_synonyms_share_a_synset() -> None:
    lexicon = load_wordnet()
    shared = set(lexicon.concepts("automobiles")) & set(lexicon.concepts("car"))
    assert [lexicon.describe(concept) for concept in shared] == [
        "WordNet synset 02958343: auto, automobile, car, machine, motorcar"
    ]
    assert not set(lexicon.concepts("car")) & set(lexicon.concepts("bicycle"))


def test_whole_table() -> None:
    table = load_wordnet().table
    assert len(table.words) == 147_306
    assert len(table.sets) == 206_941
    assert len(set(table.sets.tolist())) == 117_374
    assert len(table.notes.splitlines()) == 5_940


def test_identity_and_licence() -> None:
    folder = Path(str(files("tenbin.resources"))) / "bundled" / "wordnet"
    identity = load_wordnet().identity
    assert (identity.name, identity.version, identity.language) == ("wordnet", "3.0", "en")
    content = (folder / "wordnet-3.0.npz").read_bytes()
    assert identity.fingerprint == hashlib.sha256(content).hexdigest()
    assert "Copyright 2006 by Princeton University" in (folder / "LICENSE.txt").read_text()


@given(st.text(max_size=8))
def test_any_word(word: str) -> None:
    found = load_wordnet().concepts(word)
    assert list(found) == sorted(set(found))


def test_sets_are_those_of_the_file_of_meteor(oracle_data: Path) -> None:
    known = load_wordnet(morphology=False)
    for word, numbers in read_synsets(oracle_data / "meteor-e/wordnet-en.synsets").items():
        assert known.concepts(word) == numbers
