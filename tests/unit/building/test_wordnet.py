"""The WordNet table and the list of names, from WordNet's own files."""

from pathlib import Path

import pytest

from tenbin.building.wordnet import build_wordnet_table, wordnet_names
from tenbin.core.errors import MalformedLine
from tenbin.penalty.names.lists import common_names

LICENSE = "  1 This software and database is being provided to you, the LICENSEE\n"


def written(folder: Path, **changed: str) -> Path:
    files = {
        "index.noun": "car n 2 1 @ 2 2 02958343 02959942  \nmouse n 1 1 @ 1 1 02330245  \n",
        "index.verb": "mouse v 1 1 @ 1 1 02330245  \n",
        "index.adj": "",
        "index.adv": "",
        "noun.exc": "mice mouse\n",
        "verb.exc": "mice mouse_about\n",
        "adj.exc": "",
        "adv.exc": "",
    } | {name.replace("_", "."): text for name, text in changed.items()}
    for name, text in files.items():
        (folder / name).write_text((LICENSE if "index" in name else "") + text, encoding="utf-8")
    return folder


def test_table(tmp_path: Path) -> None:
    folder = written(tmp_path)
    table = build_wordnet_table(folder, folder)
    assert table.words == ("car", "mouse")
    assert table.sets_of("car") == (2958343, 2959942)
    assert table.sets_of("mouse") == (2330245,)  # noun and verb with one offset are one synset
    assert table.notes == "mice mouse mouse_about"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("index_verb", "run v\n", "a lemma with its synsets"),
        ("index_verb", "run v x 1 @ 1 1 02330245\n", "a lemma with its synsets"),
        ("adj_exc", "better\n", "a form and its base"),
    ],
)
def test_malformed(tmp_path: Path, name: str, text: str, problem: str) -> None:
    folder = written(tmp_path, **{name: text})
    with pytest.raises(MalformedLine, match=problem):
        build_wordnet_table(folder, folder)


LINES = {
    "noun": "  1 license\n00001740 18 n 03 Tolstoy 0 Leo_Tolstoy 0 ME 0 000 | writer\n"
    "00001930 06 n 02 smith 0 turkey 0 000 | x\n00002137 18 n 02 Smith 0 Turkey 0 000 | x\n",
    "verb": "00001740 29 v 01 march 0 000 | x\n",
    "adj": "00001740 01 a 02 Norwegian(a) 0 O'Brienesque 0 000 | x\n",
    "adv": "00001740 02 r 01 softly 0 000 | x\n",
}


def test_words_with_a_capital_only(tmp_path: Path) -> None:
    for part, content in LINES.items():
        (tmp_path / f"data.{part}").write_text(content)
    assert wordnet_names(tmp_path) == ["norwegian", "o'brienesque", "tolstoy"]


def test_the_bundled_list() -> None:
    assert {"tolstoy", "norwegian", "smith", "tanaka", "o'brien"} <= common_names()
    assert not {"turkey", "march", "me", "hospital", "hunter's", "#"} & common_names()
